package local

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/fresh"
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

// What an engine of the server shows before its answer comes to the client. If the server dies
// then, an engine of the process answers.
func TestGlimpsesOfTheServer(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	s := startServing(t, someVersion)
	b := newBorrower(p, someVersion)
	e, done, err := b.Open(t.Context(), p, time.Minute)
	check(t, err)
	defer done()
	for _, test := range []struct {
		before, meanwhile func()
		opened            int64
	}{
		{func() {}, func() {}, 0},
		{func() { s.shut(t) }, func() { check(t, s.Process.Kill()) }, 1},
	} {
		test.before()
		shown := 0
		a, err := e.(api.Glimpser).Glimpse(t.Context(), heated, func(g *api.Glimpse) {
			if shown++; g.Query != heated.Text || !slices.Equal(g.Awaited, []string{"library"}) {
				t.Errorf("shown: %+v", g)
			}
			test.meanwhile()
		})
		check(t, err)
		if !reflect.DeepEqual(timeless(a), right) || shown != 1 || b.opened.Load() != test.opened {
			t.Errorf("%d glimpses, %d engines opened, %+v, want %+v", shown, b.opened.Load(), a, right)
		}
	}
}

// A server must be used by a client of its build only.
func TestAnotherBuildIsRefused(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	startServing(t, someVersion)
	newBorrower(p, someVersion).asks(t, p, right, 0)
	newBorrower(p, "v1.2.4").asks(t, p, right, 1)
	newBorrower(p, Unreleased).asks(t, p, right, 1)
}

// Builds that are no release are equal if they are the same file.
func TestUnreleasedBuild(t *testing.T) {
	p := indexed(t)
	startServing(t, Unreleased)
	newBorrower(p, Unreleased).asks(t, p, want(t, p), 0)
	if buildOf(Unreleased) == "" {
		t.Error("this file is not known")
	}
}

// A client in another time zone, or with other settings of git, must not get the server's answers.
func TestAnotherEnvironmentIsRefused(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	startServing(t, someVersion)
	for _, name := range []string{"TZ", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "/dev/null")
			newBorrower(p, someVersion).asks(t, p, right, 1)
		})
	}
	newBorrower(p, someVersion).asks(t, p, right, 0)
}

// The server trusts its own records. A client that says something else about an index is refused.
func TestServerTrustsItsRecords(t *testing.T) {
	p := indexed(t)
	startServing(t, someVersion)
	for name, change := range map[string]func(*project.Place){
		"another secret": func(p *project.Place) { p.Secret = "x" },
		"adopted":        func(p *project.Place) { p.Anyone = true },
		"another id":     func(p *project.Place) { p.ID = "0123456789abcdef" },
		"another folder": func(p *project.Place) { p.Store += "x" },
		"doubted":        func(p *project.Place) { p.Doubt = "no" },
	} {
		other := p
		change(&other)
		c := &Client{Home: p.Home, Version: someVersion}
		if _, err := c.open(t.Context(), other, time.Minute); err == nil {
			t.Errorf("%s: an engine is lent", name)
		}
	}
}

// A stopped server costs a client 50 ms once. Afterwards the client does without it.
func TestStoppedServer(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	s := startServing(t, someVersion)
	b := newBorrower(p, someVersion)
	b.asks(t, p, right, 0)
	check(t, s.Process.Signal(syscall.SIGSTOP))
	b.Client.patience = 0
	began := time.Now()
	b.asks(t, p, right, 1)
	first := time.Since(began)
	if b.Client.failed.IsZero() || first < helloTime {
		t.Errorf("the server was not stopped: %s", first)
	}
	if _, err := b.Client.takeLink(); !errors.Is(err, errDead) {
		t.Errorf("the server is asked again: %v", err)
	}
	began = time.Now()
	b.asks(t, p, right, 1)
	t.Logf("%s the first time, %s the second", first, time.Since(began))
	check(t, s.Process.Signal(syscall.SIGCONT))
	b.Client.patience = time.Minute
	b.Client.failed = time.Now().Add(-forgetTime)
	b.asks(t, p, right, 0)
}

// A server that is killed or stopped while it answers costs no answer.
func TestServerEndsWhileItAnswers(t *testing.T) {
	for name, end := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			p := indexed(t)
			right := want(t, p)
			s := startServing(t, someVersion)
			s.shut(t)
			go func() {
				s.has(t, "waits")
				_ = s.Process.Signal(end)
			}()
			b := newBorrower(p, someVersion)
			b.Client.patience = 3 * time.Second
			began := time.Now()
			b.asks(t, p, right, 1)
			t.Logf("answered after %s", time.Since(began))
		})
	}
}

// The end of a call must reach the question at the server.
func TestCancelReachesTheQuestion(t *testing.T) {
	p := indexed(t)
	for range 20 {
		s := startServing(t, someVersion)
		s.shut(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			s.has(t, "waits")
			cancel()
		}()
		b := newBorrower(p, someVersion)
		if _, err := b.ask(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		s.has(t, "cancelled")
		if n := b.opened.Load(); n != 0 {
			t.Errorf("%d engines opened for a question that is over", n)
		}
		check(t, s.Process.Kill())
		_ = s.Wait()
	}
}

// The socket of a server that was killed is replaced. A second server is refused by name.
func TestStaleSocketAndSecondServer(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	s := startServing(t, someVersion)
	_, err := Listen(p.Home, slog.Default())
	if running, ok := errors.AsType[*RunningError](err); !ok || running.PID != s.Process.Pid {
		t.Errorf("a second server: %v", err)
	}
	newBorrower(p, someVersion).asks(t, p, right, 0) // it still answers
	check(t, s.Process.Kill())
	_ = s.Wait()
	path, err := Socket(p.Home)
	check(t, err)
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("no stale socket: %v", err)
	}
	newBorrower(p, someVersion).asks(t, p, right, 1)
	startServing(t, someVersion)
	newBorrower(p, someVersion).asks(t, p, right, 0)
}

// Fifty questions at once get fifty equal answers, whether the server lends an engine for each or
// some come from an engine of their own.
func TestManyQuestionsAtOnce(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	startServing(t, someVersion)
	var all sync.WaitGroup
	b := newBorrower(p, someVersion)
	b.Client.Keep = true
	for range 50 {
		all.Go(func() {
			a, err := b.ask(t.Context(), p)
			if err != nil || !reflect.DeepEqual(a, right) {
				t.Errorf("%v %+v", err, a)
			}
		})
	}
	all.Wait()
	s, err := Ask(t.Context(), p.Home, someVersion)
	for range 100 { // it may be late, too
		if err == nil {
			break
		}
		s, err = Ask(t.Context(), p.Home, someVersion)
	}
	check(t, err)
	if s.Lent == 0 || int64(s.Lent)+b.opened.Load() < 50 || s.Version != someVersion || s.Refuses != "" {
		t.Errorf("%+v, %d engines of their own", s, b.opened.Load())
	}
	b.Client.Close()
}

// Only the user may use a socket: its folder and itself are closed to others, and connections of
// others end at once.
func TestSocketIsTheUsersAlone(t *testing.T) {
	p := indexed(t)
	right := want(t, p)
	s := startServing(t, someVersion)
	path, err := Socket(p.Home)
	check(t, err)
	for name, mode := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Lstat(name)
		check(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%q has mode %v, want %v", name, info.Mode().Perm(), mode)
		}
	}
	for _, open := range []string{filepath.Dir(path), path} {
		info, err := os.Lstat(open)
		check(t, err)
		check(t, os.Chmod(open, info.Mode().Perm()|0o070))
		newBorrower(p, someVersion).asks(t, p, right, 1)
		check(t, os.Chmod(open, info.Mode().Perm()))
	}
	newBorrower(p, someVersion).asks(t, p, right, 0)
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && info.Mode().Perm()&0o001 == 0 {
			check(t, os.Chmod(dir, info.Mode().Perm()|0o011))
		}
	}
	check(t, os.Chmod(path, 0o666))
	open, err := os.MkdirTemp("", "") // the folder of this test's binary is not open to others
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	check(t, os.Chmod(open, 0o755))
	binary := filepath.Join(open, "stranger.test")
	check(t, os.Link(os.Args[0], binary))
	c := exec.Command(binary, "-test.run", "^TestProcessOfStranger$")
	c.Env = append(os.Environ(), strangerAt+"="+path)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4242, Gid: 4242}}
	c.Dir = "/"
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "closed") {
		t.Errorf("another user: %v: %s", err, out)
	}
	if !strings.Contains(s.log.String(), "another user") {
		t.Errorf("the log: %s", s.log.String())
	}
	// A socket that another user has made is not used.
	check(t, os.Chmod(path, 0o600))
	check(t, os.Chmod(filepath.Dir(path), 0o700))
	newBorrower(p, someVersion).asks(t, p, right, 0)
	check(t, os.Lchown(path, 4242, 4242))
	newBorrower(p, someVersion).asks(t, p, right, 1)
}

const strangerAt = "PATINA_TEST_STRANGER_AT"

// TestProcessOfStranger connects to a socket, and prints how that ended.
func TestProcessOfStranger(t *testing.T) {
	path := os.Getenv(strangerAt)
	if path == "" {
		t.Skip("only a process of another test")
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the test did not open the socket: %v", err)
	}
	check(t, c.SetDeadline(time.Now().Add(time.Minute)))
	// A server of this user would send the preface of HTTP/2.
	if n, err := c.Read(make([]byte, 1)); n == 0 && err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		fmt.Println("closed")
	}
}

// A folder that others may look into is not listened in, and a long path gets a short one.
func TestWhereToListen(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	check(t, os.MkdirAll(filepath.Join(home, "run"), 0o700))
	check(t, os.Chmod(filepath.Join(home, "run"), 0o750))
	if _, err := Listen(home, slog.Default()); !errors.Is(err, errUnsafe) {
		t.Errorf("an open folder: %v", err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", maxPath))
	t.Setenv("XDG_RUNTIME_DIR", "")
	if _, err := Listen(long, slog.Default()); !errors.Is(err, ErrTooLong) {
		t.Errorf("a long path: %v", err)
	}
	runtime, err := os.MkdirTemp("", "")
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(runtime) })
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	l, err := Listen(long, slog.Default())
	check(t, err)
	if !strings.HasPrefix(l.Path(), runtime) || checkSocket(l.Path()) != nil {
		t.Errorf("listens at %q: %v", l.Path(), checkSocket(l.Path()))
	}
	check(t, l.Close())
	if _, err := os.Lstat(l.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

// What the server says about a tree comes out as it went in.
func TestFollowerState(t *testing.T) {
	if s := fresh.Unread(fresh.Reason("another scrape is at work")); s != "another scrape is at work" {
		t.Errorf("%q", s)
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
