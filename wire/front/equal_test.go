package front

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/impact"
	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
	"patina/wire"
	"patina/wire/nodepb"

	"google.golang.org/protobuf/proto"
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

// Answers through a front are those of the engine at the node.
func TestAnswersAsAtHome(t *testing.T) {
	c := start(t, false, nil)
	e := c.asking(c.user("anna"), app)
	questions := []api.Request{
		{Text: "why are entries evicted", Limit: 2},
		{Text: "connection", Oracles: []string{"semantic", "lexical"}, Rule: fusion.Rule("rrf")},
		{Text: "connection", Filter: doc.Filter{Paths: []string{"net/**"}, Languages: []string{"go"}}},
		{Text: "cache", AsWritten: true, Now: time.Unix(1e9, 0)},
	}
	for _, text := range []string{
		"where is the cache evicted", "net/dial.go::Dial", "what changed recently in the cache", "zyzzyva quux",
		"who dials", "\"least recently used\"", "Listen", "memory runs short", "net", "guide", "dial-once",
		"accepts a connection",
		"Evict fails\n\n```\npanic: evict\n\tcache/cache.go:4\n```\nThe cache evicts entries when it should not.\n",
	} {
		code := doc.Filter{Kinds: []doc.Kind{doc.Code}}
		questions = append(questions, api.Request{Text: text}, api.Request{Text: text, Filter: code})
	}
	for _, r := range questions {
		r.Timeout = ample
		want, err := c.nodes[0].engine.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(timeless(got), timeless(want)) {
			t.Errorf("%q: through a front\n%+v\nat home\n%+v", r.Text, timeless(got), timeless(want))
		}
		if want.Partial || len(want.Channels) == 0 {
			t.Errorf("%q: %+v", r.Text, want.Channels)
		}
	}
	if s := c.front.Set().Counts(); s.Failovers > 0 {
		t.Errorf("%+v", s)
	}
}

// Look-ups through a front have the same bytes as from the node.
func TestReadsAsAtHome(t *testing.T) {
	c := start(t, true, nil)
	through := nodepb.NewNodeClient(c.connect("", ""))
	c.address = c.nodes[0].address
	direct := nodepb.NewNodeClient(c.connect("", ""))
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
		api.DetailRequest{DocID: "none.go"}, // the failure is the repository's
	} {
		m, err := wire.EncodeRead(app, r, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		want, err := direct.Read(t.Context(), m)
		if err != nil {
			t.Fatalf("%s: %v", r.Verb(), err)
		}
		got, err := through.Read(t.Context(), m)
		if err != nil {
			t.Errorf("%s: %v", r.Verb(), err)
		} else if !proto.Equal(got, want) {
			t.Errorf("%s: through a front\n%v\nfrom the node\n%v", r.Verb(), got, want)
		}
	}
	for _, m := range []*nodepb.ReadRequest{
		{Repository: app, Verb: "verify"}, {Repository: app, Verb: "packages", Request: []byte("{")}, {Repository: none, Verb: "packages"},
	} {
		_, got := through.Read(t.Context(), m)
		_, want := direct.Read(t.Context(), m)
		if want == nil || textOf(got) != textOf(want) {
			t.Errorf("%s: %v, from the node %v", m.GetVerb(), got, want)
		}
	}
}
