package placement

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func named(prefix string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s-%d", prefix, i))
	}
	return names
}

func listed(n, replicas int) (all []Repository) {
	for i := range n {
		all = append(all, Repository{Name: fmt.Sprintf("example.com/team/repository-%d", i), Replicas: replicas})
	}
	return all
}

func planOf(t *testing.T, nodes []string, all []Repository) Plan {
	t.Helper()
	p, err := NewPlan(nodes, all)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A node that is added takes its share and moves nothing else: of 20,000 replicas about one in 21.
func TestAnAddedNodeMovesItsShare(t *testing.T) {
	all := listed(10_000, 2)
	before, after := planOf(t, named("node", 20), all), planOf(t, named("node", 21), all)
	moves := Moves(before, after)
	for _, m := range moves {
		if m.To != "node-20" || m.From == "" {
			t.Fatalf("moved without need: %+v", m)
		}
	}
	if share := float64(len(moves)) / 20_000; share < 0.043 || share > 0.053 {
		t.Errorf("%d of 20000 replicas move, %.1f%%; the ideal is 4.8%%", len(moves), 100*share)
	}
	most := 0
	for _, n := range named("node", 21) {
		most = max(most, len(after.Of(n)))
	}
	if ratio := float64(most) * 21 / 20_000; ratio > 1.1 {
		t.Errorf("the fullest node has %.3f of the mean", ratio)
	}
}

// The order in which nodes and repositories are listed does not matter, and two replicas are on two
// nodes.
func TestPlansAreAlike(t *testing.T) {
	nodes, all := named("node", 7), listed(200, 2)
	want := planOf(t, nodes, all)
	slices.Reverse(nodes)
	slices.Reverse(all)
	if moves := Moves(want, planOf(t, nodes, all)); len(moves) > 0 {
		t.Errorf("another order moves %v", moves)
	}
	for name, on := range want {
		if len(on) != 2 || on[0] == on[1] {
			t.Errorf("%s is on %v", name, on)
		}
	}
	// Who computes the plan may be of another version: the hash must never change.
	if got := want["example.com/team/repository-0"]; !slices.Equal(got, []string{"node-4", "node-0"}) {
		t.Errorf("repository-0 is on %v", got)
	}
}

func TestPinsAndFewNodes(t *testing.T) {
	nodes := named("node", 3)
	p := planOf(t, nodes, []Repository{
		{Name: "pinned", Replicas: 2, Nodes: []string{"node-1"}},
		{Name: "many", Replicas: 9},
		{Name: "one"},
	})
	if !slices.Equal(p["pinned"], []string{"node-1"}) || len(p["many"]) != 3 || len(p["one"]) != 1 {
		t.Errorf("%v", p)
	}
	for want, f := range map[string]func() (Plan, error){
		"no node":           func() (Plan, error) { return NewPlan(nil, nil) },
		"declared twice":    func() (Plan, error) { return NewPlan([]string{"a", "b", "a"}, nil) },
		"listed twice":      func() (Plan, error) { return NewPlan(nodes, []Repository{{Name: "x"}, {Name: "x"}}) },
		`"gone" is not dec`: func() (Plan, error) { return NewPlan(nodes, []Repository{{Name: "x", Nodes: []string{"gone"}}}) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestMovesOfReplicas(t *testing.T) {
	from := Plan{"kept": {"a", "b"}, "gone": {"a"}, "less": {"a", "b"}}
	to := Plan{"kept": {"b", "a"}, "new": {"c"}, "less": {"b"}}
	want := []Move{{Repository: "gone", From: "a"}, {Repository: "less", From: "a"}, {Repository: "new", To: "c"}}
	if got := Moves(from, to); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A replica is dropped only when all its owners show an index as new.
func TestMayDrop(t *testing.T) {
	held := Replica{Node: "old", Up: true, Head: "h2", ScrapedAt: 200}
	owners := []string{"a", "b"}
	a := Replica{Node: "a", Up: true, Head: "h2", ScrapedAt: 100}
	for want, shown := range map[string][]Replica{
		"b does not show it yet": {a},
		"b is not up":            {a, {Node: "b", Head: "h2", ScrapedAt: 300}},
		"b has an older index":   {a, {Node: "b", Up: true, Head: "h1", ScrapedAt: 100}},
		"":                       {a, {Node: "b", Up: true, Head: "h3", ScrapedAt: 300}},
	} {
		if got := MayDrop(held, owners, shown); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := MayDrop(Replica{Node: "a"}, owners, nil); got != "the node is an owner" {
		t.Errorf("an owner: %q", got)
	}
}

func TestClaimFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for range 2 {
		if err := ClaimFolder(dir, "node-1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := ClaimFolder(dir, "node-2"); !errors.Is(err, ErrOtherOwner) || !strings.Contains(err.Error(), "node-1") {
		t.Errorf("another node: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}
