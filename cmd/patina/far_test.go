package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"patina/cmd/internal/cli"
	"patina/wire/local"
)

// A cluster is a node and a front in processes of their own, which answer for copies of two
// repositories.
type cluster struct {
	t           *testing.T
	dir         string
	node, front *exec.Cmd
	address     string // of the front
}

// farName returns the name on all machines of a repository of a cluster.
func farName(repository string) string { return "git.example.com/team/" + repository }

func layCluster(t *testing.T, repositories ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, dir: t.TempDir(), address: freeAddress(t)}
	write(t, filepath.Join(c.dir, "nodes.toml"), fmt.Sprintf("[[node]]\nname = \"node-0\"\naddress = %q\n"+
		"[[front]]\nname = \"front-0\"\naddress = %q\n", freeAddress(t), c.address))
	entries := ""
	for _, root := range repositories {
		entries += fmt.Sprintf("[[repo]]\nurl = %q\nname = %q\n", "file://"+root, farName(filepath.Base(root)))
	}
	write(t, filepath.Join(c.dir, "repositories.toml"), entries)
	c.startNode()
	c.startFront()
	return c
}

// freeAddress returns an address of this machine that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	check(t, l.Close())
	return l.Addr().String()
}

func (c *cluster) startNode()  { c.node = c.start("serve", "node-0") }
func (c *cluster) startFront() { c.front = c.start("front", "front-0") }

// start starts a process of the cluster, which ends with the test.
func (c *cluster) start(role, name string, flags ...string) *exec.Cmd {
	c.t.Helper()
	args := append([]string{"node", role, name, "--config", c.dir}, flags...)
	p := exec.Command("patina", args...) // in PATH by TestMain
	p.Dir, p.Stderr = c.dir, &bytes.Buffer{}
	p.Env = append(os.Environ(), "PATINA_HOME="+filepath.Join(c.dir, name), "GIT_CEILING_DIRECTORIES="+c.dir)
	check(c.t, p.Start())
	c.t.Cleanup(func() {
		kill(p)
		if c.t.Failed() {
			c.t.Logf("%s: %s", name, p.Stderr)
		}
	})
	return p
}

func kill(p *exec.Cmd) {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// A far is a user's project whose links lead to repositories of a cluster, and beside it the same
// project with the same repositories on this machine.
type far struct {
	*pair
	near *pair
	*cluster
}

func layFarPair(t *testing.T) *far {
	t.Helper()
	near := layPair(t)
	wal := filepath.Join(filepath.Dir(near.app), "wal")
	write(t, filepath.Join(wal, "README.md"), "# wal\n\nA log.\n")
	write(t, filepath.Join(wal, "wal.go"), "package wal\n\n// Checkpoint moves pages of the log into the file.\nfunc Checkpoint() {}\n")
	write(t, filepath.Join(near.lib, "layer", "surface", "beliefs", "listen-once.md"),
		"---\ntype: belief\nid: listen-once\n---\n\n# listen-once\n\nListen once on each port, as `start.go` does.\n")
	for _, root := range []string{near.lib, wal} {
		git(t, root, "init", "-q")
		git(t, root, "add", "*.go", "*.md", ":!.patina")
		git(t, root, "commit", "-qm", "a first version")
	}
	near.good(near.app, "repo", "add", wal)
	near.good(near.app, "repo", "sync")
	near.good(near.app, "repo", "link", "app", "wal", "USES")
	dir := filepath.Join(t.TempDir(), "far")
	f := &far{near: near, pair: &pair{t: t, home: filepath.Join(dir, "home"), app: filepath.Join(dir, "app")}}
	check(t, os.CopyFS(f.app, os.DirFS(near.app)))
	check(t, os.RemoveAll(filepath.Join(f.app, ".patina")))
	f.cluster = layCluster(t, near.lib, wal)
	t.Setenv("PATINA_MOTHER", f.address)
	f.waitFor("lib", "wal")
	f.good(f.app, "repo", "add", f.app)
	for _, name := range []string{"lib", "wal"} {
		f.good(f.app, "repo", "add", "--from-mother", name)
		f.good(f.app, "repo", "link", "app", name, "USES")
	}
	return f
}

// waitFor waits until the front shows an index of repositories.
func (f *far) waitFor(repositories ...string) {
	for _, name := range repositories {
		for shown := false; !shown; time.Sleep(20 * time.Millisecond) {
			out, _, _ := f.run(f.app, "repo", "list", "--from-mother")
			shown = strings.Contains(out, farName(name)+"  at ")
		}
	}
}

var (
	variable = regexp.MustCompile(`q_\w+|\d+ ms|"(?:took_ms|elapsed_ms|ms|generation)": ?[\d.]+|no commits in the last .*`)
	ofFar    = regexp.MustCompile(`(?m)^(?:patina: )?from other machines: .*\n|^note: words are weighed .*\n`)
)

// plainAnswer returns an answer without what differs from call to call, and without what only the
// answer of another machine says.
func plainAnswer(out string) string {
	return variable.ReplaceAllString(ofFar.ReplaceAllString(out, ""), "·")
}

// firstDifference returns the first lines in which two answers differ.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// A repository on another machine answers byte for byte as if it were registered here: a question,
// a look-up, and the result of an earlier answer.
func TestFarRepositoryAnswersAsOneHere(t *testing.T) {
	f := layFarPair(t)
	routing := filepath.Join(t.TempDir(), "cross.json")
	write(t, routing, `{"questions": [
		{"id": "q1", "home": "app", "query": "where does a server start to listen", "repo": "lib", "expect": ["start.go"]},
		{"id": "q2", "home": "app", "query": "how are pages of the log moved", "repo": "wal", "expect": ["wal.go"]}]}`)
	for _, args := range [][]string{
		{"eval", "routing", "-q", routing, "--json"},
		{"scry", "--no-refresh", "--repo", "lib", "where does a server start to listen"},
		{"scry", "--no-refresh", "--repo", "lib", "Port"},
		{"scry", "--no-refresh", "--repo", "lib", "--symbols", "Port"},
		{"show", "--repo", "lib", "start.go"},
		{"show", "--repo", "lib", "./start.go"},
		{"show", "--repo", "lib", "Port"},
		{"show", "--repo", "lib", "start.go:4"},
		{"show", "--repo", "lib", "gone.go"},
		{"show", "--repo", "lib", "session:20260101-120000#Goals"},
		{"show", "--repo", "lib", "--co-changes", "start.go"},
		{"grep", "--repo", "lib", "listen"},
		{"grep", "--repo", "lib", "--path", "start.go", "listen"},
		{"grep", "--repo", "lib", "--path", "other", "listen"},
		{"assay", "--repo", "lib", "functions", "Port"},
		{"assay", "--repo", "lib", "functions", "Prot"},
		{"callers", "--repo", "lib", "Port"},
		{"impact", "--repo", "wal", "wal.go"},
		{"impact", "--repo", "wal", "Checkpoint"},
		{"impact", "--repo", "lib", "gone.go"},
		{"why", "--repo", "lib", "start.go"},
		{"recent", "--repo", "lib"},
		{"orient", "--repo", "lib"},
		{"scry", "--no-refresh", "--repo", "lib", "--content-type", "beliefs", "listen once"},
		{"show", "--repo", "lib", "belief:listen-once"},
		{"show", "--repo", "lib", "belief:listen-once", "--code"},
		{"show", "--repo", "lib", "belief:listen-once", "--source"},
		{"why", "--repo", "lib", "belief:listen-once"},
		{"scry", "--no-refresh", "--all-repos", "where does a server start to listen"},
		{"scry", "--no-refresh", "--all-repos", "how are pages of the log moved"},
		{"scry", "--no-refresh", "--all-repos", "--explain", "how are pages of the log moved"},
		{"scry", "--no-refresh", "--all-repos", "Checkpoint"},
		{"scry", "--no-refresh", "--all-repos", "--json", "Checkpoint"},
		{"scry", "--no-refresh", "--all-repos", "--json=full", "how are pages of the log moved"},
		{"scry", "--no-refresh", "--all-repos", "what begins the program"},
		{"context", "--topic", "listening"},
		{"show", "--repo", "wal", "wal.go"},
		{"why", "--repo", "wal", "Checkpoint"},
		{"show", "--repo", "lib", "belief:none"},
	} {
		here, errs, code := f.near.run(f.near.app, args...)
		there, farErrs, farCode := f.run(f.app, args...)
		for _, theirs := range []string{f.dir, f.near.lib} {
			if strings.Contains(there+farErrs, theirs) {
				t.Errorf("%s: a folder of the other machine is told:\n%s%s", strings.Join(args, " "), there, farErrs)
			}
		}
		if plainAnswer(here+errs) != plainAnswer(there+farErrs) || code != farCode {
			t.Errorf("%s: exit %d, there %d: %s", strings.Join(args, " "), code, farCode,
				firstDifference(plainAnswer(here+errs), plainAnswer(there+farErrs)))
		}
	}
	if out := f.good(f.app, "eval", "routing", "-q", routing); !strings.Contains(out, "2") {
		t.Error(out)
	}
	if _, errs, code := f.run(f.app, "impact", "--repo", "lib"); code != 2 || !strings.Contains(errs, "is on another machine") {
		t.Errorf("impact of a diff: exit %d: %s", code, errs)
	}
	if out, _, code := f.run(f.app, "impact", "--repo", "lib", "start.go"); code != 0 ||
		!strings.Contains(out, "belief listen-once") || !strings.Contains(out, "checks of beliefs were not run: ") {
		t.Errorf("impact of a file with a belief: exit %d: %s", code, out)
	}
	answer := f.good(f.app, "scry", "--no-refresh", "--repo", "lib", "Port")
	id, _, _ := strings.Cut(answer, " ")
	if out := f.good(f.app, "show", id, "1"); !strings.Contains(out, "func Port() {}") {
		t.Error(out)
	}
}

// A repository whose node or front is gone is named, with the machine and the time, and is not
// waited for. It answers again as soon as they are back.
func TestFarRepositoryThatIsGone(t *testing.T) {
	f := layFarPair(t)
	question := []string{"scry", "--no-refresh", "--all-repos", "how are pages of the log moved"}
	ask := func(when, want string, code, strict int) {
		t.Helper()
		began := time.Now()
		out, errs, got := f.run(f.app, question...)
		if took := time.Since(began); got != code || took > time.Minute || !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s: %s, exit %d, want %d and %s\n%s%s", when, took, got, code, want, out, errs)
		}
		if _, _, got := f.run(f.app, append(question, "--strict")...); got != strict {
			t.Errorf("%s: --strict: exit %d, want %d", when, got, strict)
		}
	}
	const found = `(?m)^1\. \[wal:code\] wal\.go`
	ask("at first", found, 0, 0)
	kill(f.node)
	ask("without the node", `not searched: .*wal \(127\.0\.0\.1:\d+: node-0 down since [\d:]+`, 3, 3)
	f.startNode()
	f.waitUp(question, found)
	ask("the node is back", found, 0, 0)
	kill(f.front)
	gone := `not searched: .*wal \(127\.0\.0\.1:\d+ down since [\d:]+ \(connection refused\)\)`
	ask("without the front", gone, 3, 3)
	_, errs, code := f.run(f.app, "show", "--repo", "wal", "wal.go")
	if code != 2 || !strings.Contains(errs, "connection refused") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, args := range [][]string{{"repo", "list", "--from-mother"}, {"repo", "add", "--from-mother", "lib"}} {
		if _, errs, code := f.run(f.app, args...); code != 2 || !strings.Contains(errs, "ask the front: ") {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	f.startFront()
	f.waitUp(question, found)
	ask("the front is back", found, 0, 0)
	check(t, f.front.Process.Signal(syscall.SIGSTOP))
	ask("the front is stopped", `not searched: .*wal \(127\.0\.0\.1:\d+ down since [\d:]+ \(silent for \d+ ms\)\)`, 3, 3)
	check(t, f.front.Process.Signal(syscall.SIGCONT))
	f.waitUp(question, found)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // it never says a word
	check(t, err)
	defer func() { _ = silent.Close() }()
	for _, other := range []string{freeAddress(t), silent.Addr().String()} {
		for _, both := range []string{other + "," + f.address, f.address + ", " + other} {
			t.Setenv("PATINA_MOTHER", both)
			ask("one of two fronts", found, 0, 0)
		}
	}
	t.Setenv("PATINA_MOTHER", "")
	ask("without a setting", `not searched: .*wal \(no front is known`, 3, 3)
	t.Setenv("PATINA_MOTHER", "192.0.2.1:7470")
	ask("without a certificate", `not searched: .*wal \(front 192\.0\.2\.1:7470 is on another machine, and there is no certificate`, 3, 3)
	t.Setenv("PATINA_MOTHER", "nonsense")
	if _, errs, code = f.run(f.app, question...); code != 2 || !strings.Contains(errs, "PATINA_MOTHER") {
		t.Errorf("nonsense: exit %d: %s", code, errs)
	}
}

// waitUp waits until an answer is as wanted.
func (f *far) waitUp(question []string, want string) {
	for out := ""; !regexp.MustCompile(want).MatchString(out); time.Sleep(20 * time.Millisecond) {
		out, _, _ = f.run(f.app, question...)
	}
}

// A user who has joined a cluster with certificates asks what its group may see. What others may
// see is unknown, also to a user who has registered it before.
func TestFarRepositoryWithCertificates(t *testing.T) {
	f := layFarPair(t)
	kill(f.node)
	kill(f.front)
	nodes, err := os.ReadFile(filepath.Join(f.dir, "nodes.toml"))
	check(t, err)
	write(t, filepath.Join(f.dir, "nodes.toml"), string(nodes)+"[groups.backend]\nusers = []\n[groups.others]\nusers = [\"berta\"]\n")
	repositories, err := os.ReadFile(filepath.Join(f.dir, "repositories.toml"))
	check(t, err)
	hidden := fmt.Sprintf("name = %q\n", farName("wal"))
	write(t, filepath.Join(f.dir, "repositories.toml"),
		strings.Replace(string(repositories), hidden, hidden+"groups = [\"others\"]\n", 1))
	ca := filepath.Join(f.dir, "ca")
	f.good(f.app, "node", "ca", "init", "--ca", ca)
	for name, role := range map[string]string{"node-0": "node", "front-0": "front"} {
		f.good(f.app, "node", "ca", "issue", name, "--role", role, "--ca", ca, "--config", f.dir,
			"--certificates", filepath.Join(f.dir, name, "certificates"))
	}
	f.startNode()
	f.front = f.start("front", "front-0", "--ca", ca)
	invited := f.good(f.app, "node", "invite", "anna", "--groups", "backend", "--ca", ca, "--config", f.dir)
	token := regexp.MustCompile(`patina-join-\S+`).FindString(invited)
	t.Setenv("PATINA_MOTHER", "")
	for code := 2; code != 0; time.Sleep(50 * time.Millisecond) {
		_, _, code = f.run(f.app, "node", "join", token)
	}
	f.waitFor("lib")
	if out := f.good(f.app, "repo", "list", "--from-mother"); strings.Contains(out, "wal") {
		t.Errorf("it may not be seen:\n%s", out)
	}
	out := f.good(f.app, "scry", "--no-refresh", "--all-repos", "where does a server start to listen")
	if !strings.Contains(out, "[lib:code] start.go") {
		t.Error(out)
	}
	var all sync.WaitGroup
	answered := atomic.Int32{}
	for range 12 { // agents of one user, beyond what may be under way
		all.Go(func() {
			out, _, _ := f.run(f.app, "scry", "--no-refresh", "--repo", "lib", "Port")
			if strings.Contains(out, "under way") { // on a busy machine the front may seem silent
				t.Errorf("of twelve at once:\n%s", out)
			}
			if strings.Contains(out, "[lib:code] start.go") {
				answered.Add(1)
			}
		})
	}
	all.Wait()
	if answered.Load() == 0 {
		t.Error("none of twelve at once was answered")
	}
	for _, name := range []string{"wal", "none"} {
		if _, errs, code := f.run(f.app, "repo", "add", "--from-mother", farName(name)); code != 2 ||
			!strings.Contains(errs, fmt.Sprintf("no repository %q on other machines", farName(name))) {
			t.Errorf("%s: exit %d: %s", name, code, errs)
		}
	}
	if _, errs, code := f.run(f.app, "show", "--repo", "wal", "wal.go"); code != 2 || !strings.Contains(errs, "no such repository") {
		t.Errorf("exit %d: %s", code, errs)
	}
	out, _, code := f.run(f.app, "scry", "--no-refresh", "--all-repos", "--strict", "how are pages of the log moved")
	if code == 3 || !strings.Contains(out, "wal (no such repository)") || strings.Contains(out, "Checkpoint") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// git runs git in a folder of the test.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	who := []string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.org"}
	if out, err := exec.Command("git", append(who, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// A repository that is also registered on this machine is asked here only, whatever the edge leads
// to, and home never visits itself.
func TestFarRepositoryThatIsHereToo(t *testing.T) {
	f := layFarPair(t)
	clone := filepath.Join(filepath.Dir(f.app), "library")
	check(t, os.CopyFS(clone, os.DirFS(f.near.lib)))
	check(t, os.RemoveAll(filepath.Join(clone, ".patina")))
	git(t, clone, "remote", "add", "origin", "https://git.example.com/team/lib.git")
	f.good(f.app, "repo", "add", clone)
	for _, flag := range []string{"--all-repos", "--repo=" + farName("lib")} {
		out := f.good(f.app, "scry", "--no-refresh", flag, "where does a server start to listen")
		if !strings.Contains(out, "[library:code] start.go") || strings.Contains(out, "[lib:") || strings.Contains(out, "; lib at") {
			t.Errorf("%s: it is asked there:\n%s", flag, out)
		}
	}
	if _, errs, code := f.run(f.app, "repo", "add", "--from-mother", "lib"); code != 2 || !strings.Contains(errs, "is registered here, in ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	git(t, f.app, "init", "-q")
	git(t, f.app, "remote", "add", "origin", "git@git.example.com:team/wal.git")
	out := f.good(f.app, "scry", "--no-refresh", "--all-repos", "how does the server start on its port")
	if strings.Contains(out, "wal") || !strings.Contains(out, "[app:code] server.go") {
		t.Errorf("home is visited:\n%s", out)
	}
	out = f.good(f.app, "scry", "--no-refresh", "--repo", "wal", "how does the server start on its port")
	if strings.Contains(out, "wal") {
		t.Errorf("home is visited by its name:\n%s", out)
	}
}

// A question that goes to no other machine reaches none, though the setting names a front.
func TestQuestionAtHomeReachesNobody(t *testing.T) {
	f := layFarPair(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer func() { _ = l.Close() }()
	t.Setenv("PATINA_MOTHER", l.Addr().String())
	for _, args := range [][]string{
		{"scry", "--no-refresh", "how does the server start on its port"},
		{"scry", "--no-refresh", "--all-repos", "xylophone zebra"},
		{"repo", "list"},
		{"repo", "show", "lib"},
		{"repo", "sync"},
		{"config"},
		{"version"},
	} {
		f.run(f.app, args...)
	}
	check(t, l.(*net.TCPListener).SetDeadline(time.Now().Add(50*time.Millisecond)))
	if c, err := l.Accept(); err == nil {
		t.Errorf("%s was reached", c.LocalAddr())
	}
}

// One server asks other machines for all its calls: questions, look-ups and results of earlier
// answers. Links that change are followed, a front that stops is named and asked again once it is
// back, and the answers of commands are the same.
func TestToolsAskOtherMachines(t *testing.T) {
	f := layFarPair(t)
	t.Setenv("PATINA_HOME", f.home)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(f.app))
	t.Chdir(f.app)
	a := connect(t)
	pages := map[string]any{"query": "how are pages of the log moved", "all_repos": true}
	asks := func(when string, args map[string]any, want string, wanted bool) string {
		t.Helper()
		got := a.call("scry", args)
		if strings.Contains(got, want) != wanted {
			t.Errorf("%s: %v: want %q %v:\n%s", when, args, want, wanted, got)
		}
		return got
	}
	answer := asks("at first", pages, "1. [wal:code] wal.go", true)
	id, _, _ := strings.Cut(answer, " ")
	asks("a result", map[string]any{"mode": "detail", "query_id": id, "rank": 1}, "func Checkpoint() {}", true)
	for _, repo := range []string{"wal", farName("wal")} {
		asks("a look-up", map[string]any{"mode": "detail", "doc_id": "wal.go", "repo": repo}, "func Checkpoint() {}", true)
		asks("a look-up", map[string]any{"mode": "detail", "doc_id": "wal.go", "repo": repo}, "from other machines: wal at ", true)
		asks("beside home", map[string]any{"query": "Checkpoint", "repo": repo}, "[wal:code] wal.go", true)
	}
	if got := a.call("assay", map[string]any{"query_type": "functions", "pattern": "Checkpoint", "repo": "wal"}); !strings.Contains(got, "wal.go") {
		t.Error(got)
	}
	if got := a.call("context", map[string]any{"repo": "wal"}); !strings.Contains(got, "wal") {
		t.Error(got)
	}
	if got, isError := a.try("remember", map[string]any{"repo": "wal", "text": "the log is short"}); !isError ||
		!strings.Contains(got, "is on other machines") {
		t.Error(got)
	}
	f.good(f.app, "repo", "link", "app", "wal", "--remove")
	asks("without the link", pages, "[wal:code]", false)
	f.good(f.app, "repo", "link", "app", "wal", "USES")
	asks("linked again", pages, "[wal:code]", true)
	f.good(f.app, "repo", "remove", "wal")
	asks("taken out", pages, "[wal:code]", false)
	if got, isError := a.try("scry", map[string]any{"mode": "detail", "doc_id": "wal.go", "repo": "wal"}); !isError {
		t.Errorf("taken out: %s", got)
	}
	f.good(f.app, "repo", "add", "--from-mother", "wal")
	f.good(f.app, "repo", "link", "app", "wal", "USES")
	asks("added again", pages, "[wal:code]", true)
	kill(f.front)
	for range 3 {
		began := time.Now()
		asks("without the front", pages, "down since ", true)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("without the front: %s", took)
		}
	}
	f.startFront()
	f.waitUp([]string{"scry", "--no-refresh", "--all-repos", "how are pages of the log moved"}, `\[wal:code\]`)
	for got := ""; !strings.Contains(got, "[wal:code]"); time.Sleep(20 * time.Millisecond) {
		got = a.call("scry", pages)
	}
}

// Where "patina serve" lends engines, other machines are asked all the same.
func TestLentEnginesAskOtherMachines(t *testing.T) {
	f := layFarPair(t)
	server := exec.Command("patina", "serve") // in PATH by TestMain
	server.Dir, server.Env = f.app, f.command(f.app).Env
	check(t, server.Start())
	t.Cleanup(func() { kill(server) })
	for err := error(os.ErrNotExist); err != nil; time.Sleep(20 * time.Millisecond) {
		_, err = local.Ask(t.Context(), f.home, cli.Version)
	}
	for range 3 {
		out := f.good(f.app, "scry", "--all-repos", "how are pages of the log moved")
		if !strings.Contains(out, "1. [wal:code] wal.go") {
			t.Error(out)
		}
		if out := f.good(f.app, "show", "--repo", "wal", "wal.go"); !strings.Contains(out, "Checkpoint") {
			t.Error(out)
		}
	}
	if s, err := local.Ask(t.Context(), f.home, cli.Version); err != nil || s.Lent == 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// The sketch of a repository is read again once it has changed, beside a question that goes there.
// Then questions about what is new go there, too.
func TestSketchOfFarRepositoryIsReadAgain(t *testing.T) {
	f := layFarPair(t)
	question := []string{"scry", "--no-refresh", "--all-repos", "who tunes the xylophone"}
	if out, _, _ := f.run(f.app, question...); strings.Contains(out, "[lib:code]") {
		t.Fatalf("nobody knows it yet:\n%s", out)
	}
	write(t, filepath.Join(f.near.lib, "music.go"), "package lib\n\n// Xylophone tunes the xylophone.\nfunc Xylophone() {}\n")
	git(t, f.near.lib, "add", "music.go")
	git(t, f.near.lib, "commit", "-qm", "tune it")
	head, err := exec.Command("git", "-C", f.near.lib, "rev-parse", "HEAD").Output()
	check(t, err)
	kill(f.node) // it fetches when it starts
	f.startNode()
	for out := ""; !strings.Contains(out, "team/lib  at "+string(head[:12])); time.Sleep(20 * time.Millisecond) {
		out, _, _ = f.run(f.app, "repo", "list", "--from-mother")
	}
	f.good(f.app, "scry", "--no-refresh", "--repo", "lib", "where does a server start to listen")
	f.waitUp(question, `\[lib:code\] music.go`)
}

// The user's description of a far repository counts as that of any other: for suggested links, and
// for what was learned of its results.
func TestFarRepositoryIsDescribedAndLearnedFrom(t *testing.T) {
	f := layFarPair(t)
	f.good(f.app, "repo", "link", "app", "lib", "--remove")
	f.good(f.app, "repo", "add", "--from-mother", "lib", "--package", "git.example.com/team/lib", "--domains", "net", "--name", "library")
	write(t, filepath.Join(f.app, "go.mod"), "module example.com/app\n\nrequire git.example.com/team/lib v1.0.0\n")
	f.good(f.app, "repo", "sync")
	if out := f.good(f.app, "repo", "suggest", "--accept"); !strings.Contains(out, "linked: app USES library") {
		t.Error(out)
	}
	out := f.good(f.app, "scry", "--no-refresh", "--all-repos", "where does a server start to listen")
	if !strings.Contains(out, "[library:code] start.go") {
		t.Error(out)
	}
	id, _, _ := strings.Cut(out, " ")
	if out := f.good(f.app, "scry", "feedback", id, "good", "1"); !strings.Contains(out, "counted for 1 edge") {
		t.Error(out)
	}
	if out := f.good(f.app, "repo", "list", "--edges"); !regexp.MustCompile(`app USES library .*\n  asked 1, shown \d+, used 1`).MatchString(out) {
		t.Error(out)
	}
	for _, args := range [][]string{
		{"repo", "list", "--graph", "mermaid"},
		{"repo", "show", "library"},
		{"repo", "list", "--json"},
		{"doctor"},
		{"mother", "stats"},
		{"repo", "sync", "library"},
		{"repo", "update", "--all"},
	} {
		if out, errs, code := f.run(f.app, args...); code != 0 || !strings.Contains(out, "library") && args[0] != "doctor" {
			t.Errorf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if _, errs, code := f.run(f.app, "repo", "remove", "library", "--purge"); code != 2 || !strings.Contains(errs, "is on other machines") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
