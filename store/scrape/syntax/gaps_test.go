package syntax

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// Texts with long gaps give what they give if the gaps are read, for a small part of the work.
func TestGaps(t *testing.T) {
	statements := []string{
		"import { a } from './a'", "const b = a(1)", "function f(x) { return g(x) }", "class C { m() { return f(2) } }",
		"let s = `x\n  y`", "var o = { start() { f(3) } }",
	}
	random := rand.New(rand.NewPCG(1, 2))
	gaps := []string{
		"\n", " ", strings.Repeat(" ", 5000), strings.Repeat("\n", 5000), strings.Repeat(" ", 3000) + "\n",
		"\n" + strings.Repeat(" ", 3000), strings.Repeat(strings.Repeat(" ", 70)+"\n", 80), strings.Repeat(" ", longGap-1), strings.Repeat(" ", longGap+2),
	}
	for _, language := range []string{"JavaScript", "TypeScript", "TSX"} {
		g := grammars[language]
		for range 60 {
			var b strings.Builder
			for range 1 + random.IntN(12) {
				gap := gaps[random.IntN(len(gaps))]
				if !strings.Contains(gap, "\n") {
					b.WriteByte(';')
				}
				b.WriteString(gap)
				b.WriteString(statements[random.IntN(len(statements))])
			}
			b.WriteString(gaps[random.IntN(len(gaps))])
			text := []byte(b.String())
			got, err := Read(language, text)
			g.gaps = false
			want, err2 := Read(language, text)
			g.gaps = true
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %q:\n%+v\nwant\n%+v", language, strings.Join(strings.Fields(b.String()), " "), got, want)
			}
		}
	}
	text := []byte("f(1)" + strings.Repeat(" ", 900_000) + "\ng(2)")
	short, err := parseText(grammars["JavaScript"], text)
	if err != nil {
		t.Fatal(err)
	}
	defer short.free()
	if short.work > 1_000_000 {
		t.Errorf("%d units", short.work)
	}
}
