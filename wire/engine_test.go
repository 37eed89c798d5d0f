package wire

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"patina/actors"
	"patina/actors/api"
	"patina/code/assay"
	"patina/code/impact"
	"patina/code/lookup"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store/doc"
)

// coded is a target whose every message becomes bytes and back on its way.
type coded struct {
	api.Target
	t *testing.T
}

// passed is a message as its receiver gets it. It runs on goroutines of the engine.
func passed[M proto.Message](x coded, m M, err error) M {
	data, e := proto.Marshal(m)
	out := m.ProtoReflect().New().Interface()
	if err = errors.Join(err, e, proto.Unmarshal(data, out)); err != nil {
		x.t.Error(err)
	}
	return out.(M)
}

func (x coded) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	q, err := EncodeAsk("r", m, m.Budget)
	there, err := DecodeAsk(passed(x, q, err), m.Query)
	if err != nil {
		return nil, err
	}
	l, err := x.Target.Ask(ctx, there)
	if err != nil {
		return nil, FailureOf(ErrorOf(err))
	}
	out, err := EncodeLists(l)
	return DecodeLists(passed(x, out, err), m.Query, x.Name())
}

func (x coded) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	if len(m.Wants) == 0 {
		return x.Target.Describe(ctx, m)
	}
	q, err := EncodeDescribe(m, m.Budget)
	there, err := DecodeDescribe(passed(x, q, err), m.Query)
	if err != nil {
		return nil, err
	}
	d, err := x.Target.Describe(ctx, there)
	if err != nil {
		return nil, FailureOf(ErrorOf(err))
	}
	out, err := EncodeDescriptions(d)
	return DecodeDescriptions(passed(x, out, err), m.Query, x.Name())
}

func (x coded) Read(ctx context.Context, r api.Lookup) (any, error) {
	q, err := EncodeRead("r", r, r.Options().Timeout)
	if err != nil {
		return nil, err
	}
	there, err := DecodeRead(passed(x, q, nil))
	if err != nil {
		return nil, err
	}
	out, err := EncodeAnswer(x.Target.Read(ctx, there))
	return DecodeAnswer(passed(x, out, err), r, x.Name())
}

// comparableJSON is the JSON of a value without what stays at home and what differs between two
// calls.
func comparableJSON(t *testing.T, v any) string {
	t.Helper()
	if a, ok := v.(*api.Answer); ok {
		a.Took, a.QueryID = 0, ""
		for i := range a.Channels {
			a.Channels[i].Elapsed = 0
		}
		for i := range a.Indexes {
			a.Indexes[i].Root = ""
		}
		for i := range a.Results {
			a.Results[i].Stat = stayingStat(a.Results[i].Stat)
		}
	} else if v = publicAnswer(v); v == nil {
		t.Fatal("no answer")
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	s := string(data)
	for _, empty := range []string{"null", "[]", "{}"} {
		s = strings.ReplaceAll(s, ":"+empty, ":0")
	}
	return s
}

// An engine's answers are the same whether its project is here or at the other end of the wire.
func TestAnswersOverTheWireAsAtHome(t *testing.T) {
	root, store := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Tree(t, root, map[string]string{
		"cache/cache.go":                     "package cache\n\n// Evict drops the least recently used entry of the cache.\nfunc Evict() { panic(\"cache: no entry\") }\n",
		"net/dial.go":                        "package net\n\n// Dial opens a connection with retries.\nfunc Dial() { Listen() }\n",
		"net/listen.go":                      "package net\n\n// Listen accepts a connection.\nfunc Listen() {}\n",
		"GUIDE.md":                           "# Guide\n\n## Cache\n\nThe cache evicts entries when memory runs short.\n",
		"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
	})
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "cache: evict entries because memory is short")
	if _, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: store, Embedder: embed.Base(), Load: embed.Load}); err != nil {
		t.Fatal(err)
	}
	home, err := actors.Open(actors.Options{
		Projects: []actors.Project{{ID: "id", Name: "app", Root: root, StoreDir: store}},
		Fresh:    func(actors.Project, doc.Generation) (int, string) { return 2, "a note" },
	})
	if err != nil {
		t.Fatal(err)
	}
	far, err := actors.Open(actors.Options{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = home.Close(context.Background()), far.Close(context.Background()) })
	app, err := home.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	if err := far.AddTarget(coded{app, t}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, text := range []string{
		"where is the cache evicted", "net/dial.go::Dial", "Listen", "why are entries evicted", "what changed recently", "who calls Listen",
		"dial once", `"cache: no entry"`, "zyzzyva quux", "net/listen.go", "memory runs short", "connection with retries",
		"Evict fails\n\n```\npanic: cache: no entry\n\tcache/cache.go:4\n```\nIt should not.\n", "what did a do", "guide to the cache",
	} {
		for _, r := range []api.Request{{Text: text}, {Text: text, Limit: 2, Filter: doc.Filter{Paths: []string{"net/**"}}}} {
			r.Timeout, r.Now = MaxBudget, time.Unix(2e9, 0)
			want, err := home.Scry(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := far.Scry(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			found += len(want.Results)
			if want.Partial {
				t.Errorf("%q: %+v", text, want.Channels)
			}
			if a, b := comparableJSON(t, got), comparableJSON(t, want); a != b {
				t.Errorf("%q: over the wire\n%s\nat home\n%s", text, a, b)
			}
		}
	}
	if found < 60 {
		t.Errorf("%d results", found)
	}
	for _, r := range []api.Lookup{
		api.DetailRequest{DocID: "net/dial.go::Dial"},
		api.ResolveRequest{Names: []string{"GUIDE.md"}},
		api.LinksRequest{Path: "net/dial.go", Reasons: 2, Commits: 5, Neighbours: 5},
		api.NearNamesRequest{Name: "Lisetn", Limit: 3, Paths: true},
		api.AssayRequest{Query: assay.Query{Type: "functions", Pattern: "net"}},
		api.RecentRequest{Since: time.Unix(0, 0).UTC(), Limit: 5},
		api.OverviewRequest{},
		api.BriefRequest{Topic: "dial", Now: time.Unix(0, 0).UTC()},
		api.TreeRequest{Limit: 3},
		api.PackagesRequest{},
		api.SymbolsRequest{Symbols: []lookup.Symbol{{Path: "net/dial.go", Name: "Dial"}}},
		api.LinesRequest{Lines: []api.Line{{Path: "net/dial.go", Number: 1}}},
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
		want, err := app.Read(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v", r.Verb(), err)
		}
		got := call(t, far, r)
		if a, b := comparableJSON(t, got), comparableJSON(t, want); a != b {
			t.Errorf("%s: over the wire\n%s\nat home\n%s", r.Verb(), a, b)
		}
	}
	_, err = far.Detail(t.Context(), api.DetailRequest{DocID: "none.go"})
	if f, ok := errors.AsType[*api.Failure](err); !ok || !errors.Is(err, lookup.ErrNoDocument) || f.Project != "app" {
		t.Errorf("%+v", err)
	}
	if _, err := (coded{app, t}).Ask(t.Context(), &api.Ask{Query: "q", Text: "dial", Oracles: []string{"none"}, Budget: MaxBudget}); err == nil ||
		!strings.Contains(err.Error(), `no oracle "none"`) {
		t.Errorf("%v", err)
	}
}

// call asks a Service by the type of a request.
func call(t *testing.T, s api.Service, r api.Lookup) any {
	t.Helper()
	v := reflect.ValueOf(s)
	for i := range v.NumMethod() {
		m := v.Method(i)
		if m.Type().NumIn() != 2 || m.Type().In(1) != reflect.TypeOf(r) {
			continue
		}
		out := m.Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(r)})
		if err, _ := out[1].Interface().(error); err != nil {
			t.Fatalf("%s: %v", r.Verb(), err)
		}
		return out[0].Interface()
	}
	t.Fatalf("no method for %T", r)
	return nil
}
