package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"patina/cmd/internal/cli"
	"patina/memory"
)

// A notes is a project with an index and notes.
type notes struct {
	t         *testing.T
	who       person
	dir, file string
	id, run   string // a note and a consolidation
}

// both calls patina and returns both streams and the exit code.
func (n *notes) both(args ...string) (out, errs string, code int) {
	n.t.Helper()
	c := n.who.command(n.dir, "patina", args...)
	c.Env = append(c.Env, "PATINA_TIMEOUT=5m", "PATINA_REFRESH=5m")
	var o, e strings.Builder
	c.Stdout, c.Stderr = &o, &e
	_ = c.Run()
	if c.ProcessState == nil {
		n.t.Fatal("patina did not start")
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

func (n *notes) good(args ...string) string {
	n.t.Helper()
	out, errs, code := n.both(args...)
	if code != 0 {
		n.t.Fatalf("patina %q: %d %s", args, code, errs)
	}
	return strings.TrimSpace(out)
}

func newNotes(t *testing.T, who person, dir string) *notes {
	n := &notes{t: t, who: who, dir: dir}
	write(t, filepath.Join(dir, "moor.go"), "package a\n\n// Moor ties a ship up with ropes.\nfunc Moor() {}\n")
	write(t, filepath.Join(dir, "one.jsonl"), `{"content":"cranes lift boxes"}`+"\n")
	write(t, filepath.Join(dir, "one.md"), "[MEMORY] type=gotcha: boxes are heavy\n")
	for _, name := range []string{".", "moor.go", "one.jsonl", "one.md"} {
		must(t, os.Chown(filepath.Join(dir, name), who.uid, who.uid))
	}
	n.good("scrape", "--no-adapt")
	n.id = n.good("memory", "add", "Moor needs two ropes")
	n.good("memory", "add", "we store ropes in boxes")
	n.good("memory", "add", "store ropes in boxes", "--confidence", ".3")
	_, n.run, _ = strings.Cut(n.good("memory", "consolidate", "--apply"), "--undo ")
	n.run, _, _ = strings.Cut(n.run, " ")
	n.good("memory", "recall", "ropes") // makes the vectors
	found, err := filepath.Glob(filepath.Join(who.home, "patina", "projects", "*", "memory.db"))
	if err != nil || len(found) != 1 || n.run == "" {
		t.Fatalf("%q, run %q: %v", found, n.run, err)
	}
	n.file = found[0]
	return n
}

// readers and writers return all calls about notes.
func (n *notes) readers() [][]string {
	return [][]string{
		{"recall", "ropes"},
		{"inject", "ropes"},
		{"list"},
		{"show", n.id},
		{"export"},
		{"consolidate"},
		{"stats"},
		{"stats", "--secrets"},
	}
}

func (n *notes) writers() [][]string {
	return [][]string{
		{"add", "cranes lift boxes"},
		{"edit", n.id, "Moor needs three ropes"},
		{"pin", n.id},
		{"unpin", n.id},
		{"forget", n.id},
		{"forget", n.id, "--purge"},
		{"supersede", n.id, n.id},
		{"import", "one.jsonl"},
		{"import", "--restore", "one.jsonl"},
		{"ingest", "one.md"},
		{"consolidate", "--apply"},
		{"consolidate", "--undo", n.run},
	}
}

// refused checks that calls end with an error that contains why and names the file.
func (n *notes) refused(calls [][]string, why string) {
	n.t.Helper()
	for _, call := range calls {
		out, errs, code := n.both(append([]string{"memory"}, call...)...)
		if code != cli.ExitError || out != "" || !strings.Contains(errs, why) || !strings.Contains(errs, n.file) ||
			strings.Count(errs, why) > 2 {
			n.t.Errorf("memory %q: %d, want %q and the file\n%s%s", call, code, why, out, errs)
		}
	}
}

// unasked checks that other answers name the notes as missing, and have all other results.
func (n *notes) unasked(why string) {
	n.t.Helper()
	if out, _, code := n.both("scry", "ropes"); code != cli.ExitPartial || !strings.Contains(out, "moor.go") ||
		!strings.Contains(out, "memory (") {
		n.t.Errorf("scry: %d\n%s", code, out)
	}
	out, errs, code := n.both("context", "ropes")
	if code != 0 || !strings.Contains(out, "moor.go") || !strings.Contains(errs, "without memories: ") ||
		!strings.Contains(errs, why) {
		n.t.Errorf("context: %d\n%s%s", code, out, errs)
	}
}

// clear removes the database with its log.
func (n *notes) clear() {
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.RemoveAll(n.file + end); err != nil {
			n.t.Fatal(err)
		}
	}
}

// Each call about notes in a broken file must report the fault, and leave the file unchanged.
func TestBrokenMemories(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred processes, one after another")
	}
	n := newNotes(t, person{t, t.TempDir(), 0}, t.TempDir())
	sound, err := os.ReadFile(n.file)
	must(t, err)
	newer := bytes.Clone(sound)
	newer[63] = 99 // the lowest byte of the schema's number
	for _, x := range []struct {
		name, why string
		content   []byte
		lay       func() error // makes something other than a file
	}{
		{"newer", "written by a newer version (schema 99", newer, nil},
		{"other", "file is not a database", bytes.Repeat([]byte("no database\n"), 1000), nil},
		{"cut", "malformed", sound[:len(sound)/3], nil},
		{"empty", "the file is empty", []byte{}, nil},
		{"folder", "not a regular file", nil, func() error { return os.Mkdir(n.file, 0o700) }},
		{"link", "not a regular file", nil, func() error { return os.Symlink("elsewhere", n.file) }},
		{"pipe", "not a regular file", nil, func() error { return syscall.Mkfifo(n.file, 0o600) }},
	} {
		t.Run(x.name, func(t *testing.T) {
			n.t = t
			n.clear()
			if x.lay != nil {
				must(t, x.lay())
			} else {
				must(t, os.WriteFile(n.file, x.content, 0o600))
			}
			n.refused(n.readers(), x.why)
			n.refused(n.writers(), x.why)
			n.unasked(x.why)
			if x.lay == nil {
				if now, err := os.ReadFile(n.file); err != nil || !bytes.Equal(now, x.content) {
					t.Errorf("the file was changed: %v", err)
				}
			}
		})
	}
	n.t = t
	n.clear()
	must(t, os.WriteFile(n.file, sound, 0o600))
	if out := n.good("memory", "list"); !strings.Contains(out, "two ropes") ||
		!strings.Contains(out, "ropes in boxes") {
		t.Error(out)
	}
}

// A note of any text must be kept whole or refused, and any question answered.
func TestOddNotes(t *testing.T) {
	n := newNotes(t, person{t, t.TempDir(), 0}, t.TempDir())
	must(t, os.WriteFile(filepath.Join(n.dir, "nul"), []byte("a\x00b"), 0o600))
	must(t, os.WriteFile(filepath.Join(n.dir, "long"), bytes.Repeat([]byte("rope "), 1<<20/5), 0o600))
	for _, x := range []struct {
		file string
		code int
		says string
	}{{"nul", cli.ExitError, "control characters"}, {"long", cli.ExitError, "at most 65536 fit"}} {
		c := exec.Command("sh", "-c", "patina memory add - < "+x.file)
		c.Dir, c.Env = n.dir, n.who.command(n.dir, "patina").Env
		out, _ := c.CombinedOutput()
		if c.ProcessState.ExitCode() != x.code || len(out) > 1000 || !strings.Contains(string(out), x.says) {
			t.Errorf("%s: %d %.300s", x.file, c.ProcessState.ExitCode(), out)
		}
	}
	for _, text := range []string{`""`, "''", "係留には二本のロープ", "Кран поднимает ящик", "رافعة", "🪢", "--", "a\nb\tc"} {
		id := n.good("memory", "add", "--", text)
		if out := n.good("memory", "export"); !strings.Contains(out, id) {
			t.Errorf("%q is lost", text)
		}
		for _, call := range []string{"recall", "inject"} {
			if _, errs, code := n.both("memory", call, "--", text); code == cli.ExitError || errs != "" {
				t.Errorf("%s %q: %d %s", call, text, code, errs)
			}
		}
	}
	if out := n.good("memory", "recall", "ロープ 係留"); !strings.Contains(out, "二本") {
		t.Error(out)
	}
}

// A user who cannot write to the home must be able to read all notes, and every change must be
// refused.
func TestMemoriesOfAHomeThatCannotBeWritten(t *testing.T) {
	place, _, other := people(t)
	dir := filepath.Join(place, "work")
	must(t, os.Mkdir(dir, 0o755))
	n := newNotes(t, other, dir)
	folder := filepath.Dir(n.file)
	must(t, os.Chmod(n.file, 0o400))
	must(t, os.Chmod(folder, 0o500))
	defer func() { _ = os.Chmod(folder, 0o700) }()
	n.readable()
	n.refused(n.writers(), "denied")
}

// readable checks that all calls without changes have an answer.
func (n *notes) readable() {
	n.t.Helper()
	for _, call := range append(n.readers(), []string{"list", "--all"}) {
		out, errs, code := n.both(append([]string{"memory"}, call...)...)
		if code == cli.ExitError || out == "" || errs != "" {
			n.t.Errorf("memory %q: %d %s%s", call, code, out, errs)
		}
	}
	if out := n.good("scry", "ropes"); !strings.Contains(out, "[memory]") || strings.Contains(out, "memory (") {
		n.t.Error(out)
	}
	if out := n.good("context", "ropes"); !strings.Contains(out, "## Relevant Memories") {
		n.t.Error(out)
	}
}

// On a full disk, every change must be refused, and no kept note may be lost.
func TestMemoriesOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no disk of its own can be made here: %s", out)
	}
	defer func() { must(t, exec.Command("umount", disk).Run()) }()
	n := newNotes(t, person{t, disk, 0}, t.TempDir())
	before := n.good("memory", "export")
	filler := filepath.Join(disk, "filler")
	f, err := os.Create(filler)
	must(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if must(t, f.Close()); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	n.readable()
	n.refused(n.writers(), "no space left on device")
	must(t, os.Remove(filler))
	if after := n.good("memory", "export"); after != before {
		t.Errorf("a full disk left\n%s\nof\n%s", after, before)
	}
	id := n.good("memory", "add", "there is room again")
	if m := memory.File(filepath.Join(disk, "patina"), filepath.Base(filepath.Dir(n.file))); m != n.file || id == "" {
		t.Errorf("%q is not %q", m, n.file)
	}
}
