package peer

import (
	"context"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// repository is the name of these tests' project on the wire.
const repository = "git.example.com/team/app"

var corpus = map[string]string{
	"cache/cache.go":                     "package cache\n\n// Evict drops the least recently used entry of the cache.\nfunc Evict() {}\n",
	"net/dial.go":                        "package net\n\n// Dial opens a connection with retries.\nfunc Dial() {}\n",
	"net/listen.go":                      "package net\n\n// Listen accepts a connection.\nfunc Listen() {}\n",
	"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
	"GUIDE.md":                           "# Guide\n\n## Cache\n\nThe cache evicts entries when memory runs short.\n",
}

// ample is enough time for any answer, on a machine as busy as may be.
const ample = time.Hour

var patient = api.ReadOptions{Timeout: ample}

// newProject writes the corpus into a repository and scrapes it.
func newProject(t *testing.T) actors.Project {
	t.Helper()
	p := projectIn(t.TempDir(), filepath.Join(t.TempDir(), "store"))
	scrapetest.Tree(t, p.Root, corpus)
	scrapetest.Git(t, p.Root, "init", "-q")
	scrapetest.Git(t, p.Root, "add", ".")
	scrapetest.Git(t, p.Root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "cache: evict entries")
	o := scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}
	if _, err := scrape.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return p
}

func projectIn(root, storeDir string) actors.Project {
	return actors.Project{ID: "id-app", Name: repository, Root: root, StoreDir: storeDir}
}

// newEngine opens an engine that the test closes.
func newEngine(t *testing.T, o actors.Options) *actors.Engine {
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

// A far is a node with an engine of its own on a project, at an address that it may come back to.
type far struct {
	engine  *actors.Engine
	backend serve.Backend
	server  *serve.Server
	address string
	served  chan struct{} // closed when the server has ended
	// watchAge is how long one Watch lasts; 0 means as long as usual.
	watchAge time.Duration
	// expires returns when the certificate does. nil means that there is none.
	expires func() time.Time
}

// newFar starts a node. change wraps its Backend, and may be nil.
func newFar(t *testing.T, p actors.Project, change func(serve.Backend) serve.Backend) *far {
	t.Helper()
	f := &far{engine: newEngine(t, actors.Options{Projects: []actors.Project{p}}), address: "127.0.0.1:0"}
	f.backend = hosting(t, f.engine)
	if change != nil {
		f.backend = change(f.backend)
	}
	f.start(t)
	t.Cleanup(f.kill)
	return f
}

// hosting returns a Backend of the project in an engine.
func hosting(t *testing.T, e *actors.Engine) serve.Backend {
	t.Helper()
	app, err := e.Target(repository)
	if err != nil {
		t.Fatal(err)
	}
	b := serve.NewEngine(e)
	h := &nodepb.Hosted{Repository: repository, Head: "1", Channels: app.Channels()}
	if err := b.Host(h, repository); err != nil {
		t.Fatal(err)
	}
	return b
}

// start listens where the node listened before.
func (f *far) start(t *testing.T) {
	t.Helper()
	var l net.Listener
	await(func() bool { // another connection may have the port for a moment
		var err error
		l, err = net.Listen("tcp", f.address)
		return err == nil
	})
	f.address = l.Addr().String()
	f.server = serve.New(serve.Options{Backend: f.backend, Version: "test", WatchAge: f.watchAge, Expires: f.expires})
	done, server := make(chan struct{}), f.server
	f.served = done
	go func() {
		defer close(done)
		if err := server.Serve(l); err != nil {
			t.Error(err)
		}
	}()
}

// kill cuts off all calls.
func (f *far) kill() {
	f.server.Stop()
	<-f.served
}

// newSet watches nodes under the names a, b and so on. It holds a node for down only when its
// connection broke, because a busy machine may keep the beats of a node from it for a second.
func newSet(t *testing.T, nodes ...*far) *Set {
	t.Helper()
	return newSetWith(t, Options{Beat: 10 * time.Second}, nodes...)
}

func newSetWith(t *testing.T, o Options, nodes ...*far) *Set {
	t.Helper()
	for i, f := range nodes {
		o.Nodes = append(o.Nodes, config.Node{Name: "node-" + string(rune('a'+i)), Address: f.address})
	}
	before := runtime.NumGoroutine()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		awaitAtMost(t, before+4*len(nodes)) // a server has some for each connection, for a moment
	})
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// targetOf returns the project of a set.
func targetOf(t *testing.T, s *Set) api.Target {
	t.Helper()
	x, err := s.Target(repository)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// asking returns an engine that asks the project of a set.
func asking(t *testing.T, s *Set) *actors.Engine {
	t.Helper()
	e := newEngine(t, actors.Options{Lazy: true})
	if err := e.AddTarget(targetOf(t, s)); err != nil {
		t.Fatal(err)
	}
	return e
}

// await waits until something holds, for as long as go test lets it.
func await(holds func() bool) {
	for !holds() {
		time.Sleep(time.Millisecond)
	}
}

// awaitAtMost waits for goroutines that are on their last instructions.
func awaitAtMost(t *testing.T, n int) {
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

// is returns whether a node of a set is in a condition.
func is(s *Set, name string, c Condition) func() bool {
	return func() bool {
		for _, n := range s.States() {
			if n.Name == name {
				return n.Condition == c
			}
		}
		return false
	}
}

// changing is a Backend that does as another one, except for a test's changes.
type changing struct {
	serve.Backend
	beat   func(context.Context) error
	target func(api.Target) api.Target
}

func (c *changing) Beat(ctx context.Context) error {
	if c.beat != nil {
		return c.beat(ctx)
	}
	return c.Backend.Beat(ctx)
}

func (c *changing) Target(name string) (api.Target, bool) {
	t, ok := c.Backend.Target(name)
	if ok && c.target != nil {
		t = c.target(t)
	}
	return t, ok
}

// asked is a target with another Ask.
type asked struct {
	api.Target
	ask func(context.Context, *api.Ask) (*api.Lists, error)
}

func (a asked) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) { return a.ask(ctx, m) }

// load asks questions from several goroutines until each has asked n, and reports every answer that
// is not whole. half is called once, when half of all were asked.
func load(t *testing.T, e *actors.Engine, n int, half func()) {
	t.Helper()
	var all sync.WaitGroup
	var once sync.Once
	for g := range 4 {
		all.Go(func() {
			for i := range n {
				if g == 0 && i == n/2 {
					once.Do(half)
				}
				symbol := []string{"cache/cache.go::Evict", "net/dial.go::Dial", "net/listen.go::Listen"}[i%3]
				a, err := e.Scry(t.Context(), api.Request{Text: symbol, Timeout: ample})
				switch {
				case err != nil:
					t.Errorf("%s: %v", symbol, err)
				case a.Partial || len(a.Results) == 0 || a.Results[0].DocID != symbol || a.Results[0].Bare:
					t.Errorf("%s: partial %v, %d results, %+v", symbol, a.Partial, len(a.Results), a.Channels)
				}
				if _, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: patient}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
