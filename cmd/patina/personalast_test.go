package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// lastNotes is the folder of the notes of an earlier version, and of its output. That version kept
// the user's notes apart from a project's memories.
const lastNotes = "../../memory/testdata/persona"

// output returns the standard output of a call.
func output(args ...string) string {
	var out, errs strings.Builder
	run(args, strings.NewReader(""), &out, &errs)
	return out.String()
}

// For a log and a database of an earlier version, the commands print the same bytes as that
// version. Only the place, the size and the age of the database differ.
func TestNotesOfTheLastVersion(t *testing.T) {
	from, err := filepath.Abs(lastNotes)
	check(t, err)
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	t.Chdir(t.TempDir())
	dir := filepath.Join(home, "personas", "default")
	check(t, os.CopyFS(filepath.Join(dir, "events"), os.DirFS(filepath.Join(from, "events"))))
	packed, err := os.Open(filepath.Join(from, "persona.db.gz"))
	check(t, err)
	defer func() { _ = packed.Close() }()
	r, err := gzip.NewReader(packed)
	check(t, err)
	database, err := io.ReadAll(r)
	check(t, err)
	check(t, os.Mkdir(filepath.Join(dir, "materialized"), 0o700))
	check(t, os.WriteFile(filepath.Join(dir, "materialized", "persona.db"), database, 0o600))

	want := func(name string) string {
		b, err := os.ReadFile(filepath.Join(from, name))
		check(t, err)
		return string(b)
	}
	same := func(name, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s:\n%s\nthe last version printed:\n%s", name, got, want)
		}
	}
	same("list --all --json", output("persona", "list", "--all", "--limit", "1000", "--json"), want("list.json"))
	same("list", output("persona", "list"), want("list.txt"))
	same("query", output("persona", "query", "--domain", "go", "subtests"), want("query.txt"))
	questions := strings.Split(want("queries.json"), "# ")[1:]
	for _, q := range questions {
		question, answer, _ := strings.Cut(q, "\n")
		same(question, output("persona", "query", "--json", question), answer)
	}
	if len(questions) < 5 {
		t.Errorf("%d questions", len(questions))
	}
	status := func(text string) (fields map[string]any) {
		check(t, json.Unmarshal([]byte(text), &fields))
		for _, name := range []string{"dir", "database_bytes", "materialized"} {
			if fields[name] == nil {
				t.Errorf("status has no %s", name)
			}
			delete(fields, name)
		}
		return fields
	}
	if got, last := status(output("persona", "status", "--json")),
		status(want("status.json")); !reflect.DeepEqual(got, last) {
		t.Errorf("status %v, the last version %v", got, last)
	}
}
