package eval

import (
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestLoadErrors(t *testing.T) {
	good := `{"id":"a","query":"q","expect":["x"]}`
	for _, x := range []struct{ text, want string }{
		{``, `not a JSON list of questions: line 1: the text ends in the middle`},
		{`{}`, `not a JSON list of questions`},
		{`[`, `not a JSON list of questions`},
		{`null`, `no questions`},
		{`[]`, `no questions`},
		{`[` + good + `] x`, `text after the end`},
		{"[" + good + ",\n 3]", `line 2: not an object: "3"`},
		{`[null]`, `line 1: not an object: "null"`},
		{
			`[{"name":"cobra","questions":[]}]`,
			`line 1: field "questions": the form with one list a repository is not read`,
		},
		{`[{"query":"q","expect":[]}]`, `line 1: field "id" is missing or empty`},
		{`[{"id":"a","query":" ","expect":[]}]`, `line 1: field "query" is missing or empty`},
		{`[{"id":"a","query":"q"}]`, `line 1: field "expect" is missing`},
		{`[{"id":"a","query":"q","expect":null}]`, `line 1: field "expect" is null`},
		{`[{"id":"a","query":"q","expect":"x"}]`, `line 1: field "expect": string where a list belongs`},
		{`[{"id":"a","query":"q","expect":["x",""]}]`, `line 1: field "expect": entry 2 is empty`},
		{
			`[{"id":"a","query":"q","expect":["x"],"match":"some"}]`,
			`line 1: field "match": "some" is neither "any" nor "all"`,
		},
		{`[{"id":7,"query":"q","expect":["x"]}]`, `line 1: field "id": number where text belongs`},
		{
			"[" + good + ",\n {\n\n \"id\": \"b\", \"query\": \"q\",\n \"expect\": [\"\"]}]",
			`line 5: field "expect": entry 1 is empty`,
		},
		{"[" + good + ",\n {\n\n \"id\": \"b\",\n \"query\": [1]}]", `line 2: field "expect" is missing`},
		{
			"[" + good + ",\n {\n\n \"id\": \"b\",\n \"query\": [1], \"expect\": []}]",
			`line 5: field "query": array where text belongs`,
		},
		{`[` + good + `,` + good + `]`, `line 1: field "id": "a" is also that of question 1`},
	} {
		path := filepath.Join(t.TempDir(), "set.json")
		if err := os.WriteFile(path, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), "set.json") {
			t.Errorf("%s: %v, want the file and %s", x.text, err, x.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); err == nil ||
		!strings.Contains(err.Error(), "none.json") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestParse(t *testing.T) {
	qs, err := parse([]byte(`[
		{"id":"a","query":"q","kind":"code","category":"symbol","expect":["x","y","x"],"match":"all","note":"ours"},
		{"id":"b","query":"eggs","expect":[]}]`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := qs[0], qs[1]
	if a.Query != "q" || a.Kind != "code" || a.Category != "symbol" || !slices.Equal(a.Expect, []string{"x", "y"}) || a.Match != All ||
		a.Absurd() {
		t.Errorf("first = %+v", a)
	}
	if !b.Absurd() || len(realOnes(qs)) != 1 {
		t.Errorf("second = %+v, of which %d have an answer", b, len(realOnes(qs)))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{"id":"a","query":"q","expect":["x"],"match":"any"}]`))
	f.Add([]byte(`[{"id":"a","query":"q","expect":[null]}, {}]`))
	f.Add([]byte("[\"\xff\"]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		qs, err := parse(b)
		if err == nil && len(qs) == 0 {
			t.Fatal("neither questions nor an error")
		}
		for _, q := range qs {
			if err := q.check(); err != nil {
				t.Fatalf("%+v came through: %v", q, err)
			}
		}
	})
}

func TestShippedSets(t *testing.T) {
	std, err := Load("sets/gostd.json")
	if err != nil {
		t.Fatal(err)
	}
	categories, packages := map[string]int{}, map[string]bool{}
	for _, q := range std {
		categories[q.Category]++
		for _, x := range q.Expect {
			packages[filepath.Dir(x)] = true
		}
		if n := len(q.Expect); n < 1 || n > 2 || q.Kind != "code" || q.Match != Any {
			t.Errorf("%s: %d expected, kind %q, match %q", q.ID, n, q.Kind, q.Match)
		}
	}
	if len(std) != 60 || categories["architecture"] != 20 || categories["semantic"] != 20 ||
		categories["symbol"] != 20 {
		t.Errorf("%d questions, by category %v", len(std), categories)
	}
	if len(packages) < 30 {
		t.Errorf("%d packages, want 30", len(packages))
	}
	for set, n := range map[string]int{"absurd": 30, "absurd-2": 60} {
		absurd, err := Load("sets/" + set + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if len(absurd) != n || len(realOnes(absurd)) != 0 {
			t.Errorf("%s: %d absurd questions, %d with an answer", set, len(absurd), len(realOnes(absurd)))
		}
	}
	for project, n := range map[string]int{
		"caddy": 19, "celery": 19, "fastify": 13, "flask": 18, "gson": 17,
		"rack": 18, "requests": 13, "cobra": 12,
	} {
		paraphrases, err := Load("sets/paraphrase-" + project + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if len(paraphrases) != n || len(realOnes(paraphrases)) != n {
			t.Errorf("%s: %d paraphrases, %d with an answer, want %d", project, len(paraphrases),
				len(realOnes(paraphrases)), n)
		}
	}
}

// The set was written for Go 1.26. In another version a declaration may have moved.
func TestGostdFilesExist(t *testing.T) {
	src := filepath.Join(build.Default.GOROOT, "src")
	if _, err := os.Stat(filepath.Join(src, "fmt")); err != nil || !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("no source of Go 1.26 here")
	}
	qs, err := Load("sets/gostd.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range qs {
		for _, x := range q.Expect {
			if _, err := os.Stat(filepath.Join(src, x)); err != nil {
				t.Errorf("%s: %v", q.ID, err)
			}
		}
	}
}
