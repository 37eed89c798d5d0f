package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// upTime is how long a cluster may take to be ready, to end, or to start a process again.
const upTime = 2 * time.Minute

// environment returns the variables of a process with a PATINA_HOME of its own.
func environment(home string) []string {
	return append(os.Environ(), "PATINA_HOME="+home, "PATINA_TIMEOUT=5m", "PATINA_REFRESH=5m",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GORACE="+raceOptions)
}

// A logged is output that is looked at while it grows.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until a pattern is found in the output.
func (l *logged) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for end := time.Now().Add(upTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if found := re.FindString(l.String()); found != "" {
			return found
		}
	}
	t.Fatalf("no %q in\n%s", pattern, l)
	return ""
}

// A running is "patina node up" in a process of its own.
type running struct {
	*exec.Cmd
	ready []string // the lines that it prints when all is ready
	log   *logged
}

// startCluster runs "patina node up" on a folder, and waits until all is ready.
func startCluster(t *testing.T, dir string) *running {
	t.Helper()
	c := exec.Command("patina", "node", "up", dir)
	c.Env = environment(t.TempDir())
	r := &running{c, nil, &logged{}}
	c.Stderr = r.log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	late := time.AfterFunc(upTime, func() { _ = c.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		r.ready = append(r.ready, lines.Text())
		if strings.Contains(lines.Text(), "patina node invite") { // the last one
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return r
		}
	}
	t.Fatalf("it ended: %v\n%s", c.Wait(), r.log)
	return nil
}

// interrupt ends the cluster as a person does, and returns the error of its process.
func (r *running) interrupt(t *testing.T) error {
	t.Helper()
	if err := r.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	return r.Wait()
}

// commands returns the commands that were printed for a user.
func (r *running) commands() (all []string) {
	for _, line := range r.ready {
		if c, ok := strings.CutPrefix(line, "  "); ok && !strings.Contains(c, "node invite") {
			all = append(all, c)
		}
	}
	return all
}

// pidOf returns the process of a node or front of a cluster.
func pidOf(t *testing.T, dir, name string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name, "node.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// initCluster runs "patina node init", and returns the new folder.
func initCluster(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "try")
	c := exec.Command("patina", append([]string{"node", "init", dir}, args...)...)
	c.Env = environment(t.TempDir())
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// Two commands start three nodes and a front as processes of their own. The commands that are then
// printed let a user with another PATINA_HOME join, and ask a repository that only they host. An
// interrupt ends all of them.
func TestNewcomerStartsAClusterAndAsksIt(t *testing.T) {
	dir := initCluster(t)
	r := startCluster(t, dir)
	names := []string{"node-0", "node-1", "node-2", "front-0"}
	pids := map[int]string{r.Process.Pid: "up"}
	for _, name := range names {
		pids[pidOf(t, dir, name)] = name
	}
	if len(pids) != len(names)+1 {
		t.Errorf("processes %v", pids)
	}
	user := exec.Command("sh", "-ec", strings.Join(r.commands(), "\n"))
	user.Env = environment("none: the first command sets it")
	answer, err := user.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, answer)
	}
	for _, want := range []string{"[courier:code] retry.go", "via USES", "from other machines: courier"} {
		if !bytes.Contains(answer, []byte(want)) {
			t.Errorf("no %q in the answer:\n%s", want, answer)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "laptop", "repos")); !os.IsNotExist(err) {
		t.Errorf("the user has clones: %v", err)
	}
	if err := r.interrupt(t); err != nil {
		t.Errorf("interrupted: %v\n%s", err, r.log)
	}
	for pid, name := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("%s is still there", name)
		}
		if name != "up" && !regexp.MustCompile(name+` +\| .*msg=ended`).MatchString(r.log.String()) {
			t.Errorf("%s did not finish:\n%s", name, r.log)
		}
	}
}

// A process that ends is named and started again, and has its repositories back. One that ends
// again and again ends all, with an error that names it.
func TestProcessesOfAClusterEnd(t *testing.T) {
	dir := initCluster(t, "--nodes", "1", "--replicas", "1")
	r := startCluster(t, dir)
	before := pidOf(t, dir, "node-0")
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.log.await(t, `up +\| node-0 has ended \(signal: killed\), and is started again in 1s`)
	r.log.await(t, `(?s)started again.*node-0 +\| [^\n]*msg=serving`)
	r.log.await(t, `(?s)started again.*front-0 [^\n]*are answered for`)
	if after := pidOf(t, dir, "node-0"); after == before {
		t.Errorf("node-0 is still process %d", after)
	}
	if err := r.interrupt(t); err != nil {
		t.Errorf("interrupted: %v", err)
	}

	if err := os.WriteFile(filepath.Join(dir, "node-0", "certificates", "tls.crt"), []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("patina", "node", "up", dir)
	c.Env = environment(t.TempDir())
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte("patina: node-0 ended 4 times, each time soon after its start")) ||
		!bytes.Contains(out, []byte("front-0 | ")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// If "up" is killed, its processes finish and end, and the folder can be used again at once.
func TestClusterEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process that its parent has died")
	}
	dir := initCluster(t, "--nodes", "1", "--replicas", "1")
	r := startCluster(t, dir)
	node := pidOf(t, dir, "node-0")
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.Wait()
	for end := time.Now().Add(upTime); syscall.Kill(node, 0) == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("node-0 is still there")
		}
	}
	if err := startCluster(t, dir).interrupt(t); err != nil {
		t.Error(err)
	}
}

// The script of "make demo-nodes" asks and gets the answer.
func TestDemoOfNodes(t *testing.T) {
	program, err := exec.LookPath("patina")
	if err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	c := exec.Command(filepath.Join("..", "..", "deploy", "demo-nodes"), program)
	c.Env = append(environment(t.TempDir()), "TMPDIR="+temporary)
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("[courier:code] retry.go")) {
		t.Errorf("%v\n%s", err, out)
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What docs/nodes.md shows runs, in order: the commands of a block begin in one folder, what is
// exported stays, "node up" stays until the end, and a token is the one that it printed. The files
// that the page shows can be read. Where it shows docker or kubectl, the calls of patina run.
func TestPageOfNodesShowsWhatRuns(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "nodes.md")
	top := t.TempDir()
	writeFilesOf(t, page, filepath.Join(top, "new"))
	home := t.TempDir()
	sh := func(script string) ([]byte, error) {
		c := exec.Command("sh", "-ec", script)
		c.Dir, c.Env = top, environment(home)
		return c.CombinedOutput()
	}
	var up *running
	token, exported, ran := "", "", 0
	for _, block := range blocksOf(t, page, "console", "$ ") {
		before := ""
		for _, line := range block {
			if dir, ok := strings.CutPrefix(line, "patina node up "); ok {
				up = startCluster(t, filepath.Join(top, dir))
				token = regexp.MustCompile(`patina-join-\S+`).FindString(strings.Join(up.ready, "\n"))
				continue
			}
			line = regexp.MustCompile(`patina-join-\S+`).ReplaceAllLiteralString(line, token)
			out, err := sh(exported + before + line)
			if err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
			switch {
			case strings.HasPrefix(line, "export "):
				exported += line + "\n"
			case strings.HasPrefix(line, "cd "):
				dir, _, _ := strings.Cut(line, " && ")
				before += dir + "\n"
			}
			ran++
		}
	}
	if up == nil || ran < 10 {
		t.Fatalf("%d commands were run", ran)
	}
	if err := up.interrupt(t); err != nil {
		t.Error(err)
	}
	ran = 0
	for _, block := range blocksOf(t, page, "sh", "") {
		for _, line := range block {
			if !strings.HasPrefix(line, "patina ") {
				continue
			}
			if out, err := sh(line); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
			ran++
		}
	}
	if ran != 3 {
		t.Errorf("%d calls for containers were run", ran)
	}
}

// blocksOf returns the lines of a page's blocks of a language that begin with a prompt, without it.
// A line that ends in a backslash goes on.
func blocksOf(t *testing.T, page, language, prompt string) (blocks [][]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		var block []string
		for line := range strings.Lines(strings.ReplaceAll(string(m[1]), "\\\n", "")) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), prompt); ok {
				block = append(block, command)
			}
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// writeFilesOf writes the TOML files that a page shows into a folder. Their first lines name them.
func writeFilesOf(t *testing.T, page, dir string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```toml\n# (\\S+)\n(.*?)```").FindAllSubmatch(text, -1)
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, string(f[1])), f[2], 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The files of the manifests can be read, and each repository has two replicas.
func TestFilesOfTheManifests(t *testing.T) {
	c := exec.Command("patina", "node", "plan", "--config", filepath.Join("..", "..", "deploy", "kubernetes", "base", "cluster"))
	c.Env = environment(t.TempDir())
	out, err := c.CombinedOutput()
	if err != nil || bytes.Count(out, []byte(", node-")) != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
