package peer

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

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
