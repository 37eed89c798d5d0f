package local

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/scrape"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A keeper keeps its engines until the end of the process. Gate, if not nil, is called before each
// question.
type keeper struct {
	mu   sync.Mutex
	open map[string]api.Service
	gate func(context.Context) error
}

// A gated engine waits at a gate before each question.
type gated struct {
	api.Service
	gate func(context.Context) error
}

func (g gated) Scry(ctx context.Context, r api.Request) (*api.Answer, error) {
	if err := g.gate(ctx); err != nil {
		return nil, err
	}
	return g.Service.Scry(ctx, r)
}

// Glimpse shows one glimpse, as a real engine does when another project is late.
func (g gated) Glimpse(ctx context.Context, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	show(&api.Glimpse{Answer: api.Answer{Query: r.Text}, Awaited: []string{"library"}})
	return g.Scry(ctx, r)
}

func (k *keeper) Open(_ context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.open[p.Store]; e != nil {
		return e, func() {}, nil
	}
	own, err := project.Open(context.Background(), p, within)
	if err != nil {
		return nil, nil, err
	}
	var e api.Service = own
	if k.gate != nil {
		e = gated{own, k.gate}
	}
	if k.open == nil {
		k.open = map[string]api.Service{}
	}
	k.open[p.Store] = e
	return e, func() {}, nil
}

func (k *keeper) Follow(project.Place, api.Service) ask.Follower   { return nil }
func (k *keeper) Followed(project.Place, api.Service) ask.Follower { return nil }

// own opens an engine for each use, as a command does, and counts them.
type own struct{ opened *atomic.Int64 }

func (o own) Open(ctx context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	o.opened.Add(1)
	e, err := project.Open(ctx, p, within)
	if err != nil {
		return nil, nil, err
	}
	return e, func() { _ = e.Close(context.Background()) }, nil
}

func (own) Mend(context.Context, project.Place, ask.Missing) (bool, error) { return false, nil }
func (own) Turn(context.Context, project.Place) func()                     { return func() {} }
func (own) Follow(project.Place, api.Service) ask.Follower                 { return nil }

// indexed returns a project with an index, in a home of its own.
func indexed(t *testing.T) project.Place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	t.Setenv("PATINA_HOME", filepath.Join(dir, "home"))
	root := filepath.Join(dir, "kettle")
	check(t, os.MkdirAll(root, 0o700))
	source := "package kettle\n\n// Boil heats water.\nfunc Boil() {}\n"
	check(t, os.WriteFile(filepath.Join(root, "boil.go"), []byte(source), 0o600))
	p, err := project.At(root, "")
	check(t, err)
	_, err = project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	check(t, err)
	return p.Of(p.Root, p.Store)
}

// What makes of this test's binary a server: the folder in which it says that a question waits, or
// that one was cancelled, and the version of its build.
const (
	gateOf    = "TEST_GATE"
	versionOf = "TEST_VERSION"
)

// TestProcessOfServer is a server in a process of its own. A question in which its gate is shut
// waits until it is cancelled.
func TestProcessOfServer(t *testing.T) {
	dir := os.Getenv(gateOf)
	if dir == "" {
		t.Skip("only a process of another test")
	}
	shut := func(ctx context.Context) error {
		if _, err := os.Stat(filepath.Join(dir, "shut")); err != nil {
			return nil
		}
		_ = os.WriteFile(filepath.Join(dir, "waits"), nil, 0o600)
		<-ctx.Done()
		_ = os.WriteFile(filepath.Join(dir, "cancelled"), nil, 0o600)
		return ctx.Err()
	}
	home := os.Getenv("PATINA_HOME")
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	l, err := Listen(home, log)
	check(t, err)
	fmt.Println("listens")
	pages := func(ctx context.Context, s Site, ready func(string)) error {
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", s.Port))
		if err != nil {
			return err
		}
		ready(l.Addr().String())
		go func() { _ = http.Serve(l, http.NotFoundHandler()) }()
		<-ctx.Done()
		return l.Close()
	}
	s := NewServer(Options{Home: home, Version: os.Getenv(versionOf), Lender: &keeper{gate: shut}, Log: log, Pages: pages})
	if err := s.Serve(t.Context(), l); err != nil {
		t.Error(err)
	}
}

// A serving is a server with a pid of its own.
type serving struct {
	*exec.Cmd
	dir string // of its gate
	log lockedBuffer
}

func startServing(t *testing.T, version string) *serving {
	t.Helper()
	s := &serving{Cmd: exec.Command(os.Args[0], "-test.run", "^TestProcessOfServer$"), dir: t.TempDir()}
	s.Env = append(os.Environ(), gateOf+"="+s.dir, versionOf+"="+version)
	s.Stderr = &s.log
	out, err := s.StdoutPipe()
	check(t, err)
	check(t, s.Start())
	t.Cleanup(func() {
		_ = s.Process.Kill()
		_ = s.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "listens\n" {
		t.Fatalf("%q, %v: %s", line, err, s.log.String())
	}
	return s
}

// has waits for a sign of the server.
func (s *serving) has(t *testing.T, sign string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(s.dir, sign)); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no sign %q: %s", sign, s.log.String())
		}
	}
}

func (s *serving) shut(t *testing.T) {
	check(t, os.WriteFile(filepath.Join(s.dir, "shut"), nil, 0o600))
}

const someVersion = "v1.2.3"

// A borrower is a process that asks.
type borrower struct {
	Engines
	opened atomic.Int64 // engines of its own
}

// newBorrower returns a borrower that waits for a server that is late: the machine may be busy.
func newBorrower(p project.Place, version string) *borrower {
	b := &borrower{}
	c := &Client{Home: p.Home, Version: version, patience: time.Minute}
	b.Engines = Engines{Engines: own{&b.opened}, Client: c}
	return b
}

// ask asks a question, and returns the answer without what differs between two of one engine.
func (b *borrower) ask(ctx context.Context, p project.Place) (*api.Answer, error) {
	e, done, err := b.Open(ctx, p, time.Minute)
	if err != nil {
		return nil, err
	}
	defer done()
	a, err := e.Scry(ctx, heated)
	if err != nil {
		return nil, err
	}
	return timeless(a), nil
}

// heated is the question of these tests.
var heated = api.Request{ID: "q", Text: "what heats water", Timeout: time.Minute}

func timeless(a *api.Answer) *api.Answer {
	a.Took = 0
	for i := range a.Channels {
		a.Channels[i].Elapsed = 0
	}
	return a
}

// want returns the answer of an engine in this process.
func want(t *testing.T, p project.Place) *api.Answer {
	t.Helper()
	a, err := (&borrower{Engines: Engines{Engines: own{new(atomic.Int64)}, Client: &Client{}}}).ask(t.Context(), p)
	check(t, err)
	if len(a.Results) == 0 {
		t.Fatal("no results")
	}
	return a
}

// asks checks that a borrower gets the answer, and opens so many engines of its own for it.
func (b *borrower) asks(t *testing.T, p project.Place, want *api.Answer, opens int) {
	t.Helper()
	before := b.opened.Load()
	a, err := b.ask(t.Context(), p)
	check(t, err)
	if !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, want %+v", a, want)
	}
	if n := int(b.opened.Load() - before); n != opens {
		t.Errorf("%d engines opened, want %d", n, opens)
	}
}

// A lockedBuffer is written by a process while a test reads it.
type lockedBuffer struct {
	mu      sync.Mutex
	content bytes.Buffer
}

// Write implements io.Writer.
func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.Write(p)
}

// String returns the content so far.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.String()
}
