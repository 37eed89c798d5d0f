package text

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomChunks returns chunks with words of which some are frequent and some rare.
func randomChunks(r *rand.Rand, n int) [][NumFields]string {
	chunks := make([][NumFields]string, n)
	for c := range chunks {
		for f := range chunks[c] {
			var b strings.Builder
			for range r.IntN(1 + r.IntN(40)) {
				fmt.Fprintf(&b, "%s%d ", []string{"word", "QueryEngine", "数据", "Ünder", "x"}[r.IntN(5)],
					r.IntN(1+r.IntN(300)))
			}
			chunks[c][f] = b.String()
		}
	}
	return chunks
}

func invert(chunks [][NumFields]string) *Inverter {
	v := NewInverter()
	for i := range chunks {
		v.Add(&chunks[i])
	}
	return v
}

// merged returns all lists by term. It fails the test unless terms ascend.
func merged(t *testing.T, vs []*Inverter, avg Averages) map[string][]Posting {
	t.Helper()
	chunks := uint32(0)
	for _, v := range vs {
		chunks += uint32(v.Chunks())
	}
	all, last := map[string][]Posting{}, ""
	err := Merge(vs, avg, func(term string, n int, list []byte) error {
		if term <= last || n == 0 {
			t.Fatalf("term %q with %d postings after %q", term, n, last)
		}
		ps, err := DecodeList(list, n, chunks, nil)
		all[term], last = ps, term
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// slowImpacts returns BM25F by its formula, in float64, by term and chunk.
func slowImpacts(chunks [][NumFields]string, avg Averages) map[string]map[uint32]float64 {
	all := map[string]map[uint32]float64{}
	for c, fields := range chunks {
		sums := map[string]float64{}
		var lengths [NumFields]float64
		for f, s := range fields {
			lengths[f] = float64(min(len(wordsOf(s)), 65535))
		}
		norms := [NumFields]float64{1, 1, 1, 1}
		if avg.Path > 0 {
			norms[0] = 0.25 + 0.75*lengths[0]/avg.Path
		}
		if avg.Names > 0 {
			norms[1] = 0.25 + 0.75*lengths[1]/avg.Names
		}
		if avg.Text > 0 { // comments and body have one length
			norms[2] = 0.5 + 0.5*(lengths[2]+lengths[3])/avg.Text
			norms[3] = norms[2]
		}
		for f, s := range fields {
			words := wordsOf(s)
			tf := map[string]float64{}
			for _, w := range words {
				tf[w] = min(tf[w]+1, 255)
			}
			for w, n := range tf {
				sums[w] += []float64{5, 3, 1, 1}[f] * n / norms[f]
			}
		}
		for w, sum := range sums {
			if all[w] == nil {
				all[w] = map[uint32]float64{}
			}
			all[w][uint32(c)] = sum / (sum + 1.2)
		}
	}
	return all
}

func TestMergeAgainstFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 40 {
		chunks := randomChunks(r, r.IntN(120))
		v := invert(chunks)
		avg := averagesOf(v)
		if round%4 == 0 {
			avg = Averages{3, 0, 17} // of another corpus, in which no chunk had names
			if round%8 == 0 {
				avg.Text = 1e-12 // counts as no average
			}
			if round == 0 {
				chunks = append(chunks, [NumFields]string{"", "", "", strings.Repeat("often ", 70_000)})
				v = invert(chunks)
			}
		}
		formula := avg
		if formula.Text < 1e-9 {
			formula.Text = 0
		}
		want := slowImpacts(chunks, formula)
		got := merged(t, []*Inverter{v}, avg)
		if len(got) != len(want) {
			t.Fatalf("%d terms, want %d", len(got), len(want))
		}
		for term, ps := range got {
			if len(ps) != len(want[term]) {
				t.Fatalf("%q: %d postings, want %d", term, len(ps), len(want[term]))
			}
			for _, p := range ps {
				exact, ok := want[term][p.Chunk]
				if !ok || math.Abs(float64(p.Impact)/255-exact) > 1./255 {
					t.Fatalf("%q in chunk %d: impact %d, want %v", term, p.Chunk, p.Impact, 255*exact)
				}
			}
		}
	}
}

// averagesOf returns the averages over all chunks in vs.
func averagesOf(vs ...*Inverter) Averages {
	var words, chunks [NumFields]float64
	all := 0.0
	for _, v := range vs {
		all += float64(len(v.lengths))
		for _, lengths := range v.lengths {
			for f, n := range lengths {
				words[f] += float64(n)
				if n > 0 {
					chunks[f]++
				}
			}
		}
	}
	per := func(words, chunks float64) float64 { return words / max(1, chunks) }
	return Averages{Path: per(words[0], chunks[0]), Names: per(words[1], chunks[1]), Text: per(words[2]+words[3], all)}
}

func TestManyInvertersAreOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		chunks := randomChunks(r, r.IntN(200))
		one := invert(chunks)
		var many []*Inverter
		for rest := chunks; ; {
			n := r.IntN(len(rest) + 1)
			many = append(many, invert(rest[:n]))
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
		}
		avg := averagesOf(one)
		if averagesOf(many...) != avg {
			t.Fatal("averages differ")
		}
		if !equalLists(merged(t, []*Inverter{one}, avg), merged(t, many, avg)) {
			t.Fatalf("lists of %d inverters differ from those of one", len(many))
		}
	}
}

func equalLists(a, b map[string][]Posting) bool {
	return maps.EqualFunc(a, b, func(p, q []Posting) bool { return slices.Equal(p, q) })
}

func TestReset(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	v := NewInverter()
	for range 5 {
		chunks := randomChunks(r, 60)
		fresh := invert(chunks)
		for i := range chunks {
			v.Add(&chunks[i])
		}
		avg := averagesOf(fresh)
		if averagesOf(v) != avg || v.Chunks() != 60 ||
			!equalLists(merged(t, []*Inverter{v}, avg), merged(t, []*Inverter{fresh}, avg)) {
			t.Fatal("an inverter that was reset differs from a fresh one")
		}
		v.Reset()
	}
	if v.Chunks() != 0 || len(merged(t, []*Inverter{v}, Averages{})) != 0 {
		t.Fatal("Reset keeps chunks")
	}
}

// With more different runs than the cache holds, results stay right and memory bounded.
func TestRunCacheIsBounded(t *testing.T) {
	v := NewInverter()
	const perChunk = 1000
	for c := range maxCachedRuns/perChunk + 10 {
		var b strings.Builder
		for i := range perChunk {
			fmt.Fprintf(&b, "w%dq always ", c*perChunk+i)
		}
		v.Add(&[NumFields]string{3: b.String()})
	}
	if len(v.cache) > maxCachedRuns || len(v.pool) > 8*maxCachedRuns {
		t.Fatalf("%d runs and %d numbers remembered", len(v.cache), len(v.pool))
	}
	got := merged(t, []*Inverter{v}, averagesOf(v))
	if n := len(got["alwai"]); n != v.Chunks() {
		t.Fatalf("a word of every chunk is in %d of %d", n, v.Chunks())
	}
	if n := len(got[fmt.Sprintf("w%dq", maxCachedRuns)]); n != 1 {
		t.Fatalf("a word of one chunk is in %d", n)
	}
	if v.Reset(); len(v.terms) > maxKeptTerms {
		t.Fatalf("%d terms kept over a reset", len(v.terms))
	}
}

func TestMergeStopsWithTheFirstError(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	err := Merge([]*Inverter{invert([][NumFields]string{{"a b c"}})}, Averages{}, func(string, int, []byte) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Fatalf("%v after %d calls", err, calls)
	}
}

func TestArena(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var a arena
	chains, want := make([]chain, 50), make([][]byte, 50)
	for range 20_000 {
		b := make([]byte, r.IntN(30))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		i := r.IntN(1 + r.IntN(len(chains)))
		a.appendTo(&chains[i], b)
		want[i] = append(want[i], b...)
	}
	for i := range chains {
		if got := a.readFrom(&chains[i], nil); !bytes.Equal(got, want[i]) {
			t.Fatalf("chain %d: %d bytes, want %d, or others", i, len(got), len(want[i]))
		}
	}
}

// The keys of different runs differ, whatever their length.
func TestRecentKeys(t *testing.T) {
	seen := map[runKey]string{}
	for n := 1; n <= maxCachedRun; n++ {
		for i := range n {
			for _, c := range "ab" {
				run := strings.Repeat("a", i) + string(c) + strings.Repeat("a", n-i-1)
				if other, ok := seen[runKeyOf(run)]; ok && other != run {
					t.Fatalf("%q and %q have one key", run, other)
				}
				seen[runKeyOf(run)] = run
			}
		}
	}
}

func TestIDF(t *testing.T) {
	if got, want := IDF(3, 10), math.Log(1+7.5/3.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("IDF(3, 10) = %v, want %v", got, want)
	}
	if got, want := IDF(0, 10), math.Log(1+10.5/0.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("IDF(0, 10) = %v, want %v", got, want)
	}
	for _, c := range [][2]int{{0, 0}, {10, 10}, {11, 10}, {-1, 5}} {
		if got := IDF(c[0], c[1]); !(got > 0) || math.IsInf(got, 0) {
			t.Errorf("IDF%v = %v", c, got)
		}
	}
}
