package self

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/bench/eval"
	"patina/bench/eval/fixture"
	"patina/code/lookup"
	"patina/memory"
	"patina/memory/transcript"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
)

// fits skips a test that fits models, in short mode.
func fits(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("fits a model")
	}
}

// A project is a scraped folder.
type project struct {
	reader
	root  string
	table []byte
}

// index scrapes a folder and opens its index until the test ends.
func index(t *testing.T, root string) project {
	t.Helper()
	return indexAt(t, root, filepath.Join(root, folder.DefaultName))
}

func indexAt(t *testing.T, root, dir string) project {
	t.Helper()
	o := scrape.Options{
		Root: root, StoreDir: dir, Ownership: scrape.Ownership{ProjectID: "own"},
		Embedder: embed.Base(), Load: embed.Load,
	}
	_, err := scrape.Run(t.Context(), o)
	scrapetest.Must(t, err)
	x, err := store.Open(dir)
	scrapetest.Must(t, err)
	pin, err := x.Pin(t.Context(), 1)
	scrapetest.Must(t, err)
	t.Cleanup(func() {
		pin.Close()
		_ = x.Close()
	})
	table, err := pin.Readers[0].Table(t.Context())
	scrapetest.Must(t, err)
	return project{reader{pin.Readers[0]}, root, table}
}

// options returns the options of a measurement without memories.
func (p project) options(t *testing.T) Options {
	return Options{Root: p.root, Head: p.Generation().Head, Index: p, Work: t.TempDir(), Seed: 1}
}

// laid writes the invented project of package fixture and scrapes it.
func laid(t *testing.T) project {
	t.Helper()
	root := t.TempDir()
	_, err := fixture.Lay(t.Context(), root)
	scrapetest.Must(t, err)
	return index(t, root)
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	scrapetest.Must(t, r.Text(&b))
	return b.String()
}

// Every truth except that of memories has questions in the invented project. The report has the
// specified form, equal seeds give equal reports, and two seeds draw two samples.
func TestRun(t *testing.T) {
	fits(t)
	p := laid(t)
	run := func(seed uint64) *Report {
		o := p.options(t)
		o.Sample, o.Seed = 4, seed
		r, err := Run(t.Context(), o)
		scrapetest.Must(t, err)
		return r
	}
	first := run(1)
	for _, f := range first.Truths {
		switch f.Truth {
		case Memory:
			if f.N != 0 || f.Why == "" {
				t.Errorf("%s: %d questions, %q", f.Label, f.N, f.Why)
			}
		case Decision: // no commit of the fixture cites one
		default:
			if f.N == 0 {
				t.Errorf("%s was not asked: %s", f.Label, f.Why)
			}
			if f.Pool == 0 || f.Random.P10.Mean <= 0 || f.Best.MRR.Mean != 1 {
				t.Errorf("%s: pool %d, random %v, at best %v", f.Label, f.Pool, f.Random.P10, f.Best.MRR)
			}
		}
		for _, x := range f.Pipelines {
			if len(x.Rows) != f.N {
				t.Errorf("%s, %s: %d rows of %d questions", f.Label, x.Name, len(x.Rows), f.N)
			}
		}
	}
	printed := text(t, first)
	for _, form := range []string{
		`(?m)^━━━ Unified pipeline \(\d oracles \+ fusion\) ━━━$`,
		`(?m)^  code → same file: +P@5=\d+(\.\d)?% +P@10=\d+(\.\d)?% +\(n=\d+\)`,
		`(?m)^━━━ Ablation: semantic only ━━━$`,
		`(?m)^━━━ Summary ━━━\nPipeline +P@5 +P@10 +vs random\nunified \(code\) +\d+(\.\d)?% +\d+(\.\d)?% +\d+\.\dx$`,
	} {
		if !regexp.MustCompile(form).MatchString(printed) {
			t.Errorf("the report lacks %s:\n%s", form, printed)
		}
	}
	if again := run(1); !reflect.DeepEqual(again, first) {
		t.Errorf("the same seed gives another report:\n%s\n%s", printed, text(t, again))
	}
	other := run(2)
	if reflect.DeepEqual(other.Truths[0].Cases, first.Truths[0].Cases) {
		t.Error("another seed gives the same sample")
	}
	other.Compare(first)
	first.Compare(first)
	for _, c := range first.Comparison {
		if c.Score != (Score{}) || c.N == 0 {
			t.Errorf("a report differs from itself: %+v", c)
		}
	}
	if len(first.Comparison) == 0 {
		t.Error("a report shares no question with itself")
	}
}

// grown makes a repository. If future is true, its last three commits introduce a word that occurs
// nowhere before.
func grown(t *testing.T, root string, future bool) {
	t.Helper()
	scrapetest.Git(t, root, "init", "-q", "-b", "main")
	files := map[string]string{}
	commit := func(subject string) {
		scrapetest.Tree(t, root, files)
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m",
			subject)
	}
	for i, name := range []string{"teapot", "kettle", "samovar"} {
		files[name+".go"] = "package tea\n\n// Fill" + name + " pours water into the " + name + " slowly.\nfunc Fill" +
			name + "() {}\n\n" +
			"// Heat" + name + " brings the " + name + " to the boil.\nfunc Heat" + name + "() {}\n"
		commit([]string{"teapot: pour water slowly", "kettle: bring it to the boil", "samovar: heat with coals"}[i])
	}
	if !future {
		return
	}
	for i, name := range []string{"teapot", "kettle", "samovar"} {
		files[name+".go"] += "\n// Descale" + name + " takes the quixotrope off.\nfunc Descale" + name + "() {}\n"
		files["descale.go"] = "package tea\n\n// Quixotrope is what water leaves behind.\ntype Quixotrope struct{}\n" +
			strings.Repeat("// more\n", i)
		commit(name + ": take the quixotrope off the walls")
	}
}

// planted is the word that the last commits introduce.
const planted = "quixotrope"

func holds(t *testing.T, x Index, word string) bool {
	t.Helper()
	found := false
	scrapetest.Must(t, x.Texts(t.Context(), func(b lookup.Text) error {
		found = found || strings.Contains(strings.ToLower(b.Path+b.Body), word)
		return nil
	}))
	return found
}

// The older tree must know nothing of the future: neither the planted word nor, in its model, a
// number that differs from the model of a repository without any future.
func TestOlderTreeKnowsNoFuture(t *testing.T) {
	fits(t)
	root, without := t.TempDir(), t.TempDir()
	grown(t, root, true)
	grown(t, without, false)
	p := index(t, root)
	if !holds(t, p, planted) {
		t.Fatal("the project itself lacks the planted word")
	}
	m := &measurement{Options: p.options(t), workshop: workshop{dir: t.TempDir(), progress: func(string, int, int) {}}}
	m.Sample, m.OnProgress = 10, func(string, int, int) {}
	scrapetest.Must(t, m.goBack(t.Context()))
	defer m.close()
	if m.past == nil || len(m.past.Asked) != 3 {
		t.Fatalf("%q: %+v", m.noPast, m.past)
	}
	if holds(t, m.older, planted) {
		t.Error("the older tree holds the planted word")
	}
	table, err := m.older.Index.(reader).Table(t.Context())
	scrapetest.Must(t, err)
	if want := index(t, without).table; !bytes.Equal(table, want) {
		t.Error("the model of the older tree is not that of a repository without the future")
	}
}

// A planted leak must be found: an index with a hidden commit.
func TestPlantedLeakIsFound(t *testing.T) {
	fits(t)
	root := t.TempDir()
	grown(t, root, true)
	p := index(t, root)
	past, why, err := readPast(t.Context(), root, p.Generation().Head, 10)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	var leak *LeakError
	if err := knows(t.Context(), p, past.hidden()); !errors.As(err, &leak) {
		t.Errorf("an index of the newest commit passes for the older tree: %v", err)
	}
}

// A comment that occurs a second time, elsewhere, is found and left out.
func TestPlantedCopyIsFound(t *testing.T) {
	fits(t)
	const sentence = "Decant moves the clear part of a liquid into another vessel."
	body := "package x\n\n// " + sentence + "\nfunc Decant() { _ = 1 }\n\n// Stir moves a spoon through it again and again.\nfunc Stir() { _ = 2 }\n"
	for name, notes := range map[string]string{
		"copied": "# Notes\n\nDecant  moves the clear\npart of a liquid into ANOTHER vessel.\n",
		"alone":  "# Notes\n\nNothing of the sort stands here.\n",
	} {
		root := t.TempDir()
		scrapetest.Tree(t, root, map[string]string{"decant.go": strings.Replace(body,
			"Stir moves a spoon through it again and again", "Stir", 1), "notes.md": notes})
		o := index(t, root).options(t)
		o.Dimensions = []string{"semantic"}
		r, err := Run(t.Context(), o)
		scrapetest.Must(t, err)
		f := r.Truths[0]
		if left := len(f.LeftOut) > 0; left != (name == "copied") || (f.N == 0) != left {
			t.Errorf("%s: asked %d, left out %v, %q", name, f.N, f.LeftOut, f.Why)
		}
	}
}

// The text of a question is cut out of the copy. The rest of its file stays.
func TestHeldOutTextIsGone(t *testing.T) {
	fits(t)
	p := laid(t)
	o := p.options(t)
	o.Sample, o.OnProgress = 3, func(string, int, int) {}
	m := &measurement{Options: o, workshop: workshop{dir: o.Work, progress: func(string, int, int) {}}}
	scrapetest.Must(t, m.hold(t.Context()))
	defer m.close()
	for _, name := range []string{Code, Belief, Session} {
		x := m.heldSets[name]
		if len(x.cases) == 0 {
			t.Fatalf("%s: no questions: %s", name, x.why)
		}
		for _, c := range x.cases {
			if _, ok := m.held.paths[c.Expect[0]]; !ok {
				t.Errorf("%s: %s is not in the copy at all", name, c.Expect[0])
			}
		}
		before := len(x.cases)
		scrapetest.Must(t, x.withoutCopies(t.Context()))
		if len(x.cases) == 0 {
			t.Errorf("%s: all %d questions still stand in the copy", name, before)
		}
	}
}

// A control that knows the answers gets the attainable score. One that shows everything else gets
// 0. Plain BM25 scores above chance, so the questions can be answered.
func TestControlArmsCanScore(t *testing.T) {
	fits(t)
	p := laid(t)
	o := p.options(t)
	o.Dimensions = []string{"semantic"}
	r, err := Run(t.Context(), o)
	scrapetest.Must(t, err)
	f := r.Truths[0]
	x := &set{Truth: Truths()[0], pool: f.Pool, cases: f.Cases}
	known := map[string][]string{}
	for _, c := range f.Cases {
		known[c.Query] = c.Expect
	}
	for name, test := range map[string]struct {
		answer func(string) []string
		want   float64
	}{
		"knows":       {func(q string) []string { return known[q] }, 1},
		"knows wrong": {func(string) []string { return []string{"no/such/file"} }, 0},
	} {
		x.on = &tree{Index: p, engine: oracle(test.answer), oracles: []string{"control"}}
		g := newFigures(x)
		scrapetest.Must(t, (&poll{set: x, figures: g, scores: &eval.Scores{}, progress: func(string, int, int) {}}).run(t.Context()))
		if g.finish(x, 1); g.Pipeline(Unified).Score.MRR.Mean != test.want ||
			g.Pipeline(only("control")).Score.MRR.Mean != test.want {
			t.Errorf("%s: %+v", name, g.Pipeline(Unified).Score.MRR)
		}
	}
	if plain := f.Pipeline(Plain).Score.P10.Mean; plain <= 2*f.Random.P10.Mean {
		t.Errorf("plain BM25 finds %.3f, chance %.3f", plain, f.Random.P10.Mean)
	}
}

// A question that a channel does not answer is left out for all pipelines, and counted.
func TestLostChannelIsCounted(t *testing.T) {
	x := &set{Truth: Truths()[0], pool: 2, cases: []Case{
		{ID: "1", Query: "lost", Expect: []string{"a"}},
		{ID: "2", Query: "kept", Expect: []string{"a"}},
	}}
	x.on = &tree{Index: none{}, engine: losing{}, oracles: []string{"control"}}
	f := newFigures(x)
	scrapetest.Must(t, (&poll{set: x, figures: f, scores: &eval.Scores{}, progress: func(string, int, int) {}}).run(t.Context()))
	f.finish(x, 1)
	if f.N != 1 || f.Cases[0].ID != "2" || f.LeftOut["control did not answer: FAILED panic"] != 1 {
		t.Errorf("%+v", f)
	}
}

// losing is an engine that loses its channel on one question.
type losing struct{}

func (losing) Scry(_ context.Context, r api.Request) (*api.Answer, error) {
	state := api.ChannelState{Channel: "control", Status: api.OK}
	if r.Text == "lost" {
		state.Status, state.Detail = api.Failed, "panic"
	}
	return &api.Answer{Channels: []api.ChannelState{state}}, nil
}

// none is an empty index.
type none struct{}

func (none) Texts(context.Context, func(lookup.Text) error) error       { return nil }
func (none) Chunks(context.Context, func(lookup.ChunkText) error) error { return nil }

// An oracle answers with files that it knows.
type oracle func(question string) []string

func (o oracle) Scry(_ context.Context, r api.Request) (*api.Answer, error) {
	a := &api.Answer{Channels: []api.ChannelState{{Channel: "control", Status: api.OK}}}
	for _, path := range o(r.Text) {
		a.Results = append(a.Results, api.Result{Description: doc.Description{Path: path, Kind: doc.Code}})
	}
	return a, nil
}

// A project that lacks something gets a report that says so, not an error.
func TestPoorProjects(t *testing.T) {
	fits(t)
	one := func(t *testing.T, root string) {
		scrapetest.Git(t, root, "init", "-q", "-b", "main")
		scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n"})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m",
			"tea: begin with the pot")
	}
	for name, x := range map[string]struct {
		make func(t *testing.T, root string)
		why  map[string]string
	}{
		"empty": {
			func(*testing.T, string) {},
			map[string]string{
				Code: "no file", Commit: "no git", Belief: "no active belief", Session: "no session",
				Memory: "no memories",
			},
		},
		"no git": {func(t *testing.T, root string) {
			scrapetest.Tree(t, root, map[string]string{"a.md": "# A\n\nText.\n"})
		}, map[string]string{Commit: "no git", CoChange: "no git", Decision: "no git"}},
		"one commit": {one, map[string]string{Commit: "too few commits", CoChange: "too few commits"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			x.make(t, root)
			r, err := Run(t.Context(), index(t, root).options(t))
			scrapetest.Must(t, err)
			if r.Asked() != 0 {
				t.Errorf("asked %d questions", r.Asked())
			}
			for _, f := range r.Truths {
				if !strings.Contains(f.Why, x.why[f.Truth]) || f.Why == "" {
					t.Errorf("%s: %q, want %q", f.Label, f.Why, x.why[f.Truth])
				}
			}
			if printed := text(t, r); strings.Contains(printed, "━━━") ||
				strings.Count(printed, "not asked: ") != len(r.Truths) {
				t.Errorf("printed:\n%s", printed)
			}
		})
	}
}

// A project that tracks a folder with the index's name, so that its index is elsewhere, is measured
// like any other. The copies must not write into that folder.
func TestTrackedFolder(t *testing.T) {
	fits(t)
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q", "-b", "main")
	for i := range 4 {
		scrapetest.Tree(t, root, map[string]string{
			folder.DefaultName + "/config": "a = 1\n", "a.go": fmt.Sprintf("package a\n\nconst A = %d\n", i),
			"b.go": fmt.Sprintf("package a\n\nconst B = %d\n", i),
		})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m",
			fmt.Sprintf("tea: pour the cup of guest %d slowly", i))
	}
	o := indexAt(t, root, t.TempDir()).options(t)
	o.Dimensions = []string{"temporal"}
	r, err := Run(t.Context(), o)
	scrapetest.Must(t, err)
	if r.Asked() == 0 {
		t.Errorf("nothing asked:\n%s", text(t, r))
	}
}

// A shallow history ends where it was cut. Earlier commits are not asked for.
func TestShallowHistory(t *testing.T) {
	fits(t)
	full, root := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	grown(t, full, true)
	scrapetest.Git(t, full, "clone", "-q", "--depth", "4", "file://"+full, root)
	o := index(t, root).options(t)
	o.Dimensions = []string{"temporal"}
	r, err := Run(t.Context(), o)
	scrapetest.Must(t, err)
	i := 1 // Commit
	if f := r.Truths[i]; f.Truth != Commit || f.N != 2 {
		t.Errorf("%+v", f)
	}
}

// After an interrupt, all pipelines have answered the same questions.
func TestInterrupted(t *testing.T) {
	fits(t)
	p := laid(t)
	o := p.options(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.OnProgress = func(stage string, done, _ int) {
		if stage == Truths()[0].Label && done == 2 {
			cancel()
		}
	}
	r, err := Run(ctx, o)
	if !errors.Is(err, context.Canceled) || r == nil || !r.Partial || r.Asked() != 2 {
		t.Fatalf("%v: %+v", err, r)
	}
	for _, x := range r.Truths[0].Pipelines {
		if len(x.Rows) != 2 {
			t.Errorf("%s: %d rows", x.Name, len(x.Rows))
		}
	}
	if !strings.Contains(text(t, r), "interrupted: ") {
		t.Error("the report does not say so")
	}
}

func TestUnknownDimension(t *testing.T) {
	if _, err := Run(t.Context(), Options{Dimensions: []string{"depth"}}); err == nil ||
		!strings.Contains(err.Error(), "semantic, temporal") {
		t.Error(err)
	}
}

// A memory is asked for by the words around its note, never by the note.
func TestRecollection(t *testing.T) {
	text := strings.Join([]string{
		`{"type":"user","sessionId":"s","message":{"content":"the pool ran dry again under the nightly load"}}`,
		`{"type":"assistant","sessionId":"s","message":{"content":"I raised it and the nightly run passed.\n[MEMORY] type=lesson: use sixteen connections"}}`,
		`{"type":"user","sessionId":"s","message":{"content":"remember: never deploy on fridays"}}`,
		`{"type":"assistant","sessionId":"s","message":{"content":"Quote it twice: keep the keel even, keep the keel even\n[MEMORY] type=lesson: keep the keel even"}}`,
	}, "\n")
	said := transcript.Read(text, memory.Types).Notes
	memories := []memory.Memory{
		{ID: "1", Content: "Use sixteen connections"},
		{ID: "2", Content: "never deploy on Fridays"},
		{ID: "3", Content: "keep the keel even"},
		{ID: "4", Content: "typed by hand"},
	}
	x := &set{}
	recollection(x, memories, said, 1, 10)
	got := map[string]string{}
	for _, c := range x.cases {
		got[c.Expect[0]] = c.Query
	}
	want := map[string]string{
		"memory:1": "I raised it and the nightly run passed.",
		"memory:2": "I raised it and the nightly run passed.",
	}
	if !reflect.DeepEqual(got, want) || x.pool != 4 || x.left["the note was said twice"] != 1 {
		t.Errorf("%v, pool %d, left out %v", got, x.pool, x.left)
	}
	if !transcript.IsMarker("- **[MEMORY]** type=lesson: x") || transcript.IsMarker("a [MEMORY] of it") {
		t.Error("markers are not told from other lines")
	}
}

func TestCitation(t *testing.T) {
	for _, x := range []struct {
		file, text string
		want       bool
	}{
		{"docs/adr/0012-use-sqlite.md", "store: one file, as ADR-12 says", true},
		{"docs/adr/0012-use-sqlite.md", "store: one file, as ADR-120 says", false},
		{"docs/adr/0012-use-sqlite.md", "see docs/adr/0012-use-sqlite.md", true},
		{"docs/adr/0012-use-sqlite.md", "0012-use-sqlite holds", true},
		{"docs/adr/0012-use-sqlite.md", "fix 12 bugs", false},
		{"layer/surface/beliefs/sync-first.md", "as belief sync-first has it", true},
		{"layer/surface/beliefs/sync.md", "sync the clocks", false},
		{"layer/surface/beliefs/sync.md", "see sync.md", true},
	} {
		if got := citation(x.file).MatchString(x.text); got != x.want {
			t.Errorf("%q cites %s: %v", x.text, x.file, got)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.json")
	for content, want := range map[string]string{
		`{`:                           "line 1: the text ends in the middle",
		`{"schema": "patina-eval/1"}`: `want "patina-eval-self/1"`,
	} {
		scrapetest.Must(t, os.WriteFile(name, []byte(content), 0o600))
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func TestWithout(t *testing.T) {
	if got := without("1\n2\n3\n4", []span{{2, 2}, {4, 9}}); got != "1\n3\n" {
		t.Errorf("%q", got)
	}
}
