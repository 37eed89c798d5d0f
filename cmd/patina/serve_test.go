package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"patina/cmd/internal/cli"
	"patina/wire/local"
)

// A lender is a process of "patina serve".
type lender struct {
	t    *testing.T
	cmd  *exec.Cmd
	log  bytes.Buffer
	done chan struct{} // closed when it has ended
}

// startLender starts "patina serve" for the home of the environment, and waits until it answers.
func startLender(t *testing.T, args ...string) *lender {
	t.Helper()
	l := &lender{t: t, done: make(chan struct{})}
	l.cmd = exec.Command("patina", append([]string{"serve"}, args...)...)
	l.cmd.Stderr = &l.log
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = l.cmd.Wait()
		close(l.done)
	}()
	t.Cleanup(func() { l.end(syscall.SIGKILL) })
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if s, err := local.Ask(t.Context(), os.Getenv("PATINA_HOME"), cli.Version); err == nil && s.PID == l.cmd.Process.Pid {
			return l
		}
		if time.Now().After(end) {
			t.Fatalf("patina serve does not answer: %s", l.log.String())
		}
	}
}

// end sends a signal and waits for the end. It may be called again.
func (l *lender) end(s syscall.Signal) {
	_ = l.cmd.Process.Signal(syscall.SIGCONT)
	_ = l.cmd.Process.Signal(s)
	<-l.done
}

// lent returns the number of engines that were lent so far.
func (l *lender) lent() int {
	for end := time.Now().Add(time.Minute); ; {
		s, err := local.Ask(context.Background(), os.Getenv("PATINA_HOME"), cli.Version)
		if err == nil {
			return s.Lent
		}
		if time.Now().After(end) {
			l.t.Fatal(err)
		}
	}
}

// callAsProcess runs the command in a process of its own. It returns both outputs and the exit
// code.
func (g *goldens) callAsProcess(in string, args ...string) string {
	c := exec.Command("patina", args...)
	var out, errs strings.Builder
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &out, &errs
	_ = c.Run()
	return g.plain(fmt.Sprintf("%s%s[exit %d]\n", out.String(), errs.String(), c.ProcessState.ExitCode()))
}

// A processCall is a call of the command.
type processCall struct {
	in   string
	args []string
}

// everyCall returns the calls of the golden files, and some that fail.
func (g *goldens) everyCall() (calls []processCall) {
	for _, q := range g.questions {
		in, words := "", q.Query
		if strings.Contains(q.Query, "\n") {
			in, words = q.Query, "-"
		}
		calls = append(calls, processCall{in, slices.Concat([]string{"scry"}, q.Args, []string{words})})
	}
	for _, name := range slices.Sorted(maps.Keys(goldenCalls)) {
		for _, call := range goldenCalls[name] {
			calls = append(calls, processCall{"", strings.Fields(call)})
		}
	}
	for _, call := range []string{
		"show engine/src/compaction.rs", "show no/such/file.go", "grep -F downsample", "grep -F nowhere-to-be-found",
		"callers Gateway.Accept", "callers NoSuchThing", "context", "context leases", "orient no/such/folder",
		"belief list", "belief show none", "scry -- ", "scry --path ** --kind nonsense lease", "scry --limit -1 lease",
		"recent --days 0", "scry --detail q_261126000000_abc 1", "scry --json --all-repos lease", "show --json README.md",
		"scry --no-refresh lease", "scry --timeout 1ns lease",
	} {
		calls = append(calls, processCall{"", strings.Fields(call)})
	}
	return calls
}

// Each answer, each complaint and each exit code must be the same with "patina serve" as without.
func TestServeAnswersTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred processes")
	}
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	calls := g.everyCall()
	var without []string
	for _, c := range calls {
		without = append(without, g.callAsProcess(c.in, c.args...))
	}
	l := startLender(t)
	for i, c := range calls {
		asked := false
		for try := 0; try < 10 && !asked; try++ { // a busy machine may be late
			before := l.lent()
			with := g.callAsProcess(c.in, c.args...)
			if with != without[i] {
				t.Errorf("patina %q:\n%s", c.args, difference(without[i], with))
			}
			asked = l.lent() != before || strings.Contains(with, "[exit 2]")
		}
		if !asked {
			t.Errorf("patina %q did not ask the server in ten tries", c.args)
		}
	}
	var all sync.WaitGroup
	for i := range 50 { // at once
		all.Go(func() {
			if with := g.callAsProcess(calls[i].in, calls[i].args...); with != without[i] {
				t.Errorf("patina %q, one of fifty:\n%s", calls[i].args, difference(without[i], with))
			}
		})
	}
	all.Wait()
	l.end(syscall.SIGTERM)
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("patina serve: exit %d\n%s", code, l.log.String())
	}
	if _, err := os.Lstat(filepath.Join(os.Getenv("PATINA_HOME"), "run", "serve.sock")); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}

// A server that is killed while it answers, stopped or started again must never change an answer.
func TestServeMayEndAtAnyTime(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	calls := g.everyCall()[:40]
	var without []string
	for _, c := range calls {
		without = append(without, g.callAsProcess(c.in, c.args...))
	}
	over := make(chan struct{})
	var asking sync.WaitGroup
	defer asking.Wait() // also after a server that does not start
	defer close(over)
	for n := range 4 {
		asking.Go(func() {
			for i := n; ; i++ {
				select {
				case <-over:
					return
				default:
				}
				c := calls[i%len(calls)]
				if with := g.callAsProcess(c.in, c.args...); with != without[i%len(calls)] {
					t.Errorf("patina %q:\n%s", c.args, difference(without[i%len(calls)], with))
					return
				}
			}
		})
	}
	for i := range 12 {
		l := startLender(t)
		time.Sleep(time.Duration(50+13*i) * time.Millisecond)
		if i%3 == 2 {
			_ = l.cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(200 * time.Millisecond)
		}
		l.end([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL}[i%3])
	}
}

// A server whose program was replaced ends when the new one asks, which meanwhile answers itself.
func TestReplacedProgramEndsItsServer(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	path, err := exec.LookPath("patina")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	install := func() {
		t.Helper()
		next := filepath.Join(dir, "next")
		if err := os.WriteFile(next, content, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, filepath.Join(dir, "patina")); err != nil {
			t.Fatal(err)
		}
	}
	install()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	l := startLender(t)
	want := g.callAsProcess("", "scry", "lease")
	if l.lent() != 1 {
		t.Fatal("the server was not asked")
	}
	install()
	if got := g.callAsProcess("", "scry", "lease"); got != want {
		t.Errorf("%s", difference(want, got))
	}
	select {
	case <-l.done:
	case <-time.After(time.Minute):
		t.Fatal("the server goes on")
	}
	if !strings.Contains(l.log.String(), "replaced by another build") {
		t.Errorf("the log: %s", l.log.String())
	}
}
