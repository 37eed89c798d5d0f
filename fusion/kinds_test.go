package fusion

import (
	"fmt"
	"slices"
	"testing"
)

// The worked example of the recipe, with meaning weighted half of words: four kinds, one answer.
func TestWorkedExample(t *testing.T) {
	key := func(kind, id string) Key { return Key{"p", kind, id} }
	in := Input{
		Intent: IntentOf("why did we kill the cache and always refresh"),
		Priors: map[string]float64{"code": 0.9, "pattern": 0.9},
		Lists: []List{
			list("lexical", "session", "s", 20.0), list("semantic", "session", "s", 0.7),
			list("lexical", "commit", "c", 18.0),
			list("semantic", "commit", "c1", 0.9, "c2", 0.8, "c3", 0.7, "c4", 0.6, "c", 0.5),
			list("belief", "belief", "b", 0.6),
			list("lexical", "code", "f.go", 12.0),
		},
		Evidence: map[Key]Evidence{
			key("session", "s"): {Share: 0.520}, key("commit", "c"): {Share: 0.476},
			key("belief", "b"): {Share: 0.309}, key("code", "f.go"): {Share: 0.300},
		},
	}
	if in.Intent != Rationale {
		t.Fatalf("intent %s", in.Intent)
	}
	got := Fuse(in)
	if want := []string{"s", "c", "b", "f.go"}; !slices.Equal(ids(got)[:4], want) {
		t.Errorf("order %v, want %v first", ids(got), want)
	}
	for id, want := range map[string]string{"s": "0.720", "c": "0.676", "b": "0.629", "f.go": "0.450"} {
		if score := fmt.Sprintf("%.3f", byID(t, got, id).Own()); score != want {
			t.Errorf("%s: score %s, want %s", id, score, want)
		}
	}
	if a := byID(t, got, "c").Agreement; a != 1 {
		t.Errorf("agreement of the commit %v, want 1: no other commit is better placed", a)
	}
}

// Another channel must not move a kind against the others. The commit is before the file without
// meaning, so it must be before it with meaning, though meaning finds other commits nearer.
func TestAnotherChannelLowersNoKind(t *testing.T) {
	in := Input{
		Intent: Rationale,
		Priors: map[string]float64{"code": 0.9},
		Lists:  []List{list("lexical", "commit", "c", 18.0, "d", 17.0), list("lexical", "code", "f.go", 12.0)},
		Evidence: map[Key]Evidence{
			{"p", "commit", "c"}: {Share: 0.56}, {"p", "commit", "d"}: {Share: 0.3},
			{"p", "code", "f.go"}: {Share: 0.62},
		},
	}
	for _, meaning := range [][]List{
		nil,
		{list("semantic", "code", "f.go", 0.4), list("semantic", "commit")},
		{list("semantic", "code", "f.go", 0.4), list("semantic", "commit", "x1", 0.9, "x2", 0.8, "x3", 0.7)},
	} {
		with := in
		with.Lists = slices.Concat(in.Lists, meaning)
		if got := ids(Fuse(with)); got[0] != "c" {
			t.Errorf("%d lists: order %v, want the commit first", len(with.Lists), got)
		}
	}
}

// A kind has the weight that the input sets, or 1.
func TestPrior(t *testing.T) {
	in := Input{
		Lists: []List{
			list("lexical", "code", "f", 1.0), list("lexical", "commit", "c", 1.0), list("lexical", "note", "n", 1.0),
		},
		Priors: map[string]float64{"commit": 0.75, "note": -1},
	}
	got := Fuse(in)
	for id, want := range map[string]float64{"f": 1, "c": 0.75, "n": 0} {
		if r := byID(t, got, id); r.Prior != want || !near(r.Own(), want*0.2) {
			t.Errorf("%s: prior %v, merged %v, want %v times the agreement", id, r.Prior, r.Own(), want)
		}
	}
}

// A file that the blend prefers comes before a file with a larger share, and is merged with the
// score of the latter.
func TestCodeKeepsItsOrderInTheMerge(t *testing.T) {
	got := Fuse(Input{
		Lists: []List{
			list("lexical", "code", "first.go", 10.0, "second.go", 1.0, "third.go", 0.5),
			list("lexical", "pattern", "doc", 1.0),
		},
		Evidence: map[Key]Evidence{
			code("first.go"):        {Share: 0.1}, // alone 0.30
			code("second.go"):       {Share: 0.9}, // 0.92
			code("third.go"):        {Share: 0.1},
			{"p", "pattern", "doc"}: {Share: 0.5}, // 0.70
		},
	})
	if want := []string{"first.go", "second.go", "doc", "third.go"}; !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
}

// Kinds without their own order are ordered by score. If one channel is selected, they are in its
// order.
func TestOrderInsideAKind(t *testing.T) {
	in := Input{
		Lists: []List{list("lexical", "commit", "a", 3.0, "b", 2.0, "c", 1.0), list("semantic", "commit", "c", 0.3)},
		Evidence: map[Key]Evidence{
			{"p", "commit", "a"}: {Share: 0.2}, {"p", "commit", "b"}: {Share: 0.6}, {"p", "commit", "c"}: {Share: 0.4},
		},
	}
	for _, test := range []struct {
		only []string
		want []string
	}{
		{nil, []string{"b", "c", "a"}},
		{[]string{"lexical", "semantic"}, []string{"b", "c", "a"}},
		{[]string{"lexical"}, []string{"a", "b", "c"}},
		{[]string{"semantic"}, []string{"c"}},
		{[]string{"belief"}, []string{}},
	} {
		in.Only = test.only
		if got := ids(Fuse(in)); !slices.Equal(got, test.want) {
			t.Errorf("only %v: %v, want %v", test.only, got, test.want)
		}
	}
}

func TestTies(t *testing.T) {
	// b.go and a.go tie in the blend: by path. Across kinds and projects the scores tie: by share,
	// then project, then id. z is the second of its project.
	got := Fuse(Input{
		Lists: []List{
			list("lexical", "code", "b.go", 1.0, "a.go", 1.0),
			{Channel: "belief", Kind: "belief", Hits: []Hit{
				{Key{"q", "belief", "a"}, 1}, {Key{"p", "belief", "z"}, 1}, {Key{"p", "belief", "y"}, 1},
			}},
			{Channel: "memory", Kind: "memory", Hits: []Hit{{Key{"p", "memory", "x"}, 1}}},
		},
		Evidence: map[Key]Evidence{code("a.go"): {Share: 0.1}, code("b.go"): {Share: 0.9}},
	})
	if want := []string{"a.go", "b.go", "x", "y", "a", "z"}; !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
}

func TestExactStandsFirst(t *testing.T) {
	in := blendInput(General)
	commit := Key{"p", "commit", "commit:abc"}
	in.Evidence[commit], in.Priors = Evidence{Share: 0.25}, map[string]float64{"commit": 0.9}
	in.Exact = []Key{code("c.go"), commit, code("a_test.go"), code("c.go")}
	got := Fuse(in)
	if want := []string{"c.go", "commit:abc", "a_test.go", "b.go", "a.go"}; !slices.Equal(ids(got), want) {
		t.Errorf("order %v, want %v", ids(got), want)
	}
	for i, r := range got {
		if r.Exact != (i < 3) {
			t.Errorf("%s: exact %v", r.Key.ID, r.Exact)
		}
	}
	r := got[1]
	if r.Agreement != 0 || r.Share != 0.25 || r.Score != chanceNamed || !near(r.Own(), 0.9*0.25) ||
		len(r.Contributions) != 0 {
		t.Errorf("exact in no list: %+v", r)
	}
	if r := got[0]; !near(r.Blended, 0.5) || len(r.Contributions) != 2 {
		t.Errorf("exact in lists keeps its numbers: %+v", r)
	}
}

// An exact document leaves its list before the merge, so it must not lend its score to others.
func TestExactLiftsNothing(t *testing.T) {
	in := Input{
		Lists: []List{
			list("lexical", "code", "first.go", 10.0, "named.go", 1.0), list("lexical", "pattern", "doc", 1.0),
		},
		Evidence: map[Key]Evidence{
			code("first.go"): {Share: 0.1}, code("named.go"): {Share: 1}, {"p", "pattern", "doc"}: {Share: 0.5},
		},
		Exact: []Key{code("named.go")},
	}
	if want, got := []string{"named.go", "doc", "first.go"}, ids(Fuse(in)); !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestFuseOfNothing(t *testing.T) {
	for name, in := range map[string]Input{
		"zero": {}, "empty lists": {Lists: []List{list("lexical", "code"), list("semantic", "commit")}},
		"none asked": {Lists: []List{list("lexical", "code", "a", 1.0)}, Only: []string{"belief"}},
	} {
		if got := Fuse(in); len(got) != 0 {
			t.Errorf("%s: %v", name, ids(got))
		}
	}
}

func TestFuseLeavesItsInputAlone(t *testing.T) {
	in := blendInput(General)
	in.Lists[0].Hits[0], in.Lists[0].Hits[2] = in.Lists[0].Hits[2], in.Lists[0].Hits[0]
	before := fmt.Sprint(in)
	Fuse(in)
	if after := fmt.Sprint(in); after != before {
		t.Errorf("input changed:\n%s\n%s", before, after)
	}
}

func TestRelevanceOf(t *testing.T) {
	for _, test := range []struct {
		shares  []float64
		known   float64
		cosines []float64
		exact   bool
		want    Relevance
	}{
		{want: Irrelevant},
		{shares: []float64{0.099}, known: 1, want: Irrelevant},
		{shares: []float64{0.099}, known: 1, cosines: []float64{0.099}, want: Irrelevant},
		{shares: []float64{0.099}, known: 1, cosines: []float64{0.10}, want: Weak},
		{shares: []float64{0, 0}, cosines: []float64{0, 0.30}, want: Relevant}, // a paraphrase
		{shares: []float64{0.10}, known: 1, want: Weak},
		{shares: []float64{0.279}, known: 1, want: Weak},
		{shares: []float64{0.28}, known: 1, want: Relevant},
		{shares: []float64{0.199}, known: 0.5, want: Irrelevant}, // half of the words are foreign
		{shares: []float64{0.20}, known: 0.5, want: Weak},
		{shares: []float64{0.30}, known: 0.5, want: Weak},
		{shares: []float64{0.60}, known: 0.5, want: Relevant}, // many names of its own
		{shares: []float64{0.30}, known: 0.3, want: Irrelevant},
		{shares: []float64{1}, want: Irrelevant},
		// The best share counts, wherever it is.
		{shares: []float64{0.05, 0.1, 0.31}, known: 1, want: Relevant},
		{shares: []float64{0.05, 0.2, 0.08}, known: 1, want: Weak},
		{shares: []float64{0}, exact: true, want: Relevant},
		{shares: []float64{0.2}, known: 1, cosines: []float64{0.1}, exact: true, want: Relevant},
	} {
		var rs []Result
		for i, s := range test.shares {
			rs = append(rs, Result{Share: s, Exact: test.exact && i == 0, Evidence: Evidence{Known: test.known}})
		}
		for i, c := range test.cosines {
			rs[i].Evidence.Cosine = c
		}
		if got := RelevanceOf(rs); got != test.want {
			t.Errorf("shares %v of %v known, cosines %v, exact %v: %s, want %s",
				test.shares, test.known, test.cosines, test.exact, got, test.want)
		}
	}
}

// A few words of many do not make an answer sound, nor does a result after the first ten. Neither
// rule refuses an answer.
func TestSound(t *testing.T) {
	of := func(share, lone, cosine float64) Result {
		return Result{Share: share, Evidence: Evidence{Known: 1, Lone: lone, Cosine: cosine}}
	}
	behind := func(n int, r Result) []Result {
		rs := make([]Result, n, n+1)
		return append(rs, r)
	}
	for name, test := range map[string]struct {
		best []Result
		want Relevance
	}{
		"enough words":            {[]Result{of(0.5, 0.45, 0)}, Relevant},
		"few words":               {[]Result{of(0.4, 0.45, 0)}, Weak},
		"few words, some meaning": {[]Result{of(0.4, 0.45, 0.2)}, Weak},
		"few words and meaning":   {[]Result{of(0.4, 0.45, 0.3)}, Relevant},
		"little beside them":      {[]Result{of(0.2, 0.15, 0)}, Weak},
		"nothing":                 {[]Result{of(0.05, 0.45, 0)}, Irrelevant},
		"the tenth":               {behind(9, of(0.5, 0, 0)), Relevant},
		"the eleventh":            {behind(10, of(0.5, 0, 0)), Weak},
		"the eleventh is nothing": {behind(10, of(0.05, 0, 0)), Irrelevant},
	} {
		if got := RelevanceOf(test.best); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A commit that the question does not ask for needs more than a chance word to come before a file.
// If the question asks for it, or most of the question matches, it keeps its share.
func TestChanceWords(t *testing.T) {
	file, commit := Key{Kind: "code", ID: "a.go"}, Key{Kind: "commit", ID: "commit:a"}
	for _, test := range []struct {
		share, prior float64
		first        Key
	}{
		{0.45, 0.9, file},
		{0.5, 0.9, file},
		{0.65, 0.9, commit},
		{0.45, 1, commit},
	} {
		in := Input{
			Priors: map[string]float64{"commit": test.prior},
			Lists: []List{
				{Channel: "lexical", Kind: "code", Hits: []Hit{{file, 9}}},
				{Channel: "lexical", Kind: "commit", Hits: []Hit{{commit, 9}}},
			},
			Evidence: map[Key]Evidence{file: {Share: 0.3}, commit: {Share: test.share, Terse: true}},
		}
		if k := Fuse(in)[0].Key; k != test.first {
			t.Errorf("share %v, prior %v: %v stands first, want %v", test.share, test.prior, k, test.first)
		}
	}
	last := -1.0
	for share := 0.0; share <= 1; share += 0.01 {
		r := Result{Share: share, Prior: 0.9, Evidence: Evidence{Terse: true}}
		told := r.Told() * share
		if told < last || told > share {
			t.Errorf("share %v counts %v, after %v", share, told, last)
		}
		last = told
	}
}

// The subject of a commit counts in a project with beliefs or sessions, unless the question asks
// for code or sets a task. It changes no chance but by the merged number.
func TestSubjectOfCommit(t *testing.T) {
	commit := Key{"p", "commit", "c"}
	in := Input{
		Lists:    []List{list("lexical", "commit", "c", 1.0)},
		Evidence: map[Key]Evidence{commit: {Share: 0.3, Coverage: 0.5, Terse: true}},
	}
	for _, c := range []struct {
		recorded bool
		intent   Intent
		want     float64
	}{
		{false, General, 0.3 + 0.2},
		{true, General, 0.3 + 0.2*0.5 + 0.2},
		{true, Temporal, 0.3 + 0.2*0.5 + 0.2},
		{true, Rationale, 0.3 + 0.2*0.5 + 0.2},
		{true, Mechanism, 0.3 + 0.2},
		{true, Definition, 0.3 + 0.2},
		{true, HowTo, 0.3 + 0.2},
		{true, Task, 0.3 + 0.2},
	} {
		in.Recorded, in.Intent = map[string]bool{"p": c.recorded}, c.intent
		r := Fuse(in)[0]
		if !near(r.Own(), c.want) || r.Evidence.Coverage != 0 {
			t.Errorf("recorded %v, %s: %.3f, coverage %v, want %.3f, 0", c.recorded, c.intent, r.Own(), r.Evidence.Coverage, c.want)
		}
	}
}

// If the question asks for news, relevant commits are ordered by age. The others follow in their
// order, and kinds without times keep theirs.
func TestNewest(t *testing.T) {
	of := func(kind, id string) Key { return Key{Kind: kind, ID: id} }
	in := Input{Newest: true, Evidence: map[Key]Evidence{}}
	add := func(kind string, ids []string, shares []float64, times []int64) {
		l := List{Channel: "lexical", Kind: kind}
		for i, id := range ids {
			l.Hits = append(l.Hits, Hit{of(kind, id), 10 - float64(i)})
			in.Evidence[of(kind, id)] = Evidence{Share: shares[i], Known: 1, Time: times[i]}
		}
		in.Lists = append(in.Lists, l)
	}
	add("commit", []string{"old", "new", "middle", "noise"}, []float64{.8, .5, .6, .3}, []int64{1, 9, 5, 20})
	order := func() (ids []string) {
		for _, r := range Fuse(in) {
			ids = append(ids, r.Key.ID)
		}
		return ids
	}
	if got := order(); !slices.Equal(got, []string{"new", "middle", "old", "noise"}) {
		t.Errorf("%v", got)
	}
	in.Newest = false
	if got := order(); !slices.Equal(got, []string{"old", "middle", "new", "noise"}) {
		t.Errorf("without a wish for news: %v", got)
	}
	in = Input{Newest: true, Evidence: map[Key]Evidence{}}
	add("pattern", []string{"a", "b"}, []float64{.8, .7}, []int64{0, 0})
	if got := order(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("documents: %v", got)
	}
}

// A file with several chunks about the question comes before a section whose one chunk is slightly
// better.
func TestBreadthOfFiles(t *testing.T) {
	file, section := Key{Kind: "code", ID: "a.go"}, Key{Kind: "pattern", ID: "pattern:a.md#a"}
	first := func(breadth float64) Key {
		in := Input{
			Intent: General,
			Lists: []List{
				{Channel: "lexical", Kind: "code", Hits: []Hit{{file, 9}}},
				{Channel: "lexical", Kind: "pattern", Hits: []Hit{{section, 9}}},
			},
			Evidence: map[Key]Evidence{file: {Share: 0.5, Breadth: breadth}, section: {Share: 0.55}},
		}
		return Fuse(in)[0].Key
	}
	if k := first(0); k != section {
		t.Errorf("without breadth %v stands first, want the section", k)
	}
	if k := first(0.4); k != file {
		t.Errorf("with breadth %v stands first, want the file", k)
	}
}

// In a project with beliefs or sessions a commit counts whole, and the agreement of code as far as
// its share goes, unless a task is set.
func TestRecordedProject(t *testing.T) {
	commit, code := Key{"p", "commit", "c"}, Key{"p", "code", "f.go"}
	in := Input{
		Priors:   map[string]float64{"commit": 0.9},
		Lists:    []List{list("lexical", "commit", "c", 1.0), list("lexical", "code", "f.go", 1.0)},
		Evidence: map[Key]Evidence{commit: {Share: 0.3, Terse: true}, code: {Share: 0.2}},
	}
	for _, c := range []struct {
		recorded     map[string]bool
		intent       Intent
		commit, code float64
	}{
		{nil, General, 0.9 * (0.7*0.3 + 0.2), 0.2 + 0.2},
		{map[string]bool{"q": true}, General, 0.9 * (0.7*0.3 + 0.2), 0.2 + 0.2},
		{map[string]bool{"p": true}, General, 0.9 * (0.3 + 0.2), 0.2 + 0.4*0.2},
		{map[string]bool{"p": true}, Task, 0.9 * (0.7*0.3 + 0.2), 0.2 + 0.2},
	} {
		in.Recorded, in.Intent = c.recorded, c.intent
		got := Fuse(in)
		if a, b := byID(t, got, "c").Own(), byID(t, got, "f.go").Own(); !near(a, c.commit) || !near(b, c.code) {
			t.Errorf("%v: commit %.3f, want %.3f; code %.3f, want %.3f", c.recorded, a, c.commit, b, c.code)
		}
	}
}
