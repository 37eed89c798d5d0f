package mother_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/registry"
	"patina/registry/mother"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lay registers repositories and returns their ids.
func lay(t *testing.T, home string, names ...string) (ids []string) {
	t.Helper()
	for _, name := range names {
		root := filepath.Join(t.TempDir(), name)
		check(t, os.MkdirAll(filepath.Join(root, ".patina"), 0o700))
		p, err := registry.Register(home, root, filepath.Join(root, ".patina"))
		check(t, err)
		check(t, mother.Put(t.Context(), home, mother.Repository{ID: p.ID}))
		ids = append(ids, p.ID)
	}
	return ids
}

func TestLinks(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	if edges, err := mother.Edges(ctx, home, ""); err != nil || edges != nil {
		t.Errorf("without a registry: %v, %v", edges, err)
	}
	ids := lay(t, home, "app", "lib", "other")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses, Evidence: "go.mod"}))
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[2], Relation: mother.Domain, Weight: 0.6}))
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses, Weight: 0.7}))
	edges, err := mother.Edges(ctx, home, ids[0])
	check(t, err)
	if len(edges) != 2 || edges[0].To != ids[1] || edges[0].Weight != 0.7 || edges[0].Evidence != "go.mod" ||
		edges[1].Weight != 0.6 {
		t.Errorf("%+v", edges)
	}
	if edges, err := mother.Edges(ctx, home, ids[1]); err != nil || len(edges) != 0 {
		t.Errorf("edges are directed: %+v, %v", edges, err)
	}
	for name, e := range map[string]mother.Edge{
		"itself":      {From: ids[0], To: ids[0], Relation: mother.Uses},
		"relation":    {From: ids[0], To: ids[1], Relation: "LIKES"},
		"unknown":     {From: ids[0], To: "0123456789abcdef", Relation: mother.Uses},
		"too heavy":   {From: ids[0], To: ids[1], Relation: mother.Uses, Weight: 1.6},
		"negative":    {From: ids[0], To: ids[1], Relation: mother.Uses, Weight: -1},
		"no number":   {From: ids[0], To: ids[1], Relation: mother.Uses, Weight: math.NaN()},
		"much to say": {From: ids[0], To: ids[1], Relation: mother.Uses, Evidence: strings.Repeat("x", 501)},
	} {
		if err := mother.Link(ctx, home, e); err == nil {
			t.Errorf("%s: linked", name)
		}
	}
	if n, err := mother.Unlink(ctx, home, ids[0], ids[1], ""); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := mother.Unlink(ctx, home, ids[0], ids[1], mother.Uses); !errors.Is(err, mother.ErrNoEdge) {
		t.Error(err)
	}
	if n, err := mother.Remove(ctx, home, ids[2]); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if all, err := mother.Repositories(ctx, home); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// The weight of a useless edge falls to a half, that of a useful one rises, and that of one without
// results stays. Forget undoes all of it.
func TestWeightsLearn(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	ids := lay(t, home, "app", "good", "bad", "rare")
	for _, to := range ids[1:] {
		check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: to, Relation: mother.Uses}))
	}
	for range 60 {
		check(t, mother.Count(ctx, home, []mother.Use{
			{From: ids[0], To: ids[1], Asked: 1, Shown: 5, Used: 5},
			{From: ids[0], To: ids[2], Asked: 1, Shown: 5},
			{From: ids[0], To: "gone", Shown: 5},
		}))
		_, err := mother.Learn(ctx, home)
		check(t, err)
	}
	check(t, mother.Count(ctx, home, []mother.Use{{From: ids[0], To: ids[3], Asked: 1, Shown: 4, Used: 4}}))
	if steps, err := mother.Learn(ctx, home); err != nil || len(steps) != 0 {
		t.Errorf("nothing new: %+v, %v", steps, err)
	}
	want := map[string]float64{ids[1]: 1.5, ids[2]: 0.5, ids[3]: mother.StartWeight}
	edges, err := mother.Edges(ctx, home, ids[0])
	check(t, err)
	for _, e := range edges {
		if math.Abs(e.Weight-want[e.To]) > 0.01 {
			t.Errorf("weight %v after %d shown, %d used; want %v", e.Weight, e.Shown, e.Used, want[e.To])
		}
	}
	if all, err := mother.Histories(ctx, home); err != nil {
		t.Error(err)
	} else if h := all[edges[0].Way()]; len(h) != 61 || h[0].Cause != "link" || h[60].Cause != "learn" {
		t.Errorf("history: %d, %v", len(h), err)
	}
	check(t, mother.Forget(ctx, home))
	edges, err = mother.Edges(ctx, home, ids[0])
	check(t, err)
	for _, e := range edges {
		if e.Weight != mother.StartWeight || e.Shown+e.Used+e.Asked != 0 {
			t.Errorf("after forgetting: %+v", e)
		}
	}
}

// An unusable registry is reported, and reading never makes one.
func TestRegistryThatCannotBeUsed(t *testing.T) {
	ctx := t.Context()
	for name, make := range map[string]func(file string){
		"garbage":  func(file string) { check(t, os.WriteFile(file, []byte(strings.Repeat("garbage ", 1000)), 0o600)) },
		"a folder": func(file string) { check(t, os.Mkdir(file, 0o700)) },
		"a link":   func(file string) { check(t, os.Symlink("/nowhere", file)) },
	} {
		home := t.TempDir()
		make(filepath.Join(home, "mother.db"))
		if _, err := mother.Edges(ctx, home, ""); !errors.Is(err, registry.ErrUnused) {
			t.Errorf("%s: %v", name, err)
		}
		err := mother.Count(ctx, home, []mother.Use{{From: "a", To: "b", Shown: 1}})
		if !errors.Is(err, registry.ErrUnused) {
			t.Errorf("%s, writing: %v", name, err)
		}
	}
}
