package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func changesText(all []FileChange) string {
	var out []string
	for _, c := range all {
		out = append(out, string(c.Status)+" "+c.Path)
	}
	return strings.Join(out, ", ")
}

func TestUncommittedAndBetween(t *testing.T) {
	dir := newRepo(t)
	hostile := "a\nb \"c\"\t*.go"
	for name, text := range map[string]string{"a.go": "one\n", "b.go": "two\n", "gone.go": "three\n", hostile: "four\n", ".gitignore": "*.out\n"} {
		write(t, filepath.Join(dir, name), text)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "one")
	tree, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	one, err := tree.Commit(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := tree.Uncommitted(t.Context(), one); err != nil || len(all) > 0 {
		t.Errorf("a clean tree: %q, %v", changesText(all), err)
	}
	write(t, filepath.Join(dir, hostile), "changed\n")
	write(t, filepath.Join(dir, "b.go"), "staged\n")
	git(t, dir, "add", "b.go")
	write(t, filepath.Join(dir, "new.go"), "new\n")
	write(t, filepath.Join(dir, "new.out"), "ignored\n")
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("M %s, M b.go, D gone.go, A new.go", hostile)
	if all, err := tree.Uncommitted(t.Context(), one); err != nil || changesText(all) != want {
		t.Errorf("%q, want %q, %v", changesText(all), want, err)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "two")
	two, err := tree.Commit(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := tree.Between(t.Context(), one, two); err != nil || changesText(all) != want {
		t.Errorf("%q, want %q, %v", changesText(all), want, err)
	}
	for _, no := range []string{"none", "-n", "--output=x", "HEAD^{tree}", "a\x00b", ""} {
		if id, err := tree.Commit(t.Context(), no); !errors.Is(err, ErrRevision) {
			t.Errorf("%q: %q, %v", no, id, err)
		}
	}
	if base, err := tree.MergeBase(t.Context(), one, two); err != nil || base != one {
		t.Errorf("merge base %q, %v", base, err)
	}
	if name, err := tree.DefaultBranch(t.Context()); err != nil || name != "refs/heads/main" {
		t.Errorf("default branch %q, %v", name, err)
	}
}

// No filter that the repository names may see a file of the working tree.
func TestUncommittedRunsNoFilter(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, trace := newRepo(t), filepath.Join(t.TempDir(), "trace")
	write(t, filepath.Join(dir, "a.evil"), "one\n")
	write(t, filepath.Join(dir, ".gitattributes"), "*.evil filter=evil diff=evil\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "one")
	for _, key := range []string{"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "core.fsmonitor"} {
		git(t, dir, "config", key, "touch "+trace+"; cat")
	}
	git(t, dir, "config", "filter.evil.required", "true")
	write(t, filepath.Join(dir, "included"), "[filter \"evil\"]\n\tclean = touch "+trace+"\n")
	git(t, dir, "config", "include.path", filepath.Join(dir, "included"))
	write(t, filepath.Join(dir, "a.evil"), "two\n")
	tree, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	one, err := tree.Commit(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	all, err := tree.Uncommitted(t.Context(), one)
	if err != nil || !slices.Contains(all, FileChange{"a.evil", Modified}) {
		t.Errorf("%q, %v", changesText(all), err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a filter ran")
	}
	_ = runStatus(dir)
	if _, err := os.Stat(trace); err != nil {
		t.Error("the filter does not run under a plain git: the test proves nothing")
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "patina-git-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// runStatus compares the working tree with a plain git, which may fail because of the filter.
func runStatus(dir string) error {
	cmd := exec.Command("git", "-c", "core.fsmonitor=", "status")
	cmd.Dir = dir
	return cmd.Run()
}
