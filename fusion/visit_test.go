package fusion

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// visitors is a ranking by letters: h from home, x that names a document at home, and any other
// letter from another project of that name. A capital is too weak for an answer, and "-" after a
// letter makes it weaker than anything shown.
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
		{"fhhhhhhhhhff", "fhhhfhhfhhhh"}, // the first has earned its place
		{"hffhhhhhhhhf", "hffhhhhfhhhh"},
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

// A result that is far weaker than home's best takes no kept place, and no later one of its project
// does in its stead. Where it has earned a place, it keeps that.
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

// Beside an answer, a project shows documents that would be none by themselves, unless it has
// nothing else to show.
func TestVisitShowsProjectsThatKnowAnAnswer(t *testing.T) {
	for _, test := range []struct{ ranking, want string }{
		{"hhF", "hhf"},      // home has answered
		{"hhF-", "hh"},      // and this project knows nothing
		{"hhff-g-", "hhff"}, // a weak document of a project that knows, and one that does not
		{"HHFG", "hh"},      // nobody has an answer
		{"HHFg", "hhfg"},    // one has: then the other may show what it has
		{"HHf", "hhf"},      // only the other project knows
		{"xF-", "x"},        // named at home
		{"HHfF-", "hhff"},   // the same project's weak document follows
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

// Visit moves and leaves out, and does nothing else; the order of each project is its own.
func TestVisitKeepsEachProjectsOrder(t *testing.T) {
	ranking := visitors("hfghkhfffhghkhhfgkhhhf")
	before := slices.Clone(ranking)
	got := Visit(ranking)
	if len(got) != len(ranking) || !slices.EqualFunc(before, ranking, func(a, b Result) bool { return a.Key == b.Key }) {
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

// shownBy returns the projects of results, a letter each.
func shownBy(rs []Result) (out string) {
	for _, r := range rs {
		out += r.Key.Project
	}
	return out
}
