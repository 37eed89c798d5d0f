// Package layouttest has helpers for tests of texts: golden files, and hostile texts.
package layouttest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"patina/internal/printable"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares a text with a file in testdata. The flag -update rewrites the file.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", name, got)
	}
}

// Nasty returns a text that a repository may contain: long, in any script, with control sequences
// and invalid bytes.
func Nasty(r *rand.Rand) string {
	pieces := []string{
		"a", "Query", "/", " ", "\x1b[2J\x1b]0;owned\x07", "\u202e", "検索エンジン", "é", "\xff\xfe", "\n",
		"\r", "\u009b31m", "'", "\"", "$(x)", "-", "·", "👩‍💻", "\u200b", "\u200d", "\ufe0f", "\U000e0100", "\u115f",
		"\u3164", "\u2800", "क्\u200dष",
	}
	n := r.Intn(12)
	if r.Intn(12) == 0 {
		n = 4000 / (1 + r.Intn(8))
	}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.Intn(len(pieces))])
	}
	return b.String()
}

// Harmless returns an error if a text could act on a terminal or hides a character.
func Harmless(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("broken bytes")
	}
	if !printable.All(strings.NewReplacer("\n", " ", "\t", " ").Replace(s)) {
		return fmt.Errorf("hidden characters in %+q", s)
	}
	return nil
}
