package actors

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
)

// corpus is the content of these tests' project.
var corpus = map[string]string{
	"cache/cache.go":                     "package cache\n\n// Evict drops the least recently used entry of the cache.\nfunc Evict() {}\n",
	"net/dial.go":                        "package net\n\n// Dial opens a connection with retries.\nfunc Dial() {}\n",
	"net/listen.go":                      "package net\n\n// Listen accepts a connection.\nfunc Listen() {}\n",
	"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
	"GUIDE.md":                           "# Guide\n\n## Cache\n\nThe cache evicts entries when memory runs short.\n",
}

// newProject writes the corpus into a fresh repository and scrapes it.
func newProject(t testing.TB, name string) Project {
	t.Helper()
	p := Project{ID: "id-" + name, Name: name, Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "store")}
	for path, body := range corpus {
		full := filepath.Join(p.Root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "cache: evict entries"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.Root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if _, err := scrape.Run(t.Context(), scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}); err != nil {
		t.Fatal(err)
	}
	once.Do(func() { askOnce(t, p) })
	return p
}

var once sync.Once

// askOnce asks outside of all bubbles, because objects that a process makes at its first question
// and keeps must not belong to a bubble.
func askOnce(t testing.TB, p Project) {
	t.Helper()
	e, err := Open(Options{Projects: []Project{p}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Scry(context.Background(), api.Request{Text: "dial a connection", Timeout: ample}); err != nil {
		t.Error(err)
	}
	if _, err := e.Detail(context.Background(), api.DetailRequest{ReadOptions: patient, DocID: "net/dial.go"}); err != nil {
		t.Error(err)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// ample is enough time for any answer on any machine. A test whose question hangs ends with go
// test's own timeout, which prints all goroutines.
const ample = time.Hour

// Tests of deadlines run in a bubble of testing/synctest. Its clock advances only while all
// goroutines wait, so work is always in time and waiting is always late.

// newEngine opens an engine that the test closes, and checks that closing it leaves no goroutine.
func newEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() { awaitGoroutines(t, before) })
	return openEngine(t, o)
}

// inBubble opens an engine that the test closes. A bubble itself finds goroutines that are left.
func inBubble(t testing.TB, o Options) *Engine {
	t.Helper()
	return openEngine(t, o)
}

// openEngine opens an engine that the test closes.
func openEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
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

// awaitGoroutines waits until at most n goroutines remain. It fails if more do, but counts little
// of the time between two checks, because the process may have been stalled.
func awaitGoroutines(t testing.TB, n int) {
	t.Helper()
	const patience, counts = 30 * time.Second, 10 * time.Millisecond
	waited, last := time.Duration(0), time.Now()
	for ; runtime.NumGoroutine() > n; runtime.Gosched() {
		waited += min(time.Since(last), counts)
		last = time.Now()
		if waited > patience {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), n, stacks[:runtime.Stack(stacks, true)])
			return
		}
	}
}

// A script is an oracle that behaves as the test says.
type script struct {
	name string
	does func(ctx context.Context, q oracles.Question) ([]oracles.List, error)
}

func (s script) Name() string { return s.name }

func (s script) Open(oracles.Project) (oracles.Channel, error) { return s, nil }

func (s script) Close() error { return nil }

func (s script) Query(ctx context.Context, r *store.Reader, q oracles.Question) ([]oracles.List, error) {
	ls, err := s.does(ctx, q)
	for i := range ls {
		ls[i].Channel = s.name
		ls[i].Generation += r.Generation().Number // a test may ask for a wrong one
	}
	return ls, err
}

// finds returns a script that answers with files.
func finds(paths ...string) func(context.Context, oracles.Question) ([]oracles.List, error) {
	return func(context.Context, oracles.Question) ([]oracles.List, error) {
		l := oracles.List{Kind: doc.Code}
		for i, p := range paths {
			l.Hits = append(l.Hits, doc.Ranked{DocID: p, Path: p, Raw: float64(len(paths) - i)})
		}
		return []oracles.List{l}, nil
	}
}

// sleeps until the end of its context.
func sleeps(ctx context.Context, _ oracles.Question) ([]oracles.List, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func stateOf(t testing.TB, a *api.Answer, channel string) api.ChannelState {
	t.Helper()
	for _, c := range a.Channels {
		if c.Channel == channel {
			return c
		}
	}
	t.Fatalf("channel %q has no status: %+v", channel, a.Channels)
	return api.ChannelState{}
}

// rests checks that a part that always fails is asked until it has failed too often, and then once
// after the cool-down. It must run in a bubble.
func rests(t *testing.T, ask func(want api.Status), resting api.Status, calls *atomic.Int32) {
	t.Helper()
	for range failuresInARow {
		ask(api.Failed)
	}
	for range 3 {
		ask(resting)
	}
	time.Sleep(coolDown) // of the bubble's clock
	ask(api.Failed)
	ask(resting)
	if n := calls.Load(); n != failuresInARow+1 {
		t.Errorf("asked %d times, want %d", n, failuresInARow+1)
	}
}

// loadAfter opens an index like a disk that hangs until the channel is closed.
func loadAfter(hangs <-chan struct{}) func(Project) (*store.Store, error) {
	return func(p Project) (*store.Store, error) {
		<-hangs
		return loadIndex(p)
	}
}
