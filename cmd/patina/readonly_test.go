package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// chmodAll sets the modes of a folder and of its files.
func chmodAll(t *testing.T, dir string, folder, file os.FileMode) {
	t.Helper()
	must(t, os.Chmod(dir, 0o700))
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		must(t, os.Chmod(filepath.Join(dir, e.Name()), file))
	}
	must(t, os.Chmod(dir, folder))
}

// A question to a store that cannot be written must be answered from the index as it is, and name
// the files that could not be read. Another user asks, because root can write everywhere.
func TestRefreshOfAStoreThatCannotBeWritten(t *testing.T) {
	t.Setenv("PATINA_REFRESH", "5m")
	t.Setenv("PATINA_TIMEOUT", "5m")
	var dir string
	asker := person{t, t.TempDir(), 0}
	if os.Geteuid() == 0 {
		place, _, other := people(t)
		dir, asker = filepath.Join(place, "work"), other
	} else {
		dir = filepath.Join(t.TempDir(), "work")
	}
	source := filepath.Join(dir, "harbour.go")
	write(t, source, "package work\n\n// Moor ties a ship up.\nfunc Moor() {}\n")
	if asker.uid != 0 {
		must(t, os.Chown(dir, asker.uid, asker.uid))
		must(t, os.Chown(source, asker.uid, asker.uid))
	}
	if said, code := asker.patina(dir, "scrape"); code != 0 {
		t.Fatalf("scrape: %d %s", code, said)
	}
	stored := filepath.Join(dir, project.StoreName)
	chmodAll(t, stored, 0o500, 0o400)
	defer chmodAll(t, stored, 0o700, 0o600)
	if said, code := asker.patina(dir, "scry", "Moor"); code != 0 || strings.Contains(said, "written") {
		t.Errorf("nothing has changed: %d %s", code, said)
	}
	write(t, source, "package work\n\n// Moor ties a ship up with two ropes.\nfunc Moor() {}\n")
	before, err := os.ReadFile(filepath.Join(stored, "current"))
	must(t, err)
	const behind = "index is 1 file behind (harbour.go); the index cannot be written; patina scrape"
	for _, test := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"scry", "Moor"}, 0, []string{"1. [code] harbour.go:", behind}},
		{[]string{"scry", "--strict", "Moor"}, 0, []string{"harbour.go", behind}},
		{
			[]string{"scry", "--json", "Moor"},
			0,
			[]string{`"behind_files": 1`, `"not_refreshed": "the index cannot be written"`},
		},
		{[]string{"assay", "functions", "Moor"}, 0, []string{"harbour.go", behind}},
		{
			[]string{"scry", "nebuchadnezzar_xyz"},
			cli.ExitNothing,
			[]string{"`nebuchadnezzar_xyz` is not in the index", behind},
		},
	} {
		said, code := asker.patina(dir, test.args...)
		for _, want := range test.says {
			if code != test.code || !strings.Contains(said, want) {
				t.Errorf("patina %s: %d, want %d and %q:\n%s", test.args, code, test.code, want, said)
			}
		}
	}
	if after, err := os.ReadFile(filepath.Join(stored, "current")); err != nil || string(after) != string(before) {
		t.Errorf("the store was written: %v", err)
	}
}

// Another user's trusted index is read and never written.
func TestRefreshOfAnotherUsersStore(t *testing.T) {
	t.Setenv("PATINA_REFRESH", "5m")
	t.Setenv("PATINA_TIMEOUT", "5m")
	place, own, other := people(t)
	dir := filepath.Join(place, "work")
	source := filepath.Join(dir, "harbour.go")
	write(t, source, "package work\n\n// Moor ties a ship up.\nfunc Moor() {}\n")
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Chmod(source, 0o644))
	if said, code := own.patina(dir, "scrape"); code != 0 {
		t.Fatalf("scrape: %d %s", code, said)
	}
	chmodAll(t, filepath.Join(dir, project.StoreName), 0o755, 0o644)
	must(t, os.WriteFile(source, []byte("package work\n\n// Moor ties a ship up with two ropes.\nfunc Moor() {}\n"),
		0o644))
	t.Setenv("PATINA_TRUST_STORE", "1")
	said, code := other.patina(dir, "scry", "Moor")
	if want := "index is 1 file behind (harbour.go); the index is another user's"; code != 0 ||
		!strings.Contains(said, want) {
		t.Errorf("%d, want %q:\n%s", code, want, said)
	}
}
