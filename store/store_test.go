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

	"patina/code/describe"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// Ranks and shares must be those from a slow computation without posting lists, segments or
// quantisation.
func TestLexicalEqualsExhaustiveComputation(t *testing.T) {
	for seed := range int64(8) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		for range 20 {
			c.Commit()
		}
		dir := t.TempDir()
		c.Build(t, dir)
		r := storetest.Pin(t, dir)
		for i := range 20 {
			q := text.ParseQuestion(c.Words(6))
			if i%4 == 3 {
				q = text.ParseQuestion(c.Words(4) + "\n```\n" + c.Words(30) + "\n```\n" + c.Words(30))
			}
			got, err := oracles.BM25(context.Background(), r, q, doc.Filter{}, 1000)
			storetest.Check(t, err)
			want := exhaustive(c, q)
			for _, k := range doc.Kinds() {
				compareRanks(t, q.Raw, got[k], want[k])
			}
			ids := make(map[doc.Kind][]string)
			for k, rs := range got {
				for _, x := range rs {
					ids[k] = append(ids[k], x.DocID)
				}
			}
			ev, err := oracles.Evidence(context.Background(), r, q, ids)
			storetest.Check(t, err)
			for id, share := range exhaustiveShares(c, q) {
				if e, ok := ev[id]; ok && math.Abs(e.Share-share) > 0.004 {
					t.Errorf("share of %s for %q is %v, want %v", id, q.Raw, e.Share, share)
				}
			}
		}
	}
}

func compareRanks(t *testing.T, q string, got []doc.Ranked, want map[string]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%q: %d documents, want %d", q, len(got), len(want))
	}
	for i, x := range got {
		if w, ok := want[x.DocID]; !ok || math.Abs(x.Raw-w) > 0.005*w+0.005 {
			t.Errorf("%q: %s scores %v, want %v", q, x.DocID, x.Raw, w)
		}
		if i > 0 && got[i-1].Raw < x.Raw {
			t.Errorf("%q: not in order at %d", q, i)
		}
	}
}

// A slowChunk is one chunk as words.
type slowChunk struct {
	kind   doc.Kind
	doc    string
	counts [text.NumFields]map[string]int
	length [text.NumFields]int
}

func slowChunks(c *storetest.Corpus) []slowChunk {
	var out []slowChunk
	add := func(kind doc.Kind, doc string, fields ...string) {
		s := slowChunk{kind: kind, doc: doc}
		for f, x := range fields {
			s.counts[f] = make(map[string]int)
			text.Runs(x, func(run string) {
				text.Words(run, func(w string) { s.counts[f][w]++; s.length[f]++ })
			})
		}
		out = append(out, s)
	}
	for p, f := range c.Files {
		for _, ch := range f.Chunks {
			id := p
			if f.Kind == doc.Pattern {
				id = doc.Pattern.PartID(p, f.Entries[ch.Entry].Name)
			}
			add(f.Kind, id, p, ch.Names, ch.Doc, ch.Body)
		}
	}
	for _, v := range c.Commits {
		rest := strings.SplitAfter(v.Body+"\n"+v.Author, "\n")
		for i := 0; i < len(rest); i += 60 {
			files := ""
			if i == 0 {
				files = strings.Join(v.Files, "\n")
			}
			add(doc.Commit, doc.CommitID(v.SHA), "", v.Subject, files, strings.Join(rest[i:min(i+60, len(rest))], ""))
		}
	}
	return out
}

// slowScores returns each chunk's BM25F score without the factor 2.2, the attainable mass and its
// number of terms.
func slowScores(c *storetest.Corpus, q text.Question) ([]slowChunk, []float64, float64, int) {
	chunks := slowChunks(c)
	// Lengths are relative to the kind's averages: comments and body together.
	norm := func(ch slowChunk, field int) float64 {
		of := build.AveragesOf(string(ch.kind))
		length, average, b := float64(ch.length[2]+ch.length[3]), of.Text, 0.5
		if field < 2 {
			length, average, b = float64(ch.length[field]), []float64{of.Path, of.Names}[field], 0.75
		}
		if average == 0 {
			return 1
		}
		return 1 - b + b*length/average
	}
	scores := make([]float64, len(chunks))
	mass, terms := 0.0, 0
	for _, term := range q.Terms {
		n := 0
		for _, ch := range chunks {
			if slices.ContainsFunc(ch.counts[:], func(m map[string]int) bool { return m[term] > 0 }) {
				n++
			}
		}
		idf := math.Log(1 + (float64(len(chunks))-float64(n)+.5)/(float64(n)+.5))
		if q.Long {
			if n == 0 || 3*n > len(chunks) || len(term) == 1 {
				continue
			}
			idf *= q.Weights[term]
		}
		mass += idf
		terms++
		for i, ch := range chunks {
			tf := 0.0
			for f, w := range []float64{5, 3, 1, 1} {
				if ch.counts[f][term] > 0 {
					tf += w * float64(ch.counts[f][term]) / norm(ch, f)
				}
			}
			scores[i] += idf * tf / (tf + 1.2)
		}
	}
	return chunks, scores, mass, terms
}

func exhaustive(c *storetest.Corpus, q text.Question) map[doc.Kind]map[string]float64 {
	chunks, scores, _, _ := slowScores(c, q)
	p := 3.0
	if q.Long {
		p = 5
	}
	out := make(map[doc.Kind]map[string]float64)
	best := make(map[string]float64)
	for i, ch := range chunks {
		if scores[i] == 0 {
			continue
		}
		if out[ch.kind] == nil {
			out[ch.kind] = make(map[string]float64)
		}
		s := 2.2 * scores[i]
		if ch.kind == doc.Code {
			out[ch.kind][ch.doc] += math.Pow(s, p)
			best[ch.doc] = max(best[ch.doc], s)
		} else {
			out[ch.kind][ch.doc] = max(out[ch.kind][ch.doc], s)
		}
	}
	for id, s := range out[doc.Code] {
		out[doc.Code][id] = best[id] + 0.8*(math.Pow(s, 1/p)-best[id])
	}
	return out
}

func exhaustiveShares(c *storetest.Corpus, q text.Question) map[string]float64 {
	chunks, scores, mass, terms := slowScores(c, q)
	out := make(map[string]float64)
	for i, ch := range chunks {
		out[ch.doc] = max(out[ch.doc], scores[i]/(mass*min(1, math.Sqrt(8/float64(terms)))))
	}
	return out
}

// A store updated again and again equals one written at once.
func TestUpdatedEqualsFresh(t *testing.T) {
	for seed := range int64(12) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		dir := t.TempDir()
		c.Build(t, dir)
		for range 25 {
			randomUpdate(c, t, dir)
		}
		fresh := t.TempDir()
		c.Build(t, fresh)
		if got, want := storetest.Dump(t, dir), storetest.Dump(t, fresh); got != want {
			t.Fatalf("seed %d: the updated store differs from a fresh one:\n%s", seed, firstDifference(got, want))
		}
	}
}

// openStore opens a store that the test closes.
func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	storetest.Check(t, err)
	t.Cleanup(func() { storetest.Check(t, s.Close()) })
	return s
}

func randomUpdate(c *storetest.Corpus, t *testing.T, dir string) {
	t.Helper()
	w, err := build.Update(context.Background(), dir, storetest.Options)
	storetest.Check(t, err)
	k := w.Worker()
	ps := c.Paths()
	for range c.Rnd.Intn(4) {
		p := ps[c.Rnd.Intn(len(ps))]
		switch old := c.Files[p]; {
		case old == nil || c.Rnd.Intn(2) == 0:
			c.Write(p)
			storetest.Check(t, k.Put(c.Files[p]))
		case c.Rnd.Intn(2) == 0: // renamed
			storetest.Check(t, w.Remove(p))
			delete(c.Files, p)
			to := ps[c.Rnd.Intn(len(ps))]
			moved := *old
			moved.Path = to
			if strings.HasSuffix(to, ".md") == strings.HasSuffix(p, ".md") {
				c.Files[to] = &moved
				storetest.Check(t, k.Put(&moved))
			}
		default:
			storetest.Check(t, w.Remove(p))
			delete(c.Files, p)
		}
	}
	if c.Rnd.Intn(6) == 0 { // history rewritten
		storetest.Check(t, w.ResetHistory())
		c.Commits = c.Commits[:c.Rnd.Intn(len(c.Commits)+1)]
		for _, v := range c.Commits {
			storetest.Check(t, w.AddRevision(v))
		}
	}
	for range c.Rnd.Intn(3) {
		storetest.Check(t, w.AddRevision(c.Commit()))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, l := range as {
		if !slices.Contains(bs, l) {
			out = append(out, "updated: "+l)
		}
	}
	for _, l := range bs {
		if !slices.Contains(as, l) {
			out = append(out, "fresh:   "+l)
		}
	}
	return strings.Join(out[:min(len(out), 12)], "\n")
}

func TestAbortLeavesLastGeneration(t *testing.T) {
	c := storetest.NewCorpus(1)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	before := storetest.Dump(t, dir)
	for _, begin := range []func(context.Context, string, build.Options) (*build.Writer, error){build.New, build.Update} {
		w, err := begin(context.Background(), dir, storetest.Options)
		storetest.Check(t, err)
		c.Write("dir0/new.go")
		storetest.Check(t, w.Worker().Put(c.Files["dir0/new.go"]))
		w.Abort()
		if storetest.Dump(t, dir) != before {
			t.Error("an aborted scrape changed the store")
		}
		if err := w.Worker().Put(c.Files["dir0/new.go"]); err == nil {
			t.Error("a writer that has ended takes files")
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "index-*.db"))
	if len(left) != 1 {
		t.Errorf("databases left: %q", left)
	}
}

func TestSecondScrapeIsToldWhoHoldsTheLock(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the lock")
	}
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{})
	storetest.Check(t, err)
	defer w.Abort()
	_, err = build.New(context.Background(), dir, build.Options{})
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "process ") {
		t.Errorf("error %v", err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	c := storetest.NewCorpus(3)
	c.Fill()
	for name, x := range map[string]struct {
		spoil func(dir, db string)
		want  error
	}{
		"empty folder": {func(dir, _ string) { storetest.Check(t, os.Remove(filepath.Join(dir, "current"))) }, store.ErrNoIndex},
		"foreign name": {func(dir, _ string) {
			storetest.Check(t, os.WriteFile(filepath.Join(dir, "current"), []byte("../x\n"), 0o644))
		}, store.ErrDamaged},
		"database gone": {func(_, db string) { storetest.Check(t, os.Remove(db)) }, store.ErrDamaged},
		"no database": {func(_, db string) {
			storetest.Check(t, os.WriteFile(db, []byte(strings.Repeat("garbage ", 4096)), 0o644))
		}, store.ErrDamaged},
		"empty database": {func(_, db string) { storetest.Check(t, os.Truncate(db, 0)) }, store.ErrDamaged},
		"cut database":   {func(_, db string) { storetest.Check(t, os.Truncate(db, 8192)) }, store.ErrDamaged},
	} {
		dir := t.TempDir()
		c.Build(t, dir)
		dbs, _ := filepath.Glob(filepath.Join(dir, "index-*.db"))
		x.spoil(dir, dbs[0])
		s, err := store.Open(dir)
		if err == nil {
			var p *store.Pin
			if p, err = s.Pin(context.Background(), 1); err == nil {
				_, err = oracles.BM25(context.Background(), p.Readers[0], text.ParseQuestion("alpha"), doc.Filter{}, 10)
				p.Close()
			}
			_ = s.Close()
		}
		if !errors.Is(err, x.want) {
			t.Errorf("%s: error %v, want %v", name, err, x.want)
		}
	}
}

func TestAnotherExtractorAsksForRebuild(t *testing.T) {
	c := storetest.NewCorpus(4)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	if _, err := build.Update(context.Background(), dir, build.Options{Extractor: 2}); !errors.Is(err, store.ErrOlder) {
		t.Errorf("error %v", err)
	}
	if _, err := build.Update(context.Background(), t.TempDir(), build.Options{Extractor: 2}); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("error %v", err)
	}
}

// Documents named in a question must come first: by path, path suffix, symbol or sha, alone or in a
// sentence.
func TestExact(t *testing.T) {
	c := storetest.NewCorpus(5)
	for _, p := range []string{"a/one.go", "b/two.go", "c/two.go", "docs/guide.md"} {
		c.Write(p)
		c.Files[p].Entries[0].Name = "Only" + strings.ToUpper(p[:1])
		for i := 1; i < len(c.Files[p].Entries); i++ {
			c.Files[p].Entries[i].Name = "Many" + string(rune('a'+i))
		}
	}
	v := c.Commit()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{})
	storetest.Check(t, err)
	k := w.Worker()
	for _, p := range []string{"a/one.go", "b/two.go", "c/two.go", "docs/guide.md"} {
		storetest.Check(t, k.Put(c.Files[p]))
	}
	storetest.Check(t, w.AddRevision(v))
	storetest.Check(t, w.SetTags(map[string][]string{v.SHA: {"v1.2.0"}, strings.Repeat("0", 40): {"gone"}}))
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	for q, want := range map[string]string{
		"v1.2.0": doc.CommitID(v.SHA), "what came with `v1.2.0`": doc.CommitID(v.SHA), "gone": "",
		"a/one.go": "a/one.go", "./a/one.go": "a/one.go", "one.go": "a/one.go", "two.go": "", "see b/two.go please": "b/two.go",
		"OnlyA": "a/one.go::OnlyA", "onlya": "a/one.go::OnlyA", "OnlyA()": "a/one.go::OnlyA", "a.OnlyA": "a/one.go::OnlyA", "z.OnlyA": "",
		"what does OnlyA do": "", "what does `OnlyA` do": "a/one.go::OnlyA", "what does OnlyA() do": "a/one.go::OnlyA", "Manyb": "",
		"a/one.go::OnlyA": "a/one.go::OnlyA", "pattern:docs/guide.md#OnlyD": "pattern:docs/guide.md#OnlyD",
		v.SHA: doc.CommitID(v.SHA), v.SHA[:9]: doc.CommitID(v.SHA), "commit:" + v.SHA[:12]: doc.CommitID(v.SHA),
		"a/one.go:7": "a/one.go", "what is at a/one.go:7:3?": "a/one.go", "a/none.go:7": "", "a/one.go:x": "",
		"revert " + v.SHA[:20] + " now": doc.CommitID(v.SHA), "a%": "", "_ne.go": "", "'; DROP TABLE file": "",
	} {
		got, err := lookup.Exact(context.Background(), r, text.ParseQuestion(q))
		storetest.Check(t, err)
		if len(got) == 0 && want == "" {
			continue
		}
		if len(got) != 1 || got[0].DocID != want {
			t.Errorf("%q: %+v, want %q", q, got, want)
		}
	}
}

// Tests, examples and the like count less, unless the question asks for them.
func TestDemotion(t *testing.T) {
	c := storetest.NewCorpus(6)
	class := map[string]doc.Class{
		"plain.go": 0, "x_test.go": doc.TestName | doc.TestCode, "named_test.go": doc.TestName, "tests/x.go": doc.TestFolder,
		"examples/x.go": doc.Example, "old/x.go": doc.Compat, "gen/x.go": doc.Generated | doc.Compat, "x.d.ts": doc.Declaration,
		"internal/x.go": doc.Internal, "x.h": doc.Header, "x.json": doc.OtherText, "mod.rs": doc.ReExport,
	}
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{})
	storetest.Check(t, err)
	k := w.Worker()
	var paths []string
	for p, cl := range class {
		c.Write(p)
		c.Files[p].Class = cl
		storetest.Check(t, k.Put(c.Files[p]))
		paths = append(paths, p)
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	for q, want := range map[string]map[string]float64{
		"alpha": {
			"plain.go": 1, "x_test.go": 0.3, "named_test.go": 1, "tests/x.go": 0.3, "examples/x.go": 0.6, "old/x.go": 0.6, "gen/x.go": 0.6,
			"x.d.ts": 0.7, "internal/x.go": 0.85, "x.h": 0.8, "x.json": 0.6, "mod.rs": 0.5,
		},
		"testing alpha":             {"x_test.go": 1, "tests/x.go": 1, "examples/x.go": 0.6},
		"alpha examples":            {"examples/x.go": 1, "x_test.go": 0.3},
		"general alpha":             {"gen/x.go": 0.6},
		"deprecated private things": {"old/x.go": 1, "internal/x.go": 1, "x.d.ts": 0.7},
	} {
		ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(q), map[doc.Kind][]string{doc.Code: paths})
		storetest.Check(t, err)
		for p, d := range want {
			if math.Abs(ev[p].Demotion-d) > 1e-9 {
				t.Errorf("%q: %s has demotion %v, want %v", q, p, ev[p].Demotion, d)
			}
		}
	}
}

// Tests count less, also in a library with more tests than code.
func TestWhereTestingIsTheProduct(t *testing.T) {
	for tests, want := range map[int]float64{1: 0.3, 4: 0.3, 8: 0.3} {
		c := storetest.NewCorpus(int64(tests))
		dir := t.TempDir()
		w, err := build.New(context.Background(), dir, build.Options{})
		storetest.Check(t, err)
		k := w.Worker()
		for i := range tests + 1 {
			p := fmt.Sprintf("tests/t%d.go", i)
			c.Write(p)
			c.Files[p].Class = doc.TestFolder
			if i == tests {
				c.Files[p].Class = 0
			}
			storetest.Check(t, k.Put(c.Files[p]))
		}
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		ev, err := oracles.Evidence(context.Background(), storetest.Pin(t, dir), text.ParseQuestion("alpha"), map[doc.Kind][]string{doc.Code: {"tests/t0.go"}})
		storetest.Check(t, err)
		if d := ev["tests/t0.go"].Demotion; d != want {
			t.Errorf("%d of %d files are tests: demotion %v, want %v", tests, tests+1, d, want)
		}
	}
}

// The separator before a part may also occur in the path.
func TestPartsOfFilesNamedWithSeparators(t *testing.T) {
	c, dir := storetest.NewCorpus(3), t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{})
	storetest.Check(t, err)
	k := w.Worker()
	for _, p := range []string{"docs/%# +.md", "docs/x.md", "a#/b#c.md", "a::b/x::y.go"} {
		c.Write(p)
		storetest.Check(t, k.Put(c.Files[p]))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	ctx := context.Background()
	for _, id := range []string{"pattern:docs/%# +.md#section-0", "pattern:a#/b#c.md#section-0", "a::b/x::y.go::Sym0"} {
		ds, err := describe.Describe(ctx, r, []describe.Want{{DocID: id}})
		storetest.Check(t, err)
		if len(ds) != 1 || ds[0].DocID != id {
			t.Errorf("describe %q: %+v", id, ds)
		}
		if _, _, err := describe.Body(ctx, r, id); err != nil {
			t.Error(err)
		}
		if got, err := lookup.Resolve(ctx, r, id); err != nil || got.DocID != id {
			t.Errorf("resolve %q: %+v, %v", id, got, err)
		}
	}
	ids := map[doc.Kind][]string{doc.Pattern: {"pattern:a#/b#c.md#section-0", "pattern:docs/%# +.md#section-0"}}
	known, err := oracles.Evidence(ctx, r, text.ParseQuestion("section"), ids)
	storetest.Check(t, err)
	for _, id := range ids[doc.Pattern] {
		if _, ok := known[id]; !ok {
			t.Errorf("no evidence of %q", id)
		}
	}
}

// A full scrape replaces the database, and its vectors, between opening a store and the first
// question.
func TestDatabaseReplacedAfterOpening(t *testing.T) {
	c := storetest.NewCorpus(5)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s, err := store.Open(dir)
	storetest.Check(t, err)
	defer func() { _ = s.Close() }()
	c.Build(t, dir)
	p, err := s.Pin(context.Background(), 3)
	storetest.Check(t, err)
	c.Build(t, dir) // again, behind a pin's back
	q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: "alpha", Weight: 1}})
	for _, r := range p.Readers {
		_, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 10)
		storetest.Check(t, err)
	}
	p.Close()
}
