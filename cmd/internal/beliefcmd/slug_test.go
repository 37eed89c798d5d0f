package beliefcmd

import (
	"testing"
)

// An id must not end in a word that leads on to the next.
func TestSlugEndsInAWord(t *testing.T) {
	for sentence, want := range map[string]string{
		"We flush the log early because of readers": "we-flush-the-log-early",
		"Locks expire":           "locks-expire",
		"The cache is in memory": "the-cache-is-in-memory",
		"Because":                "because",
	} {
		if got := slug(sentence); got != want {
			t.Errorf("%q is %q, want %q", sentence, got, want)
		}
	}
}
