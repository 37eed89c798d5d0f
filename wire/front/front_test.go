package front

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
	"patina/wire/serve"
)

// Who may not see a repository is told what is told of one that there is not, whatever is asked and
// whomever the caller claims to ask for.
func TestHiddenIsUnknown(t *testing.T) {
	c := start(t, false, nil)
	anna, ben := c.connect(pki.User, "anna"), c.connect(pki.User, "ben")
	forged := metadata.AppendToOutgoingContext(t.Context(), serve.ForUser, "anna")
	const unknown = "NotFound: " + wire.NoRepository
	for _, test := range []struct {
		name, repository, want string
	}{{"anna", hidden, "OK"}, {"anna", none, unknown}, {"ben", app, "OK"}, {"ben", hidden, unknown}, {"ben", none, unknown}} {
		conn := anna
		if test.name == "ben" {
			conn = ben
		}
		for _, ctx := range []context.Context{t.Context(), forged} {
			if got := packages(ctx, conn, test.repository); got != test.want {
				t.Errorf("%s of %s: %q, want %q", test.repository, test.name, got, test.want)
			}
			if _, err := ask(ctx, conn, test.repository); textOf(err) != test.want {
				t.Errorf("%s of %s: ask: %v, want %q", test.repository, test.name, err, test.want)
			}
		}
	}
	asNode := c.connect(pki.Node, "node-a")
	for _, name := range []string{app, hidden, none} {
		if got := packages(forged, asNode, name); got != unknown {
			t.Errorf("%s of a node: %q", name, got)
		}
	}
	var took [2][]time.Duration
	for range 400 {
		i := rand.IntN(2)
		began := time.Now()
		_ = packages(t.Context(), ben, []string{hidden, none}[i])
		took[i] = append(took[i], time.Since(began))
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	t.Logf("in the median hidden took %v, unknown %v", took[0][len(took[0])/2], took[1][len(took[1])/2])
}

// A certificate that is revoked is refused at the next message, also of a stream that is open.
func TestRevoked(t *testing.T) {
	c := start(t, false, nil)
	conn := c.connect(pki.User, "ben")
	watch, err := nodepb.NewNodeClient(conn).Watch(t.Context(), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	st, err := ask(t.Context(), conn, app)
	if err != nil {
		t.Fatal(err)
	}
	c.change(func() { c.revoked = []string{"ben"} })
	_ = st.Send(describing)
	if _, err := st.Recv(); status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), "revoked") {
		t.Error(err)
	}
	for err = nil; err == nil; {
		_, err = watch.Recv()
	}
	if status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
	if got := packages(t.Context(), conn, app); !strings.HasPrefix(got, "Unauthenticated: ") {
		t.Error(got)
	}
	c.change(func() { c.revoked, c.groups["all"] = nil, []string{"anna"} })
	if got := packages(t.Context(), conn, app); got != "NotFound: "+wire.NoRepository {
		t.Error(got)
	}
}

// Of two replicas one dies under load and comes back: every question is answered, whole and
// described.
func TestKilledReplica(t *testing.T) {
	c := start(t, false, nil)
	s := c.user("anna")
	e := c.asking(s, app)
	load := func(half func()) {
		var all sync.WaitGroup
		for g := range 2 {
			all.Go(func() {
				for i := range 20 {
					if g == 0 && i == 10 {
						half()
					}
					symbol := []string{"cache/cache.go::Evict", "net/dial.go::Dial", "net/listen.go::Listen"}[i%3]
					a, err := e.Scry(t.Context(), api.Request{Text: symbol, Timeout: ample})
					switch {
					case err != nil:
						t.Errorf("%s: %v", symbol, err)
					case a.Partial || len(a.Results) == 0 || a.Results[0].DocID != symbol || a.Results[0].Bare:
						t.Errorf("%s: partial %v, %d results, %+v", symbol, a.Partial, len(a.Results), a.Channels)
					}
					r := api.PackagesRequest{ReadOptions: api.ReadOptions{Timeout: ample}}
					if _, err := e.Packages(t.Context(), r); err != nil {
						t.Error(err)
					}
					time.Sleep(2 * time.Second / wire.MaxRate * 3)
				}
			})
		}
		all.Wait()
	}
	for _, n := range c.nodes {
		load(n.kill)
		n.start()
		await(func() bool {
			return !slices.ContainsFunc(c.front.Set().States(), func(x peer.NodeState) bool { return x.Condition != peer.Up })
		})
	}
	t.Logf("front %+v, user %+v", c.front.Set().Counts(), s.Counts())
}

// A node that dies between the two messages of a question ends the stream, and whoever asked begins
// anew at the same front.
func TestNodeDiesBetweenAskAndDescribe(t *testing.T) {
	c := start(t, false, nil)
	x := c.target(c.user("anna"), app)
	m := &api.Ask{Query: "q", Text: "dial", Limit: 5, Budget: 20 * time.Second}
	l, err := x.Ask(t.Context(), m)
	if err != nil || len(l.Lists) == 0 {
		t.Fatalf("%+v, %v", l, err)
	}
	for _, n := range c.nodes {
		if n.server.Running() > 0 {
			n.kill()
			defer n.start()
		}
	}
	d, err := x.Describe(t.Context(), &api.Describe{
		Query: "q", Wants: []api.Want{{DocID: "net/dial.go", Kind: "code"}}, Budget: 20 * time.Second,
	})
	if err != nil || len(d.Found) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}

// Without a replica that is up the repository is unreachable, and not unknown: it stays in what
// watchers are told.
func TestAllReplicasDown(t *testing.T) {
	c := start(t, false, nil)
	conn := c.connect(pki.User, "anna")
	watch, err := nodepb.NewNodeClient(conn).Watch(t.Context(), &nodepb.WatchRequest{BeatUs: 1, Repositories: []string{app, none}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := watch.Recv()
	if err != nil || len(m.GetHosted()) != 1 || m.GetHosted()[0].GetUnreachable() || m.GetHosted()[0].GetHead() != "1" {
		t.Fatalf("%v, %v", m, err)
	}
	for _, n := range c.nodes {
		n.kill()
	}
	changed := func() *nodepb.Hosted {
		t.Helper()
		for {
			m, err := watch.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if len(m.GetGone()) > 0 {
				t.Fatal(m)
			}
			if len(m.GetHosted()) > 0 {
				return m.GetHosted()[0]
			}
		}
	}
	if h := changed(); !h.GetUnreachable() || h.GetHead() != "1" {
		t.Error(h)
	}
	down := regexp.MustCompile(`^Unavailable: node-a down since [\d:]{8}; node-b down since [\d:]{8}$`)
	if got := packages(t.Context(), conn, app); !down.MatchString(got) {
		t.Error(got)
	}
	if got := packages(t.Context(), conn, none); got != "NotFound: "+wire.NoRepository {
		t.Error(got)
	}
	// A front that was started meanwhile knows the repository from the configuration.
	c.startFront()
	conn = c.connect(pki.User, "anna")
	if got := packages(t.Context(), conn, app); !down.MatchString(got) {
		t.Error(got)
	}
	reply, err := nodepb.NewFrontClient(conn).Repositories(t.Context(), &nodepb.RepositoriesRequest{})
	if err != nil || len(reply.GetRepositories()) != 2 || !reply.GetRepositories()[0].GetUnreachable() {
		t.Errorf("%v, %v", reply, err)
	}
	for _, n := range c.nodes {
		n.start()
	}
	if h := changed(); h.GetUnreachable() {
		t.Error(h)
	}
}

// Who asks goes away: the call ends at the node, too.
func TestCancelReachesTheNode(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan error, 1)
	c := start(t, true, func(_ string, b serve.Backend) serve.Backend {
		return &changing{Backend: b, ask: func(ctx context.Context, _ *api.Ask) (*api.Lists, error) {
			entered <- struct{}{}
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}}
	})
	conn := c.connect("", "")
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := ask(ctx, conn, app)
			failed <- err
		}()
		<-entered
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := <-failed; status.Code(err) != codes.Canceled {
			t.Error(err)
		}
	}
	await(func() bool {
		return c.front.Running() == 0 && c.nodes[0].server.Running() == 0 && c.nodes[1].server.Running() == 0
	})
}

// changing is a Backend whose targets answer an Ask as a test says.
type changing struct {
	serve.Backend
	ask func(context.Context, *api.Ask) (*api.Lists, error)
}

func (c *changing) Target(name string) (api.Target, bool) {
	t, ok := c.Backend.Target(name)
	return asked{t, c.ask}, ok
}

type asked struct {
	api.Target
	ask func(context.Context, *api.Ask) (*api.Lists, error)
}

func (a asked) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) { return a.ask(ctx, m) }

// Streams that are reset at any point leave nothing: no call, no goroutine and no hold.
func TestResetStreamsLeaveNothing(t *testing.T) {
	c := start(t, true, nil)
	conn := c.connect("", "")
	if got := packages(t.Context(), conn, app); got != "OK" {
		t.Fatal(got)
	}
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 500 {
				ctx, cancel := context.WithCancel(t.Context())
				st, err := nodepb.NewNodeClient(conn).Query(ctx)
				if err != nil {
					t.Error(err)
				}
				if i%4 > 0 {
					m := &nodepb.AskRequest{Repository: app, Text: "dial"}
					_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
				}
				if i%4 > 1 {
					if _, err := st.Recv(); err != nil {
						t.Error(g, i, err)
					}
				}
				if i%4 > 2 {
					_ = st.Send(describing)
				}
				cancel()
			}
		})
	}
	all.Wait()
	await(func() bool {
		return c.front.Running() == 0 && c.nodes[0].server.Running() == 0 && c.nodes[1].server.Running() == 0
	})
	awaitGoroutines(t, before)
	if got := packages(t.Context(), conn, app); got != "OK" {
		t.Error(got)
	}
}

// A front drains as a node does: who watches is told, running questions end, new ones are refused.
func TestDrain(t *testing.T) {
	c := start(t, false, nil)
	conn := c.connect(pki.User, "anna")
	st, err := ask(t.Context(), conn, app)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := nodepb.NewNodeClient(conn).Watch(t.Context(), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := watch.Recv(); err != nil || len(m.GetHosted()) != 2 || !m.GetSnapshot() || !wire.Speaks(m.GetProtocol()) {
		t.Fatalf("%v, %v", m, err)
	}
	drained := make(chan error, 1)
	go func() { drained <- c.front.Drain(t.Context()) }()
	for {
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if m.GetDraining() {
			break
		}
	}
	if got := packages(t.Context(), conn, app); !strings.HasPrefix(got, "ResourceExhausted: ") {
		t.Error(got)
	}
	_ = st.Send(describing)
	if in, err := st.Recv(); err != nil || in.GetDescriptions() == nil {
		t.Errorf("a question under way was cut off: %v, %v", in, err)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
}

// A message that is no question is refused, and costs nothing else.
func TestRefusedMessages(t *testing.T) {
	c := start(t, true, nil)
	conn := c.connect("", "")
	st, err := nodepb.NewNodeClient(conn).Query(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = st.Send(describing)
	if _, err := st.Recv(); status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
	if st, err = ask(t.Context(), conn, app); err != nil {
		t.Fatal(err)
	}
	m := &nodepb.AskRequest{Repository: app, Text: "dial"}
	_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
	if _, err := st.Recv(); textOf(err) != "InvalidArgument: a Describe follows an Ask" {
		t.Error(err)
	}
	empty := &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: &nodepb.AskRequest{Repository: app}}}
	if st, err = nodepb.NewNodeClient(conn).Query(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = st.Send(empty)
	if _, err := st.Recv(); textOf(err) != "InvalidArgument: invalid request: the question is empty" {
		t.Error(err)
	}
	await(func() bool { return c.front.Running() == 0 })
}
