package eval_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"patina/bench/eval"
)

// A lineSet is one repository of a set whose answers are lines.
type lineSet struct {
	Repo      string         `json:"repo"`
	Name      string         `json:"name"`
	Language  string         `json:"language"`
	Revision  string         `json:"revision"`
	Questions []lineQuestion `json:"questions"`
}

type lineQuestion struct {
	Kind   string   `json:"kind"`
	Query  string   `json:"query"`
	Expect []string `json:"expect"` // path:first-last, path, or commit:sha
	RG     []string `json:"rg"`
}

var (
	fullSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)
	answer  = regexp.MustCompile(`^(?:commit:[0-9a-f]{7,40}|([^:]+)(?::(\d+)-(\d+))?)$`)
)

// loadLines reads a set and checks each entry by itself. Unknown fields are errors.
func loadLines(t *testing.T, file string) []lineSet {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("sets", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var set []lineSet
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&set); err != nil || d.More() {
		t.Fatalf("%s: %v", file, err)
	}
	for _, r := range set {
		if !strings.HasSuffix(r.Repo, "/"+r.Name) || r.Language == "" || !fullSHA.MatchString(r.Revision) {
			t.Errorf("%s: repository %q (%q, %q) at %q", file, r.Repo, r.Name, r.Language, r.Revision)
		}
		for _, q := range r.Questions {
			checkQuestion(t, r.Name, q)
		}
	}
	return set
}

func checkQuestion(t *testing.T, name string, q lineQuestion) {
	t.Helper()
	if q.Kind == "" || strings.TrimSpace(q.Query) == "" || len(q.Expect) == 0 {
		t.Errorf("%s: a field is empty: %+v", name, q)
	}
	for _, e := range q.Expect {
		m := answer.FindStringSubmatch(e)
		if m == nil {
			t.Errorf("%s: %q expects %q", name, q.Query, e)
			continue
		}
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		if m[1] != "" && !filepath.IsLocal(m[1]) || last < first || m[2] != "" && first < 1 {
			t.Errorf("%s: %q expects %q", name, q.Query, e)
		}
	}
}

// count counts questions, repositories, languages and kinds. A repeated question about one
// repository is an error.
func count(t *testing.T, set []lineSet) (questions int, repos, languages, kinds map[string]int) {
	t.Helper()
	repos, languages, kinds = map[string]int{}, map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for _, r := range set {
		for _, q := range r.Questions {
			if id := r.Repo + "\n" + q.Query; seen[id] {
				t.Errorf("%s: %q is asked twice", r.Repo, q.Query)
			} else {
				seen[id] = true
			}
			questions++
			repos[r.Repo]++
			languages[r.Language]++
			kinds[q.Kind]++
		}
	}
	return questions, repos, languages, kinds
}

func TestLineSets(t *testing.T) {
	var all []lineSet
	for _, file := range []string{"lines/a.json", "lines/b.json"} {
		half := loadLines(t, file)
		if n, repos, _, _ := count(t, half); n < 100 || len(repos) != 5 {
			t.Errorf("%s: %d questions on %d repositories", file, n, len(repos))
		}
		all = append(all, half...)
	}
	if n, repos, languages, _ := count(t, all); n < 200 || len(repos) != 10 || len(languages) < 8 {
		t.Errorf("%d questions on %v in %v", n, repos, languages)
	}
	for _, r := range all {
		for _, q := range r.Questions {
			if len(q.RG) == 0 {
				t.Errorf("%s: no search beside %q", r.Name, q.Query)
			}
		}
	}
}

func TestTraceSet(t *testing.T) {
	n, repos, languages, kinds := count(t, loadLines(t, "traces.json"))
	if n != 100 || len(repos) != 10 || len(languages) < 8 || len(kinds) != 10 {
		t.Errorf("%d traces, repositories %v, languages %v, kinds %v", n, repos, languages, kinds)
	}
	for kind, n := range kinds {
		if n != 10 {
			t.Errorf("%d traces of kind %q", n, kind)
		}
	}
}

func TestUnseenSet(t *testing.T) {
	n, repos, languages, kinds := count(t, loadLines(t, "unseen.json"))
	want := map[string]int{
		"words": 30, "exact": 20, "callers": 15, "history": 15, "why": 10, "trace": 15,
		"document": 15,
	}
	if n != 120 || len(repos) != 4 || len(languages) != 4 || !maps.Equal(kinds, want) {
		t.Errorf("%d questions, repositories %v, languages %v, kinds %v", n, repos, languages, kinds)
	}
}

// Every question of where.json is of a kind with those in other words in unseen.json, and they are
// halved by one rule.
func TestWhereSet(t *testing.T) {
	set := loadLines(t, "where.json")
	n, repos, languages, kinds := count(t, set)
	if n != 100 || len(repos) != 4 || len(languages) != 4 || kinds["words"] != n {
		t.Errorf("%d questions, repositories %v, languages %v, kinds %v", n, repos, languages, kinds)
	}
	sealed := func(set []lineSet) (n int) {
		for _, r := range set {
			for _, q := range r.Questions {
				if q.Kind == "words" && eval.Sealed(r.Repo, q.Query) {
					n++
				}
			}
		}
		return n
	}
	if where, unseen := sealed(set), sealed(loadLines(t, "unseen.json")); where != 49 || unseen != 16 {
		t.Errorf("%d of 100 and %d of 30 are sealed, want 49 and 16", where, unseen)
	}
}

// The sets about written knowledge have a number of questions for each kind, half of them
// statements. Each set names the tree that it was written for, and every answer is a path, an id or
// a full sha.
func TestKnowledgeSets(t *testing.T) {
	sizes := map[string]map[string]int{
		"patina-a":                {"belief": 10, "session": 8, "pattern": 8, "code": 7, "commit": 7},
		"patina-b":                {"belief": 10, "session": 8, "pattern": 8, "code": 7, "commit": 7},
		"decisions-log4brains":    {"decision": 5, "code": 5, "commit": 5},
		"decisions-celestia-node": {"decision": 5, "code": 5, "commit": 5},
		"decisions-brighter":      {"decision": 5, "code": 5, "commit": 5},
		"kinds-mct":               {"belief": 12, "session": 12, "section": 10, "code": 12, "commit": 12},
		"kinds-own":               {"belief": 15, "section": 17, "code": 15, "commit": 15},
	}
	sourced := regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40}, written `)
	for name, kinds := range sizes {
		file := filepath.Join("sets", name+".json")
		list, err := eval.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		var sources []struct{ Source string }
		if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &sources) != nil {
			t.Fatalf("read %s again: %v", file, err)
		}
		got, statements := map[string]int{}, 0
		for i, q := range list {
			got[q.Kind]++
			if q.Category == "statement" {
				statements++
			}
			if q.Absurd() || !sourced.MatchString(sources[i].Source) {
				t.Errorf("%s %s: expects %v, source %q", name, q.ID, q.Expect, sources[i].Source)
			}
			for _, x := range q.Expect {
				if !filepath.IsLocal(x) {
					t.Errorf("%s %s: expects %q", name, q.ID, x)
				}
			}
		}
		if !maps.Equal(got, kinds) {
			t.Errorf("%s: %v, want %v", name, got, kinds)
		}
		if strings.HasPrefix(name, "patina-") && statements != len(list)/2 {
			t.Errorf("%s: %d of %d are statements", name, statements, len(list))
		}
	}
}
