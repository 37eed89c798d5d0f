package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patina/store/doc"
)

// git runs git in a folder, with its own environment, and returns its output.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"LC_ALL=C", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@d",
		"GIT_ALLOW_PROTOCOL=file",
	}
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// newRepo makes an empty repository on branch main and returns its working tree.
func newRepo(t testing.TB) string {
	t.Helper()
	dir := physicalPath(t.TempDir())
	git(t, dir, "init", "-q", "-b", "main")
	return dir
}

// commit writes files (name, content, …) and commits them. It returns the commit's id.
func commit(t testing.TB, dir, message string, files ...string) string {
	t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		historyWrite(t, filepath.Join(dir, files[i]), files[i+1])
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-m", message)
	return git(t, dir, "rev-parse", "HEAD")
}

func historyWrite(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, dir string) Tree {
	t.Helper()
	tree, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// collect reads HEAD's history, or the part after a commit if since is not "".
func collect(t testing.TB, tree Tree, since string) ([]doc.Revision, error) {
	t.Helper()
	head, _, err := tree.Head()
	if err != nil || head == "" {
		return nil, err
	}
	var known []string
	if since != "" {
		known = []string{since}
	}
	var revs []doc.Revision
	err = tree.Log(context.Background(), head, known, nil, func(r doc.Revision) error {
		revs = append(revs, r)
		return nil
	})
	return revs, err
}

func mustCollect(t testing.TB, tree Tree, since string) []doc.Revision {
	t.Helper()
	revs, err := collect(t, tree, since)
	if err != nil {
		t.Fatal(err)
	}
	return revs
}

func subjects(revs []doc.Revision) []string {
	var all []string
	for _, r := range revs {
		all = append(all, r.Subject)
	}
	return all
}

// unpack writes every object of a repository into its own file.
func unpack(t testing.TB, dir string) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{pack, strings.TrimSuffix(pack, "pack") + "idx"} {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
		gitInput(t, dir, string(data), "unpack-objects", "-q")
	}
}

// historyLose deletes one object and returns its id.
func historyLose(t testing.TB, dir, name string) string {
	t.Helper()
	unpack(t, dir)
	id := git(t, dir, "rev-parse", name)
	if err := os.Remove(filepath.Join(dir, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	return id
}

// check fails the test unless got and want are equal.
func check[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}
