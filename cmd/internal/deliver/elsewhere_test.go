package deliver

import (
	"bytes"
	"regexp"
	"slices"
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

// If several projects were asked, results elsewhere name their project and the edge, and the first
// result of home names home.
func TestTagsNameTheProjectOfEachResult(t *testing.T) {
	a := sample(5)
	for i := range a.Results {
		a.Results[i].Key.Project = []string{"lib", "app", "app", "lib", "app"}[i]
	}
	o := Options{Dialect: dialect.CLI{}, Visits: map[string]Visit{"lib": {Via: "LEARNS_FROM > TESTS_WITH", Repo: "lib"}}}
	var b bytes.Buffer
	if err := Snippets(&b, a, o); err != nil {
		t.Fatal(err)
	}
	var tags, via []string
	for _, m := range regexp.MustCompile(`(?m)^\d+\. \[([^]]+)\].*\)(?:  via (\S.*?))?(?:  |$)`).FindAllStringSubmatch(b.String(), -1) {
		tags, via = append(tags, m[1]), append(via, m[2])
	}
	if want := []string{"lib:code", "app:commit", "doc", "lib:code", "code"}; !slices.Equal(tags, want) {
		t.Errorf("tags %q in\n%s", tags, b.String())
	}
	const edge = "LEARNS_FROM > TESTS_WITH"
	if want := []string{edge, "", "", edge, ""}; !slices.Equal(via, want) {
		t.Errorf("via %q in\n%s", via, b.String())
	}
}
