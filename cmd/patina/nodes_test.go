package main

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/scrape/scrapetest"
	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

// A nodes is a cluster of nodes on this machine, each a process with a home of its own.
type nodes struct {
	dir   string // with cluster/, sources/ and the homes
	names []string
	ports map[string]string // address by node
	// certificates are folders by node. Without them connections are in the clear.
	certificates map[string]string
}

func newNodes(t *testing.T, certificates map[string]string, more string, names ...string) *nodes {
	t.Helper()
	c := &nodes{dir: t.TempDir(), names: names, ports: map[string]string{}, certificates: certificates}
	check(t, os.MkdirAll(filepath.Join(c.dir, "cluster"), 0o755))
	text := "hint_secret = \"s\"\n"
	for _, name := range names {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(t, err)
		c.ports[name] = l.Addr().String()
		check(t, l.Close())
		text += fmt.Sprintf("[[node]]\nname = %q\naddress = %q\n", name, c.ports[name])
	}
	c.write(t, config.NodesFile, text+more)
	return c
}

// write replaces a file of the configuration as a whole.
func (c *nodes) write(t *testing.T, file, text string) {
	t.Helper()
	name := filepath.Join(c.dir, "cluster", file)
	check(t, os.WriteFile(name+".new", []byte(text), 0o600))
	check(t, os.Rename(name+".new", name))
}

func (c *nodes) read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(c.dir, "cluster", file))
	check(t, err)
	return string(b)
}

func (c *nodes) source(name string) string { return filepath.Join(c.dir, "sources", name) }
func (c *nodes) home(node string) string   { return filepath.Join(c.dir, node) }

// commit commits a file of Go to a source, which it makes if needed.
func (c *nodes) commit(t *testing.T, source, word string) {
	t.Helper()
	root := c.source(source)
	if _, err := os.Stat(root); err != nil {
		check(t, os.MkdirAll(root, 0o755))
		scrapetest.Git(t, root, "init", "-q")
	}
	scrapetest.Tree(t, root, map[string]string{
		word + ".go": fmt.Sprintf("package a\n\n// %s %ss the kettle.\nfunc %s() {}\n", word, word, word),
	})
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "add "+word)
}

// A nodeProcess is "patina node serve".
type nodeProcess struct {
	*exec.Cmd
	hints string // where it takes hints
	ended chan struct{}

	mu  sync.Mutex
	log []string
}

// start starts a node and waits until it listens.
func (c *nodes) start(t *testing.T, name string) *nodeProcess {
	t.Helper()
	args := []string{"node", "serve", "--config", filepath.Join(c.dir, "cluster"), "--hints", "127.0.0.1:0", "--handover", "1s"}
	if dir := c.certificates[name]; dir != "" {
		args = append(args, "--certificates", dir)
	} else {
		args = append(args, name)
	}
	p := &nodeProcess{Cmd: exec.Command("patina", args...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), "PATINA_HOME="+c.home(name), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GORACE="+raceOptions)
	errs, err := p.StderrPipe()
	check(t, err)
	check(t, p.Start())
	serving := make(chan struct{})
	go func() {
		defer close(p.ended)
		lines := bufio.NewScanner(errs)
		for lines.Scan() {
			line := lines.Text()
			p.mu.Lock()
			p.log = append(p.log, line)
			p.mu.Unlock()
			if _, rest, ok := strings.Cut(line, `msg="hints are taken" node=`+name+" address="); ok {
				p.hints = strings.Fields(rest)[0]
			}
			if strings.Contains(line, "msg=serving") {
				close(serving)
			}
		}
		_ = p.Wait()
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("%s:\n%s", name, p.text())
		}
	})
	select {
	case <-serving:
	case <-p.ended:
		t.Fatalf("%s: %v\n%s", name, p.ProcessState, p.text())
	}
	return p
}

func (p *nodeProcess) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.log, "\n")
}

// hint says that a repository has something new.
func (p *nodeProcess) hint(t *testing.T, repository string) {
	t.Helper()
	body := fmt.Sprintf(`{"repository": %q}`, repository)
	mac := hmac.New(sha256.New, []byte("s"))
	mac.Write([]byte(body))
	r, err := http.NewRequest(http.MethodPost, "http://"+p.hints+"/hint", strings.NewReader(body))
	check(t, err)
	r.Header.Set("X-Patina-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	check(t, answer.Body.Close())
	if answer.StatusCode != http.StatusAccepted {
		t.Fatal(answer.Status)
	}
}

// watch returns a set that watches all nodes.
func (c *nodes) watch(t *testing.T, certificates *pki.Folder) *peer.Set {
	t.Helper()
	read, err := config.Read(filepath.Join(c.dir, "cluster"))
	check(t, err)
	s, err := peer.New(peer.Options{Nodes: read.Nodes, Credentials: certificates.NodeCredentials()})
	check(t, err)
	t.Cleanup(s.Close)
	return s
}

// until waits until something holds, for as long as go test lets it.
func until(holds func() bool) {
	for !holds() {
		time.Sleep(5 * time.Millisecond)
	}
}

// hosts reports which head a node shows of a repository, or "".
func hosts(s *peer.Set, node, repository string) string {
	for _, n := range s.States() {
		for _, h := range n.Hosted {
			if n.Name == node && n.Condition == peer.Up && h.GetRepository() == repository {
				return h.GetHead()
			}
		}
	}
	return ""
}

// asker returns an engine that asks repositories of a set.
func asker(t *testing.T, s *peer.Set, repositories ...string) *actors.Engine {
	t.Helper()
	e, err := actors.Open(actors.Options{Lazy: true})
	check(t, err)
	t.Cleanup(func() { check(t, e.Close(context.Background())) })
	for _, name := range repositories {
		x, err := s.Target(name)
		check(t, err)
		check(t, e.AddTarget(x))
	}
	return e
}

// paths returns the files that a question finds in one repository.
func paths(t *testing.T, e *actors.Engine, repository, text string) (all []string) {
	t.Helper()
	a, err := e.Scry(t.Context(), api.Request{Text: text, Projects: []string{repository}, Timeout: time.Minute})
	check(t, err)
	if a.Partial {
		t.Errorf("%q is answered in part: %+v", text, a.Channels)
	}
	for _, r := range a.Results {
		all = append(all, r.Path)
	}
	return all
}

// leastAnswered is how many answers show that a change costs none.
const leastAnswered = 200

// loadWhile asks without a pause while f runs, and until there are enough answers. It returns
// how many questions were answered, and some failures.
func loadWhile(t *testing.T, e *actors.Engine, repository string, f func()) (answered int, failed []string) {
	t.Helper()
	var ended atomic.Bool
	var mu sync.Mutex
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for !ended.Load() {
				a, err := e.Scry(t.Context(), api.Request{Text: "boil", Projects: []string{repository}, Timeout: time.Minute})
				mu.Lock()
				switch {
				case err != nil:
					failed = append(failed, err.Error())
				case a.Partial || len(a.Results) == 0:
					failed = append(failed, fmt.Sprintf("%d results, %+v", len(a.Results), a.Channels))
				default:
					answered++
				}
				mu.Unlock()
			}
		})
	}
	f()
	until(func() bool {
		mu.Lock()
		defer mu.Unlock()
		return answered >= leastAnswered || len(failed) > 0
	})
	ended.Store(true)
	askers.Wait()
	return answered, failed[:min(3, len(failed))]
}

// Two nodes clone, answer, take a hint, and hand a repository over. One drains, is started again
// and is killed while questions are asked without a pause, and none of these fails. What it had
// indexed is answered for after a start although nothing can be fetched any more.
func TestNodes(t *testing.T) {
	c := newNodes(t, nil, "", "node-0", "node-1")
	c.commit(t, "one", "boil")
	c.commit(t, "both", "boil")
	const entry = "[[repo]]\nurl = \"../sources/one\"\nname = \"one\"\nnodes = [%q]\n" +
		"[[repo]]\nurl = \"../sources/both\"\nname = \"both\"\nreplicas = 2\n"
	c.write(t, config.RepositoriesFile, fmt.Sprintf(entry, "node-0"))
	zero := c.start(t, "node-0")
	c.start(t, "node-1")
	s := c.watch(t, nil)
	until(func() bool {
		return hosts(s, "node-0", "one") != "" && hosts(s, "node-0", "both") != "" && hosts(s, "node-1", "both") != ""
	})
	if hosts(s, "node-1", "one") != "" {
		t.Error("node-1 hosts what is pinned to node-0")
	}
	e := asker(t, s, "one", "both")
	for _, name := range []string{"one", "both"} {
		if got := paths(t, e, name, "boil"); !slices.Contains(got, "boil.go") {
			t.Errorf("%s: %v", name, got)
		}
	}

	before := hosts(s, "node-0", "one")
	c.commit(t, "one", "steep")
	zero.hint(t, "one")
	until(func() bool { return hosts(s, "node-0", "one") != before })
	if got := paths(t, e, "one", "steep"); !slices.Contains(got, "steep.go") {
		t.Errorf("%v", got)
	}

	run := func(what string, f func()) {
		t.Helper()
		answered, failed := loadWhile(t, e, "both", f)
		if len(failed) > 0 || answered == 0 {
			t.Errorf("%s: %d answered, %d failed: %.2000q", what, answered, len(failed), failed)
		}
		t.Logf("%s: %d answered", what, answered)
	}
	run("drained", func() {
		d := exec.Command("patina", "node", "drain")
		d.Env = append(os.Environ(), "PATINA_HOME="+c.home("node-0"))
		if out, err := d.CombinedOutput(); err != nil {
			t.Errorf("drain: %v, %s", err, out)
		}
		<-zero.ended
		if code := zero.ProcessState.ExitCode(); code != 0 {
			t.Errorf("a drained node ends with %d", code)
		}
	})
	run("started", func() {
		zero = c.start(t, "node-0")
		until(func() bool { return hosts(s, "node-0", "both") != "" })
	})
	run("killed", func() {
		check(t, zero.Process.Signal(syscall.SIGKILL))
		<-zero.ended
		until(func() bool { return hosts(s, "node-0", "both") == "" })
	})
	head := hosts(s, "node-1", "both")
	check(t, os.Rename(c.source("both"), c.source("away")))
	run("started without a source", func() {
		zero = c.start(t, "node-0")
		until(func() bool { return hosts(s, "node-0", "both") == head })
	})
	check(t, os.Rename(c.source("away"), c.source("both")))

	clones := filepath.Join(c.home("node-0"), "repos")
	answered, failed := loadWhile(t, e, "one", func() {
		c.write(t, config.RepositoriesFile, fmt.Sprintf(entry, "node-1"))
		until(func() bool { return hosts(s, "node-1", "one") != "" && hosts(s, "node-0", "one") == "" })
	})
	if len(failed) > 0 || answered == 0 {
		t.Errorf("moved: %d answered, %d failed: %.2000q", answered, len(failed), failed)
	}
	until(func() bool {
		left, err := os.ReadDir(clones)
		return err == nil && len(left) == 1
	})

	d := exec.Command("patina", "node", "drain")
	d.Env = append(os.Environ(), "PATINA_HOME="+c.home("nobody"))
	if out, err := d.CombinedOutput(); d.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "no node or front is at work") {
		t.Errorf("%v, %s", err, out)
	}
}

// The first signal lets a question finish that has begun, and refuses others. The second one ends
// the node at once.
func TestSignalsOfANode(t *testing.T) {
	c := newNodes(t, nil, "", "node-0")
	c.commit(t, "one", "boil")
	c.write(t, config.RepositoriesFile, "[[repo]]\nurl = \"../sources/one\"\nname = \"one\"\n")
	for _, signals := range []int{1, 2} {
		p := c.start(t, "node-0")
		s := c.watch(t, nil)
		until(func() bool { return hosts(s, "node-0", "one") != "" })
		x, err := s.Target("one")
		check(t, err)
		_, err = x.Ask(t.Context(), &api.Ask{Query: "q", Text: "boil", Limit: 5, Budget: time.Minute})
		check(t, err)
		check(t, p.Process.Signal(syscall.SIGTERM))
		until(func() bool { return s.States()[0].Draining })
		if _, err := x.Read(t.Context(), api.PackagesRequest{}); err == nil {
			t.Error("a draining node takes a question")
		}
		if signals == 2 {
			check(t, p.Process.Signal(syscall.SIGTERM))
			<-p.ended
			if p.ProcessState.Success() {
				t.Errorf("the second signal: %v", p.ProcessState)
			}
			continue
		}
		d, err := x.Describe(t.Context(), &api.Describe{
			Query: "q", Budget: time.Minute, Wants: []api.Want{{DocID: "boil.go", Kind: "code", Places: 1}},
		})
		if err != nil || len(d.Found) != 1 {
			t.Errorf("%+v, %v", d, err)
		}
		<-p.ended
		if !p.ProcessState.Success() {
			t.Errorf("the first signal: %v\n%s", p.ProcessState, p.text())
		}
	}
}

// With certificates a node answers those of its CA by their rights, which end at the next call on
// an open connection.
func TestNodeWithCertificates(t *testing.T) {
	ca := pkitest.NewCA(t, 0)
	certificates := map[string]string{"node-0": pkitest.Sign(t, ca.CA, pki.Node, "node-0")}
	c := newNodes(t, certificates, "[groups.kitchen]\nusers = [\"anna\"]\n", "node-0")
	c.commit(t, "open", "boil")
	c.commit(t, "kitchen", "boil")
	c.write(t, config.RepositoriesFile, "[[repo]]\nurl = \"../sources/open\"\nname = \"open\"\n"+
		"[[repo]]\nurl = \"../sources/kitchen\"\nname = \"kitchen\"\ngroups = [\"kitchen\"]\n")
	c.start(t, "node-0")
	folder := func(ca *pki.CA, role pki.Role, name string) *pki.Folder {
		f, err := pki.OpenFolder(pkitest.Sign(t, ca, role, name))
		check(t, err)
		return f
	}
	anna, ben := c.watch(t, folder(ca.CA, pki.User, "anna")), c.watch(t, folder(ca.CA, pki.User, "ben"))
	until(func() bool { return hosts(anna, "node-0", "kitchen") != "" && hosts(ben, "node-0", "open") != "" })
	until(func() bool { return hosts(anna, "node-0", "open") != "" })
	if hosts(ben, "node-0", "kitchen") != "" {
		t.Error("ben is told of a repository that he may not see")
	}
	if got := paths(t, asker(t, anna, "kitchen"), "kitchen", "boil"); !slices.Contains(got, "boil.go") {
		t.Errorf("%v", got)
	}
	packages := func(s *peer.Set, repository string) string {
		x, err := s.Target(repository)
		if err == nil {
			_, err = x.Read(t.Context(), api.PackagesRequest{})
		}
		if f, ok := errors.AsType[*api.Failure](err); ok {
			return f.Detail
		}
		return fmt.Sprint(err)
	}
	if got, want := packages(ben, "kitchen"), packages(ben, "nowhere"); strings.ReplaceAll(got, "kitchen", "nowhere") != want {
		t.Errorf("hidden is told apart: %q, %q", got, want)
	}
	for name, credentials := range map[string]*pki.Folder{
		"another CA": folder(pkitest.NewCA(t, 0).CA, pki.User, "anna"), "a front that asks for nobody": folder(ca.CA, pki.Front, "front-0"),
	} {
		if got := packages(c.watch(t, credentials), "open"); got == "<nil>" {
			t.Errorf("%s is answered", name)
		}
	}
	if conn, err := tls.Dial("tcp", c.ports["node-0"], &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}); err == nil {
		_, err := conn.Read(make([]byte, 1)) // TLS 1.3 refuses after the handshake
		if err == nil {
			t.Error("a client without a certificate is heard")
		}
		_ = conn.Close()
	}

	c.write(t, config.NodesFile, c.read(t, config.NodesFile)+"[revoked]\nnames = [\"anna\"]\n")
	until(func() bool { return strings.Contains(packages(anna, "open"), "revoked") })
	if got := packages(ben, "open"); got != "<nil>" {
		t.Errorf("ben: %s", got)
	}

	c.certificates["node-0"] = pkitest.Sign(t, ca.CA, pki.Front, "node-0")
	refused := exec.Command("patina", "node", "serve", "--config", filepath.Join(c.dir, "cluster"), "--certificates", c.certificates["node-0"])
	refused.Env = append(os.Environ(), "PATINA_HOME="+c.home("other"))
	if out, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(out), "not of a node") {
		t.Errorf("a front serves as a node: %v, %s", err, out)
	}
}

// What must not be served is refused with the way out.
func TestNodeIsRefused(t *testing.T) {
	c := newNodes(t, nil, "", "node-0", "node-1")
	c.start(t, "node-0")
	for want, args := range map[string][]string{
		`node "node-9" is not in`:    {"node-9"},
		"which node this is":         nil,
		"a node or front is at work": {"node-0"},
		"only a loopback address":    {"node-1", "--listen", "0.0.0.0:0"},
		"holds the data of node":     {"node-1"},
		"address already in use":     {"node-1", "--listen", c.ports["node-0"]},
		"no such file":               {"node-1", "--config", c.dir},
		"accepts at most 1 arg(s)":   {"node-1", "node-2"},
		"unknown flag: --replicas":   {"node-1", "--replicas", "2"},
		"too many colons in address": {"node-1", "--listen", "a:b:c"},
	} {
		home := c.home("other")
		switch want {
		case "a node or front is at work":
			home = c.home("node-0")
		case "holds the data of node":
			home = c.home("claimed")
			check(t, os.MkdirAll(home, 0o700))
			check(t, os.WriteFile(filepath.Join(home, "node"), []byte("node-7\n"), 0o600))
		}
		p := exec.Command("patina", append([]string{"node", "serve", "--config", filepath.Join(c.dir, "cluster")}, args...)...)
		p.Env = append(os.Environ(), "PATINA_HOME="+home)
		out, _ := p.CombinedOutput()
		if p.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("%v: exit %d, %s\nwant %q", args, p.ProcessState.ExitCode(), out, want)
		}
	}
}
