package mother_test

import (
	"testing"

	"patina/registry/mother"
)

// A value that is not given stays, and an empty list clears it.
func TestPutKeepsAndClears(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	id := lay(t, home, "app")[0]
	for _, step := range []struct {
		put               mother.Repository
		domains, packages int
	}{
		{mother.Repository{Domains: []string{"cli", "go"}, Packages: []string{"app"}}, 2, 1},
		{mother.Repository{Name: "called"}, 2, 1},
		{mother.Repository{Domains: []string{}}, 0, 1},
		{mother.Repository{Packages: []string{}}, 0, 0},
		{mother.Repository{Domains: []string{"web"}}, 1, 0},
	} {
		step.put.ID = id
		check(t, mother.Put(ctx, home, step.put))
		all, err := mother.Repositories(ctx, home)
		check(t, err)
		if r := all[0]; len(r.Domains) != step.domains || len(r.Packages) != step.packages {
			t.Errorf("after %+v: %+v", step.put, r)
		}
	}
	all, err := mother.Repositories(ctx, home)
	if check(t, err); all[0].Name != "called" {
		t.Errorf("%+v", all[0])
	}
}
