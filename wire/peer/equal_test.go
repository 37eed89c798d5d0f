package peer

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/impact"
	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
)

// timeless is an answer without the parts that differ between two askings, or that stay at home.
func timeless(a *api.Answer) *api.Answer {
	out := *a
	out.Took, out.QueryID = 0, ""
	out.Channels = slices.Clone(a.Channels)
	for i := range out.Channels {
		out.Channels[i].Elapsed = 0
	}
	out.Indexes = slices.Clone(a.Indexes)
	for i, x := range out.Indexes {
		out.Indexes[i].Generation.ScrapedAt = x.Generation.ScrapedAt.Round(0).UTC()
		out.Indexes[i].Root = ""
	}
	out.Results = slices.Clone(a.Results)
	for i, r := range out.Results {
		out.Results[i].Time = r.Time.UTC()
		out.Results[i].Stat = doc.Stat{Size: r.Stat.Size}
	}
	return &out
}

// A repository on another node gives the answers that it gives at home.
func TestAnswersAsAtHome(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	e := asking(t, newSet(t, node))
	questions := []api.Request{
		{Text: "why are entries evicted", Limit: 2},
		{Text: "connection", Oracles: []string{"semantic", "lexical"}, Rule: fusion.Rule("rrf")},
		{Text: "connection", Filter: doc.Filter{Paths: []string{"net/**"}, Languages: []string{"go"}}},
		{Text: "cache", AsWritten: true, Now: time.Unix(1e9, 0)},
	}
	for _, text := range []string{
		"where is the cache evicted", "net/dial.go::Dial", "what changed recently in the cache", "zyzzyva quux",
		"who dials", "\"least recently used\"", "Listen", "memory runs short", "net", "guide", "dial-once", "accepts a connection",
		"Evict fails\n\n```\npanic: evict\n\tcache/cache.go:4\n```\nThe cache evicts entries when it should not.\n",
	} {
		code := doc.Filter{Kinds: []doc.Kind{doc.Code}}
		questions = append(questions, api.Request{Text: text}, api.Request{Text: text, Filter: code})
	}
	for _, r := range questions {
		r.Timeout = ample
		want, err := node.engine.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(timeless(got), timeless(want)) {
			t.Errorf("%q: from far\n%+v\nat home\n%+v", r.Text, timeless(got), timeless(want))
		}
		if want.Partial || len(want.Channels) == 0 {
			t.Errorf("%q: %+v", r.Text, want.Channels)
		}
	}
}

// bare is the JSON of an answer to a look-up without what stays at home, and without the difference
// between an empty list and nil, which not every wire keeps.
func bare(t *testing.T, answer any) string {
	t.Helper()
	api.IndexOf(answer).Root = ""
	switch a := answer.(type) {
	case *api.DetailAnswer:
		a.Stat = doc.Stat{Size: a.Stat.Size}
	case *api.TreeAnswer:
		for i, f := range a.Files {
			a.Files[i].Stat = doc.Stat{Size: f.Size}
		}
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	s := string(raw)
	for _, empty := range []string{"null", "[]", "{}"} {
		s = strings.ReplaceAll(s, ":"+empty, ":0")
	}
	return s
}

// Every look-up is answered as at home, except the ones that stay there.
func TestReadsAsAtHome(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	x := targetOf(t, newSet(t, node))
	home, err := node.engine.Target(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []api.Lookup{
		api.DetailRequest{DocID: "net/dial.go::Dial"},
		api.ResolveRequest{Names: []string{"none.go", "GUIDE.md"}, Symbols: true},
		api.LinksRequest{Path: "net/dial.go", Reasons: 2, Commits: 5, Neighbours: 5},
		api.NearNamesRequest{Name: "Lisetn", Limit: 3, Paths: true},
		api.AssayRequest{Query: assay.Query{Type: "functions", Pattern: "net"}},
		api.RecentRequest{Since: time.Unix(0, 0), Limit: 5},
		api.OverviewRequest{},
		api.BriefRequest{Topic: "dial", Now: time.Unix(0, 0)},
		api.TreeRequest{Limit: 3},
		api.PackagesRequest{},
		api.SymbolsRequest{Symbols: []lookup.Symbol{{Path: "net/dial.go", Name: "Dial"}}},
		api.LinesRequest{Lines: []api.Line{{Path: "net/dial.go", Number: 1}, {Path: "net/dial.go", Number: 99}}},
		api.MatchesRequest{Regex: `^func [A-Z]`, Limit: 1},
		api.ClosestRequest{Question: "retry a connection", DocID: "net/dial.go", Limit: 3},
		api.ReachRequest{Path: "net/dial.go"},
		api.StandingRequest{ID: "dial-once"},
		api.BeliefsRequest{IDs: []string{"dial-once"}},
		api.ProposalsRequest{Limit: 20},
		api.AuditRequest{},
		api.ImpactRequest{Query: impact.Query{Changes: []impact.Change{{Path: "net/dial.go"}}}},
		api.FreshnessRequest{},
	} {
		r = api.WithOptions(r, api.ReadOptions{Timeout: 20 * time.Second})
		want, err := home.Read(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v", r.Verb(), err)
		}
		got, err := x.Read(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", r.Verb(), err)
			continue
		}
		if reflect.TypeOf(got) != reflect.TypeOf(want) || bare(t, got) != bare(t, want) {
			t.Errorf("%s: from far\n%s\nat home\n%s", r.Verb(), bare(t, got), bare(t, want))
		}
	}
	_, err = x.Read(t.Context(), api.VerifyRequest{})
	if f, ok := errors.AsType[*api.Failure](err); !ok || f.Status != api.Unavailable || f.Read != "verify" {
		t.Errorf("verify: %v", err)
	}
	_, err = x.Read(t.Context(), api.DetailRequest{DocID: "none.go"})
	wantFailure(t, err, api.Failed, "")
	if f, _ := errors.AsType[*api.Failure](err); !errors.Is(err, lookup.ErrNoDocument) || f.Read != "detail" {
		t.Errorf("%+v", f)
	} else if strings.Contains(f.Detail, "node-a") {
		t.Errorf("the error of a repository names a node: %v", f)
	}
}
