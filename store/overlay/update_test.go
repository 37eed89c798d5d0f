package overlay_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
)

// A recorder is the built-in model, and keeps what a scrape gives it: files and commits at once.
type recorder struct {
	doc.Embedder
	mu       sync.Mutex
	passages []doc.Passage
}

func (r *recorder) Encode(dst []byte, p doc.Passage) []byte {
	r.mu.Lock()
	r.passages = append(r.passages, p)
	r.mu.Unlock()
	return r.Embedder.Encode(dst, p)
}

// The texts that are read back from an index are those that its scrape read from the tree.
func TestPassagesAreThoseOfTheScrape(t *testing.T) {
	dir := newProject(t)
	check(t, os.RemoveAll(dir))
	put := &recorder{Embedder: embed.Base()}
	_, err := scrape.Run(context.Background(), scrape.Options{
		Root: filepath.Dir(dir), StoreDir: dir, Embedder: put, Workers: 1, NoAdapt: true,
	})
	check(t, err)
	m := &tableModel{name: "table", table: embed.Base(), dimension: 256}
	update(t, dir, m, indexed()...)
	spell := func(ps []doc.Passage) (out []string) {
		for _, p := range ps {
			out = append(out, fmt.Sprintf("%q %q %q", p.Path, p.Doc, p.Body))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	want, got := spell(put.passages), spell(m.texts)
	for _, x := range want {
		if !slices.Contains(got, x) {
			t.Errorf("not read back: %s", x)
		}
	}
	for _, x := range got {
		if !slices.Contains(want, x) {
			t.Errorf("only read back: %s", x)
		}
	}
	if len(want) < 30 {
		t.Errorf("%d texts", len(want))
	}
}

// After a change only the texts of the changed file are embedded, and after a full scrape under a
// new database none.
func TestOnlyNewTextsAreEmbedded(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, 0)
	first := update(t, dir, m, indexed()...)
	if again := update(t, dir, m, indexed()...); again != (overlay.Report{}) {
		t.Errorf("a second update: %+v", again)
	}
	before := m.embedded()
	writeFile(t, dir, "worker/worker.go", "// Package worker idles.\npackage worker\n\n// Rest waits.\nfunc Rest() {}\n")
	scrapeAgain(t, dir, false)
	update(t, dir, m, indexed()...)
	for _, p := range m.texts[before:] {
		if p.Path != "worker/worker.go" {
			t.Errorf("%q was embedded again: %q", p.Path, p.Body)
		}
	}
	if m.embedded() == before {
		t.Error("nothing was embedded for a changed file")
	}
	before = m.embedded()
	database, err := os.ReadFile(filepath.Join(dir, "current"))
	check(t, err)
	scrapeAgain(t, dir, true)
	now, err := os.ReadFile(filepath.Join(dir, "current"))
	check(t, err)
	if string(now) == string(database) {
		t.Fatal("the full scrape has no new database")
	}
	got := update(t, dir, m, indexed()...)
	if got.Embedded != 0 || m.embedded() != before || got.Texts+got.Copied == 0 {
		t.Errorf("after a full scrape %+v, the model embedded %d", got, m.embedded()-before)
	}
	if first.Embedded == 0 {
		t.Errorf("%+v", first)
	}
}

// manyFiles writes files with a function each, and scrapes them.
func manyFiles(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("many/file%03d.go", i)
		check(t, os.MkdirAll(filepath.Join(filepath.Dir(dir), "many"), 0o755))
		writeFile(t, dir, name, fmt.Sprintf("package many\n\n// F%03d does number %d of all things.\nfunc F%03d() {}\n", i, i, i))
	}
	scrapeAgain(t, dir, false)
}

// Pending tells how many texts an update embeds, with those of other kinds that tell the scale.
func TestPendingIsWhatAnUpdateEmbeds(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 20)
	m := ownModel(t, dir, 256, 0)
	for _, kinds := range [][]doc.Kind{{doc.Belief}, {doc.Belief, doc.Pattern}, {doc.Code}, indexed()} {
		told, err := overlay.Pending(context.Background(), index(dir), m.Model(), kinds)
		check(t, err)
		left := told.Scale.Left
		for _, k := range kinds {
			left += told.Kinds[k].Left
		}
		if told.Scale.Left == 0 && kinds[0] == doc.Belief && len(kinds) == 1 {
			t.Error("the code tells no scale")
		}
		if r := update(t, dir, m, kinds...); r.Embedded != left {
			t.Errorf("%v: told %+v, embedded %+v", kinds, told, r)
		}
	}
}

// An update that is stopped keeps what was embedded, also within a segment, and the next one embeds
// only the rest.
func TestStoppedUpdateGoesOn(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 400)
	m := ownModel(t, dir, 256, 0)
	all, err := overlay.Pending(context.Background(), index(dir), m.Model(), []doc.Kind{doc.Code})
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.limit, m.stop = 600, cancel
	got, err := overlay.Update(ctx, index(dir), m, []doc.Kind{doc.Code}, nil)
	if !errors.Is(err, context.Canceled) || got.Embedded == 0 || got.Embedded != m.embedded() {
		t.Fatalf("%+v, %v", got, err)
	}
	left, err := overlay.Pending(context.Background(), index(dir), m.Model(), []doc.Kind{doc.Code})
	check(t, err)
	if a, b := all.Kinds[doc.Code], left.Kinds[doc.Code]; b.Left != a.Left-m.embedded() || b.Texts != a.Texts || b.Bytes >= a.Bytes {
		t.Errorf("left %+v of %+v, embedded %d", b, a, m.embedded())
	}
	m.limit = 0
	done := 0
	_, err = overlay.Update(context.Background(), index(dir), m, []doc.Kind{doc.Code}, func(n, total int) {
		if n < done || total < n {
			t.Errorf("%d of %d after %d", n, total, done)
		}
		done = n
	})
	check(t, err)
	once := map[string]bool{}
	for _, p := range m.texts {
		text := p.Path + "\x00" + p.Doc + "\x00" + p.Body
		if once[text] {
			t.Errorf("embedded twice: %q", text)
		}
		once[text] = true
	}
	if a := all.Kinds[doc.Code]; m.embedded() < a.Left || done < a.Texts-a.Left {
		t.Errorf("%d embedded of %d, %d done", m.embedded(), a.Left, done)
	}
	covers(t, dir, m, doc.Code)
}

func index(dir string) overlay.Index { return overlay.Index{Dir: dir, View: store.MainView} }

// covers reports whether a model's vectors cover all kinds.
func covers(t *testing.T, dir string, m doc.BatchEmbedder, kinds ...doc.Kind) {
	t.Helper()
	o := overlay.Open(dir, m.Model())
	defer o.Close()
	read(t, dir, func(r *store.Reader) error {
		v, err := o.View(context.Background(), r)
		if err != nil {
			return err
		}
		defer v.Release()
		for _, k := range kinds {
			if err := v.Covers(k); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
}

// While a model's vectors are missing, the built-in ones answer, and each channel says so once.
func TestIncompleteKindsHaveTheOldAnswers(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, .5)
	update(t, dir, m, doc.Pattern)
	other := ownModel(t, dir, 384, 0)
	other.name = "another"
	for _, o := range []oracles.Oracle{oracles.NewSemantic(), oracles.NewBelief()} {
		want, _ := answers(t, dir, o, oracles.Project{StoreDir: dir})
		got, notes := answers(t, dir, o, choose(dir, forAll(other)))
		for i := range want {
			if !errors.Is(notes[i], oracles.ErrUnavailable) || !strings.Contains(notes[i].Error(), "built-in vectors") ||
				!strings.Contains(notes[i].Error(), "not all texts are embedded yet") {
				t.Errorf("%q: %v", questions[i], notes[i])
			}
			sameLists(t, questions[i], got[i], want[i])
		}
	}
	// One kind is ranked by its model, the others by the built-in vectors.
	want, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	got, notes := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m)))
	for i := range want {
		if notes[i] == nil || strings.Contains(notes[i].Error(), doc.Pattern.Label()+" by") || !strings.Contains(notes[i].Error(), "code") {
			t.Errorf("%v", notes[i])
		}
		for j := range got[i] {
			if (got[i][j].Random != nil) != (got[i][j].Kind == doc.Pattern) {
				t.Errorf("%s has the calibration %v", got[i][j].Kind, got[i][j].Random)
			}
			if got[i][j].Kind != doc.Pattern {
				sameLists(t, questions[i], got[i][j:j+1], want[i][j:j+1])
			}
		}
	}
	update(t, dir, other, indexed()...)
	if _, notes = answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(other))); slices.ContainsFunc(notes, func(err error) bool { return err != nil }) {
		t.Errorf("after the update: %v", notes)
	}
}

// A model that cannot be opened, or fails, costs its answers and says why.
func TestModelThatFails(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, 0)
	update(t, dir, m, indexed()...)
	want, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	gone := errors.New("no runtime: patina model add --runtime FILE")
	p := choose(dir, nil)
	p.Embedders = func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) { return nil, gone }
	for _, p := range []oracles.Project{p, choose(dir, forAll(failing{m, gone}))} {
		got, notes := answers(t, dir, oracles.NewSemantic(), p)
		for i := range want {
			if !errors.Is(notes[i], oracles.ErrUnavailable) || strings.Count(notes[i].Error(), gone.Error()) != 1 {
				t.Errorf("%v", notes[i])
			}
			sameLists(t, questions[i], got[i], want[i])
		}
	}
	if _, err := overlay.Update(context.Background(), index(dir), failing{ownNamed(t, dir, "new"), gone}, indexed(), nil); !errors.Is(err, gone) {
		t.Errorf("an update returns %v", err)
	}
}

// A model that is not ready in time costs its own vectors, not those of the index.
func TestModelThatIsNotReady(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, 0)
	update(t, dir, m, indexed()...)
	want, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	c, err := oracles.NewSemantic().Open(choose(dir, forAll(stuck{m})))
	check(t, err)
	defer func() { check(t, c.Close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	got, err := askOne(ctx, dir, c, questions[0])
	if !errors.Is(err, oracles.ErrUnavailable) || !strings.Contains(err.Error(), "not ready in half of the time") {
		t.Errorf("%v", err)
	}
	sameLists(t, questions[0], got, want[0])
}

// stuck is a model that takes a question's whole time.
type stuck struct{ *tableModel }

func (s stuck) EmbedQuestion(ctx context.Context, _ []doc.QuestionPart) ([]float32, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func ownNamed(t *testing.T, dir, name string) *tableModel {
	m := ownModel(t, dir, 384, 0)
	m.name = name
	return m
}

// failing is a model that opens and then fails.
type failing struct {
	*tableModel
	err error
}

func (f failing) EmbedPassages(context.Context, []int8, []doc.Passage) error { return f.err }

func (f failing) EmbedQuestion(context.Context, []doc.QuestionPart) ([]float32, error) {
	return nil, f.err
}

// sameLists compares two answers of the built-in vectors.
func sameLists(t *testing.T, what string, got, want []oracles.List) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d lists, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		same := slices.EqualFunc(got[i].Hits, want[i].Hits, func(a, b doc.Ranked) bool {
			return a.DocID == b.DocID && a.Raw == b.Raw && a.Chance == b.Chance && slices.Equal(a.Near, b.Near)
		})
		if got[i].Kind != want[i].Kind || got[i].Random != nil || !same {
			t.Errorf("%s: %s\n%+v, want\n%+v", what, want[i].Kind, got[i], want[i])
		}
	}
}

// A model whose vectors have a large common component has cosines of .75 to 1. Its answers are
// those of the model without it, but for the rounding of smaller components.
func TestCommonComponentChangesLittle(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 512, .87)
	update(t, dir, m, indexed()...)
	for _, o := range []oracles.Oracle{oracles.NewSemantic(), oracles.NewBelief()} {
		want, _ := answers(t, dir, o, oracles.Project{StoreDir: dir})
		got, _ := answers(t, dir, o, choose(dir, forAll(m)))
		for i := range want {
			compareLists(t, questions[i], got[i], want[i], .03)
			for j := range want[i] {
				index := calibration(t, dir)
				for at := range index {
					if d := got[i][j].Random[at] - index[at]; d > .05 || d < -.05 {
						t.Fatalf("quantile %d is %v, of the index %v", at, got[i][j].Random[at], index[at])
					}
				}
			}
		}
	}
}

func calibration(t *testing.T, dir string) (c doc.Calibration) {
	t.Helper()
	read(t, dir, func(r *store.Reader) (err error) {
		c, err = r.Calibration(context.Background())
		return err
	})
	return c
}
