package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask/fresh"
	"patina/ask/project"
)

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
