package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/oracles"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
	"patina/store/vector"
)

// The nearest documents must be those from a slow computation over all passages. The store was
// updated again and again, so that rows were appended, merged and hidden.
func TestNearestEqualsExhaustiveComputation(t *testing.T) {
	for seed := range int64(6) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		dir := t.TempDir()
		c.Build(t, dir)
		for range int(seed) * 5 {
			randomUpdate(c, t, dir)
		}
		r := storetest.Pin(t, dir)
		for range 10 {
			q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
			got, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 1000)
			storetest.Check(t, err)
			want := cosines(c, q)
			for _, k := range doc.Kinds() {
				compareCosines(t, got[k], want[k])
			}
			few, err := oracles.Nearest(context.Background(), r, q, doc.Filter{Kinds: []doc.Kind{doc.Code}}, 3)
			storetest.Check(t, err)
			if len(few) != 1 || !slices.EqualFunc(few[doc.Code], got[doc.Code][:min(3, len(got[doc.Code]))], sameRank) {
				t.Errorf("the first three of code are %+v, want those of %+v", few, got[doc.Code])
			}
		}
	}
}

// With signs, all rows of a small corpus are near. The products must equal those of Dots.
func TestNearestBySigns(t *testing.T) {
	for seed := range int64(4) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		dir := t.TempDir()
		c.Build(t, dir)
		for range int(seed) * 3 {
			randomUpdate(c, t, dir)
		}
		r := storetest.Pin(t, dir)
		r.CountSigns(1)
		for range 5 {
			q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
			first, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 1000)
			storetest.Check(t, err)
			got, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 1000)
			storetest.Check(t, err)
			for _, k := range doc.Kinds() {
				compareCosines(t, got[k], cosines(c, q)[k])
				if !slices.EqualFunc(got[k], first[k], sameRank) {
					t.Errorf("%s: %+v, want %+v", k, got[k], first[k])
				}
			}
		}
	}
}

// A large document takes all places that signs have. Then all rows are multiplied, and the other
// documents are found as well.
func TestNearestBesideALargeDocument(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Fill()
	large := storetest.FileOf(c.Paths()[0], "alpha beta gamma")
	large.Chunks = slices.Repeat(large.Chunks, vector.NearRows)
	c.Files[large.Path] = large
	dir := t.TempDir()
	c.Build(t, dir)
	r := storetest.Pin(t, dir)
	q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: "alpha beta gamma", Weight: 1}})
	code := doc.Filter{Kinds: []doc.Kind{doc.Code}}
	want, err := oracles.Nearest(context.Background(), r, q, code, 10)
	storetest.Check(t, err)
	r.CountSigns(1)
	for range 2 {
		got, err := oracles.Nearest(context.Background(), r, q, code, 10)
		storetest.Check(t, err)
		if len(got[doc.Code]) != 10 || !slices.EqualFunc(got[doc.Code], want[doc.Code], sameRank) {
			t.Errorf("%+v, want %+v", got[doc.Code], want[doc.Code])
		}
	}
	if n := documentsBySigns(t, r, q); n >= 10 {
		t.Errorf("signs find %d documents: all rows were not needed", n)
	}
}

// documentsBySigns counts the documents of code whose rows signs find near q.
func documentsBySigns(t *testing.T, r *store.Reader, q []float32) (documents int) {
	t.Helper()
	snap, err := r.Snapshot(context.Background())
	storetest.Check(t, err)
	rows, err := r.Vectors(snap)
	storetest.Check(t, err)
	defer rows.Release()
	rounded := make([]int8, len(q))
	vector.Quantise(rounded, q)
	for _, g := range snap.Segments {
		found := new(vector.Found)
		if doc.Kind(g.Space) != doc.Code {
			continue
		}
		if !rows.Near(found, g, rounded) || len(found.Rows) == int(g.VectorRows()) {
			t.Fatalf("signs leave nothing out of %d rows", g.VectorRows())
		}
		groups := map[int]bool{}
		for _, row := range found.Rows {
			group := int(row) - int(g.Chunks) // of a card
			if group < 0 {
				group, _ = slices.BinarySearch(g.Starts, uint32(row)+1)
				group--
			}
			groups[group] = true
		}
		documents += len(groups)
	}
	return documents
}

// Behind a filter, only the rows that it allows are multiplied once a process has seen them all.
func TestNearestBehindAFilter(t *testing.T) {
	c := storetest.NewCorpus(2)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	for range 5 {
		randomUpdate(c, t, dir)
	}
	r := storetest.Pin(t, dir)
	for i := range 8 {
		q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
		f := doc.Filter{Kinds: []doc.Kind{doc.Code}, Paths: c.Paths()[i : 3*i+1]}
		got, err := oracles.Nearest(context.Background(), r, q, f, 1000)
		storetest.Check(t, err)
		all, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 1000)
		storetest.Check(t, err)
		want := slices.DeleteFunc(all[doc.Code], func(x doc.Ranked) bool { return !slices.Contains(f.Paths, x.Path) })
		if !slices.EqualFunc(got[doc.Code], want, sameRank) {
			t.Errorf("behind %q: %+v, want %+v", f.Paths, got[doc.Code], want)
		}
	}
}

func sameRank(a, b doc.Ranked) bool {
	return a.DocID == b.DocID && a.Raw == b.Raw && slices.Equal(a.Chunks, b.Chunks)
}

func compareCosines(t *testing.T, got []doc.Ranked, want map[string]float64) {
	t.Helper()
	const slack = 1e-5 // float32 against float64
	for _, x := range got {
		if math.Abs(want[x.DocID]-x.Raw) > slack {
			t.Errorf("%s has cosine %v, want %v", x.DocID, x.Raw, want[x.DocID])
		}
	}
	if !slices.IsSortedFunc(got, func(a, b doc.Ranked) int {
		if a.Raw > b.Raw || a.Raw == b.Raw && a.DocID < b.DocID {
			return -1
		}
		return 1
	}) {
		t.Errorf("not in order: %+v", got)
	}
	n := 0
	for _, w := range want {
		if w > 0.005 { // rounding the question may lose less
			n++
		}
	}
	if len(got) < n {
		t.Errorf("%d documents, want %d", len(got), n)
	}
}

// cosines embeds every passage by itself.
func cosines(c *storetest.Corpus, q []float32) map[doc.Kind]map[string]float64 {
	out := make(map[doc.Kind]map[string]float64)
	row := make([]int8, storetest.Dimension)
	add := func(kind doc.Kind, id string, p doc.Passage) {
		storetest.Hashed{}.Embed(row, storetest.Hashed{}.Encode(nil, p))
		dot := 0.0
		for i, x := range row {
			dot += float64(x) * float64(q[i])
		}
		if out[kind] == nil {
			out[kind] = make(map[string]float64)
		}
		out[kind][id] = max(out[kind][id], dot/doc.VectorScale)
	}
	for path, f := range c.Files {
		var names []string
		for i, ch := range f.Chunks {
			names = append(names, f.Entries[i].Name)
			if f.Kind == doc.Pattern {
				add(f.Kind, doc.Pattern.PartID(path, f.Entries[i].Name), doc.Passage{Path: path, Doc: f.Entries[i].Title, Body: ch.Doc + " " + ch.Body})
			} else {
				add(f.Kind, path, doc.Passage{Path: path, Doc: ch.Doc, Body: ch.Body})
			}
		}
		if f.Kind == doc.Code {
			body := []rune(string(f.Body))
			add(f.Kind, path, doc.Passage{Path: path, Doc: strings.Join(names, " "), Body: string(body[:min(700, len(body))])})
		}
	}
	for _, v := range c.Commits {
		lines := strings.SplitAfter(v.Body+"\n", "\n")
		files := strings.Join(v.Files, "\n")
		for i := 0; i == 0 || i < len(lines); i += 60 {
			add(doc.Commit, doc.CommitID(v.SHA), doc.Passage{Doc: v.Subject, Body: strings.Join(lines[i:min(i+60, len(lines))], "") + "\n" + files})
			files = ""
		}
	}
	return out
}

// A model that adapts is fitted to a fresh index and kept by updates. It is given up once most of
// the index is newer.
func TestAdaptedModel(t *testing.T) {
	o := storetest.Options
	o.Embedder, o.Load = storetest.Fitted{}, storetest.Load
	c := storetest.NewCorpus(4)
	c.Fill()
	dir := t.TempDir()
	model := func() string {
		m, err := storetest.Pin(t, dir).Model(context.Background())
		storetest.Check(t, err)
		return m
	}
	put := func(w *build.Writer, path string) {
		c.Write(path)
		storetest.Check(t, w.Worker().Put(c.Files[path]))
	}
	w, err := build.New(context.Background(), dir, o)
	storetest.Check(t, err)
	for _, p := range c.Paths() {
		put(w, p)
	}
	storetest.Check(t, w.AddRevision(c.Commit()))
	var steps []string
	done, err := w.Embed(func(step string, done, total int) { steps = append(steps, fmt.Sprintf("%s %v", step, done == total)) })
	storetest.Check(t, err)
	if !done.Adapted || done.Rows == 0 || !slices.Contains(steps, "adapting true") || steps[len(steps)-1] != "embedding true" {
		t.Errorf("embedded %+v, steps %q", done, steps)
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	fitted := model()
	table, err := storetest.Pin(t, dir).Table(context.Background())
	storetest.Check(t, err)
	kept, err := storetest.Load(table)
	if err != nil || kept.Model() != fitted || fitted == (storetest.Fitted{}).Model() {
		t.Errorf("the table is of %v, the vectors of %q; %v", kept, fitted, err)
	}
	for i := range 100 {
		w, err := build.Update(context.Background(), dir, o)
		if errors.Is(err, build.ErrRebuild) {
			if !strings.Contains(err.Error(), "newer than the model") || i < 15 || i > 20 {
				t.Errorf("after %d of %d files: %v", i, len(c.Files), err)
			}
			return
		}
		storetest.Check(t, err)
		put(w, c.Paths()[i%30])
		done, err := w.Embed(nil)
		storetest.Check(t, err)
		if want := len(c.Files[c.Paths()[i%30]].Chunks); !done.Adapted || done.Rows != want && done.Rows != want+1 {
			t.Errorf("update: embedded %+v, want %d rows", done, want)
		}
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		if model() != fitted {
			t.Fatalf("an update changed the model from %q to %q", fitted, model())
		}
	}
	t.Error("the model is never given up")
}

// Vectors of two models are never mixed.
func TestAnotherEmbedderAsksForRebuild(t *testing.T) {
	c := storetest.NewCorpus(4)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	for name, e := range map[string]doc.Embedder{"none": nil, "one that adapts": storetest.Fitted{}, "another": build.Unfitted(storetest.Fitted{})} {
		o := storetest.Options
		o.Embedder, o.Load = e, storetest.Load
		if _, err := build.Update(context.Background(), dir, o); !errors.Is(err, build.ErrRebuild) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Rows beyond the named ones are left by a crash. The next scrape writes over them.
func TestRowsOfACrashAreWrittenOver(t *testing.T) {
	c := storetest.NewCorpus(5)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	f, err := os.OpenFile(filepath.Join(dir, "index-000001.vec"), os.O_APPEND|os.O_WRONLY, 0)
	storetest.Check(t, err)
	_, err = f.Write(make([]byte, 1000))
	storetest.Check(t, errors.Join(err, f.Close()))
	for range 3 {
		randomUpdate(c, t, dir)
	}
	r := storetest.Pin(t, dir)
	q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
	got, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 1000)
	storetest.Check(t, err)
	for k, want := range cosines(c, q) {
		compareCosines(t, got[k], want)
	}
}

// The chunks in a list are the document's nearest.
func TestNearestNamesTheChunk(t *testing.T) {
	c := storetest.NewCorpus(9)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	r := storetest.Pin(t, dir)
	for path, f := range c.Files {
		if f.Kind != doc.Code {
			continue
		}
		for i, ch := range f.Chunks {
			q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: path + " " + ch.Doc + " " + ch.Body, Weight: 1}})
			got, err := oracles.Nearest(context.Background(), r, q, doc.Filter{Paths: []string{path}, Kinds: []doc.Kind{doc.Code}}, 1)
			storetest.Check(t, err)
			if len(got[doc.Code]) != 1 || got[doc.Code][0].Raw < 0.85 || got[doc.Code][0].Chunks[0] != i {
				t.Errorf("chunk %d of %s: %+v", i, path, got)
			}
		}
	}
}

func TestNearestWithout(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	r := storetest.Pin(t, dir)
	ctx := context.Background()
	if got, err := oracles.Nearest(ctx, r, make([]float32, storetest.Dimension), doc.Filter{}, 10); err != nil || len(got[doc.Code]) != 0 {
		t.Errorf("near to nothing: %+v, %v", got, err)
	}
	if _, err := oracles.Nearest(ctx, r, make([]float32, 2*storetest.Dimension), doc.Filter{}, 10); err == nil {
		t.Error("a question of another dimension was taken")
	}
	without := t.TempDir()
	w, err := build.New(ctx, without, build.Options{})
	storetest.Check(t, err)
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	if _, err := oracles.Nearest(ctx, storetest.Pin(t, without), make([]float32, storetest.Dimension), doc.Filter{}, 10); !errors.Is(err, store.ErrNoVectors) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(without, "*.vec")); len(left) > 0 {
		t.Errorf("an index without vectors has %q", left)
	}
}

// A damaged vector file is reported on use, and makes the next scrape rebuild the index.
func TestDamagedVectors(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Fill()
	for name, spoil := range map[string]func(path string) error{
		"gone":            os.Remove,
		"empty":           func(path string) error { return os.Truncate(path, 0) },
		"cut":             func(path string) error { return cut(path, 1000) },
		"a row changed":   func(path string) error { return flip(path, -1) },
		"a foreign file":  func(path string) error { return os.WriteFile(path, []byte("vectors"), 0o644) },
		"another version": func(path string) error { return flip(path, 8) },
	} {
		dir := t.TempDir()
		c.Build(t, dir)
		file := filepath.Join(dir, "index-000001.vec")
		storetest.Check(t, spoil(file))
		later := time.Now().Add(time.Second) // else both may fall within one clock tick
		if err := os.Chtimes(file, later, later); !errors.Is(err, os.ErrNotExist) {
			storetest.Check(t, err)
		}
		r := storetest.Pin(t, dir)
		q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: "alpha", Weight: 1}})
		if _, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 10); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := oracles.BM25(context.Background(), r, text.ParseQuestion("alpha"), doc.Filter{}, 10); err != nil {
			t.Errorf("%s: words are not found any more: %v", name, err)
		}
		if name == "a row changed" {
			continue // a scrape does not read them all
		}
		if _, err := build.Update(context.Background(), dir, storetest.Options); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: update: error %v", name, err)
		}
	}
}

func cut(path string, n int64) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, st.Size()-n)
}

// flip changes the byte at an offset, from the end if it is negative.
func flip(path string, at int) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x55
	return os.WriteFile(path, b, 0o644)
}

// A reader has its generation's vectors even if they came after the file was mapped. A full scrape
// may have removed the file.
func TestNearestOfAFileThatIsGone(t *testing.T) {
	c := storetest.NewCorpus(1)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s := openStore(t, dir)
	for range 5 {
		randomUpdate(c, t, dir)
	}
	p, err := s.Pin(context.Background(), 1)
	storetest.Check(t, err)
	defer p.Close()
	files, err := filepath.Glob(filepath.Join(dir, "*.vec"))
	storetest.Check(t, err)
	c.Build(t, dir)
	if _, err := os.Stat(files[0]); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%s is still there: %v", files[0], err)
	}
	q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
	if _, err := oracles.Nearest(context.Background(), p.Readers[0], q, doc.Filter{}, 10); err != nil {
		t.Error(err)
	}
}
