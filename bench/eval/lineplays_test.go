package eval

import (
	"slices"
	"strings"
	"testing"
)

func TestLinesWithPatina(t *testing.T) {
	answer := "q_1_x  intent: general\n\n1. [code] a b.go:7 in Run 5-9  (0.5)\n       7  run()\n   also: Stop:20-30\n2. [code] c.go:40 C 38-50\n      38  func C()\n"
	tools, made := printing(map[string]string{
		"-":                answer,
		"--detail q_1_x 2": "[code] c.go:38-50 C\nDig deeper: patina scry\n\n38  func C() {\n39  }\n",
	})
	ask := func(expect string) Play {
		*made = nil
		p, err := LineQuestion{Query: "x", Expect: []string{"z.go:1-2", expect}}.WithPatina(t.Context(), tools)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := ask("a b.go:6-7"); !p.All || !slices.Equal(*made, []string{"-"}) || p.Tokens != len(answer)/4 {
		t.Errorf("printed at once: %+v, %q", p, *made)
	}
	if p := ask("c.go:39"); !p.All || !slices.Equal(*made, []string{"-", "--detail q_1_x 1", "--detail q_1_x 2"}) {
		t.Errorf("in the second detail: %+v, %q", p, *made)
	}
	if p := ask("c.go:20-30"); p.All || len(p.Calls) != mostCalls {
		t.Errorf("never shown: %+v", p)
	}
}

func TestLinesWithRipgrep(t *testing.T) {
	tools, made := printing(map[string]string{
		"rg -i one": "a.go:7:one\nc.go:230:one\nc.go:240:One\n",
		"c.go ++":   strings.Repeat("x\n", 60),
	})
	q := LineQuestion{Query: "x", Expect: []string{"c.go:255"}, RG: []string{"-i one"}}
	p, err := q.WithRipgrep(t.Context(), invented, tools)
	if want := []string{"rg -i one", "c.go ++"}; err != nil || !p.All || !slices.Equal(*made, want) {
		t.Errorf("read around the first hit: %+v, %q, %v", p, *made, err)
	}
	q.Expect = []string{"c.go:240-250"}
	if p, err = q.WithRipgrep(t.Context(), invented, tools); err != nil || !p.All || len(p.Calls) != 1 {
		t.Errorf("printed by the search: %+v, %v", p, err)
	}
	q.Expect = []string{"c.go:260-270"}
	if p, err = q.WithRipgrep(t.Context(), invented, tools); err != nil || p.All || p.Seen != 0 {
		t.Errorf("behind what was read: %+v, %v", p, err)
	}
}

func TestLinesByWords(t *testing.T) {
	q := LineQuestion{Query: "How does the pool's Size shrink, and when?", RG: []string{"-i exactName"}}.Words()
	if want := []string{"-i -w -e 'pool|Size|shrink'"}; !slices.Equal(q.RG, want) {
		t.Errorf("%q", q.RG)
	}
}
