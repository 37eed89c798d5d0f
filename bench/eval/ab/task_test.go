package ab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/store/doc"
)

// An error names the line of the fault.
func TestMalformedTasks(t *testing.T) {
	good := `{"id": "a", "kind": "task", "query": "q", "code": ["x.go"]}`
	for name, test := range map[string]struct{ file, want string }{
		"empty":       {"", "line 1: the text ends"},
		"no list":     {`{"tasks": []}`, "line 1: not a JSON list of tasks"},
		"no tasks":    {"[]", "line 1: no tasks"},
		"cut":         {"[\n" + good + ",\n{\"id\": \"b\"", "line 3: the text ends"},
		"stray comma": {"[\n" + good + "\n,\n,\n]", "line 4: invalid character"},
		"text behind": {"[\n" + good + "\n]\nx", "line 4: invalid character"},
		"no id": {
			"[\n{\"kind\": \"task\", \"query\": \"q\", \"code\": [\"x\"]}]",
			`line 2: field "id": missing`,
		},
		"no query": {
			"[\n\n{\"id\": \"b\", \"kind\": \"task\", \"code\": [\"x\"]}]",
			`line 3: field "query": missing`,
		},
		"unknown kind": {"[" + good + ",\n{\"id\": \"b\", \"kind\": \"chore\", \"query\": \"q\", \"code\": [\"x\"]}]", `line 2: field "kind": "chore" is neither`},
		"needs nothing": {
			"[" + good + ",\n{\"id\": \"b\", \"kind\": \"task\", \"query\": \"q\"}]",
			`line 2: nothing is needed`,
		},
		"misspelt field": {"[" + good + ",\n{\"id\": \"b\", \"kind\": \"task\", \"query\": \"q\", \"knowlege\": [\"x\"]}]", `line 2: unknown field "knowlege"`},
		"query is a number": {
			"[" + good + ",\n{\"id\": \"b\",\n \"query\": 7}]",
			`line 3: field "query": number where text belongs`,
		},
		"code is text": {
			"[" + good + ",\n{\"id\": \"b\",\n \"code\": \"x.go\"}]",
			`line 3: field "code": string where a list belongs`,
		},
		"need is a number": {
			"[" + good + ",\n{\"id\": \"b\",\n \"code\": [7]}]",
			"7 is neither a document nor a list of documents",
		},
		"need is empty": {
			"[{\"id\": \"b\", \"kind\": \"task\", \"query\": \"q\", \"code\": [[]]}]",
			`line 1: field "code": need 1 names no document`,
		},
		"twice":            {"[" + good + ",\n\n" + good + "]", `line 3: field "id": "a" is also that of task 1`},
		"a task is a list": {"[\n[1]]", "line 2: a task is an object, not [1]"},
		"a task is null":   {"[\nnull]", "line 2: a task is an object, not null"},
		"kind, lines below": {
			"[\n{\"id\": \"b\",\n\n\"kind\": \"chore\", \"query\": \"q\"}]",
			`line 4: field "kind": "chore" is neither`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tasks.json")
			if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want the file and %q", err, test.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "nosuch.json")); err == nil ||
		!strings.Contains(err.Error(), "nosuch.json") {
		t.Errorf("no file: %v", err)
	}
	tasks, err := parse([]byte(`[{"id": "a", "kind": "knowledge", "query": "q", "knowledge": ["belief:x", ["y.md", "z.md"]], "note": "n"}]`))
	if err != nil || len(tasks) != 1 || len(tasks[0].Knowledge) != 2 || len(tasks[0].Knowledge[1]) != 2 {
		t.Errorf("tasks %+v, %v", tasks, err)
	}
}

// Any input gives tasks that can be asked, or an error with a line.
func FuzzTasks(f *testing.F) {
	f.Add([]byte(`[{"id": "a", "kind": "task", "query": "q", "code": ["x.go", ["y", "z"]]}]`))
	f.Add([]byte("[\n{},\n7]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tasks, err := parse(b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("error without a line: %v", err)
			}
			return
		}
		for _, x := range tasks {
			if x.check() != nil {
				t.Errorf("task %+v: %v", x, x.check())
			}
		}
	})
}

// The tasks that come with patina are sixty, in three groups of twenty, and twenty older ones. The
// documents for tasks about this repository must be in it.
func TestShippedTasks(t *testing.T) {
	count := map[string]int{}
	for _, name := range []string{"own", "reference", "reference-earlier"} {
		tasks, err := Load(filepath.Join("tasks", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tasks {
			count[name+" "+x.Kind]++
			if name != "own" {
				continue
			}
			for _, needs := range [][]Need{x.Knowledge, x.Code} {
				for _, n := range needs {
					if !slices.ContainsFunc(n, func(id string) bool {
						_, err := os.Stat(filepath.Join("../../..", fileOf(id)))
						return err == nil
					}) {
						t.Errorf("task %s needs one of %q, and none is there", x.ID, n)
					}
				}
			}
		}
	}
	if count["own task"] != 20 || count["own knowledge"] != 20 || count["reference task"] != 20 ||
		count["reference-earlier task"] != 20 || len(count) != 4 {
		t.Errorf("tasks %v", count)
	}
}

// fileOf returns the file of a document in this repository.
func fileOf(id string) string {
	if doc.KindOf(id) == doc.Belief {
		return "layer/surface/epistemic/beliefs/" + nameOf(id) + ".md"
	}
	return nameOf(id)
}
