package walk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/scrape/git"
	"patina/scrape/scrapetest"
)

// Patterns that people write must be cheap for the names of a large tree, and hostile ones must
// not.
func TestCostly(t *testing.T) {
	plain := sizes{longest: map[int]int{12: 60_000, 25: 30_000, 60: 9_000, 100: 900}, depth: 12}
	hostile := sizes{longest: map[int]int{250: 200}, depth: 3}
	for pattern, dear := range map[string]bool{
		"*.log": false, "**/node_modules/**": false, "/build/**/*.o": false, "**/test_*_*.py": false,
		"*-*-*.tmp": false, "a/**/b/**/c/*.d": false, "[Bb]in/": false, "!keep.*": false, "": false, "*": false,
		"*.*": false, "# **/a*a*a": false, "*a*a*a*a*b": true, "**/a*a*a*a*b": true, "d/a*a*a*a*a*b*c": true,
		"**a**a**a**a**b": true, `a*\*a*a*a*a*b`: true,
	} {
		if !dear && plain.costly([]byte(pattern)) != nil {
			t.Errorf("%q costs too much: %g steps", pattern, plain.steps(pattern))
		}
		if got := hostile.costly([]byte("x\n" + pattern + "\r\ny")); (got != nil) != dear ||
			dear && !slices.Equal(got, []int{2}) {
			t.Errorf("%q over long names: %v, %g steps", pattern, got, hostile.steps(pattern))
		}
	}
}

// hostileNames writes files whose names keep a matcher busy for minutes.
func hostileNames(t *testing.T, root string) {
	t.Helper()
	for i := range 30 {
		scrapetest.Tree(t, root, map[string]string{fmt.Sprintf("%s%02d", strings.Repeat("a", 240), i): "package a\n"})
	}
}

// The cost of a pattern of ours is limited: a costly one is left out and named, and the other
// patterns of its file apply.
func TestCostlyPatternsAreLeftOut(t *testing.T) {
	for _, repository := range []bool{true, false} {
		root := t.TempDir()
		hostileNames(t, root)
		scrapetest.Tree(t, root, map[string]string{
			ignoreFile: "*.txt\n*a*a*a*a*a*b\n*.md\n", "x.txt": "x", "x.md": "x", "x.go": "package x\n",
			"sub/" + ignoreFile: "**/a*a*a*a*a*b\n!x.md\n", "sub/x.md": "x",
			".gitattributes": "*a*a*a*a*a*b linguist-generated\n*.go linguist-generated\n",
		})
		if repository {
			scrapetest.Git(t, root, "init", "-q")
		}
		l, err := Files(context.Background(), root, t.TempDir(), nil)
		if err != nil || len(l.Files) != 30+5 {
			t.Errorf("%d files, %v", len(l.Files), err)
		}
		slices.Sort(l.Notes)
		for i, want := range []string{
			`line 1 of ".gitattributes" is left out`, `line 1 of "sub/.patinaignore" is left out`,
			`line 2 of ".patinaignore" is left out`,
		} {
			if len(l.Notes) != 3 || !strings.HasPrefix(l.Notes[i], want) {
				t.Errorf("notes %q, want %q", l.Notes, want)
			}
		}
	}
}

// If git itself was kept busy, the error names the pattern.
func TestBusyIsNamed(t *testing.T) {
	root := t.TempDir()
	hostileNames(t, root)
	scrapetest.Tree(t, root, map[string]string{
		".gitignore": "*.log\n", "sub/.gitignore": "# of the sub\n*a*a*a*a*a*b\n",
	})
	scrapetest.Must(t, os.Rename(filepath.Join(root, strings.Repeat("a", 240)+"00"),
		filepath.Join(root, "sub", strings.Repeat("a", 240)+"00")))
	scrapetest.Git(t, root, "init", "-q")
	late := &git.Error{Command: "ls-files", Cause: fmt.Errorf("%w: it said nothing for %v", git.ErrLate, time.Minute)}
	err := refusalOf(root, "ls-files", late)
	if !errors.Is(err, ErrGit) || !errors.Is(err, git.ErrLate) ||
		!strings.Contains(err.Error(), `the pattern "*a*a*a*a*a*b" in line 2 of "sub/.gitignore"`) {
		t.Errorf("%v", err)
	}
	_, err = git.Output(context.Background(), git.Call{
		Folder: root, Settings: true, Silence: 100 * time.Millisecond,
		Args: []string{"ls-files", "--others", "--exclude-standard"},
	})
	if !errors.Is(err, git.ErrLate) {
		t.Errorf("git was not kept busy: %v", err)
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add([]byte("*a*a*a*b\n\r\n**/x\n"), 250)
	f.Fuzz(func(t *testing.T, text []byte, longest int) {
		s := sizes{longest: map[int]int{longest: 1000}, depth: 9}
		kept, notes := s.affordable("x", text)
		if again, _ := s.affordable("x", kept); string(again) != string(kept) {
			t.Errorf("%q is left with %q", text, kept)
		}
		if (len(notes) > 0) == (string(kept) == string(text)) && len(s.costly(text)) > 0 {
			t.Errorf("%q: notes %q, left %q", text, notes, kept)
		}
	})
}
