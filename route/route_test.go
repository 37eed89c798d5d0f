package route

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

func TestASketchRemembersFrequencies(t *testing.T) {
	df := map[string]int{"once": 1}
	for i := range 300 {
		df[fmt.Sprint("word", i)] = 2 + i*i
	}
	s := New(100_000, 100_000, maps.All(df))
	if s.Frequency("once") != 0 || s.Frequency("never") != 0 || s.Chunks != 100_000 || s.Len() != 300 {
		t.Fatalf("sketch of %d terms, %d chunks, once %g, never %g", s.Len(), s.Chunks, s.Frequency("once"), s.Frequency("never"))
	}
	for term, n := range df {
		if got := s.Frequency(term); n > 1 && math.Abs(got/float64(n)-1) > 0.05 {
			t.Errorf("%s: %g, want about %d", term, got, n)
		}
	}
}

func TestASketchStandsForSmallChanges(t *testing.T) {
	s, err := Parse(New(980, 1000, maps.All(map[string]int{"lock": 3})).Bytes())
	if err != nil || s.Chunks != 980 {
		t.Fatalf("%+v, %v", s, err)
	}
	for counted, want := range map[int]bool{989: false, 990: true, 1000: true, 1010: true, 1011: false} {
		if s.Stands(counted) != want {
			t.Errorf("%d chunks: %v", counted, !want)
		}
	}
	if small := New(50, 50, maps.All(map[string]int{})); small.Stands(51) {
		t.Error("one chunk more of fifty is left out")
	}
}

func TestASketchKeepsTheCommonestTerms(t *testing.T) {
	df := map[string]int{}
	for i := range 2 * MaxTerms {
		df[fmt.Sprint("rare", i)] = 2
	}
	for i := range 100 {
		df[fmt.Sprint("common", i)] = 50
	}
	s := New(1000, 1000, maps.All(df))
	if len(s.Bytes()) > MaxBytes || s.Len() > MaxTerms {
		t.Fatalf("%d terms in %d bytes", s.Len(), len(s.Bytes()))
	}
	for i := range 100 {
		if s.Frequency(fmt.Sprint("common", i)) == 0 {
			t.Errorf("common%d was left out", i)
		}
	}
	if again := New(1000, 1000, maps.All(df)); !bytes.Equal(again.Bytes(), s.Bytes()) {
		t.Error("two sketches of one project differ")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(New(12, 12, maps.All(map[string]int{"lock": 3, "row": 9})).Bytes())
	f.Add(Sketch{}.Bytes())
	f.Add([]byte("psk2\xff\xff\xff\xff\xff\xff\xff\xff"))
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

// projects returns sketches: of a server, a database below it, and a parser.
func projects() (server, database, parser Sketch) {
	of := func(df map[string]int) Sketch { return New(100, 100, maps.All(df)) }
	return of(map[string]int{"request": 60, "header": 50, "page": 5}),
		of(map[string]int{"page": 50, "freelist": 20, "lock": 40, "request": 2}),
		of(map[string]int{"token": 80, "grammar": 40})
}

func TestChooseAsksProjectsThatKnowTheWords(t *testing.T) {
	server, database, parser := projects()
	all := []Sketch{server, database, parser}
	got := Choose([]string{"freelist", "page", "unheard"}, server, all, []Candidate{
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
	if got := Choose([]string{"request", "header"}, server, all, []Candidate{{Project: "parser", Weight: .9, Sketch: &parser}}); got[0].Why != FarOff {
		t.Errorf("a question about home asks %+v", got[0])
	}
	if got := Choose([]string{"unheard"}, server, all, []Candidate{{Project: "parser", Weight: .9, Sketch: &parser}}); got[0].Why != NoWords {
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
	for _, c := range Choose([]string{"page"}, database, []Sketch{database}, cs) {
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

func TestCountAddsUp(t *testing.T) {
	server, database, parser := projects()
	c := Count([]string{"request", "page", "unheard"}, []Sketch{server, database, parser})
	if c.Chunks != 300 || len(c.Terms) != 2 || math.Abs(float64(c.Terms["request"])-62) > 3 || math.Abs(float64(c.Terms["page"])-55) > 3 {
		t.Errorf("%+v", c)
	}
}
