package main

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// databasesOf returns the authored databases of a home with their bytes.
func databasesOf(t *testing.T, home string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "projects", "*", "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range append(files, filepath.Join(home, "mother.db")) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[f] = string(b)
	}
	return all
}

// A home that a newer patina has written is named by version, and no command changes it.
func TestNewerHomeIsLeftAlone(t *testing.T) {
	r := layStart(t, func(_ *testing.T, r startRepo) {
		r.write(map[string]string{"a.go": "package a\n\n// Pour pours.\nfunc Pour() {}\n"})
	})
	home := os.Getenv("PATINA_HOME")
	r.command("", "memory", "add", "the kettle is small")
	r.command("", "repo", "add", ".", "--no-scrape")
	t.Chdir(r.root)
	if _, errs, code := outputOf([]string{"version"}, ""); code != cli.ExitFound || errs != "" {
		t.Fatalf("its own home: exit %d, %s", code, errs)
	}
	for file, content := range databasesOf(t, home) {
		b := []byte(content)
		binary.BigEndian.PutUint32(b[60:], 99) // user_version, where the number of the last migration is
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := databasesOf(t, home)
	if len(before) != 2 {
		t.Fatalf("%d databases", len(before))
	}
	for _, form := range []string{"version", "--version"} {
		out, errs, code := outputOf([]string{form}, "")
		if code != cli.ExitFound || !strings.HasPrefix(out, "patina ") ||
			strings.Count(errs, "written by a newer version (schema 99, this one knows") != 2 ||
			strings.Count(errs, "this one leaves the file as it is") != 2 {
			t.Errorf("%s: exit %d\n%s%s", form, code, out, errs)
		}
	}
	for _, args := range [][]string{
		{"memory", "add", "the cup is large"},
		{"memory", "consolidate"},
		{"repo", "add", ".", "--name", "tea", "--no-scrape"},
		{"repo", "remove", "project"},
		{"memory", "list"},
	} {
		_, errs, code := outputOf(args, "")
		if code != cli.ExitError || !strings.Contains(errs, "newer") || !strings.Contains(errs, "use the newer patina") {
			t.Errorf("patina %q: exit %d\n%s", args, code, errs)
		}
	}
	// An index is derived, and a record beside mother.db is for older versions: both go on. An
	// answer says that it lacks the notes.
	if out, errs, code := outputOf([]string{"scrape", "--no-adapt"}, ""); code != cli.ExitFound {
		t.Errorf("scrape: exit %d\n%s%s", code, out, errs)
	}
	if out, _, code := outputOf([]string{"scry", "what pours"}, ""); code != cli.ExitPartial ||
		!strings.Contains(out, "not searched: memory (database was written by a newer version") {
		t.Errorf("scry: exit %d\n%s", code, out)
	}
	if after := databasesOf(t, home); !maps.Equal(after, before) {
		t.Errorf("changed: %q", slices.Sorted(maps.Keys(after)))
	}
}
