package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// reasons makes a repository with a comment that gives a reason in each file, and scrapes it.
func reasons(t *testing.T, dir string, p person, n int) {
	t.Helper()
	for i := range n {
		write(t, filepath.Join(dir, fmt.Sprintf("f%d.go", i)),
			fmt.Sprintf("package app\n\n// %s\n\nvar x%d = 1\n", reasonNumber(i), i))
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all"},
	} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	if p.uid != 0 {
		must(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
			must(t, err)
			return os.Lchown(name, p.uid, p.uid)
		}))
	}
	if said, code := p.patina(dir, "scrape"); code != 0 {
		t.Fatalf("scrape: %d %s", code, said)
	}
}

// reasonNumber returns a reason with its own words for each number, so that no two are copies.
func reasonNumber(i int) string {
	return fmt.Sprintf("Part%d must never call%d other%d again%d, because lock%d stays%d held%d there%d.", i, i, i, i,
		i, i, i, i)
}

// If sixteen processes dismiss sentences at the same time, all of them must stay dismissed.
func TestManyDismiss(t *testing.T) {
	t.Setenv("PATINA_TIMEOUT", "5m")
	dir := filepath.Join(t.TempDir(), "work")
	p := person{t, t.TempDir(), 0}
	const n = 16
	reasons(t, dir, p, n+1)
	var all []*exec.Cmd
	var said [n]strings.Builder
	for i := range n {
		c := p.command(dir, "patina", "belief", "dismiss", fmt.Sprintf("f%d.go:3", i))
		c.Stdout, c.Stderr = &said[i], &said[i]
		must(t, c.Start())
		all = append(all, c)
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%d: %v %s", i, err, said[i].String())
		}
	}
	left, _ := p.patina(dir, "belief", "proposed")
	if !strings.HasPrefix(left, "1. ") || strings.Contains(left, "\n2. ") ||
		!strings.Contains(left, fmt.Sprintf(" f%d.go:3\n", n)) {
		t.Errorf("want f%d.go alone:\n%s", n, left)
	}
	gone, _ := p.patina(dir, "belief", "proposed", "--dismissed")
	if got := strings.Count(gone, ".go:3\n"); got != n || strings.Contains(gone, "could not be read") {
		t.Errorf("%d dismissed, want %d:\n%s", got, n, gone)
	}
}

// In a home folder that cannot be written, a dismissal must fail with an error, and the list must
// still be printed.
func TestDismissInAHomeThatCannotBeWritten(t *testing.T) {
	t.Setenv("PATINA_TIMEOUT", "5m")
	var dir string
	p := person{t, t.TempDir(), 0}
	if os.Geteuid() == 0 {
		place, _, other := people(t)
		dir, p = filepath.Join(place, "work"), other
	} else {
		dir = filepath.Join(t.TempDir(), "work")
	}
	reasons(t, dir, p, 2)
	projects := filepath.Join(p.home, "patina", "projects")
	entries, err := os.ReadDir(projects)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	modes := func(folder os.FileMode) {
		for _, e := range entries {
			must(t, os.Chmod(filepath.Join(projects, e.Name()), folder))
		}
		if entries != nil {
			must(t, os.Chmod(projects, folder))
		}
		must(t, os.Chmod(filepath.Join(p.home, "patina"), folder))
	}
	modes(0o500)
	defer modes(0o700)
	said, code := p.patina(dir, "belief", "dismiss", "f0.go:3")
	if code != cli.ExitError || !strings.Contains(said, "write dismissed sentence: ") ||
		!strings.Contains(said, "nothing was noted") {
		t.Errorf("dismiss: %d %s", code, said)
	}
	if said, code := p.patina(dir, "belief", "proposed"); code != 0 || !strings.Contains(said, " f0.go:3\n") {
		t.Errorf("proposed: %d %s", code, said)
	}
	if said, code := p.patina(dir, "belief", "accept", "f0.go:3", "--id", "part"); code != 0 {
		t.Errorf("accept: %d %s", code, said)
	}
}
