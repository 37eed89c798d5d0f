package eval

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/bench/eval/fixture"
)

func TestWhatCanBeAskedFor(t *testing.T) {
	one := []string{"a.go"}
	for _, test := range []struct {
		subject string
		files   []string
		want    bool
	}{
		{"queue: drop jobs that nobody waits for", one, true},
		{"Fix a race in the queue (#12)", one, true},
		{"fix(deps): bump x from 1 to 2", one, false},
		{"chore(deps): Update Rust Stable to v1.98", one, false},
		{"Update dependency gradle to v8.10.2", one, false},
		{"Bumped v6.0.0-alpha.2", one, false},
		{"chore: Release", one, false},
		{"docs: Update changelog", one, false},
		{"Update history to reflect merge of #9960 [ci skip]", one, false},
		{"Merge commit from fork", one, false},
		{`Revert "queue: drop jobs"`, one, false},
		{"v1.2.3 is out now", one, false},
		{"Update the queue when jobs are dropped", one, true},
		{"Release the lock before waiting", one, false}, // the cost of a simple rule
		{"fix typo", one, false},
		{"fix typo #123", one, false},
		{"add a paragraph about queues", []string{"CHANGELOG.md", "docs/History.markdown"}, false},
		{"add a paragraph about queues", []string{"CHANGELOG.md", "history/queue.go"}, true},
		{"touch the whole tree at once", slices.Repeat(one, mostFiles+1), false},
		{"touch half the tree at once", slices.Repeat(one, mostFiles), true},
		{"an empty commit says nothing", nil, false},
	} {
		c := Commit{Subject: clean(test.subject), Files: test.files}
		if got := c.askable(); got != test.want {
			t.Errorf("%q: %v", c.Subject, got)
		}
	}
}

func TestParseLog(t *testing.T) {
	log := "\x01aa\x02one: two\x02\x00\na.go\x00dir/b c.go\x00\x00\x01bb\x02empty\x02\x00\x01broken"
	got := parseLog(log)
	if len(got) != 2 || got[0].Subject != "one: two" || !slices.Equal(got[0].Files, []string{"a.go", "dir/b c.go"}) ||
		len(got[1].Files) != 0 {
		t.Errorf("%q", got)
	}
}

// repository makes a repository of five commits and returns its git directory.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := fixture.LayQueue(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	gitDir, err := GitDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return gitDir
}

func TestPastEndsBeforeTheOldestQuestion(t *testing.T) {
	gitDir := repository(t)
	p, err := ReadPast(t.Context(), gitDir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Asked) != 2 || p.Asked[0].Subject != "throttle clients even more" ||
		p.Asked[1].Subject != "queue: push appends twice" {
		t.Errorf("asked %+v", p.Asked)
	}
	if len(p.History) != 3 || p.History[0].SHA != p.Cut || p.History[0].Subject != "Bump version to 1.1" {
		t.Errorf("cut %s, history %+v", p.Cut, p.History)
	}
	dir := filepath.Join(t.TempDir(), "tree")
	for range 2 { // the second one finds it done
		if err := Checkout(t.Context(), gitDir, p.Cut, dir); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "CHANGELOG.md")); err != nil || string(b) != "# 1.1\n" {
		t.Errorf("change log %q, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "queue", "new.go")); err == nil {
		t.Error("a later file is there")
	}
	all, err := runGit(t.Context(), filepath.Join(dir, ".git"), "rev-list", "--all", "--count")
	if err != nil || strings.TrimSpace(all) != "3" {
		t.Errorf("%s commits can be reached, %v", all, err)
	}
	if err := Checkout(t.Context(), gitDir, p.Asked[0].SHA, dir); err == nil ||
		!strings.Contains(err.Error(), "not at") {
		t.Errorf("another commit over the tree: %v", err)
	}
}

// A tree without some blobs, like that of a partial clone, is checked out without their files.
func TestCheckoutWithoutMissingBlobs(t *testing.T) {
	gitDir := repository(t)
	p, err := ReadPast(t.Context(), gitDir, 2)
	if err != nil {
		t.Fatal(err)
	}
	blob, err := runGit(t.Context(), gitDir, "rev-parse", p.Cut+":CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	blob = strings.TrimSpace(blob)
	if err := os.Remove(filepath.Join(gitDir, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "tree")
	if err := Checkout(t.Context(), gitDir, p.Cut, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "CHANGELOG.md")); err == nil {
		t.Error("the file without a blob is there")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) < 2 {
		t.Errorf("the other files are not there: %v, %v", files, err)
	}
}

func TestPastOfNothing(t *testing.T) {
	if _, err := ReadPast(t.Context(), repository(t), 0); err == nil {
		t.Error("no error without questions")
	}
	if _, err := GitDir(t.TempDir()); err == nil {
		t.Error("an empty folder is no repository")
	}
	ended, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := ReadPast(ended, repository(t), 2); err == nil {
		t.Error("no error after the end")
	}
}
