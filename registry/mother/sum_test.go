package mother_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"patina/registry"
	"patina/registry/mother"
)

// A flipped bit in mother.db must be an error for its readers or must not change the result. No
// project is lost, because the records beside mother.db answer.
func TestNoFlipChangesTheGraph(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	ids := lay(t, home, "app", "lib", "other", "docs")
	for i, to := range ids[1:] {
		check(t, mother.Link(ctx, home, mother.Edge{
			From: ids[0], To: to, Relation: mother.Relations()[i], Weight: .5 + float64(i)/10, Evidence: "go.mod",
		}))
	}
	check(t, mother.Put(ctx, home, mother.Repository{
		ID: ids[0], Name: "mine", Domains: []string{"web"}, Languages: []string{"go"},
	}))
	check(t, mother.Count(ctx, home, []mother.Use{{From: ids[0], To: ids[1], Asked: 9, Shown: 9, Used: 3}}))
	_, err := mother.Learn(ctx, home)
	check(t, err)
	read := func() (string, error) {
		edges, err := mother.Edges(ctx, home, "")
		repositories, errR := mother.Repositories(ctx, home)
		histories, errH := mother.Histories(ctx, home)
		return fmt.Sprint(edges, repositories, histories), errors.Join(err, errR, errH)
	}
	want, err := read()
	check(t, err)
	path := filepath.Join(home, "mother.db")
	sound, err := os.ReadFile(path)
	check(t, err)
	random, said := rand.New(rand.NewSource(1)), 0
	for range 150 {
		content := bytes.Clone(sound)
		at, bit := random.Intn(len(content)), random.Intn(8)
		content[at] ^= 1 << bit
		check(t, os.WriteFile(path, content, 0o600))
		got, err := read()
		switch {
		case errors.Is(err, registry.ErrUnused):
			said++
		case err != nil || got != want:
			t.Errorf("bit %d of byte %d: %v\n%s", bit, at, err, got)
		}
		if all, _ := registry.Projects(home); len(all) != len(ids) {
			t.Errorf("bit %d of byte %d: %d projects", bit, at, len(all))
		}
		for _, end := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + end)
		}
	}
	if said == 0 {
		t.Error("no flip is said")
	}
}
