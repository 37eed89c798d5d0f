package impact_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"patina/code/impact"
)

func contextUntil(t *testing.T, end time.Time) context.Context {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), end)
	t.Cleanup(cancel)
	return ctx
}

func TestChangedLines(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          []impact.Lines
	}{
		{"a\nb\n", "a\nb\n", []impact.Lines{}},
		{"", "", []impact.Lines{}},
		{"a\nb\nc\n", "a\nB\nc\n", []impact.Lines{{2, 2}}},
		{"a\nc\n", "a\nb\nc\n", []impact.Lines{{2, 2}}},
		{"a\nb\nc\n", "a\nc\n", []impact.Lines{{2, 1}}},
		{"a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\nf\n", []impact.Lines{{1, 1}, {5, 6}}},
		{"a\nb\nc\nd\n", "b\nc\nx\nd\n", []impact.Lines{{1, 0}, {3, 3}}},
		{"", "a\nb\n", []impact.Lines{{1, 2}}},
		{"a\nb", "", []impact.Lines{{1, 0}}},
		{"a\r\nb\r\n", "a\nb\n", []impact.Lines{{1, 2}}},
	} {
		if got := impact.ChangedLines(test.before, test.after); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q to %q: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}

// The lines that did not change must be a common subsequence of both texts.
func TestUnchangedLinesAreCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var texts [2][]string
		for i := range texts {
			for range r.IntN(12) {
				texts[i] = append(texts[i], string(rune('a'+r.IntN(4))))
			}
		}
		changed := impact.ChangedLines(strings.Join(texts[0], "\n"), strings.Join(texts[1], "\n"))
		at, rest := 0, texts[0]
		last := 0
		for _, l := range changed {
			if l.First <= last && l.Last >= l.First || l.Last > len(texts[1]) || l.Last < l.First-1 {
				t.Fatalf("%q: %v", texts, changed)
			}
			last = max(last, l.Last)
		}
		for n, line := range texts[1] {
			isChanged := false
			for _, l := range changed {
				isChanged = isChanged || l.First <= n+1 && n+1 <= l.Last
			}
			if isChanged {
				continue
			}
			for at < len(rest) && rest[at] != line {
				at++
			}
			if at == len(rest) {
				t.Fatalf("%q: %v: line %d is not in the old text", texts, changed, n+1)
			}
			at++
		}
	}
}

// Texts that are too large for the table must not take long.
func TestLargeTexts(t *testing.T) {
	before, after := strings.Repeat("a\n", 50_000), strings.Repeat("b\n", 50_000)
	if got := impact.ChangedLines("x\n"+before+"y", "x\n"+after+"y"); !reflect.DeepEqual(got, []impact.Lines{{2, 50_001}}) {
		t.Errorf("%v", got)
	}
}
