package peer

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"patina/actors/api"
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
	s := newSetWith(t, Options{}, node)
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
	for _, n := range s.States() { // the hedges are of the node that was asked beside the slow one
		want := int64(0)
		if n.Name == "node-b" {
			want = s.Counts().Hedges
		}
		if n.Hedges != want || n.Failovers != 0 {
			t.Errorf("%s: %d hedges of %d, %d failovers", n.Name, n.Hedges, s.Counts().Hedges, n.Failovers)
		}
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
