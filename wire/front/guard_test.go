package front

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/serve"
)

// Whoever has no certificate may join, and nothing else.
func TestNoCertificate(t *testing.T) {
	c := start(t, false, nil)
	conn, err := grpc.NewClient("passthrough:///"+c.address,
		grpc.WithTransportCredentials(credentials.NewTLS(pki.JoinTLS(c.ca.Fingerprint(), nil))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	node, front := nodepb.NewNodeClient(conn), nodepb.NewFrontClient(conn)
	for name, call := range map[string]func(context.Context) error{
		"Query": func(ctx context.Context) error { _, err := ask(ctx, conn, app); return err },
		"Query without a message": func(ctx context.Context) error {
			st, err := node.Query(ctx)
			if err == nil {
				_, err = st.Recv()
			}
			return err
		},
		"Read": func(ctx context.Context) error {
			_, err := node.Read(ctx, &nodepb.ReadRequest{Repository: app, Verb: "packages"})
			return err
		},
		"Route":    func(ctx context.Context) error { _, err := node.Route(ctx, &nodepb.RouteRequest{}); return err },
		"Sketches": func(ctx context.Context) error { _, err := node.Sketches(ctx, &nodepb.SketchesRequest{}); return err },
		"Counts":   func(ctx context.Context) error { _, err := node.Counts(ctx, &nodepb.CountsRequest{}); return err },
		"Watch": func(ctx context.Context) error {
			st, err := node.Watch(ctx, &nodepb.WatchRequest{})
			if err == nil {
				_, err = st.Recv()
			}
			return err
		},
		"Repositories": func(ctx context.Context) error {
			_, err := front.Repositories(ctx, &nodepb.RepositoriesRequest{})
			return err
		},
		"Status": func(ctx context.Context) error { _, err := front.Status(ctx, &nodepb.StatusRequest{}); return err },
		"Renew":  func(ctx context.Context) error { _, err := front.Renew(ctx, &nodepb.RenewRequest{}); return err },
	} {
		if err := call(t.Context()); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := front.Enrol(t.Context(), &nodepb.EnrolRequest{Secret: "AAAA"}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("without a request to sign: %v", err)
	}
	token, err := c.ca.Invite(pki.Invitation{Name: "dora", Role: pki.User}, []string{c.address}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	request, err := pki.NewRequest(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m, err := front.Enrol(t.Context(), &nodepb.EnrolRequest{Secret: token.Secret, Csr: request})
	if err != nil || len(m.GetChain()) == 0 {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := front.Enrol(t.Context(), &nodepb.EnrolRequest{Secret: token.Secret, Csr: request}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("the same token: %v", err)
	}
}

// Certificates of others and older protocols do not get as far as a call.
func TestOtherCertificates(t *testing.T) {
	c := start(t, false, nil)
	other, err := pki.InitCA(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder := c.folder(pki.User, "anna")
	settings, err := folder.ClientTLS(pki.Expected{Role: pki.Front, Name: "front-0"})
	if err != nil {
		t.Fatal(err)
	}
	own := c.ca
	c.ca = other
	foreign, err := c.folder(pki.User, "anna").ClientTLS(pki.Expected{Role: pki.Front, Name: "front-0"})
	if err != nil {
		t.Fatal(err)
	}
	foreign.VerifyConnection = nil // the server is to refuse
	c.ca = own
	old := settings.Clone()
	old.MinVersion, old.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	for name, s := range map[string]*tls.Config{"another CA": foreign, "TLS 1.2": old} {
		conn, err := grpc.NewClient("passthrough:///"+c.address, grpc.WithTransportCredentials(credentials.NewTLS(s)))
		if err != nil {
			t.Fatal(err)
		}
		if got := packages(t.Context(), conn, app); !strings.HasPrefix(got, "Unavailable: ") {
			t.Errorf("%s: %q", name, got)
		}
		_ = conn.Close()
	}
	if got := packages(t.Context(), c.connect(pki.User, "anna"), app); got != "OK" {
		t.Error(got)
	}
}

// A user's certificate is renewed over its own connection, unless it is revoked.
func TestRenew(t *testing.T) {
	c := start(t, false, nil)
	front := nodepb.NewFrontClient(c.connect(pki.User, "anna"))
	request, err := pki.NewRequest(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m, err := front.Renew(t.Context(), &nodepb.RenewRequest{Csr: request})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := pki.ChainIdentity(m.GetChain()); err != nil || id.String() != "user/anna" {
		t.Errorf("%v, %v", id, err)
	}
	c.change(func() { c.revoked = []string{"anna"} })
	if _, err := front.Renew(t.Context(), &nodepb.RenewRequest{Csr: request}); status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
}

// A front whose secrets would be sent in the clear is not made, and nor is one that asks machines
// in the clear.
func TestNewRefuses(t *testing.T) {
	ca, err := pki.InitCA(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg := &config.Config{Nodes: []config.Node{{Name: "node-0", Address: "127.0.0.1:1"}}}
	far := &config.Config{Nodes: []config.Node{{Name: "node-0", Address: "node-0.example:7470"}}}
	for want, o := range map[string]Options{
		"must have one":           {Config: func() *config.Config { return cfg }, CA: ca},
		"only a loopback address": {Config: func() *config.Config { return far }},
	} {
		if s, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", s, err, want)
		}
	}
}

// A user has as many questions under way as the wire allows, and others have theirs.
func TestQuestionsOfAUser(t *testing.T) {
	c := start(t, false, nil)
	anna, ben := c.connect(pki.User, "anna"), c.connect(pki.User, "ben")
	for range wire.MaxQuestions {
		if _, err := ask(t.Context(), anna, app); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ask(t.Context(), anna, app); status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "are under way") {
		t.Error(err)
	}
	if got, _ := counted(t, ben); got[0] != 8 { // no engine is asked: its slots are taken
		t.Error(got)
	}
}

// A user has as many streams of beats as processes may ask, and what has ended does not count.
func TestWatchesOfAUser(t *testing.T) {
	var w watches
	var leave []func()
	for range mostWatches {
		end, err := w.beginWatch("anna")
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, end)
	}
	if _, err := w.beginWatch("anna"); status.Code(err) != codes.ResourceExhausted {
		t.Error(err)
	}
	for _, user := range []string{"ben", ""} {
		end, err := w.beginWatch(user)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, end)
	}
	for _, end := range leave {
		end()
	}
	if len(w.of) > 0 {
		t.Error(w.of)
	}
}

// A slow replica does not make questions slow: another one is asked beside it, and the loser's call
// ends.
func TestSlowReplica(t *testing.T) {
	ended := make(chan error, 100)
	c := start(t, true, func(name string, b serve.Backend) serve.Backend {
		if name == "node-b" {
			return b
		}
		return &changing{Backend: b, ask: func(ctx context.Context, _ *api.Ask) (*api.Lists, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}}
	})
	conn := c.connect("", "")
	hedges := int64(0)
	for i := 0; hedges < 5; i++ {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := ask(ctx, conn, app); err != nil {
			t.Fatal(i, err)
		}
		cancel() // a question holds a slot of its engine until it ends
		if n := c.front.Set().Counts().Hedges; n > hedges {
			hedges = n
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	}
}

// What there is changes while a front runs: a node more takes over.
func TestNodesChange(t *testing.T) {
	c := start(t, false, nil)
	conn := c.connect(pki.User, "anna")
	all := slices.Clone(c.nodes)
	for i := range 2 {
		c.change(func() { c.nodes = all[i : i+1] })
		await(func() bool { return len(c.front.Set().States()) == 1 && conditionOf(c, all[i].name) == 0 })
		for range 5 {
			if got := packages(t.Context(), conn, app); got != "OK" {
				t.Errorf("with %s alone: %s", all[i].name, got)
			}
		}
		c.change(func() { c.nodes = all })
		await(func() bool { return len(c.front.Set().States()) == 2 })
		if got := packages(t.Context(), conn, app); got != "OK" {
			t.Error(got)
		}
	}
}

// A watcher is told what its rights let it see, as these change, and of no repository twice.
func TestWatchFollowsRights(t *testing.T) {
	c := start(t, false, nil)
	names := func(all []*nodepb.Hosted) (names []string) {
		for _, h := range all {
			names = append(names, h.GetRepository())
		}
		return names
	}
	ben, err := nodepb.NewNodeClient(c.connect(pki.User, "ben")).Watch(t.Context(), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := ben.Recv()
	if err != nil || !slices.Equal(names(m.GetHosted()), []string{app}) {
		t.Fatalf("%v, %v", m, err)
	}
	next := func() *nodepb.State {
		t.Helper()
		for {
			m, err := ben.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if len(m.GetHosted())+len(m.GetGone()) > 0 {
				return m
			}
		}
	}
	c.change(func() { c.groups["few"] = []string{"ben"} })
	if m := next(); !slices.Equal(names(m.GetHosted()), []string{hidden}) || len(m.GetGone()) > 0 {
		t.Error(m)
	}
	c.nodes[1].host(app, "2") // as both nodes scraped it in the same minutes, the first stays
	c.nodes[0].host(app, "2")
	if m := next(); !slices.Equal(names(m.GetHosted()), []string{app}) || m.GetHosted()[0].GetHead() != "2" {
		t.Error(m)
	}
	c.change(func() { c.groups["all"] = []string{"anna"} })
	if m := next(); !slices.Equal(m.GetGone(), []string{app}) || len(m.GetHosted()) > 0 {
		t.Error(m)
	}
	twice := &nodepb.WatchRequest{Repositories: []string{hidden, hidden, app, none}}
	again, err := nodepb.NewNodeClient(c.connect(pki.User, "ben")).Watch(t.Context(), twice)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := again.Recv(); err != nil || !slices.Equal(names(m.GetHosted()), []string{hidden}) {
		t.Errorf("%v, %v", m, err)
	}
}

// Users are told the names and states of nodes, and nothing else of them.
func TestWhatUsersAreToldOfNodes(t *testing.T) {
	c := start(t, false, nil)
	c.nodes[1].kill()
	await(func() bool { return conditionOf(c, "node-b") == 3 })
	for _, role := range []pki.Role{pki.User, pki.Node} {
		front := nodepb.NewFrontClient(c.connect(role, "anna"))
		m, err := front.Repositories(t.Context(), &nodepb.RepositoriesRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if n := m.GetNodes(); len(n) != 2 || n[0].GetState() != "up" || n[1].GetState() != "down" || (n[0].GetVersion() == "") != (role == pki.User) {
			t.Errorf("%s: %v", role, n)
		}
		s, err := front.Status(t.Context(), &nodepb.StatusRequest{Replicas: true})
		if err != nil || len(s.GetRepositories()) != 2 || s.GetFront().GetState() != "up" {
			t.Fatalf("%s: %v, %v", role, s, err)
		}
		if why := s.GetNodes()[1].GetWhy(); (why == "") != (role == pki.User) {
			t.Errorf("%s: %q", role, why)
		}
	}
}

// FuzzFrames sends a front whatever bytes as the messages of a stream, and as a look-up. It answers
// or refuses, and goes on.
func FuzzFrames(f *testing.F) {
	c := start(f, true, nil)
	conn := c.connect("", "")
	first, err := c.front.codec.Marshal(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: &nodepb.AskRequest{Repository: app, Text: "dial"}}})
	if err != nil {
		f.Fatal(err)
	}
	second, err := c.front.codec.Marshal(describing)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(first.Materialize(), second.Materialize())
	f.Add([]byte("\x0a\xff"), []byte(""))
	f.Add(append(second.Materialize(), first.Materialize()...), first.Materialize())
	slog.SetDefault(slog.New(slog.DiscardHandler))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		st, err := conn.NewStream(ctx, queryStream, nodepb.Node_Query_FullMethodName, grpc.ForceCodecV2(newCodec()))
		if err != nil {
			t.Fatal(err)
		}
		_ = st.SendMsg(&frame{bytes: one})
		_ = st.SendMsg(&frame{bytes: two})
		_ = st.CloseSend()
		var out frame
		for err == nil {
			err = st.RecvMsg(&out)
		}
		if !errors.Is(err, io.EOF) {
			wellRefused(t, err)
		}
		if err := conn.Invoke(ctx, nodepb.Node_Read_FullMethodName, &frame{bytes: one}, &out, grpc.ForceCodecV2(newCodec())); err != nil {
			wellRefused(t, err)
		}
	})
}

// wellRefused reports an error that is a defect of the front or of a node.
func wellRefused(t *testing.T, err error) {
	t.Helper()
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.FailedPrecondition, codes.DeadlineExceeded:
	case codes.Internal: // grpc returns it for bytes that are no message
		if !strings.Contains(err.Error(), "failed to unmarshal the received message") {
			t.Error(err)
		}
	default:
		t.Error(err)
	}
}
