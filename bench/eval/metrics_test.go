package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func files(names string) []place {
	var ps []place
	for _, n := range strings.Fields(names) {
		ps = append(ps, place{id: n, path: n})
	}
	return ps
}

// The figures equal those of scriptNDCG for the same lists.
func TestNDCGLikeScript(t *testing.T) {
	for _, x := range []struct {
		files, expect string
		want          float64
	}{
		{"a b c", "a", 1},
		{"a b c", "b", 0.630929753571},
		{"a b c", "c a", 0.919720789148},
		{"a b c", "a z", 0.613147192765},
		{"src/x/a.go b.go", "x/a.go", 1},
		{"a.go", "src/a.go", 1},
		{"xa.go", "a.go", 0},
		{"1 2 3 4 5 6 7 8 9 t", "t", 0.289064826318},
		{"1 2 3 4 5 6 7 8 9 10 t", "t", 0},
		{"d/a.go", "a.go d/a.go", 0.613147192765},
		{"a b c d e f g h i j k l", "a b c d e f g h i j k l", 1},
		{"a c", "a b c d e f g h i j k l", 0.358954210172},
		{"", "a", 0},
		{"b/m.go c/m.go", "m.go", 1},
	} {
		if got := ndcg(strings.Fields(x.expect), files(x.files)); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("ndcg(%q, %q) = %.12f, want %.12f", x.files, x.expect, got, x.want)
		}
	}
}

// scriptNDCG is an independent NDCG, ported line by line from another author's script.
func scriptNDCG(found, expect []string) float64 {
	var v [10]float64
	for _, t := range expect {
		for i, f := range found[:min(10, len(found))] {
			if f == t || strings.HasSuffix(f, "/"+t) || strings.HasSuffix(t, "/"+f) {
				v[i] = 1
				break
			}
		}
	}
	dcg, ideal := 0.0, 0.0
	for i, x := range v {
		dcg += x / math.Log2(float64(i)+2)
		if i < len(expect) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
	}
	return dcg / ideal
}

func TestNDCGLikeScriptAtRandom(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	names := strings.Fields("a b/a c/b/a d e/d f g h i j k l m n o p q/p r")
	for range 2000 {
		var places []place
		var distinct []string // each file once, as in the script
		for range draw.IntN(25) {
			n := names[draw.IntN(len(names))]
			places = append(places, place{id: n + "#" + string(rune('a'+draw.IntN(3))), path: n})
			if !slices.Contains(distinct, n) {
				distinct = append(distinct, n)
			}
		}
		var expect []string
		for _, i := range draw.Perm(len(names))[:1+draw.IntN(12)] {
			expect = append(expect, names[i])
		}
		got, want := ndcg(expect, places), scriptNDCG(distinct, expect)
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("ndcg(%v, %v) = %v, the script says %v", expect, distinct, got, want)
		}
	}
}

func TestRightOfTheFirstFiveFiles(t *testing.T) {
	for _, x := range []struct {
		files, expect string
		want          int
	}{
		{"a b c d e", "a c", 2},
		{"a a a b c d e", "a e", 2}, // a file counts once
		{"a b c d e f", "f", 0},
		{"a", "a b", 1},
		{"src/a.go b.go", "a.go src/a.go", 1},
		{"", "a", 0},
	} {
		if got := right(strings.Fields(x.expect), files(x.files)); got != x.want {
			t.Errorf("right(%q, %q) = %d, want %d", x.expect, x.files, got, x.want)
		}
	}
}

const sha = "0123456789abcdef0123456789abcdef01234567"

func TestIs(t *testing.T) {
	code := place{id: "a/b.go", shown: "a/b.go::T.m", path: "a/b.go"}
	section := place{id: "pattern:docs/x.md#install", shown: "pattern:docs/x.md#install", path: "docs/x.md"}
	commit := place{id: "commit:0123456789ab", sha: sha}
	bare := place{id: "commit:0123456789ab"} // from the baseline, which does not know the full sha
	for _, x := range []struct {
		place  place
		target string
		want   bool
	}{
		{code, "a/b.go", true},
		{code, "b.go", true},
		{code, "root/a/b.go", true},
		{code, "xb.go", false},
		{code, "b.g", false},
		{code, "a/b.go::T.m", true},
		{code, "a/b.go::T.other", false},
		{section, "docs/x.md", true},
		{section, "pattern:docs/x.md#install", true},
		{section, "pattern:docs/x.md#usage", false},
		{commit, sha, true},
		{commit, "commit:0123456789ab", true},
		{commit, strings.Repeat("f", 40), false},
		{commit, "0123456789ab", false},
		{bare, sha, true},
		{place{id: "commit:x"}, "a.go", false},
	} {
		if got := x.place.is(x.target); got != x.want {
			t.Errorf("%+v is %q: %v, want %v", x.place, x.target, got, x.want)
		}
	}
}

func TestRank(t *testing.T) {
	eleven := "1 2 3 4 5 6 7 8 9 10 t"
	for _, x := range []struct {
		name, files, expect, match string
		rank                       int
		rr, hit                    float64
	}{
		{"first", "a b c", "a", Any, 1, 1, 1},
		{"third", "a b c", "c", "", 3, 1.0 / 3, 1},
		{"best of two", "a b c", "c b", Any, 2, 0.5, 1},
		{"one is missing, one is enough", "a b c", "z c", Any, 3, 1.0 / 3, 1},
		{"worst of two", "a b c", "c b", All, 3, 1.0 / 3, 1},
		{"one is missing, all are wanted", "a b c", "a z", All, 0, 0, 0},
		{"none", "a b c", "z", Any, 0, 0, 0},
		{"tenth", "1 2 3 4 5 6 7 8 9 t", "t", Any, 10, 0.1, 1},
		{"eleventh", eleven, "t", Any, 11, 0, 0},
		{"the worst is eleventh", eleven, "1 t", All, 11, 0, 0},
		{"nothing found", "", "a", All, 0, 0, 0},
	} {
		r := judge(Question{ID: "q", Expect: strings.Fields(x.expect), Match: x.match}, files(x.files))
		if r.Rank != x.rank || r.RR() != x.rr || r.Hit() != x.hit {
			t.Errorf("%s: rank %d, rr %v, hit %v; want %d, %v, %v", x.name, r.Rank, r.RR(), r.Hit(), x.rank, x.rr,
				x.hit)
		}
	}
}

// Two sections of one document take two places in MRR, but one in NDCG.
func TestPlacesAndFiles(t *testing.T) {
	places := []place{
		{id: "pattern:x.md#a", path: "x.md"},
		{id: "pattern:x.md#b", path: "x.md"},
		{id: "commit:0123456789ab", sha: sha},
		{id: "a.go", path: "a.go"},
	}
	for _, x := range []struct {
		expect string
		rank   int
		file   int
	}{{"a.go", 4, 3}, {sha, 3, 2}, {"x.md", 1, 1}, {"pattern:x.md#b", 2, 1}} {
		r := judge(Question{Expect: []string{x.expect}}, places)
		if want := discount(x.file); r.Rank != x.rank || r.NDCG != want {
			t.Errorf("%s: rank %d, ndcg %v; want %d, %v", x.expect, r.Rank, r.NDCG, x.rank, want)
		}
	}
	r := judge(Question{Expect: []string{"a.go"}}, places)
	if got := strings.Join(r.Top, " "); got != "pattern:x.md#a pattern:x.md#b commit:0123456789ab" {
		t.Errorf("top = %s", got)
	}
}
