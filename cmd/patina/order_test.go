package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patina/ask/project"
)

// A diskCall is a system call that matters after a loss of power. Bytes written and not synced may
// be lost.
type diskCall struct{ op, file string } // op: write, sync, rename (file: the new name), cut

var diskCallLine = regexp.MustCompile(`^\d+ +(\w+)\((?:AT_FDCWD[^,]*, "[^"]*", AT_FDCWD[^,]*, "([^"]*)"|\d+<[^>]*>, "[^"]*", \d+<([^>]*)>, "([^"]*)"|\d+<([^>]*)>)`)

// diskCalls runs a scrape under strace and returns its calls in the store. Files are named by their
// base names, and the folder by ".".
func diskCalls(t *testing.T, root, home string) []diskCall {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	c := exec.Command("strace", "-f", "-y", "-e",
		"trace=write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2", "-o", trace, "patina",
		"scrape")
	c.Dir, c.Env = root, append(os.Environ(), "PATINA_HOME="+home, "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("strace cannot run here: %v: %s", err, out)
	}
	b, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	ops := map[string]string{
		"write": "write", "pwrite64": "write", "writev": "write", "ftruncate": "cut", "fsync": "sync",
		"fdatasync": "sync",
		"rename":    "rename", "renameat": "rename", "renameat2": "rename",
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(root, project.StoreName))
	if err != nil {
		t.Fatal(err)
	}
	var calls []diskCall
	for line := range strings.Lines(string(b)) {
		m := diskCallLine.FindStringSubmatch(line)
		if m == nil || ops[m[1]] == "" {
			continue
		}
		if name, err := filepath.Rel(dir, m[2]+filepath.Join(m[3], m[4])+m[5]); err == nil &&
			!strings.HasPrefix(name, "..") {
			calls = append(calls, diskCall{ops[m[1]], name})
		}
	}
	return calls
}

// A loss of power must not lose an index. Its files must be on disk before its name, and the log
// before the database.
func TestWhatIsOnDiskBeforeWhat(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	root, home := t.TempDir(), t.TempDir()
	file := filepath.Join(root, "a.go")
	if err := os.WriteFile(file, []byte("package a\n\n// F does one thing.\nfunc F() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	first := diskCalls(t, root, home)
	published := slices.Index(first, diskCall{"rename", "current"})
	if published < 0 {
		t.Fatalf("a first scrape publishes no name: %v", first)
	}
	needed := func(name string) bool { return strings.HasPrefix(name, "index-") && !strings.Contains(name, ".sum") }
	if dirty := unsynced(first[:published], needed); len(dirty) > 0 {
		t.Errorf("before the name of the index, %v were written and not synced", dirty)
	}
	if dirty := unsynced(first[:published], func(name string) bool { return name == "current.new" }); len(dirty) > 0 {
		t.Error("the name of the index is renamed before it is synced")
	}
	made := slices.IndexFunc(first, func(c diskCall) bool { return c.file == "current.new" })
	if !slices.Contains(first[:made], diskCall{"sync", "."}) ||
		!slices.Contains(first[published:], diskCall{"sync", "."}) {
		t.Error("the folder is not synced before and after the name of the index")
	}

	if err := os.WriteFile(file, []byte("package a\n\n// G does another thing.\nfunc G() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	second := diskCalls(t, root, home)
	moved := slices.IndexFunc(second,
		func(c diskCall) bool { return c.op == "write" && strings.HasSuffix(c.file, ".db") })
	if moved < 0 {
		t.Fatalf("an update writes nothing to the database: %v", second)
	}
	needed = func(name string) bool { return strings.HasSuffix(name, ".db-wal") || strings.HasSuffix(name, ".vec") }
	if dirty := unsynced(second[:moved], needed); len(dirty) > 0 {
		t.Errorf("before the database is changed, %v were written and not synced", dirty)
	}
	emptied := slices.IndexFunc(second[moved:],
		func(c diskCall) bool { return c.op == "cut" && strings.HasSuffix(c.file, ".db-wal") })
	if emptied < 0 || len(unsynced(second[:moved+emptied],
		func(name string) bool { return strings.HasSuffix(name, ".db") })) > 0 {
		t.Error("the log is emptied before the database is synced")
	}
	for i, c := range second { // vectors must reach the disk before their commit
		if c.op == "write" && strings.HasSuffix(c.file, ".vec") {
			log := slices.IndexFunc(second[i:],
				func(c diskCall) bool { return c.op == "sync" && strings.HasSuffix(c.file, ".db-wal") })
			if log < 0 || !slices.Contains(second[i:i+log], diskCall{"sync", c.file}) {
				t.Errorf("%s is not synced before the log", c.file)
			}
		}
	}
}

// unsynced returns the files that matter and were written after their last sync.
func unsynced(calls []diskCall, matters func(string) bool) []string {
	dirty := map[string]bool{}
	for _, c := range calls {
		switch {
		case !matters(c.file):
		case c.op == "sync":
			delete(dirty, c.file)
		case c.op == "write":
			dirty[c.file] = true
		}
	}
	var out []string
	for name := range dirty {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
