package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/wire/pki"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"patina/actors"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/wire"
	"patina/wire/nodepb"
)

// rights are those of a test, which change while it runs.
type rights struct {
	mu      sync.Mutex
	may     map[string]bool // "user repository"
	revoked map[string]bool // names
}

func (r *rights) May(user, repository string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.may[user+" "+repository]
}

// MayRights takes the name of a user for the key of their rights.
func (r *rights) MayRights(rights, repository string) bool { return r.May(rights, repository) }

func (r *rights) IsRevoked(name, _ string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.revoked[name]
}

func (r *rights) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// identify reads who calls from metadata, in the place of a certificate.
func identify(ctx context.Context) (pki.Identity, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	role, name, ok := strings.Cut(strings.Join(md.Get("who"), ","), "/")
	if !ok {
		return pki.Identity{}, errors.New("no identity")
	}
	return pki.Identity{Name: name, Role: pki.Role(role)}, nil
}

// as returns the context of a caller, such as "user/anna", with further metadata.
func as(t *testing.T, who string, more ...string) context.Context {
	t.Helper()
	return metadata.AppendToOutgoingContext(t.Context(), append([]string{"who", who}, more...)...)
}

// A rig is a server on a real engine, and a client of it.
type rig struct {
	*Server
	hosts  *Engine
	engine *actors.Engine
	client nodepb.NodeClient
	rights *rights
}

// start serves a project as "open" and as "hidden". Anna may ask both, and ben the first.
func start(t *testing.T) *rig {
	t.Helper()
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"net/dial.go": "package net\n\n// Dial connects.\nfunc Dial() {}\n"})
	p := actors.Project{ID: "id", Name: "app", Root: root, StoreDir: filepath.Join(t.TempDir(), "store")}
	o := scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}
	if _, err := scrape.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	e, err := actors.Open(actors.Options{Projects: []actors.Project{p}})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{hosts: NewEngine(e), engine: e, rights: &rights{
		may:     map[string]bool{"anna open": true, "anna hidden": true, "ben open": true},
		revoked: map[string]bool{},
	}}
	for _, name := range []string{"open", "hidden"} {
		if err := r.hosts.Host(&nodepb.Hosted{Repository: name, Head: "1"}, "app"); err != nil {
			t.Fatal(err)
		}
	}
	gate := &Gate{Identify: identify, Rights: func() Rights { return r.rights }}
	r.Server = New(Options{Backend: r.hosts, Version: "v", Gate: gate})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- r.Serve(l) }()
	clear := grpc.WithTransportCredentials(insecure.NewCredentials())
	conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(), clear)
	if err != nil {
		t.Fatal(err)
	}
	r.client = nodepb.NewNodeClient(conn)
	t.Cleanup(func() {
		_ = conn.Close()
		r.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// describing asks for the description of a document.
var describing = &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{
	Describe: &nodepb.DescribeRequest{Wants: []byte(`[{"DocID":"net/dial.go","Kind":"code"}]`)},
}}

// packages asks a repository for its packages, and returns the code and the text of the error.
func (r *rig) packages(ctx context.Context, repository string) string {
	_, err := r.client.Read(ctx, &nodepb.ReadRequest{Repository: repository, Verb: "packages"})
	return textOf(err)
}

// textOf returns the code and the text of the error of a call.
func textOf(err error) string {
	if err == nil {
		return "OK"
	}
	return status.Code(err).String() + ": " + status.Convert(err).Message()
}

// ask sends an Ask and returns the stream after the lists.
func (r *rig) ask(ctx context.Context, repository string) (nodepb.Node_QueryClient, error) {
	st, err := r.client.Query(ctx)
	if err != nil {
		return nil, err
	}
	m := &nodepb.AskRequest{Repository: repository, Text: "dial"}
	_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
	_, err = st.Recv()
	return st, err
}

// Who may not see a repository is told what is told of one that there is not: the same code and the
// same text, whatever is asked.
func TestHiddenIsUnknown(t *testing.T) {
	r := start(t)
	const none = "NotFound: " + wire.NoRepository
	for _, test := range []struct {
		ctx        context.Context
		repository string
		want       string
	}{
		{as(t, "user/anna"), "open", "OK"},
		{as(t, "user/anna"), "hidden", "OK"},
		{as(t, "user/ben"), "open", "OK"},
		{as(t, "user/ben"), "hidden", none},
		{as(t, "user/ben"), "other", none},
		{as(t, "user/anna"), "other", none},
		{as(t, "user/ben", ForUser, "anna"), "hidden", none}, // forged
		{as(t, "front/f", ForUser, "anna"), "hidden", "OK"},
		{as(t, "front/f", ForUser, "ben"), "hidden", none}, // a front is no deputy
		{as(t, "front/f", ForUser, "anna", ForUser, "ben"), "hidden", none},
		{as(t, "front/f"), "open", none},
		{as(t, "node/anna"), "open", none}, // a node's certificate is not a user's
		{as(t, "admin/anna"), "open", none},
		{t.Context(), "open", "Unauthenticated: no identity"},
	} {
		if got := r.packages(test.ctx, test.repository); got != test.want {
			t.Errorf("%s: %q, want %q", test.repository, got, test.want)
		}
		if _, err := r.ask(test.ctx, test.repository); textOf(err) != test.want {
			t.Errorf("ask %s: %v, want %q", test.repository, err, test.want)
		}
	}
}

// Rights and certificates that are taken away are gone at the next message, also of a stream that
// is open.
func TestRightsEnd(t *testing.T) {
	r := start(t)
	st, err := r.ask(as(t, "user/ben"), "open")
	if err != nil {
		t.Fatal(err)
	}
	watch, err := r.client.Watch(as(t, "user/anna"), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	r.rights.change(func() { delete(r.rights.may, "ben open"); r.rights.revoked["anna"] = true })
	_ = st.Send(describing)
	if _, err := st.Recv(); status.Code(err) != codes.NotFound {
		t.Error(err)
	}
	if got := r.packages(as(t, "front/f", ForUser, "anna"), "open"); !strings.HasPrefix(got, "Unauthenticated: ") {
		t.Errorf("by a front: %q", got)
	}
	for err = nil; err == nil; {
		_, err = watch.Recv()
	}
	if status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), "revoked") {
		t.Error(err)
	}
	if got := r.packages(as(t, "user/anna"), "open"); !strings.HasPrefix(got, "Unauthenticated: ") {
		t.Error(got)
	}
	if got := r.Refused(); got.Revoked < 2 || got != (Refused{Revoked: got.Revoked}) {
		t.Errorf("%+v", got)
	}
}

// A watcher must be told of the repositories that it may see, of changes in them, and that the node
// drains.
func TestWatch(t *testing.T) {
	r := start(t)
	watch, err := r.client.Watch(as(t, "user/ben"), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	fronts, err := r.client.Watch(as(t, "front/f"), &nodepb.WatchRequest{BeatUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := watch.Recv()
	if err != nil || !m.GetSnapshot() || !wire.Speaks(m.GetProtocol()) || m.GetBootId() == "" || m.GetVersion() != "v" {
		t.Fatalf("%v, %v", m, err)
	}
	if all := m.GetHosted(); len(all) != 1 || all[0].GetRepository() != "open" {
		t.Error(all)
	}
	if m, err := fronts.Recv(); err != nil || len(m.GetHosted()) != 2 {
		t.Errorf("%v, %v", m, err)
	}
	next := func(is func(*nodepb.State) bool) *nodepb.State {
		t.Helper()
		for last := m.GetSeq(); ; last = m.GetSeq() {
			if m, err = watch.Recv(); err != nil {
				t.Fatal(err)
			}
			if m.GetSeq() != last+1 || m.GetSnapshot() {
				t.Fatalf("after %d: %v", last, m)
			}
			if is(m) {
				return m
			}
		}
	}
	next(func(m *nodepb.State) bool { return len(m.GetHosted())+len(m.GetGone()) == 0 })
	if err := r.hosts.Host(&nodepb.Hosted{Repository: "open", Head: "2"}, "app"); err != nil {
		t.Fatal(err)
	}
	changed := func(m *nodepb.State) bool { return len(m.GetHosted()) > 0 }
	if m := next(changed); m.GetHosted()[0].GetHead() != "2" {
		t.Error(m)
	}
	r.rights.change(func() { r.rights.may["ben hidden"] = true })
	if m := next(changed); m.GetHosted()[0].GetRepository() != "hidden" {
		t.Error(m)
	}
	r.hosts.Drop("open")
	if m := next(func(m *nodepb.State) bool { return len(m.GetGone()) > 0 }); m.GetGone()[0] != "open" {
		t.Error(m)
	}
	st, err := r.ask(as(t, "user/ben"), "hidden")
	if err != nil {
		t.Fatal(err)
	}
	drained := make(chan error, 1)
	go func() { drained <- r.Drain(t.Context()) }()
	next((*nodepb.State).GetDraining)
	if got := r.packages(as(t, "user/ben"), "hidden"); got != "ResourceExhausted: the node is draining" {
		t.Error(got)
	}
	_ = st.Send(describing)
	if in, err := st.Recv(); err != nil || in.GetDescriptions() == nil {
		t.Errorf("a question under way was cut off: %v, %v", in, err)
	}
	for err = nil; err == nil; {
		_, err = watch.Recv()
	}
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
}

// A drain that takes too long cuts off what is left, and says so.
func TestDrainTooLong(t *testing.T) {
	r := start(t)
	st, err := r.ask(as(t, "user/ben"), "open")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Drain(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := st.Recv(); status.Code(err) != codes.Unavailable {
		t.Error(err)
	}
}

// A user has some questions at once and some in a second, and does not take those of others.
func TestAllowance(t *testing.T) {
	now := time.Unix(0, 0)
	g := &Gate{Identify: identify, now: func() time.Time { return now }}
	anna, ben := &Asker{User: "anna", gate: g}, &Asker{User: "ben", gate: g}
	var ends []func()
	for range wire.MaxQuestions {
		end, err := anna.Begin()
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if _, err := anna.Begin(); status.Code(err) != codes.ResourceExhausted {
		t.Error(err)
	}
	if end, err := ben.Begin(); err != nil {
		t.Error(err)
	} else {
		end()
	}
	for _, end := range ends {
		end()
		end() // counted once
	}
	begun := wire.MaxQuestions
	for {
		end, err := anna.Begin()
		if err != nil {
			if status.Code(err) != codes.ResourceExhausted {
				t.Error(err)
			}
			break
		}
		end()
		begun++
	}
	if begun != wire.MaxRate {
		t.Errorf("%d questions in no time", begun)
	}
	if got := g.Refused(); got != (Refused{AtOnce: 1, Rate: 1}) {
		t.Errorf("%+v", got)
	}
	now = now.Add(time.Second / wire.MaxRate)
	if end, err := anna.Begin(); err != nil {
		t.Error(err)
	} else {
		end()
	}
	if _, err := anna.Begin(); err == nil {
		t.Error("more than the rate")
	}
	local := &Asker{gate: &Gate{}, local: true}
	for range 2 * wire.MaxRate {
		if _, err := local.Begin(); err != nil {
			t.Fatal(err)
		}
	}
}

// Beyond its slots a server refuses, so that callers ask another replica.
func TestSlots(t *testing.T) {
	r := start(t)
	r.mu.Lock()
	r.options.Slots = 1
	r.mu.Unlock()
	st, err := r.ask(as(t, "user/ben"), "open")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.packages(as(t, "user/anna"), "open"); got != "ResourceExhausted: 1 calls are under way" {
		t.Error(got)
	}
	if got := r.Refused(); got != (Refused{Full: 1}) {
		t.Errorf("%+v", got)
	}
	if err := st.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Recv(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	for r.Running() > 0 {
		time.Sleep(time.Millisecond)
	}
	if got := r.packages(as(t, "user/anna"), "open"); got != "OK" {
		t.Error(got)
	}
}
