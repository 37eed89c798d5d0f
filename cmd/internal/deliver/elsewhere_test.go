package deliver

import (
	"strings"
	"testing"

	"patina/actors/api"
	"patina/belief"
	"patina/cmd/internal/dialect"
	"patina/fusion"
	"patina/store/doc"
)

// The call for a belief of another project names that project.
func TestImpactNamesTheProject(t *testing.T) {
	r := api.Result{
		Result:      fusion.Result{Key: fusion.Key{Project: "lib"}},
		Description: doc.Description{Belief: &belief.Note{Belief: belief.Belief{ID: "warm"}}},
	}
	for _, c := range []struct {
		dialect dialect.Dialect
		want    string
	}{{dialect.CLI{}, "patina scry --repo lib --belief warm"}, {dialect.MCP{}, `scry(belief="warm", repo="lib")`}} {
		got := impact([]api.Result{r}, Options{Dialect: c.dialect, Visits: map[string]Visit{"lib": {Repo: "lib"}}})
		if !strings.HasSuffix(got, ": "+c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
