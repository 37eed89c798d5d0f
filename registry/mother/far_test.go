package mother_test

import (
	"testing"

	"patina/registry"
	"patina/registry/mother"
)

// A far repository has links and a name like any other, and is no project of this machine. Taken
// out and added again, it has its id.
func TestFarRepository(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	ids := lay(t, home, "app")
	const name = "git.example.com/team/lib"
	id, err := mother.AddFar(ctx, home, name)
	check(t, err)
	check(t, mother.Put(ctx, home, mother.Repository{ID: id, Name: "library"}))
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: id, Relation: mother.Uses}))
	g, err := mother.Known(ctx, home)
	check(t, err)
	want := registry.Project{ID: mother.FarID(name), Name: "library", Far: name}
	if len(g.Edges) != 1 || len(g.Far) != 1 || g.Far[0] != want || g.Far[0].Locator() != name {
		t.Errorf("%+v", g)
	}
	if all, err := registry.Listed(home); err != nil || len(all) != 1 || all[0].ID != ids[0] {
		t.Errorf("%+v, %v", all, err)
	}
	all, err := mother.Repositories(ctx, home)
	check(t, err)
	if i := len(all) - 1; i != 1 || all[i].Far != name || all[i].Root != "" || all[0].Far != "" {
		t.Errorf("%+v", all)
	}
	for range 2 {
		if _, err := mother.Remove(ctx, home, id); err != nil {
			t.Error(err)
		}
		if g, err := mother.Known(ctx, home); err != nil || len(g.Far)+len(g.Edges) != 0 {
			t.Errorf("taken out: %+v, %v", g, err)
		}
		again, err := mother.AddFar(ctx, home, name)
		check(t, err)
		if g, err := mother.Known(ctx, home); err != nil || again != id || len(g.Far) != 1 || g.Far[0].Name != "lib" {
			t.Errorf("added again: %s, %+v, %v", again, g, err)
		}
	}
	check(t, registry.Check(home))
	for _, bad := range []string{"", "a b", "a\nb", string(make([]byte, 500))} {
		if _, err := mother.AddFar(ctx, home, bad); err == nil {
			t.Errorf("%q was added", bad)
		}
	}
}
