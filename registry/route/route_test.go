package route

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestASketchRemembersFrequencies(t *testing.T) {
	df := map[string]int{"once": 1}
	for i := range 300 {
		df[fmt.Sprint("word", i)] = 2 + i*i
	}
	s := New(Contents{Chunks: 100_000, Counted: 100_000, Terms: df})
	if s.Frequency("once") != 0 || s.Frequency("never") != 0 || s.Chunks != 100_000 || s.Len() != 300 {
		t.Fatalf("sketch of %d terms, %d chunks, once %g, never %g",
			s.Len(), s.Chunks, s.Frequency("once"), s.Frequency("never"))
	}
	for term, n := range df {
		if got := s.Frequency(term); n > 1 && math.Abs(got/float64(n)-1) > 0.05 {
			t.Errorf("%s: %g, want about %d", term, got, n)
		}
	}
}

func TestASketchStandsForSmallChanges(t *testing.T) {
	stated := [][]string{{"lock", "row"}, {"page"}}
	s, err := Parse(New(Contents{
		Chunks: 980, Counted: 1000, Beliefs: 2, Terms: map[string]int{"lock": 3}, Stated: stated,
	}).Bytes())
	if err != nil || s.Chunks != 980 {
		t.Fatalf("%+v, %v", s, err)
	}
	for counted, want := range map[int]bool{989: false, 990: true, 1000: true, 1010: true, 1011: false} {
		if s.Stands(Contents{Counted: counted, Beliefs: 2, Stated: stated}) != want {
			t.Errorf("%d chunks: %v", counted, !want)
		}
	}
	if s.Stands(Contents{Counted: 1000, Beliefs: 3, Stated: append(stated, nil)}) {
		t.Error("a belief more is left out")
	}
	if s.Stands(Contents{Counted: 1000, Beliefs: 2, Stated: [][]string{{"lock", "row"}, {"leaf"}}}) {
		t.Error("a belief that says something else is left out")
	}
	if small := New(Contents{Chunks: 50, Counted: 50}); small.Stands(Contents{Counted: 51}) {
		t.Error("one chunk more of fifty is left out")
	}
}

func TestASketchKeepsTheCommonestTerms(t *testing.T) {
	df := map[string]int{}
	for i := range 2 * MaxTerms {
		df[fmt.Sprint("rare", i)] = 2 - i%2
	}
	for i := range 100 {
		df[fmt.Sprint("common", i)] = 50
	}
	s := New(Contents{Chunks: 1000, Counted: 1000, Terms: df})
	if len(s.Bytes()) > MaxBytes || s.Len() > MaxTerms {
		t.Fatalf("%d terms in %d bytes", s.Len(), len(s.Bytes()))
	}
	for i := range 100 {
		if s.Frequency(fmt.Sprint("common", i)) == 0 {
			t.Errorf("common%d was left out", i)
		}
	}
	if again := New(Contents{Chunks: 1000, Counted: 1000, Terms: df}); !bytes.Equal(again.Bytes(), s.Bytes()) {
		t.Error("two sketches of one project differ")
	}
}

// A sketch of a small project holds its rare words. It holds the words of beliefs beside those of
// much code, and names in any case in a filter of bounded size.
func TestASketchKnowsRareWordsAndNames(t *testing.T) {
	df, names := map[string]int{}, []string{"frobnicateWal", "of"}
	for i := range 2 * MaxTerms {
		df[fmt.Sprint("common", i)] = 2
	}
	for i := range 30_000 {
		names = append(names, fmt.Sprintf("definition%d", i))
	}
	s, err := Parse(New(Contents{
		Chunks: 1000, Terms: df, Stated: [][]string{{"walnut"}}, Names: names[:2000],
	}).Bytes())
	if err != nil || s.Frequency("walnut") != 1 || !s.Defines("FrobnicateWal") || s.Defines("of") {
		t.Errorf("%v: walnut %g, a name %v", err, s.Frequency("walnut"), s.Defines("FrobnicateWal"))
	}
	if small := New(Contents{Chunks: 4, Terms: map[string]int{"walnut": 1, "oak": 2}}); small.Frequency("walnut") != 1 {
		t.Error("a small project lacks its rare words")
	}
	wrong := 0
	for i := range 10_000 {
		if s.Defines(fmt.Sprintf("elsewhere%d", i)) {
			wrong++
		}
	}
	if wrong > 200 {
		t.Errorf("of 10,000 other names %d are taken for one that it defines", wrong)
	}
	if all := New(Contents{Names: names}); len(all.Bytes()) > MaxBytes || len(all.names) > maxFilter {
		t.Errorf("%d bytes of names", len(all.names))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(New(Contents{
		Chunks: 12, Counted: 12, Terms: map[string]int{"lock": 3, "row": 9}, Names: []string{"Lock"},
	}).Bytes())
	f.Add(Sketch{}.Bytes())
	f.Add(New(Contents{Beliefs: 2, Stated: [][]string{{"lock", "row"}, {"page"}}}).Bytes())
	f.Add([]byte("psk3" + strings.Repeat("\x00", 20) + "psb1\x01\x00\x00\x00"))
	f.Add([]byte("psk3\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse(b)
		if err != nil {
			return
		}
		if !bytes.Equal(s.Bytes(), b) {
			t.Errorf("%x was read and is written as %x", b, s.Bytes())
		}
	})
}

// projects returns the sketches of a server, of a database that it uses, and of a parser.
func projects() (server, database, parser Sketch) {
	of := func(df map[string]int) Sketch { return New(Contents{Chunks: 100, Counted: 100, Terms: df}) }
	return of(map[string]int{"request": 60, "header": 50, "page": 5}),
		of(map[string]int{"page": 50, "freelist": 20, "lock": 40, "request": 2}),
		of(map[string]int{"token": 80, "grammar": 40})
}

func TestChooseAsksProjectsThatKnowTheWords(t *testing.T) {
	server, database, parser := projects()
	all := []Sketch{server, database, parser}
	got := Choose(Question{Stems: []string{"freelist", "page", "unheard"}}, server, all, []Candidate{
		{Project: "parser", Weight: .9, Sketch: &parser},
		{Project: "database", Weight: .9, Sketch: &database},
		{Project: "new", Weight: .9},
	})
	if !got[0].Asked || got[0].Project != "database" || got[0].Fit <= Fit([]string{"freelist", "page"}, server, all) {
		t.Errorf("first %+v", got[0])
	}
	if i := slices.IndexFunc(got, func(c Choice) bool { return c.Project == "new" }); got[i].Why != NoSketch {
		t.Errorf("without a sketch: %+v", got[i])
	}
	alone := []Candidate{{Project: "parser", Weight: .9, Sketch: &parser}}
	if got := Choose(Question{Stems: []string{"request", "header"}}, server, all, alone); got[0].Why != FarOff {
		t.Errorf("a question about home asks %+v", got[0])
	}
	if got := Choose(Question{Stems: []string{"unheard"}}, server, all, alone); got[0].Why != NoWords {
		t.Errorf("a question without known words asks %+v", got[0])
	}
}

func TestChooseAsksThreeByWeight(t *testing.T) {
	_, database, _ := projects()
	var cs []Candidate
	for i := range 5 {
		cs = append(cs, Candidate{Project: fmt.Sprint(i), Weight: .5 + float64(i)/10, Sketch: &database})
	}
	var asked []string
	for _, c := range Choose(Question{Stems: []string{"page"}}, database, []Sketch{database}, cs) {
		if c.Asked {
			asked = append(asked, c.Project)
		} else if c.Why != Others {
			t.Errorf("%s: %q", c.Project, c.Why)
		}
	}
	if !slices.Equal(asked, []string{"4", "3", "2"}) {
		t.Errorf("asked %v", asked)
	}
}

// A belief that states most of a question decides a visit, whatever the words of the code. One that
// home states as well, one that shares a single word, and one that is not shown do not.
func TestChooseAsksWhoStatesIt(t *testing.T) {
	code := func(c Contents) Sketch {
		c.Chunks, c.Counted, c.Beliefs = 100, 100, len(c.Stated)
		return New(c)
	}
	common := map[string]int{"error": 60, "handl": 50, "page": 9, "lock": 8, "parser": 7}
	home := code(Contents{Terms: common})
	silent := code(Contents{Terms: map[string]int{"page": 90}})
	believer := code(Contents{Terms: map[string]int{"page": 90}, Stated: [][]string{
		{"lock", "page"}, {"error", "handl", "onc", "caller"},
	}})
	both := []Candidate{
		{Project: "silent", Weight: 1.5, Sketch: &silent}, {Project: "believer", Weight: 0.5, Sketch: &believer, Far: true},
	}
	ask := func(home Sketch, stems ...string) Choice {
		t.Helper()
		got := Choose(Question{Stems: stems}, home, []Sketch{home, silent, believer}, both)
		return got[slices.IndexFunc(got, func(c Choice) bool { return c.Project == "believer" })]
	}
	if c := ask(home, "error", "handl"); !c.Asked || !c.States {
		t.Errorf("a belief states it: %+v", c)
	}
	if c := ask(home, "error", "handl", "zebra", "quagga", "okapi"); c.States {
		t.Errorf("a belief states a small part of it: %+v", c)
	}
	if c := ask(home, "error", "lock"); c.States {
		t.Errorf("two beliefs state a word each: %+v", c)
	}
	if c := ask(code(Contents{Terms: common, Stated: [][]string{{"handl", "error"}}}), "error", "handl"); c.States {
		t.Errorf("home states it, too: %+v", c)
	}
	alone := func(words int) bool {
		q := Question{Stems: []string{"onc"}, Words: words}
		return slices.ContainsFunc(Choose(q, home, []Sketch{home, silent, believer}, both),
			func(c Choice) bool { return c.States })
	}
	if !alone(5) || alone(1) {
		t.Error("one word counts in a sentence, and only there")
	}
	both[1].ShowsBeliefs = func() bool { return false }
	if c := ask(home, "error", "handl"); c.Asked || c.States {
		t.Errorf("it does not show beliefs: %+v", c)
	}
}

// Sketches are bounded whatever the beliefs, and versions before statements read a part of each.
func TestSketchesWithStatements(t *testing.T) {
	var stated [][]string
	for i := range 2 * maxStatements {
		var terms []string
		for j := range 2 * maxStatedTerms {
			terms = append(terms, fmt.Sprint("word", i*j))
		}
		stated = append(stated, terms)
	}
	s := New(Contents{Chunks: 9, Beliefs: len(stated), Stated: stated})
	if len(s.Bytes()) > MaxBytes || len(s.stated) != maxStatements || s.LacksStatements() {
		t.Fatalf("%d bytes, %d statements", len(s.Bytes()), len(s.stated))
	}
	again, err := Parse(s.Bytes())
	if err != nil || !bytes.Equal(again.Bytes(), s.Bytes()) {
		t.Fatal(err)
	}
	older, err := Parse(s.Words())
	if err != nil || !older.LacksStatements() || !bytes.Equal(older.Bytes(), s.Words()) || older.Beliefs != s.Beliefs {
		t.Errorf("%v: %d beliefs", err, older.Beliefs)
	}
	for _, bad := range []string{"psb1", "psb2\x01\x00\x00", "psb1\x00", "psb1\x02\x01\x00\x01\x00", "psb1\x01\x00"} {
		if _, err := Parse(append(s.Words(), bad...)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// A project that defines a name of the question is asked before all others, unless home defines it.
// A far one is otherwise asked only if it fits better than home.
func TestChooseAsksWhoDefinesAName(t *testing.T) {
	server, database, parser := projects()
	rare := New(Contents{Chunks: 2, Counted: 2, Names: []string{"FrobnicateWal"}})
	all := []Sketch{server, database, parser, rare}
	candidates := []Candidate{
		{Project: "database", Weight: .9, Sketch: &database}, {Project: "rare", Weight: .9, Sketch: &rare, Far: true},
	}
	q := Question{Stems: []string{"request"}, Names: []string{"frobnicateWAL"}}
	if got := Choose(q, server, all, candidates); got[0].Project != "rare" || !got[0].Asked || !got[0].Defines {
		t.Errorf("first %+v", got[0])
	}
	q.Stems = nil
	if got := Choose(q, server, all, candidates); got[0].Project != "rare" || !got[0].Asked || got[1].Asked {
		t.Errorf("without known words: %+v", got)
	}
	q.Stems = []string{"request"}
	if got := Choose(q, rare, all, candidates); got[0].Defines || got[1].Defines {
		t.Errorf("home defines it: %+v", got)
	}
	far := []Candidate{{Project: "server", Weight: .9, Sketch: &server, Far: true}}
	if got := Choose(q, database, all, far); !got[0].Asked {
		t.Errorf("it fits better: %+v", got[0])
	}
	far[0].Sketch = &database
	if got := Choose(q, server, all, far); got[0].Why != NotBetter {
		t.Errorf("it fits worse: %+v", got[0])
	}
}

func TestCountAddsUp(t *testing.T) {
	server, database, parser := projects()
	c := Count([]string{"request", "page", "unheard"}, []Sketch{server, database, parser})
	if c.Chunks != 300 || len(c.Terms) != 2 || math.Abs(float64(c.Terms["request"])-62) > 3 ||
		math.Abs(float64(c.Terms["page"])-55) > 3 {
		t.Errorf("%+v", c)
	}
}
