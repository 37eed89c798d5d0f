package front

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles/embed"
	"patina/registry/route"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
	"patina/wire/serve"
)

// The repositories of these tests: all users may ask app, and only anna hidden.
const (
	app    = "git.example.com/team/app"
	hidden = "git.example.com/team/hidden"
	none   = "git.example.com/team/none"
)

var corpus = map[string]string{
	"cache/cache.go":                     "package cache\n\n// Evict drops the least recently used entry of the cache.\nfunc Evict() {}\n",
	"net/dial.go":                        "package net\n\n// Dial opens a connection with retries.\nfunc Dial() {}\n",
	"net/listen.go":                      "package net\n\n// Listen accepts a connection.\nfunc Listen() {}\n",
	"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
	"GUIDE.md":                           "# Guide\n\n## Cache\n\nThe cache evicts entries when memory runs short.\n",
}

// ample is enough time for any answer, on a machine as busy as may be.
const ample = time.Hour

// A cluster is nodes with engines of their own, a front, and users, all with certificates unless it
// is clear.
type cluster struct {
	t        testing.TB
	clear    bool
	ca       *pki.CA
	caFolder string
	project  actors.Project
	nodes    []*node
	front    *Server
	address  string
	served   chan struct{}
	dir      string
	config   atomic.Pointer[config.Config]
	mu       sync.Mutex
	groups   map[string][]string // users
	revoked  []string
	sketches map[string]*route.Sketch // by repository
}

// A node is a real server on a real engine.
type node struct {
	cluster *cluster
	name    string
	engine  *actors.Engine
	backend *serve.Engine
	changed serve.Backend // nil: backend
	server  *serve.Server
	address string
	served  chan struct{}
}

// start starts a cluster of two nodes that both host both repositories.
func start(t testing.TB, clear bool, change func(name string, b serve.Backend) serve.Backend) *cluster {
	t.Helper()
	c := &cluster{
		t: t, clear: clear, dir: t.TempDir(), caFolder: t.TempDir(),
		groups: map[string][]string{"all": {"anna", "ben"}, "few": {"anna"}},
		sketches: map[string]*route.Sketch{
			app: sketchOf(100, map[string]int{"dial": 8, "cache": 16}), hidden: sketchOf(50, map[string]int{"dial": 4, "walnut": 8}),
		},
	}
	var err error
	if c.ca, err = pki.InitCA(c.caFolder); err != nil {
		t.Fatal(err)
	}
	c.project = newProject(t)
	for _, name := range []string{"node-a", "node-b"} {
		n := &node{cluster: c, name: name, address: "127.0.0.1:0"}
		n.engine = newEngine(t, actors.Options{Projects: []actors.Project{c.project}})
		n.backend = serve.NewEngine(n.engine)
		n.host(app, "1")
		n.host(hidden, "1")
		if change != nil {
			n.changed = change(name, n.backend)
		}
		c.nodes = append(c.nodes, n)
	}
	c.configure()
	for _, n := range c.nodes {
		n.start()
		t.Cleanup(n.kill)
	}
	c.configure()
	c.startFront()
	return c
}

// sketchOf returns a sketch whose frequencies are exact: those of powers of two are.
func sketchOf(chunks int, terms map[string]int) *route.Sketch {
	s := route.New(route.Contents{Chunks: chunks, Counted: chunks, Terms: terms})
	return &s
}

// sketch returns the sketch of a repository as the nodes have it now.
func (c *cluster) sketch(repository string) *route.Sketch {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sketches[repository]
}

// newProject writes the corpus into a repository and scrapes it.
func newProject(t testing.TB) actors.Project {
	t.Helper()
	p := actors.Project{ID: "id-app", Name: app, Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "store")}
	scrapetest.Tree(t, p.Root, corpus)
	scrapetest.Git(t, p.Root, "init", "-q")
	scrapetest.Git(t, p.Root, "add", ".")
	scrapetest.Git(t, p.Root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "cache: evict entries")
	o := scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}
	if _, err := scrape.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return p
}

func newEngine(t testing.TB, o actors.Options) *actors.Engine {
	t.Helper()
	e, err := actors.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// configure writes the configuration as it is to be now, and reads it.
func (c *cluster) configure() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var s strings.Builder
	for _, n := range c.nodes {
		fmt.Fprintf(&s, "[[node]]\nname = %q\naddress = %q\n", n.name, n.address)
	}
	s.WriteString("[[front]]\nname = \"front-0\"\naddress = \"127.0.0.1:1\"\n")
	for name, users := range c.groups {
		fmt.Fprintf(&s, "[groups.%s]\nusers = [%s]\n", name, quoted(users))
	}
	fmt.Fprintf(&s, "[revoked]\nnames = [%s]\n", quoted(c.revoked))
	list := fmt.Sprintf("[[repo]]\nurl = \"https://%s\"\nreplicas = 2\ngroups = [\"all\"]\n"+
		"[[repo]]\nurl = \"https://%s\"\nreplicas = 2\ngroups = [\"few\"]\n", app, hidden)
	for name, content := range map[string]string{config.NodesFile: s.String(), config.RepositoriesFile: list} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(content), 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
	cfg, err := config.Read(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	c.config.Store(cfg)
}

func quoted(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, strconv.Quote(n))
	}
	return strings.Join(all, ", ")
}

// change changes the configuration of everyone.
func (c *cluster) change(f func()) {
	c.t.Helper()
	c.mu.Lock()
	f()
	c.mu.Unlock()
	c.configure()
	if err := c.front.Update(); err != nil {
		c.t.Error(err)
	}
}

// folder returns a folder with a certificate.
func (c *cluster) folder(role pki.Role, name string) *pki.Folder {
	c.t.Helper()
	dir := c.t.TempDir()
	request, err := pki.NewRequest(dir)
	if err != nil {
		c.t.Fatal(err)
	}
	in := pki.Invitation{Name: name, Role: role}
	if role != pki.User {
		in.Hosts = []string{"127.0.0.1"}
	}
	chain, err := c.ca.Sign(in, request)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := pki.SaveJoined(dir, chain, c.ca.PEM(), c.ca.Fingerprint()); err != nil {
		c.t.Fatal(err)
	}
	f, err := pki.OpenFolder(dir)
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// gate returns the gate of a node.
func (c *cluster) gate() *serve.Gate {
	if c.clear {
		return nil
	}
	return &serve.Gate{Identify: pki.PeerIdentity, Rights: func() serve.Rights { return c.config.Load() }}
}

// host makes a node host the project under a name, at a head.
func (n *node) host(name, head string) {
	n.cluster.t.Helper()
	x, err := n.engine.Target(app)
	if err != nil {
		n.cluster.t.Fatal(err)
	}
	sum := sha256.Sum256(n.cluster.sketch(name).Bytes())
	h := &nodepb.Hosted{Repository: name, Head: head, Channels: x.Channels(), SketchHash: sum[:]}
	if err := n.backend.Host(h, app); err != nil {
		n.cluster.t.Fatal(err)
	}
}

// start listens where the node listened before.
func (n *node) start() {
	c := n.cluster
	c.t.Helper()
	o := serve.Options{Backend: n.backend, Version: "test", Gate: c.gate(), Sketch: c.sketch}
	if n.changed != nil {
		o.Backend = n.changed
	}
	if !c.clear {
		o.Credentials = serverCredentials(c.t, c.folder(pki.Node, n.name).ServerTLS)
	}
	n.server = serve.New(o)
	var l net.Listener
	await(func() bool { // another connection may have the port for a moment
		var err error
		l, err = net.Listen("tcp", n.address)
		return err == nil
	})
	n.address = l.Addr().String()
	n.served = serving(c.t, n.server, l)
}

// kill cuts off all calls of a node.
func (n *node) kill() {
	n.server.Stop()
	<-n.served
}

// serving serves on l until the server ends.
func serving(t testing.TB, s interface{ Serve(net.Listener) error }, l net.Listener) chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Serve(l); err != nil {
			t.Error(err)
		}
	}()
	return done
}

// startFront starts a front, which takes over from the one that there was.
func (c *cluster) startFront() {
	c.t.Helper()
	o := Options{Config: c.config.Load, Version: "test"}
	if !c.clear {
		f := c.folder(pki.Front, "front-0")
		o.CA, o.Identify = c.ca, pki.PeerIdentity
		o.Credentials = serverCredentials(c.t, f.EnrolTLS)
		o.ToNode = func(n config.Node) credentials.TransportCredentials {
			return clientCredentials(c.t, f, pki.Expected{Role: pki.Node, Name: n.Name})
		}
	}
	s, err := New(o)
	if err != nil {
		c.t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.t.Fatal(err)
	}
	c.front, c.address, c.served = s, l.Addr().String(), serving(c.t, s, l)
	done := c.served
	c.t.Cleanup(func() {
		s.Close()
		<-done
	})
	if err := s.Wait(context.Background()); err != nil {
		c.t.Fatal(err)
	}
}

// connect returns a connection to the front with the certificate of a user or another.
func (c *cluster) connect(role pki.Role, name string) *grpc.ClientConn {
	c.t.Helper()
	creds := insecure.NewCredentials()
	if !c.clear {
		creds = clientCredentials(c.t, c.folder(role, name), pki.Expected{Role: pki.Front, Name: "front-0"})
	}
	conn, err := grpc.NewClient("passthrough:///"+c.address, grpc.WithTransportCredentials(creds))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// user returns what a user's machine knows: the front.
func (c *cluster) user(name string) *peer.Set {
	c.t.Helper()
	o := peer.Options{Nodes: []config.Node{{Name: "front-0", Address: c.address}}}
	if !c.clear {
		f := c.folder(pki.User, name)
		o.Credentials = func(n config.Node) credentials.TransportCredentials {
			return clientCredentials(c.t, f, pki.Expected{Role: pki.Front, Name: n.Name})
		}
	}
	s, err := peer.New(o)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(s.Close)
	if err := s.Wait(context.Background()); err != nil {
		c.t.Fatal(err)
	}
	return s
}

// asking returns an engine that asks a repository of a set.
func (c *cluster) asking(s *peer.Set, repository string) *actors.Engine {
	c.t.Helper()
	e := newEngine(c.t, actors.Options{Lazy: true})
	if err := e.AddTarget(c.target(s, repository)); err != nil {
		c.t.Fatal(err)
	}
	return e
}

func (c *cluster) target(s *peer.Set, repository string) api.Target {
	c.t.Helper()
	x, err := s.Target(repository)
	if err != nil {
		c.t.Fatal(err)
	}
	return x
}

// await waits until something holds, for as long as go test lets it.
func await(holds func() bool) {
	for !holds() {
		time.Sleep(time.Millisecond)
	}
}

// awaitGoroutines waits for goroutines that are on their last instructions.
func awaitGoroutines(t testing.TB, n int) {
	t.Helper()
	for range 10_000 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), n, stacks[:runtime.Stack(stacks, true)])
}

// textOf returns the code and the text of the error of a call.
func textOf(err error) string {
	if err == nil {
		return "OK"
	}
	return status.Code(err).String() + ": " + status.Convert(err).Message()
}

// packages asks for the packages of a repository, and returns the code and the text of the error.
func packages(ctx context.Context, c *grpc.ClientConn, repository string) string {
	_, err := nodepb.NewNodeClient(c).Read(ctx, &nodepb.ReadRequest{Repository: repository, Verb: "packages"})
	return textOf(err)
}

// ask sends an Ask and returns the stream after the lists.
func ask(ctx context.Context, c *grpc.ClientConn, repository string) (nodepb.Node_QueryClient, error) {
	st, err := nodepb.NewNodeClient(c).Query(ctx)
	if err != nil {
		return nil, err
	}
	m := &nodepb.AskRequest{Repository: repository, Text: "dial"}
	_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
	_, err = st.Recv()
	return st, err
}

// describing asks for the description of a document.
var describing = &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{
	Describe: &nodepb.DescribeRequest{Wants: []byte(`[{"DocID":"net/dial.go","Kind":"code"}]`)},
}}
