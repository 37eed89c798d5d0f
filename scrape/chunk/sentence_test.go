package chunk

import (
	"strings"
	"testing"
)

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"One.":                           "One.",
		"A  thing\nover lines. Next one": "A thing over lines.",
		"Like e.g. This one. Next":       "Like e.g. This one.",
		"version 1.2 is out. Yes":        "version 1.2 is out.",
		"文です。 次":                         "文です。",
		strings.Repeat("é", 200):         strings.Repeat("é", 78) + "…",
	} {
		if got := FirstSentence(text, 160); got != want {
			t.Errorf("firstSentence(%q) = %q, want %q", text, got, want)
		}
	}
}
