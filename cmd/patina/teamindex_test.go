package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Who takes over an index gets the answers of whoever made it, to the last digit.
func TestImportedIndexAnswersTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred answers")
	}
	g := layGoldens(t)
	g.run("scrape")
	theirs := g.answersInFull()
	file := filepath.Join(t.TempDir(), "index.tar")
	text := g.run("index", "export", file)
	_, sum, found := strings.Cut(text, "sha256 ")
	if !found {
		t.Fatalf("no SHA-256: %s", text)
	}
	sum = strings.Fields(sum)[0]

	clone := filepath.Join(t.TempDir(), filepath.Base(g.root))
	if out, err := exec.Command("git", "clone", "-q", g.root, clone).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// A clone has its branches elsewhere, and no index.
	t.Setenv("PATINA_HOME", t.TempDir())
	t.Chdir(clone)
	g.root = clone
	if text := g.run("index", "import", file, "--digest", sum); !strings.Contains(text, ": 0 added, 0 changed, 0 removed, ") ||
		!strings.Contains(text, "; 0 commits read;") {
		t.Errorf("something was read again: %s", text)
	}
	ours := g.answersInFull()
	for i, answer := range theirs {
		if ours[i] != answer {
			t.Errorf("%s: %s", g.questions[i].ID, difference(answer, ours[i]))
		}
	}
	if len(theirs) < 50 {
		t.Errorf("%d questions", len(theirs))
	}
	if _, err := os.Stat(filepath.Join(clone, ".patina", "current")); err != nil {
		t.Error(err)
	}
}

// answersInFull returns the answers to all golden questions with every field.
func (g *goldens) answersInFull() (all []string) {
	for _, q := range g.questions {
		args := slices.Concat([]string{"scry"}, slices.DeleteFunc(slices.Clone(q.Args), func(a string) bool {
			return strings.HasPrefix(a, "--json")
		}), []string{"--json=full", "--", q.Query})
		all = append(all, g.run(args...))
	}
	return all
}
