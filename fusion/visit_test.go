package fusion

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// visitors returns a ranking by letters: h is a result of home, x a document of home that the
// question names, and any other letter a result of another project. A capital is too weak for an
// answer, and "-" after a letter makes it weaker than anything shown.
func visitors(letters string) []Result {
	var out []Result
	for i, l := range letters {
		if l == '-' {
			out[len(out)-1].Share = irrelevantBelow / 2
			continue
		}
		name := strings.ToLower(string(l))
		r := Result{Key: file(name, fmt.Sprint(i)), Share: 0.5, Evidence: Evidence{Known: 1}}
		r.Foreign, r.Exact = name != "h" && name != "x", l == 'x'
		if string(l) != name {
			r.Share = (irrelevantBelow + foreignBelow) / 2
			if !r.Foreign {
				r.Share = irrelevantBelow / 2
			}
		}
		out = append(out, r)
	}
	return out
}

func TestVisitKeepsPlacesForOtherProjects(t *testing.T) {
	for _, test := range []struct{ ranking, want string }{
		{"hhhhhhhhhhhh", "hhhhhhhhhhhh"},
		{"hhhhhhhhhhff", "hhhffhhhhhhh"},
		{"hhhhhhhhhhhhfffff", "hhhffhhfffhhhhhhh"},
		{"fhhhhhhhhhff", "hfhhfhhfhhhh"}, // home knows as much
		{"hffhhhhhhhhf", "hfhfhhhfhhhh"},
		{"xhhhff", "xhhhff"}, // the question is about that one
		{"f", "f"},
		{"hf", "hf"},
		{"", ""},
		// Each project has one place before any has two.
		{"hhhhhhhhhhfffgk", "hhhfghhkffhhhhh"},
		{"fffffffffffgk", "ffffgffkfffff"},
		{"hhhhhhhhhhgfgf", "hhhgfhhgfhhhhh"},
	} {
		if got := shownBy(Visit(visitors(test.ranking))); got != test.want {
			t.Errorf("%s: %s, want %s", test.ranking, got, test.want)
		}
	}
}

// Results of other projects are at most as many as those of home above them, or one more if one of
// them knows more than home, by the weight of its route.
func TestVisitAlternates(t *testing.T) {
	for _, test := range []struct {
		share, weight float64
		want          string
	}{
		{0.5, 0.9, "hfhfhfhff"},
		{0.6, 0.9, "fhfhfhfhf"},
		{0.6, 0.8, "hfhfhfhff"},
	} {
		rs := visitors("fffffhhhh")
		for i := range rs {
			if rs[i].Foreign {
				rs[i].Share, rs[i].Weight = test.share, test.weight
			}
		}
		if got := shownBy(Visit(rs)); got != test.want {
			t.Errorf("share %v, weight %v: %s, want %s", test.share, test.weight, got, test.want)
		}
	}
}

// A result that is far weaker than home's best takes no reserved place, and no later result of its
// project takes it instead. A place that it has earned it keeps.
func TestVisitKeepsPlacesForStrongResults(t *testing.T) {
	for _, test := range []struct {
		ranking string
		merged  []float64
		want    string
	}{
		{"hhhhhhfg", []float64{1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.6, 0.3}, "hhhfhhhg"},
		{"hhhhhhfg", []float64{1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.3, 0.6}, "hhhghhhf"},
		{"hhhhhhff", []float64{1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.3, 0.6}, "hhhhhhff"},
		{"hhfhhhhf", []float64{1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.3}, "hhfhhhhf"},
		{"hhhhhhfg", []float64{0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2}, "hhhghhhf"},
	} {
		ranking := visitors(test.ranking)
		for i, m := range test.merged {
			ranking[i].Merged = m
		}
		if got := shownBy(Visit(ranking)); got != test.want {
			t.Errorf("%s %v: %s, want %s", test.ranking, test.merged, got, test.want)
		}
	}
}

// If there is an answer, its project also shows documents that would not be answers by themselves.
// A project without an answer is removed.
func TestVisitShowsProjectsThatKnowAnAnswer(t *testing.T) {
	for _, test := range []struct{ ranking, want string }{
		{"hhF", "hhf"},      // home has an answer
		{"hhF-", "hh"},      // and this project has no answer
		{"hhff-g-", "hhff"}, // two weak documents: of a project with an answer, and of one without
		{"HHFG", "hh"},      // nothing is an answer
		{"HHFg", "hhfg"},    // one is, so the other project may show its documents
		{"HHf", "hhf"},      // only the other project has an answer
		{"xF-", "x"},        // named at home
		{"HHfF-", "hhff"},   // a weak document of the same project follows
	} {
		ranking := visitors(test.ranking)
		got := Visit(ranking)
		if shown := shownBy(got); shown != test.want {
			t.Errorf("%s: %s, want %s", test.ranking, shown, test.want)
		}
		if RelevanceOf(got) != RelevanceOf(ranking) {
			t.Errorf("%s: %s before, %s after", test.ranking, RelevanceOf(ranking), RelevanceOf(got))
		}
	}
}

// Visit only moves and removes results. The order within each project must stay.
func TestVisitKeepsEachProjectsOrder(t *testing.T) {
	ranking := visitors("hfghkhfffhghkhhfgkhhhf")
	before := slices.Clone(ranking)
	got := Visit(ranking)
	same := slices.EqualFunc(before, ranking, func(a, b Result) bool { return a.Key == b.Key })
	if len(got) != len(ranking) || !same {
		t.Fatalf("%d of %d, or the input was changed", len(got), len(ranking))
	}
	for _, name := range []string{"h", "f", "g", "k"} {
		of := func(rs []Result) (ids []string) {
			for _, r := range rs {
				if r.Key.Project == name {
					ids = append(ids, r.Key.ID)
				}
			}
			return ids
		}
		if !slices.Equal(of(got), of(ranking)) {
			t.Errorf("%s: %v, want %v", name, of(got), of(ranking))
		}
	}
}

// shownBy returns the projects of results, one letter each.
func shownBy(rs []Result) (out string) {
	for _, r := range rs {
		out += r.Key.Project
	}
	return out
}
