package beliefs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/belief/standing"
	"patina/belief/verify"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// A belief with very many sources and long, hostile names stays within an answer's ceiling.
func TestStandingIsBounded(t *testing.T) {
	long := strings.Repeat("very-long-name\x1b[31m-", 50)
	beliefs := []standing.Belief{{ID: long, Base: 0.8}}
	var edges []standing.Edge
	for i := range 500 {
		from := fmt.Sprintf("%s%d (against %s)", long, i, long)
		beliefs = append(beliefs, standing.Belief{ID: from, Base: 0.5})
		edges = append(edges, standing.Edge{From: from, To: long, Weight: 1})
	}
	x, _ := standing.New(beliefs, edges).Explain(long)
	a := &api.StandingAnswer{
		Belief:      belief.Belief{Path: long, Statement: strings.Repeat(long, 9), Status: long},
		Explanation: x,
	}
	var out bytes.Buffer
	if err := Standing(&out, a, deliver.Options{Dialect: dialect.CLI{}}); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 3600 || strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), "491 weaker") ||
		!strings.Contains(out.String(), "come to rest") {
		t.Errorf("%d bytes:\n%s", out.Len(), out.String())
	}
}

// Outcomes of any number and size must stay within the page, and say how many are left out.
func TestVerificationIsBounded(t *testing.T) {
	long := strings.Repeat("long\x1b[31m\n", 5000)
	v := Verified{}
	for range 100 {
		o := verify.Outcome{
			Check: verify.Check{Label: long, Expect: long, Type: long}, Status: verify.Failed,
			Got: long, Detail: long,
		}
		v.Beliefs = append(v.Beliefs, verify.Verified{ID: long, Path: long, Outcomes: []verify.Outcome{o, o}, More: 3})
	}
	for budget, most := range map[int]int{0: layout.PageBytes, 100: 400, 1000: 4000} {
		var out bytes.Buffer
		if err := Verification(&out, v, deliver.Options{Dialect: dialect.CLI{}, Budget: budget}); err != nil {
			t.Fatal(err)
		}
		if out.Len() > most || strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), " more: ") {
			t.Errorf("budget %d: %d bytes:\n%.500s", budget, out.Len(), out.String())
		}
	}
}

// Any number of files stays within the page, both ways.
func TestReachIsBounded(t *testing.T) {
	long := strings.Repeat("long\x1b[31m\n", 500)
	a := &api.ReachAnswer{}
	for range 200 {
		r := knowledge.Reached{Path: long, Symbol: long, Reason: long}
		a.Beliefs = append(a.Beliefs, verify.BeliefReach{ID: long, Reached: []knowledge.Reached{r, r}})
	}
	for _, reverse := range []bool{false, true} {
		var out bytes.Buffer
		if err := Reach(&out, a, reverse, deliver.Options{Dialect: dialect.CLI{}}); err != nil {
			t.Fatal(err)
		}
		if out.Len() > layout.PageBytes || strings.Contains(out.String(), "\x1b") ||
			!strings.Contains(out.String(), "more lines") {
			t.Errorf("reverse %v: %d bytes:\n%.500s", reverse, out.Len(), out.String())
		}
	}
}
