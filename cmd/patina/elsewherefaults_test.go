package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/internal/safeio"
	"patina/store/sqlite"
)

// A pair is two projects in their own home. A question in app visits lib.
type pair struct {
	t              *testing.T
	home, app, lib string
}

func layPair(t *testing.T) *pair {
	t.Helper()
	dir := t.TempDir()
	p := &pair{t: t, home: filepath.Join(dir, "home"), app: filepath.Join(dir, "app"), lib: filepath.Join(dir, "lib")}
	write(t, filepath.Join(p.app, "server.go"),
		"package app\n\n// Start starts the server on its port.\nfunc Start() {}\n")
	write(t, filepath.Join(p.lib, "start.go"),
		"package lib\n\n// Port is where a server starts to listen.\nfunc Port() {}\n")
	p.good(p.lib, "repo", "add", p.lib)
	p.good(p.app, "repo", "add", p.app)
	p.good(p.app, "mother", "link", "app", "lib", "USES")
	return p
}

func (p *pair) command(dir string, args ...string) *exec.Cmd {
	c := exec.Command("patina", args...) // in PATH by TestMain
	c.Dir = dir
	c.Env = append(os.Environ(), "PATINA_HOME="+p.home, "GIT_CEILING_DIRECTORIES="+filepath.Dir(p.app),
		"PATINA_TIMEOUT=5m")
	return c
}

func (p *pair) run(dir string, args ...string) (out, errs string, code int) {
	p.t.Helper()
	c := p.command(dir, args...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	_ = c.Run() // the exit code tells
	if c.ProcessState == nil {
		p.t.Fatalf("patina %q did not start", args)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

func (p *pair) good(dir string, args ...string) string {
	p.t.Helper()
	out, errs, code := p.run(dir, args...)
	if code != 0 {
		p.t.Fatalf("patina %q: %d\n%s%s", args, code, out, errs)
	}
	return out
}

// ask asks app and lib, and fails unless app answers.
func (p *pair) ask(when string) string {
	p.t.Helper()
	out, errs, code := p.run(p.app, "scry", "--no-refresh", "--repo", "lib", "how does the server start on its port")
	if code != 0 || !strings.Contains(out, "[app:code] server.go") {
		p.t.Errorf("%s: home does not answer: %d\n%s%s", when, code, out, errs)
	}
	return out
}

// files returns lib's index files that match a pattern.
func (p *pair) files(pattern string) []string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.lib, ".patina", pattern))
	check(p.t, err)
	if len(found) == 0 {
		p.t.Fatalf("no %s in %s", pattern, p.lib)
	}
	return found
}

// setMeta changes a value in the metadata of lib's index, as another patina might have written it.
func (p *pair) setMeta(key, value string) {
	p.t.Helper()
	for _, sums := range p.files("*.sum") { // they no longer match
		check(p.t, os.Remove(sums))
	}
	db := sqlite.Open(p.files("index-*.db")[0], sqlite.Authored())
	_, err := db.Exec(`UPDATE meta SET value = ? WHERE key = ?`, value, key)
	check(p.t, err)
	check(p.t, db.Close())
}

// An unusable index elsewhere must cost only its own results: home answers, and the index is named.
func TestIndexesElsewhereThatCannotBeUsed(t *testing.T) {
	for name, spoil := range map[string]func(p *pair){
		"missing": func(p *pair) { check(t, os.RemoveAll(filepath.Join(p.lib, ".patina"))) },
		"garbage": func(p *pair) {
			check(t, os.WriteFile(p.files("index-*.db")[0], bytes.Repeat([]byte("words "), 20000), 0o600))
		},
		"torn pages": func(p *pair) {
			b, err := os.ReadFile(p.files("index-*.db")[0])
			check(t, err)
			for i := 1 << 12; i < len(b); i++ {
				b[i] = 0x5a
			}
			check(t, os.WriteFile(p.files("index-*.db")[0], b, 0o600))
		},
		"cut":            func(p *pair) { check(t, os.Truncate(p.files("index-*.db")[0], 5000)) },
		"empty":          func(p *pair) { check(t, os.Truncate(p.files("index-*.db")[0], 0)) },
		"points nowhere": func(p *pair) { write(t, p.files("current")[0], "index-999999.db\n") },
		"newer": func(p *pair) {
			p.setMeta("format", "99")
		},
		"repository is gone": func(p *pair) { check(t, os.RemoveAll(p.lib)) },
	} {
		p := layPair(t)
		if out := p.ask(name + ", before"); !strings.Contains(out, "[lib:code] start.go") {
			t.Errorf("%s: lib does not answer before:\n%s", name, out)
		}
		spoil(p)
		if out := p.ask(name); !strings.Contains(out, "not searched: ") || !strings.Contains(out, "lib") ||
			strings.Contains(out, "[lib:code]") {
			t.Errorf("%s: lib is not named as missing:\n%s", name, out)
		}
	}
}

// An index elsewhere made by other parsers must still answer, and be named. One of an older format
// is not read. Mother sync mends both.
func TestIndexElsewhereIsOlder(t *testing.T) {
	for key, test := range map[string]struct {
		says    string
		answers bool
	}{
		"extractor": {"written by another version of the parsers: lib; patina mother sync", true},
		"format":    {"lib (index was written by an older patina)", false},
	} {
		p := layPair(t)
		if out := p.ask("before"); strings.Contains(out, test.says) {
			t.Errorf("%s: said of a sound index:\n%s", key, out)
		}
		p.setMeta(key, "1")
		out := p.ask(key)
		if strings.Count(out, test.says) != 1 || strings.Contains(out, "[lib:code]") != test.answers {
			t.Errorf("an older %s:\n%s", key, out)
		}
		if json, _, _ := p.run(p.app, "scry", "--no-refresh", "--repo", "lib", "--json",
			"how does the server start on its port"); strings.Contains(json, `"other_parsers": true`) != test.answers {
			t.Errorf("an older %s: %s", key, json)
		}
		p.good(p.app, "mother", "sync")
		if out := p.ask(key + ", synced"); strings.Contains(out, test.says) || !strings.Contains(out, "[lib:code]") {
			t.Errorf("%s, after sync:\n%s", key, out)
		}
	}
}

// While another process locks or rebuilds an index elsewhere, that index must answer from its last
// publication.
func TestIndexElsewhereIsBusy(t *testing.T) {
	p := layPair(t)
	lock, err := os.OpenFile(p.files("lock")[0], os.O_RDWR, 0)
	check(t, err)
	check(t, safeio.Lock(context.Background(), lock, 0))
	if out := p.ask("locked"); !strings.Contains(out, "[lib:code] start.go") {
		t.Errorf("locked: %s", out)
	}
	check(t, lock.Close())
	for i := range 1500 {
		write(t, filepath.Join(p.lib, fmt.Sprintf("f%d.go", i)),
			fmt.Sprintf("package lib\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i))
	}
	c := p.command(p.lib, "scrape", "--full", "--no-adapt")
	check(t, c.Start())
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	asked := 0
	for running := true; running; asked++ {
		if out := p.ask("being scraped"); !strings.Contains(out, "[lib:code] start.go") {
			t.Errorf("being scraped: %s", out)
		}
		select {
		case err := <-done:
			check(t, err)
			running = false
		default:
		}
	}
	if asked < 2 {
		t.Errorf("asked %d times", asked)
	}
}

// A server's home answers after the repository that it visits was deleted.
func TestRepositoryIsDeletedUnderTheServer(t *testing.T) {
	p := layPair(t)
	t.Setenv("PATINA_HOME", p.home)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(p.app))
	t.Chdir(p.app)
	a := connect(t)
	ask := func() string {
		return a.call("scry", map[string]any{"query": "how does the server start on its port", "repo": "lib"})
	}
	if got := ask(); !strings.Contains(got, "[app:code] server.go") || !strings.Contains(got, "[lib:code] start.go") {
		t.Fatal(got)
	}
	check(t, os.RemoveAll(p.lib))
	for range 3 {
		if got := ask(); !strings.Contains(got, "[app:code] server.go") {
			t.Errorf("home does not answer:\n%s", got)
		} else if !strings.Contains(got, "[lib:code]") && !strings.Contains(got, "lib (no index)") {
			t.Errorf("lib is neither found nor named:\n%s", got)
		}
	}
}

// An unusable registry must cost only the other projects, and be named.
func TestQuestionWithABrokenRegistry(t *testing.T) {
	p := layPair(t)
	file := filepath.Join(p.home, "mother.db")
	check(t, os.WriteFile(file, bytes.Repeat([]byte("words "), 2000), 0o600))
	out, errs, code := p.run(p.app, "scry", "--no-refresh", "--all-repos", "how does the server start on its port")
	if code != 0 || !strings.Contains(out, "server.go") || !strings.Contains(errs, "asked at home alone: ") ||
		!strings.Contains(errs, "mother.db") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	_, errs, code = p.run(p.app, "mother", "link", "app", "lib", "SIBLING")
	if code != 2 || !strings.Contains(errs, "mother.db") || !strings.Contains(errs, "hint: move that file away") {
		t.Errorf("%d\n%s", code, errs)
	}
	check(t, os.Remove(file))
	p.good(p.app, "repo", "add", p.app, "--no-scrape")
	p.good(p.app, "repo", "add", p.lib, "--no-scrape")
	p.good(p.app, "mother", "link", "app", "lib", "USES")
}

// The next clone removes one whose process was killed, but not one in progress.
func TestLeftoversOfKilledClones(t *testing.T) {
	p := layPair(t)
	in := filepath.Join(p.home, "repos", "0123abcd")
	for _, name := range []string{"clone-1", "clone-2", "clone-3"} {
		write(t, filepath.Join(in, name, "clone", "half"), "half")
	}
	write(t, filepath.Join(in, "clone-3", "mine"), "not patina's")
	held, err := os.Open(filepath.Join(in, "clone-2"))
	check(t, err)
	check(t, safeio.Lock(context.Background(), held, 0))
	p.good(p.app, "repo", "update", "app")
	for name, want := range map[string]bool{"clone-1": false, "clone-2": true, "clone-3": true} {
		if _, err := os.Stat(filepath.Join(in, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, held.Close())
	p.good(p.app, "repo", "update", "app")
	if _, err := os.Stat(filepath.Join(in, "clone-2")); err == nil {
		t.Error("clone-2 is left, with nobody who makes it")
	}
}

// An interrupted sync must say which repositories are done and which are left, and the next one
// must go on.
func TestInterruptedSync(t *testing.T) {
	p := layPair(t)
	for i := range 3000 {
		write(t, filepath.Join(p.lib, fmt.Sprintf("f%d.go", i)),
			fmt.Sprintf("package lib\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i))
	}
	c := p.command(p.app, "mother", "sync")
	var o, e bytes.Buffer
	c.Stderr = &e
	pipe, err := c.StdoutPipe()
	check(t, err)
	check(t, c.Start())
	out := bufio.NewReader(pipe)
	first, err := out.ReadString('\n') // of app, while 3,000 files are read
	check(t, err)
	check(t, c.Process.Signal(os.Interrupt))
	_, _ = io.Copy(&o, out)
	_ = c.Wait() // the exit code tells
	switch code := c.ProcessState.ExitCode(); {
	case strings.Contains(o.String(), "synced lib: "): // it was faster than the interrupt
	case code != 130 || !strings.Contains(e.String(), "synced, not ") ||
		!strings.Contains(e.String(), "patina repo sync goes on"):
		t.Errorf("%d\n%s%s", code, o.String(), e.String())
	}
	if out := p.good(p.app, "mother", "sync"); !strings.HasPrefix(first, "synced app: ") ||
		!strings.Contains(out, "synced app: ") || !strings.Contains(out, "synced lib: ") {
		t.Error(out)
	}
}
