package deliver

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"patina/actors/api"
	"patina/belief"
	"patina/cmd/internal/dialect"
	"patina/fusion"
	"patina/store/doc"
)

// The belief impact has a call for each belief that shares the question's matter, in its project:
// for its code, or for the belief if it is about no code.
func TestBeliefImpact(t *testing.T) {
	result := func(project, id string, share, score float64, reaches bool) api.Result {
		r := api.Result{
			Result:      fusion.Result{Key: fusion.Key{Project: project}, Share: share, Score: score},
			Description: doc.Description{Belief: &belief.Note{Belief: belief.Belief{ID: id}}},
		}
		if reaches {
			r.Links = []doc.Link{{Relation: ReachesRelation, Target: "a.go"}}
		}
		return r
	}
	results := []api.Result{
		{Result: fusion.Result{Score: 0.8, Share: 0.9}}, // no belief
		result("app", "sync-first", 0.3, 0.6, true), result("lib", "warm", 0.25, 0.4, false),
		result("app", "few-words", 0.24, 0.6, true), result("app", "unlikely", 0.9, 0.39, true),
	}
	visits := map[string]Visit{"lib": {Repo: "lib"}}
	for _, c := range []struct {
		dialect dialect.Dialect
		want    []string
	}{
		{dialect.CLI{}, []string{"  patina scry --belief sync-first --content-type code", "  patina scry --repo lib --belief warm"}},
		{dialect.MCP{}, []string{`  scry(belief="sync-first", content_type="code")`, `  scry(belief="warm", repo="lib")`}},
	} {
		want := append([]string{"--- Belief Impact ---", "2 beliefs matched — dig deeper:"}, c.want...)
		var got []string
		for _, l := range beliefImpact(results, Options{Dialect: c.dialect, Visits: visits}) {
			got = append(got, l.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := beliefImpact(results[3:4], Options{Dialect: dialect.CLI{}}); got != nil {
		t.Errorf("a belief with few of the words: %q", got)
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
