package transcript

import (
	"fmt"
	"strings"
	"testing"
)

var markerTypes = []string{"lesson", "gotcha"}

// A text full of markers costs no more than MaxMarkers of them.
func TestMax(t *testing.T) {
	for _, line := range []string{"[MEMORY] a note\n", "[memory]\n"} {
		found, faults := ParseMarkers(strings.Repeat(line, 2*MaxMarkers), []string{"lesson"})
		if n := len(found) + len(faults); n != MaxMarkers+1 {
			t.Errorf("%q: %d", line, n)
		}
	}
}

func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"[MEMORY] type=gotcha tags=a,b: text":          "gotcha [a b] 0 text",
		"- **[memory]** tags=A, b type=Lesson: it: is": "lesson [a b] 0 it: is",
		"> `[MEMORY]` confidence=0.5 type=gotcha: x":   "gotcha [] 0.5 x",
		"1. [Memory]: plain text":                      " [] 0 plain text",
		"**[MEMORY] type=gotcha:** text":               "gotcha [] 0 text",
		"[MEMORY] the key is type=a":                   " [] 0 the key is type=a",
		"[MEMORY] tags=: text":                         " [] 0 text",
		"* [MEMORY] type=lesson no colon":              "lesson [] 0 no colon",
	} {
		found, faults := ParseMarkers("before\n"+line+"\r\n[MEMORY] type=gotcha: after", markerTypes)
		if len(found) != 2 || len(faults) > 0 || found[0].Line != 2 {
			t.Errorf("%q: %+v, %v", line, found, faults)
			continue
		}
		m := found[0]
		if got := fmt.Sprint(m.Type, " ", m.Tags, " ", m.Confidence, " ", m.Text); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	text := "[MEMORY] type=thought: a\n[MEMORY]\n[MEMORY] confidence=2: b\n[MEMORY] confidence=NaN: b\nsee [MEMORY] x\n[MEMORY] " + strings.Repeat("a", 1<<20)
	found, faults := ParseMarkers(text, markerTypes)
	if len(found) != 1 || len(found[0].Text) != 1<<20 {
		t.Errorf("found %d", len(found))
	}
	if len(faults) != 4 || faults[0].Line != 1 || faults[3].Line != 4 {
		t.Errorf("faults: %v", faults)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("- [MEMORY] type=gotcha tags=a, b,: x\n[memory] confidence=1")
	f.Fuzz(func(t *testing.T, text string) {
		found, faults := ParseMarkers(text, markerTypes)
		if n := strings.Count(text, "\n") + 1; len(found)+len(faults) > n {
			t.Fatalf("%d markers in %d lines", len(found)+len(faults), n)
		}
		for _, m := range found {
			if m.Text == "" || m.Confidence < 0 || m.Confidence > 1 {
				t.Fatalf("%+v", m)
			}
		}
	})
}
