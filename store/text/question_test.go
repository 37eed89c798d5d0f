package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseQuestion(t *testing.T) {
	for _, c := range []struct{ text, terms, parts, words string }{
		{
			"How does the QueryEngine run queries?", "queryengin queri engin run", "queri engin run",
			"how does the queryengine run queries",
		},
		{"what is this", "what is thi", "", "what is this"},
		{"isReady", "isreadi is readi", "readi", "isready"},
		{"std::env::var", "std env var", "std env var", "std env var"},
		{"wal wal WAL", "wal", "wal", "wal wal wal"},
		{"\x00'\"", "", "", ""},
	} {
		q := ParseQuestion(c.text)
		if q.Raw != c.text {
			t.Errorf("raw of %q: %q", c.text, q.Raw)
		}
		for what, pair := range map[string][2]string{
			"terms": {strings.Join(q.Terms, " "), c.terms},
			"parts": {strings.Join(q.Parts, " "), c.parts},
			"words": {strings.Join(q.Words, " "), c.words},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s of %q: %q, want %q", what, c.text, pair[0], pair[1])
			}
		}
	}
}

// A question of a megabyte of different words is read whole. If time grew with their square, this
// test would not end.
func TestParseLongQuestion(t *testing.T) {
	var b strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&b, "w%x ", i)
	}
	q := ParseQuestion(b.String())
	if len(q.Words) != 150_000 || len(q.Terms) < 150_000 {
		t.Fatalf("%d words, %d terms", len(q.Words), len(q.Terms))
	}
}

func TestWithout(t *testing.T) {
	q := ParseQuestion("what changed recently in zsh completions")
	q.Without([]string{"changed", "recently"})
	if !slices.Equal(q.Terms, []string{"zsh", Stem("completions")}) || !slices.Equal(q.Parts, q.Terms) ||
		len(q.Words) != 6 {
		t.Errorf("terms %q, parts %q, words %q", q.Terms, q.Parts, q.Words)
	}
	q = ParseQuestion("recent changes")
	if q.Without([]string{"recent", "changes"}); len(q.Terms) != 2 {
		t.Errorf("nothing is looked for: %q", q.Terms)
	}
}

func FuzzParseQuestion(f *testing.F) {
	f.Add("How does QueryEngine::query work?", "src/query_engine.rs")
	f.Add("\xff\x00", "/")
	f.Add("! "+strings.Repeat("0 ", 20), "0")
	f.Fuzz(func(t *testing.T, s, path string) {
		q := ParseQuestion(s)
		for _, list := range [][]string{q.Terms, q.Parts} {
			if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) != len(list) {
				t.Fatalf("%q are not distinct", list)
			}
		}
		// A long text may have no title.
		if none := len(q.Terms) == 0; none && q.Long || !q.Long && none != (len(q.Words) == 0) {
			t.Fatalf("%d terms of %d words, long: %v", len(q.Terms), len(q.Words), q.Long)
		}
		n := FileNameOf(path)
		n.Named(&q)
		if c := n.Coverage(q.Parts, slices.Repeat([]float64{1}, len(q.Parts))); !(c >= 0 && c <= 1) {
			t.Fatalf("coverage %v of %q by %q", c, path, s)
		}
	})
}
