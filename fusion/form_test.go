package fusion

import (
	"strings"
	"testing"
)

func TestFormOf(t *testing.T) {
	for question, want := range map[string]Form{
		"":                                          Plain,
		" ?! ":                                      Plain,
		"did":                                       Plain,
		"I":                                         Plain,
		"WHO WENT FIRST":                            Past,
		"what got lost, who had it":                 Past,
		"undid what was done":                       Plain,
		"which washes":                              Plain,
		"Must it be so":                             Norm,
		"mustard, and where it is":                  Plain,
		"is this allowed?":                          Norm,
		"what may you change":                       Norm,
		"where do we keep state":                    Norm,
		"how can we test it":                        Norm,
		"where can I look":                          Plain,
		"how did the cache get lost":                Past,
		"what was decided about async":              Past,
		"who had the idea of leases":                Past,
		"why was the cache dropped":                 Reason,
		"how was it, and why":                       Plain,
		"show the reason why it was dropped":        Plain,
		"why should we care":                        Norm,
		"should I use async here":                   Norm,
		"Can a question write to the store?":        Norm,
		"how should we name tests":                  Norm,
		"do we cache answers":                       Norm,
		"is it okay to skip the spec":               Norm,
		"how do we design safety checks":            Norm,
		"how do I rotate the secret":                Plain,
		"how can I disable verification":            Plain,
		"where is the cache evicted":                Plain,
		"Add a flag for colour":                     Plain,
		"the server must answer in a second":        Plain,
		strings.Repeat("was it so ", 1000) + "done": Plain,
	} {
		if got := FormOf(question); got != want {
			t.Errorf("%.60q: form %q, want %q", question, got, want)
		}
	}
}

// The form depends on whole words only, in any case.
func FuzzFormOf(f *testing.F) {
	f.Add("how did we")
	f.Add("Should\x00I\xff")
	f.Fuzz(func(t *testing.T, q string) {
		if ascii(q) && FormOf(q) != FormOf(strings.ToUpper(q)) {
			t.Errorf("%q has another form in capitals", q)
		}
	})
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) < 0
}
