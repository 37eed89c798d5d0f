package chunk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"patina/store/doc"
)

// Whatever the spans are, every line that is not blank is in one chunk, in its text, with its
// owner.
func TestCutCoversEveryLine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for round := range 200 {
		lines := make([]string, 1+random.IntN(3*MaxLines))
		for i := range lines {
			lines[i] = []string{"", " ", "code", "# comment"}[random.IntN(4)]
		}
		src := NewSource([]byte(strings.Join(lines, "\n")))
		c := Cutter{Src: src, Comment: make([]bool, src.Lines()), Entries: []doc.Entry{{Name: "T.f"}, {Name: "g#2"}}}
		for n := range src.Lines() {
			c.Comment[n] = strings.HasPrefix(lines[n], "#")
		}
		var spans []Span
		for range random.IntN(4) {
			first := 1 + random.IntN(len(lines))
			spans = append(spans, Span{Entry: random.IntN(2), First: first, Last: first + random.IntN(2*MaxLines)})
		}
		slices.SortStableFunc(spans, func(a, b Span) int { return a.First - b.First })
		owner := make([]int, src.Lines()+1) // the slow obvious version
		for n := range owner {
			owner[n] = -1
			for _, s := range slices.Backward(spans) {
				if s.First <= n && n <= s.Last {
					owner[n] = s.Entry
				}
			}
		}
		seen := make([]int, src.Lines()+1)
		for _, made := range c.Cut(spans) {
			if made.Last-made.First >= MaxLines {
				t.Fatalf("round %d: a chunk of lines %d to %d", round, made.First, made.Last)
			}
			var doc, body strings.Builder
			for n := made.First; n <= made.Last && n <= src.Lines(); n++ {
				if seen[n]++; made.Entry != owner[n] {
					t.Fatalf("round %d, spans %v: line %d belongs to %d, want %d",
						round, spans, n, made.Entry, owner[n])
				}
				to := &body
				if c.Comment[n-1] {
					to = &doc
				}
				to.WriteString(lines[n-1] + "\n")
			}
			if len(seen) > 1 && made.Doc+made.Body != "" && (made.Doc != doc.String() || made.Body != body.String()) {
				t.Fatalf("round %d: lines %d to %d have the texts %q and %q",
					round, made.First, made.Last, made.Doc, made.Body)
			}
			if want := []string{"", "f T", "g"}[made.Entry+1]; made.Names != want {
				t.Fatalf("round %d: names %q, want %q", round, made.Names, want)
			}
		}
		for n := 1; n <= src.Lines(); n++ {
			if seen[n] > 1 || seen[n] == 0 && !src.Blank(n) {
				t.Fatalf("round %d, spans %v: line %d lies in %d chunks", round, spans, n, seen[n])
			}
		}
	}
}
