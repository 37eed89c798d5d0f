package peer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// wantFailure checks the error of a target: it is a *api.Failure of the repository.
func wantFailure(t *testing.T, err error, want api.Status, text string) {
	t.Helper()
	f, ok := errors.AsType[*api.Failure](err)
	if !ok || f.Status != want || !strings.Contains(f.Detail, text) || f.Project != repository {
		t.Errorf("%v, want %s %q", err, want, text)
	}
}

// describing is the request for descriptions of documents, as JSON.
func describing(wants string) *nodepb.ToRepository {
	return &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: &nodepb.DescribeRequest{Wants: []byte(wants)}}}
}

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

// One of two replicas is killed under load: every question is answered, whole and described.
func TestKilledReplica(t *testing.T) {
	p := newProject(t)
	a, b := newFar(t, p, nil), newFar(t, p, nil)
	s := newSet(t, a, b)
	load(t, asking(t, s), 100, a.kill)
	await(is(s, "node-a", Down))
	t.Logf("%+v", s.Counts())
}

// One of two replicas is told to drain under load: every question is answered, and the drained one
// ends without a call that is cut off.
func TestDrainedReplica(t *testing.T) {
	p := newProject(t)
	a, b := newFar(t, p, nil), newFar(t, p, nil)
	s := newSet(t, a, b)
	drained := make(chan error, 1)
	load(t, asking(t, s), 60, func() { go func() { drained <- a.server.Drain(t.Context()) }() })
	if err := <-drained; err != nil {
		t.Error(err)
	}
	<-a.served
}

// The only replica dies: its repository is named as unreachable, and the node with the time. It
// comes back, and is asked at once.
func TestOnlyReplica(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	s := newSet(t, node)
	e := asking(t, s)
	ask := func() *api.Answer {
		t.Helper()
		a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(); a.Partial {
		t.Fatalf("%+v", a.Channels)
	}
	boot := s.States()[0].Boot
	node.kill()
	await(is(s, "node-a", Down))
	for range 20 { // never at rest
		a := ask()
		if !a.Partial || len(a.Channels) == 0 {
			t.Fatalf("%+v", a)
		}
		for _, c := range a.Channels {
			named := strings.HasPrefix(c.Detail, "node-a down since ") && c.Project == repository
			if c.Status != api.Unreachable || !named {
				t.Fatalf("%+v", c)
			}
		}
	}
	_, err := e.Packages(t.Context(), api.PackagesRequest{})
	wantFailure(t, err, api.Unreachable, "node-a down since ")
	node.start(t)
	await(is(s, "node-a", Up))
	if a := ask(); a.Partial {
		t.Errorf("%+v", a.Channels)
	}
	if s.States()[0].Boot == boot {
		t.Error("the same boot")
	}
}

// A node whose connection works while its repositories hang is down, and the call under way ends by
// that. It is up again when they are at work.
func TestMissedBeats(t *testing.T) {
	var hangs atomic.Bool
	entered := make(chan struct{}, 1)
	node := newFar(t, newProject(t), func(b serve.Backend) serve.Backend {
		return &changing{
			Backend: b,
			beat: func(ctx context.Context) error {
				if hangs.Load() {
					<-ctx.Done()
					return ctx.Err()
				}
				return b.Beat(ctx)
			},
			target: func(t api.Target) api.Target {
				return asked{t, func(ctx context.Context, m *api.Ask) (*api.Lists, error) {
					if hangs.Load() {
						entered <- struct{}{}
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return t.Ask(ctx, m)
				}}
			},
		}
	})
	s := newSet(t, node)
	x := targetOf(t, s)
	before := x.(api.Returner).Returned()
	hangs.Store(true)
	failed := make(chan error, 1)
	go func() {
		_, err := x.Ask(t.Context(), &api.Ask{Query: "q", Text: "dial", Limit: 5, Budget: ample})
		failed <- err
	}()
	<-entered
	err := <-failed
	wantFailure(t, err, api.Unreachable, "node-a down since ")
	wantFailure(t, err, api.Unreachable, "silent for ")
	if !is(s, "node-a", Down)() {
		t.Error(s.States())
	}
	hangs.Store(false)
	await(is(s, "node-a", Up))
	if !x.(api.Returner).Returned().After(before) {
		t.Error("it did not come back")
	}
	l, err := x.Ask(t.Context(), &api.Ask{Query: "q", Text: "dial", Limit: 5, Budget: ample})
	if err != nil || len(l.Lists) == 0 {
		t.Fatal(l, err)
	}
	if _, err := x.Describe(t.Context(), &api.Describe{Query: "q"}); err != nil {
		t.Error(err)
	}
	if _, err := x.Describe(t.Context(), &api.Describe{Query: "q"}); err == nil {
		t.Error("described twice")
	}
}

// Who asks goes away: the call ends at the node, too.
func TestCancelReachesTheNode(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan error, 1)
	node := newFar(t, newProject(t), func(b serve.Backend) serve.Backend {
		return &changing{Backend: b, target: func(t api.Target) api.Target {
			return asked{t, func(ctx context.Context, _ *api.Ask) (*api.Lists, error) {
				entered <- struct{}{}
				<-ctx.Done()
				ended <- ctx.Err()
				return nil, ctx.Err()
			}}
		}}
	})
	x := targetOf(t, newSet(t, node))
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := x.Ask(ctx, &api.Ask{Query: "q", Text: "dial", Limit: 5, Budget: ample})
			failed <- err
		}()
		<-entered
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	await(func() bool { return node.server.Running() == 0 })
}

// A panic at the node costs its call.
func TestPanicCostsOneCall(t *testing.T) {
	var calls atomic.Int32
	node := newFar(t, newProject(t), func(b serve.Backend) serve.Backend {
		return &changing{Backend: b, target: func(t api.Target) api.Target {
			return asked{t, func(ctx context.Context, m *api.Ask) (*api.Lists, error) {
				if calls.Add(1) == 1 {
					panic("broken at /srv/secret/place")
				}
				return t.Ask(ctx, m)
			}}
		}}
	})
	s := newSet(t, node)
	e := asking(t, s)
	a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
	if err != nil || !a.Partial {
		t.Fatalf("%+v, %v", a, err)
	}
	c := a.Channels[0]
	if c.Status != api.Failed || !strings.Contains(c.Detail, "defect") || strings.Contains(c.Detail, "secret") {
		t.Errorf("%+v", c)
	}
	a, err = e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
	if err != nil || a.Partial || len(a.Results) == 0 {
		t.Errorf("%+v, %v", a, err)
	}
	await(func() bool { return node.server.Running() == 0 })
}

// Streams that are reset at any step leave no hold: the engine closes.
func TestResetStreams(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	conn := newSet(t, node).nodes["node-a"].conn
	ask, err := wire.EncodeAsk(repository, &api.Ask{Text: "dial", Limit: 5}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		ctx, cancel := context.WithCancel(t.Context())
		st, err := nodepb.NewNodeClient(conn).Query(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if i%4 > 0 {
			_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: ask}})
		}
		if i%4 > 1 {
			if in, err := st.Recv(); err == nil && in.GetLists() == nil {
				t.Fatalf("%+v", in)
			}
		}
		if i%4 > 2 {
			_ = st.Send(describing(`[{"DocID":"net/dial.go","Kind":"code"}]`))
		}
		cancel()
	}
	await(func() bool { return node.server.Running() == 0 })
	node.kill()
	if err := node.engine.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// What the protocol does not allow ends the call with its code, and the node lives.
func TestNonsense(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	conn := newSet(t, node).nodes["node-a"].conn
	c := nodepb.NewNodeClient(conn)
	ask := func(m *nodepb.AskRequest) []*nodepb.ToRepository {
		m.Repository = cmp.Or(m.GetRepository(), repository)
		return []*nodepb.ToRepository{{Of: &nodepb.ToRepository_Ask{Ask: m}}}
	}
	good := ask(&nodepb.AskRequest{Text: "dial"})
	long := strings.Repeat("x ", wire.MaxRequest)
	for name, test := range map[string]struct {
		send []*nodepb.ToRepository
		want codes.Code
	}{
		"empty":            {[]*nodepb.ToRepository{{}}, codes.InvalidArgument},
		"describe first":   {[]*nodepb.ToRepository{describing("")}, codes.InvalidArgument},
		"no text":          {ask(&nodepb.AskRequest{}), codes.InvalidArgument},
		"no such oracle":   {ask(&nodepb.AskRequest{Text: "x", Oracles: []string{"x"}}), codes.InvalidArgument},
		"bad filter":       {ask(&nodepb.AskRequest{Text: "x", Filter: []byte("{")}), codes.InvalidArgument},
		"other repository": {ask(&nodepb.AskRequest{Repository: "x", Text: "x"}), codes.NotFound},
		"two asks":         {slices.Concat(good, good), codes.InvalidArgument},
		"oversize":         {ask(&nodepb.AskRequest{Text: long}), codes.ResourceExhausted},
	} {
		st, err := c.Query(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range test.send {
			if i > 0 {
				if _, err := st.Recv(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if err = st.Send(m); err != nil && !errors.Is(err, io.EOF) {
				break
			}
		}
		if err == nil || errors.Is(err, io.EOF) {
			_, err = st.Recv()
		}
		if status.Code(err) != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	read := &nodepb.ReadRequest{Repository: repository, Verb: "verify"}
	if _, err := c.Read(t.Context(), read); status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
	read.Verb, read.Request = "packages", []byte(`{"Later":1}`)
	if _, err := c.Read(t.Context(), read); err != nil {
		t.Error(err)
	}
	route := &nodepb.RouteRequest{}
	if _, err := c.Route(t.Context(), route); status.Code(err) != codes.Unimplemented {
		t.Error(err)
	}
	err := conn.Invoke(t.Context(), "/patina.node.v1.Node/Later", route, &nodepb.RouteReply{})
	if status.Code(err) != codes.Unimplemented {
		t.Error(err)
	}
}

// A set names what it knows, refuses what it may not ask, and follows a change of its nodes.
func TestSet(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	for address, want := range map[string]string{
		"node-0.example:7420": "without certificates", "10.0.0.1:1": "without certificates", "nowhere": "host:port",
	} {
		_, err := New(Options{Nodes: []config.Node{{Name: "node-0", Address: address}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	s := newSet(t, node)
	if _, err := s.Target("other"); !errors.Is(err, api.ErrNoProject) {
		t.Error(err)
	}
	x := targetOf(t, s)
	if err := s.Update(nil); err != nil {
		t.Fatal(err)
	}
	_, err := x.Read(t.Context(), api.PackagesRequest{})
	wantFailure(t, err, api.Unavailable, wire.NoRepository)
	if !errors.Is(err, api.ErrNoProject) {
		t.Error(err)
	}
	// Nobody listens there: what it hosts is not known, so a repository may be there.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_ = l.Close()
	if err := s.Update([]config.Node{{Name: "node-a", Address: closed}}); err != nil {
		t.Fatal(err)
	}
	await(is(s, "node-a", Down))
	y, err := s.Target("other")
	if err != nil || len(y.Channels()) == 0 {
		t.Fatal(err)
	}
	_, err = y.Read(t.Context(), api.PackagesRequest{})
	if f, ok := errors.AsType[*api.Failure](err); !ok || f.Status != api.Unreachable || f.Project != "other" {
		t.Errorf("%v", err)
	}
	if err := s.Update([]config.Node{{Name: "node-a", Address: node.address}}); err != nil {
		t.Fatal(err)
	}
	await(is(s, "node-a", Up))
	if _, err := x.Read(t.Context(), api.PackagesRequest{}); err != nil {
		t.Error(err)
	}
	s.Close()
	if err := s.Update(nil); !errors.Is(err, api.ErrClosed) {
		t.Error(err)
	}
	if _, err := x.Read(t.Context(), api.PackagesRequest{}); err == nil {
		t.Error("answered by a closed set")
	}
}

// A slow replica is helped by another one, whose answer counts. The slow one learns that nobody
// waits, and hedges stay within their tokens.
func TestSlowReplica(t *testing.T) {
	p := newProject(t)
	var entered, ended, quick atomic.Int32
	slow := newFar(t, p, func(b serve.Backend) serve.Backend {
		return &changing{Backend: b, target: func(t api.Target) api.Target {
			return asked{t, func(ctx context.Context, _ *api.Ask) (*api.Lists, error) {
				entered.Add(1)
				<-ctx.Done()
				ended.Add(1)
				return nil, ctx.Err()
			}}
		}}
	})
	fast := newFar(t, p, func(b serve.Backend) serve.Backend {
		return &changing{Backend: b, target: func(t api.Target) api.Target {
			return asked{t, func(ctx context.Context, m *api.Ask) (*api.Lists, error) {
				quick.Add(1)
				return t.Ask(ctx, m)
			}}
		}}
	})
	s := newSet(t, slow, fast)
	x := targetOf(t, s)
	for i := range 10 { // as many as there are tokens
		query := "q" + string(rune('a'+i))
		l, err := x.Ask(t.Context(), &api.Ask{Query: query, Text: "dial", Limit: 5, Budget: ample})
		if err != nil || len(l.Lists) == 0 || l.Query != query {
			t.Fatal(l, err)
		}
		d, err := x.Describe(t.Context(), &api.Describe{
			Query: query, Wants: []api.Want{{DocID: "net/dial.go", Kind: doc.Code}}, Budget: ample,
		})
		if err != nil || len(d.Found) != 1 {
			t.Fatal(d, err)
		}
	}
	await(func() bool { return ended.Load() == entered.Load() && slow.server.Running() == 0 })
	if n := s.Counts().Hedges; quick.Load() != 10 || n != int64(entered.Load()) {
		t.Errorf("%d hedges, %d slow and %d quick calls", n, entered.Load(), quick.Load())
	}
}

// The server ends a watch in order from time to time. That is no silence of the node.
func TestRenewedWatch(t *testing.T) {
	node := newFar(t, newProject(t), nil)
	node.kill()
	node.watchAge = 2 * Beat
	node.start(t)
	log := &records{}
	s, err := New(Options{
		Nodes: []config.Node{{Name: "node-a", Address: node.address}},
		Log:   slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	await(is(s, "node-a", Up))
	for range 5 { // snapshots
		last := s.nodes["node-a"].ofSnapshot()
		await(func() bool { return s.nodes["node-a"].ofSnapshot() != last })
	}
	if text := log.String(); strings.Contains(text, "down") {
		t.Errorf("a renewed watch looked like a node that died:\n%s", text)
	}
}

// ofSnapshot tells the snapshots that the node has sent apart.
func (n *node) ofSnapshot() uintptr {
	n.mu.Lock()
	defer n.mu.Unlock()
	return reflect.ValueOf(n.state.hosted).Pointer()
}

// records keeps what is logged.
type records struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *records) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}
