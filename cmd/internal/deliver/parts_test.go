package deliver

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"testing/quick"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// The parts of an answer are those of its text: the same results, names and lines, in their order.
func TestPartsAreThoseOfTheText(t *testing.T) {
	check := func(seed int64) bool {
		a := random(rand.New(rand.NewSource(seed)))
		o := Options{Dialect: dialect.CLI{}, Budget: 1_000_000}
		text := snippetsOf(t, a, o)
		p := PartsOf(a, o)
		rest := text
		follows := func(what string) bool {
			_, after, ok := strings.Cut(rest, what)
			if !ok {
				t.Errorf("seed %d: %q does not follow in\n%s", seed, what, text)
			}
			rest = after
			return ok
		}
		for _, s := range p.Above {
			if !follows(s) {
				return false
			}
		}
		for _, x := range p.Results {
			if !follows(fmt.Sprintf("%d. [", x.Rank)) || !follows(x.Name) || !follows("("+x.Score+")") {
				return false
			}
			for _, s := range x.Above {
				if !follows(layout.Head(s, maxLowLine/2)) {
					return false
				}
			}
			for _, l := range x.Lines {
				if !follows(fmt.Sprintf("%d  %s", l.Number, layout.Head(l.Text, maxLowLine/2))) {
					return false
				}
			}
			if x.Why != "" && !follows(x.Why) {
				return false
			}
		}
		for _, s := range p.Below {
			if !follows(s) {
				return false
			}
		}
		return true
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
	if p := PartsOf(sample(3), Options{Dialect: dialect.CLI{}}); len(p.Results) != 3 || len(p.Results[0].Lines) != 3 {
		t.Errorf("%+v", p)
	}
}
