package oracles_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/oracles/oracletest"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// statements are the beliefs of a project, by id.
var statements = map[string]string{
	"one-queue":     "All jobs wait in one queue.",
	"small-workers": "Workers stay small and do one thing.",
	"no-clock":      "Nothing in the core reads the clock.",
	"retry-once":    "A failed job is tried once more, then given up.",
	"logs-in-lines": "Each event is logged in a line of its own.",
	"sqlite-only":   "SQLite is the only database.",
	"errors-teach":  "An error message says how to go on.",
	"tests-are-raw": "Tests use the real parts, never imitations.",
	"plain-config":  "Configuration lies in a plain text file.",
	"signed-builds": "Every released binary is signed.",
}

// beliefFile returns a belief's file in an archive. more follows its statement.
func beliefFile(name, front, statement, more string) string {
	return "-- layer/surface/beliefs/" + name + ".md --\n---\n" + front + "\n---\n# x\n\n" + statement +
		"\n" + more + "\n"
}

// knowing returns a project with the beliefs in statements, and some that must not be found.
func knowing() string {
	var b strings.Builder
	b.WriteString(project)
	for id, statement := range statements {
		b.WriteString(beliefFile(id, "id: "+id, statement, ""))
	}
	for _, status := range []string{"defeated", "scoped", "archived", "proposed"} {
		front := "id: a-" + status + "\nstatus: " + status
		b.WriteString(beliefFile("a-"+status, front, "The moon is made of "+status+" cheese.", ""))
	}
	b.WriteString(beliefFile("twin-a", "id: twin", "Twins share a name.", ""))
	b.WriteString(beliefFile("twin-b", "id: twin", "Twins share a name and a house.", ""))
	b.WriteString(beliefFile("firm", "id: firm", "Penguins guard the southern harbour.", ""))
	b.WriteString(beliefFile("shaken", "id: shaken", "Penguins guard the northern harbour.",
		"## Attacked-By\n- [[one-queue]] (status: active, confidence: 1)\n"+
			"- [[no-clock]] (status: active, confidence: 1)"))
	return b.String()
}

// askBeliefs asks the oracle of beliefs, and returns the names of the files, the hits and the
// error.
func askBeliefs(t *testing.T, dir, question string, f doc.Filter) ([]string, []doc.Ranked, error) {
	t.Helper()
	var names []string
	var hits []doc.Ranked
	var asked error
	storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
		q := oracles.Question{Text: question, Parsed: text.ParseQuestion(question), Filter: f, Limit: 50}
		lists, err := oracles.NewBelief().Query(t.Context(), r, q)
		asked = err
		for _, l := range lists {
			if l.Kind != doc.Belief {
				t.Errorf("a list of %s", l.Kind)
			}
			for _, h := range l.Hits {
				names, hits = append(names, strings.TrimSuffix(filepath.Base(h.Path), ".md")), append(hits, h)
			}
		}
		return nil
	}))
	return names, hits, asked
}

// Each belief comes first for its own statement, with vectors and by words alone. Without vectors
// the error must say so.
func TestBeliefFindsEachByItsStatement(t *testing.T) {
	dir, bare := oracletest.Project(t, knowing(), false), t.TempDir()
	_, err := scrape.Run(t.Context(), scrape.Options{Root: filepath.Dir(dir), StoreDir: bare})
	storetest.Check(t, err)
	for id, statement := range statements {
		names, _, err := askBeliefs(t, dir, statement, doc.Filter{})
		if err != nil || len(names) == 0 || names[0] != id {
			t.Errorf("%s: %q, %v", id, names, err)
		}
		names, _, err = askBeliefs(t, bare, statement, doc.Filter{})
		if len(names) == 0 || names[0] != id {
			t.Errorf("%s by words alone: %q", id, names)
		}
		if !errors.Is(err, oracles.ErrUnavailable) || !strings.Contains(err.Error(), "by words alone: no vectors") {
			t.Errorf("%s by words alone: error %v", id, err)
		}
	}
}

// Beliefs without effect are never found. An id is found only once, and standing decides between
// beliefs that say the same.
func TestBeliefRanksWhatHolds(t *testing.T) {
	dir := oracletest.Project(t, knowing(), false)
	for _, q := range []string{"the moon is made of defeated cheese", "scoped archived proposed cheese of the moon"} {
		names, _, err := askBeliefs(t, dir, q, doc.Filter{})
		if err != nil || slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "a-") }) {
			t.Errorf("%q: %q, %v", q, names, err)
		}
	}
	names, hits, err := askBeliefs(t, dir, "twins share a name and a house", doc.Filter{})
	if err != nil || len(names) == 0 || names[0] != "twin-b" || slices.Contains(names, "twin-a") {
		t.Errorf("%q, %v", names, err)
	}
	for i := range hits {
		if i > 0 && hits[i].Raw > hits[i-1].Raw || hits[i].Raw > 1 {
			t.Errorf("hit %d: %v", i, hits[i].Raw)
		}
	}
	names, hits, err = askBeliefs(t, dir, "which penguins guard a harbour", doc.Filter{})
	if err != nil || len(names) < 2 || names[0] != "firm" || names[1] != "shaken" {
		t.Fatalf("%q, %v", names, err)
	}
	if hits[1].Raw > 0.85*hits[0].Raw {
		t.Errorf("attacks cost too little: %v after %v", hits[1].Raw, hits[0].Raw)
	}
}

func TestBeliefFilters(t *testing.T) {
	dir := oracletest.Project(t, knowing(), false)
	for _, test := range []struct {
		filter doc.Filter
		want   []string
	}{
		{doc.Filter{Paths: []string{"**/no-clock.md"}}, []string{"no-clock"}},
		{doc.Filter{Paths: []string{"queue/**"}}, nil},
		{doc.Filter{Kinds: []doc.Kind{doc.Code}}, nil},
		{doc.Filter{Kinds: []doc.Kind{doc.Belief}, Paths: []string{"**/firm.md"}}, []string{"firm"}},
		{doc.Filter{Languages: []string{"go"}}, nil},
	} {
		names, _, err := askBeliefs(t, dir, "nothing in the core reads the clock, penguins guard", test.filter)
		if err != nil || !slices.Equal(names, test.want) {
			t.Errorf("%+v: %q, %v, want %q", test.filter, names, err, test.want)
		}
	}
}

// A project without beliefs is not asked.
func TestBeliefIsNeeded(t *testing.T) {
	dirs := map[string]string{
		"with": oracletest.Project(t, project+held, false), "without": oracletest.Project(t, project, false),
	}
	for name, dir := range dirs {
		storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
			g := r.Generation()
			for _, f := range []doc.Filter{{}, {Kinds: []doc.Kind{doc.Belief}}, {Kinds: []doc.Kind{doc.Code}}} {
				want := name == "with" && doc.Wants(f, doc.Belief)
				if got := oracles.NewBelief().Needed(g, f); got != want {
					t.Errorf("%s beliefs, %v: needed %v", name, f.Kinds, got)
				}
			}
			return nil
		}))
	}
	names, _, err := askBeliefs(t, dirs["without"], "jobs", doc.Filter{})
	if err != nil || len(names) != 0 {
		t.Errorf("%q, %v", names, err)
	}
}

// Vectors of another model must not prevent an answer.
func TestBeliefWithVectorsOfAnotherModel(t *testing.T) {
	dir, other := oracletest.Project(t, project+held, false), t.TempDir()
	_, err := scrape.Run(t.Context(), scrape.Options{
		Root: filepath.Dir(dir), StoreDir: other, Embedder: storetest.Hashed{}, Load: embed.Load,
	})
	storetest.Check(t, err)
	names, _, err := askBeliefs(t, other, "jobs wait in one queue", doc.Filter{})
	if !slices.Equal(names, []string{"one-queue"}) || !errors.Is(err, oracles.ErrUnavailable) ||
		!strings.Contains(err.Error(), "another model") {
		t.Errorf("%q, %v", names, err)
	}
}
