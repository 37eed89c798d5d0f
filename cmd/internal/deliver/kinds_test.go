package deliver

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/fusion"
	"patina/oracles/oracletest"
	"patina/scrape/parse"
	"patina/store"
	"patina/store/doc"
)

const note doc.Kind = "note"

// A newKind has the parts of a new kind: its row in the table of kinds, and a reader unless its
// files are Markdown.
type newKind struct {
	row  doc.Traits
	read parse.Reader
	id   string // doc_id of the note that answers the question
	path string // the note's file

	demoted float64 // 0: not demoted
}

// newKinds are notes in three shapes: lines in a format of their own, whole Markdown files, and a
// kind ranked like code.
var newKinds = map[string]newKind{
	"lines": {
		row: doc.Traits{
			Kind: note, Plural: "notices", Unit: "note", Prefix: "note:", Separator: "#",
			Files: []string{"notes/*.log"}, Priors: map[string]float64{"mechanism": 0.8},
		},
		read: readNotes,
		id:   "note:notes/team.log#walrus",
		path: "notes/team.log",
	},
	"files": {
		row: doc.Traits{
			Kind: note, Plural: "notices", Unit: "note", Prefix: "note:", Separator: "#",
			Files: []string{"notes/*.md"}, Shape: doc.OfFiles, Priors: map[string]float64{"mechanism": 0.8},
		},
		id:   "note:notes/walrus.md",
		path: "notes/walrus.md",
	},
	"pooled": {
		row: doc.Traits{
			Kind: note, Plural: "notices", Unit: "note", Prefix: "note:", Separator: "#",
			Files: []string{"examples/*.md"}, Shape: doc.OfFiles, Pooled: true, Demoted: doc.ByClass,
			Priors: map[string]float64{"mechanism": 0.8},
		},
		id:      "note:examples/walrus.md",
		path:    "examples/walrus.md",
		demoted: 0.6, // as an example
	},
}

// readNotes reads a file with one note a line: "name: text".
func readNotes(f *doc.File) {
	for i, line := range strings.Split(strings.TrimSpace(string(f.Body)), "\n") {
		name, text, _ := strings.Cut(line, ": ")
		f.Entries = append(f.Entries, doc.Entry{
			Name: name, Sort: doc.Section, First: i + 1, Line: i + 1, Last: i + 1, Title: name, Summary: text,
			Parent: -1,
		})
		f.Chunks = append(f.Chunks, doc.Chunk{Entry: i, First: i + 1, Last: i + 1, Names: name, Body: text})
	}
}

// notePrinter prints a note.
var notePrinter = printer{
	name:    func(d doc.Description) string { return "note of " + d.Path },
	excerpt: func(d doc.Description) []string { return []string{"noted: " + d.Symbol} },
	above:   func(d doc.Description) []string { return []string{"a note of " + d.Path} },
	json:    func(r *jsonResult, d doc.Description) { r.Path, r.Via = d.Path, "notes" },
}

const noteProject = `
-- queue.go --
package queue

// Walrus drains the backlog of the queue, oldest job first.
func Walrus() {}
-- README.md --
# Queue

Jobs wait in a backlog.
-- notes/team.log --
walrus: the walrus drains the backlog at night, so that nobody waits
otter: otters hold hands while they sleep
-- examples/walrus.md --
# Walrus

The walrus drains the backlog at night, so that nobody waits.

# Otters

At night, the walrus of the backlog sleeps.
-- notes/walrus.md --
# Walrus

The walrus drains the backlog at night, so that nobody waits.

## Otters

They hold hands while they sleep.
`

// A new kind needs only three additions: a row in the table, a reader, a printer. The test runs a
// real scrape and a real engine.
func TestANewKind(t *testing.T) {
	for name, k := range newKinds {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(doc.AddKind(k.row))
			if k.read != nil {
				t.Cleanup(parse.AddReader(note, k.read))
			}
			printers[note] = notePrinter
			t.Cleanup(func() { delete(printers, note) })
			e, dir := noteEngine(t)
			k.isFound(t, e)
			k.isFiltered(t, e)
			k.isExplained(t, e)
			k.isShown(t, e)
			x := store.Examine(t.Context(), dir, store.MainView, store.Seal{})
			if want := map[string]int{"lines": 2, "files": 1, "pooled": 1}[name]; x.Err != nil ||
				x.Documents[note] != want {
				t.Errorf("the index counts %v, want %d notes; %v", x.Documents, want, x.Err)
			}
		})
	}
}

const noteQuestion = "how does the walrus drain the backlog at night"

// noteEngine scrapes the project and opens an engine on it.
func noteEngine(t *testing.T) (e *actors.Engine, dir string) {
	t.Helper()
	dir = oracletest.Project(t, noteProject, true)
	e, err := actors.Open(actors.Options{Projects: []actors.Project{{
		ID: "p", Name: "p", Root: filepath.Dir(dir),
		StoreDir: dir,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e, dir
}

func scry(t *testing.T, e *actors.Engine, r api.Request) *api.Answer {
	t.Helper()
	r.Text, r.Timeout = noteQuestion, time.Hour
	a, err := e.Scry(t.Context(), r)
	if err != nil || a.Partial {
		t.Fatalf("scry: %v, %+v", err, a)
	}
	return a
}

// isFound checks that the note is among the code files, in text and JSON, with the weight from its
// row.
func (k newKind) isFound(t *testing.T, e *actors.Engine) {
	t.Helper()
	a := scry(t, e, api.Request{})
	i := slices.IndexFunc(a.Results, func(r api.Result) bool { return r.Key.ID == k.id })
	if i < 0 || !slices.ContainsFunc(a.Results, func(r api.Result) bool { return r.Kind == doc.Code }) {
		t.Fatalf("no %s beside code in %v", k.id, a.Results)
	}
	r := a.Results[i]
	if r.Kind != note || r.Path != k.path || r.Symbol != "walrus" || r.Prior != 0.8 || r.Share == 0 ||
		a.Intent != fusion.Mechanism {
		t.Errorf("intent %s, found %+v", a.Intent, r)
	}
	if r.Evidence.Demotion != cmp.Or(k.demoted, 1) || r.Breadth > 0 != k.row.Pooled {
		t.Errorf("demotion %v, breadth %v", r.Evidence.Demotion, r.Breadth)
	}
	for _, channel := range []string{"lexical", "semantic"} {
		if !slices.ContainsFunc(r.Contributions,
			func(c fusion.Contribution) bool { return c.Channel == channel && c.Rank == 1 }) {
			t.Errorf("%s did not find it first: %+v", channel, r.Contributions)
		}
	}
	prints(t, func(b *bytes.Buffer) error { return Snippets(b, a, Options{Dialect: dialect.CLI{}}) },
		"[note] note of "+k.path+"  (", "\n   noted: walrus\n")
	prints(t, func(b *bytes.Buffer) error { return JSON(b, a, Options{Dialect: dialect.CLI{}}) },
		`"kind": "note"`, `"doc_id": "`+r.Shown+`"`, `"via": "notes"`)
}

// isFiltered checks three filters: this kind alone, all other kinds, and its folder.
func (k newKind) isFiltered(t *testing.T, e *actors.Engine) {
	t.Helper()
	kind, ok := doc.KindNamed("Notices")
	if !ok {
		t.Fatal("no kind by its plural")
	}
	a := scry(t, e, api.Request{Filter: doc.Filter{Kinds: []doc.Kind{kind}}})
	if len(a.Results) == 0 || slices.ContainsFunc(a.Results, func(r api.Result) bool { return r.Kind != note }) {
		t.Errorf("of notes alone: %v", a.Results)
	}
	a = scry(t, e, api.Request{Filter: doc.Filter{Kinds: []doc.Kind{doc.Code, doc.Commit, doc.Pattern}}})
	if slices.ContainsFunc(a.Results, func(r api.Result) bool { return r.Kind == note || r.Path == k.path }) {
		t.Errorf("of all but notes: %v", a.Results)
	}
	a = scry(t, e, api.Request{Filter: doc.Filter{Paths: []string{path.Dir(k.path) + "/**"}, Kinds: []doc.Kind{note}}})
	if len(a.Results) == 0 || a.Results[0].Key.ID != k.id {
		t.Errorf("of notes in their folder: %v", a.Results)
	}
}

// isExplained checks that the note's rank is explained for its own id and for the id of the shown
// part.
func (k newKind) isExplained(t *testing.T, e *actors.Engine) {
	t.Helper()
	for _, id := range []string{k.id, note.PartID(k.path, "walrus")} {
		x, err := e.Why(t.Context(),
			api.WhyRequest{Request: api.Request{Text: noteQuestion, Timeout: time.Minute}, DocID: id})
		if err != nil || len(x.Results) != 1 || x.Results[0].Key.ID != k.id {
			t.Fatalf("why %s: %v, %+v", id, err, x)
		}
		prints(t, func(b *bytes.Buffer) error { return Why(b, id, x, nil, Options{Dialect: dialect.CLI{}}) },
			"[note] note of "+k.path, "prior 0.80 × ", "× (share ")
	}
}

// isShown checks that a doc_id names the note exactly and shows it whole.
func (k newKind) isShown(t *testing.T, e *actors.Engine) {
	t.Helper()
	a, err := e.Scry(t.Context(), api.Request{Text: k.id, Timeout: time.Minute})
	if err != nil || len(a.Results) == 0 || !a.Results[0].Exact || a.Results[0].Key.ID != k.id {
		t.Fatalf("asked for %s: %v, %+v", k.id, err, a)
	}
	shown, err := e.Detail(t.Context(), api.DetailRequest{DocID: k.id})
	if err != nil {
		t.Fatal(err)
	}
	d, body := shown.Description, shown.Body
	if d.Kind != note || d.Path != k.path || !strings.Contains(body, "so that nobody waits") {
		t.Fatalf("detail: %+v, %q", d, body)
	}
	doc := Document{Description: d, Body: body, Next: func(int) string { return "" }}
	prints(t, func(b *bytes.Buffer) error { return Detail(b, doc, 1, Options{Dialect: dialect.CLI{}}) },
		"[note] note of "+k.path+"\n", "a note of "+k.path+"\n", "so that nobody waits")
	prints(t, func(b *bytes.Buffer) error { return DetailJSON(b, doc) }, `"kind": "note"`, `"via": "notes"`,
		`"body": "`)
}

// prints checks that a text contains each part.
func prints(t *testing.T, write func(*bytes.Buffer) error, holds ...string) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	for _, s := range holds {
		if !strings.Contains(b.String(), s) {
			t.Errorf("no %q in:\n%s", s, b.String())
		}
	}
}

func TestEveryKindHasAPrinter(t *testing.T) {
	for _, k := range doc.Kinds() {
		if _, ok := printers[k]; !ok {
			t.Errorf("no printer for %s", k)
		}
	}
}
