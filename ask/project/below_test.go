package project

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layBelow makes a folder with repositories of all sorts.
func layBelow(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", root)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CEILING_DIRECTORIES", root)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{
			"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always",
		}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	for _, name := range []string{"a", "team/b", "team/deep/c", "a/vendor/nested", ".hidden/d", "node_modules/e", "home/repos/f"} {
		git("init", "-q", name)
		git("-C", name, "commit", "-q", "--allow-empty", "-m", "first")
	}
	git("init", "-q", "--bare", "bare.git")
	git("-C", "a", "worktree", "add", "-q", filepath.Join(root, "tree"))
	git("-C", "a", "submodule", "--quiet", "add", filepath.Join(root, "team", "b"), "part")
	for _, dir := range []string{"empty", "broken", "team/loop"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range [][2]string{{root, "team/loop/up"}, {"a", "again"}} {
		if err := os.Symlink(link[0], filepath.Join(root, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "broken", ".git"), []byte("gitdir: nowhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// Each repository is found once, at the depth that is asked for.
func TestFindBelow(t *testing.T) {
	root := layBelow(t)
	for depth, want := range map[int][]string{
		1: {"a", "bare.git"},
		2: {"a", "bare.git", "team/b"},
		3: {"a", "bare.git", "team/b", "team/deep/c"},
	} {
		found, left, err := FindBelow(t.Context(), root, filepath.Join(root, "home"), depth)
		if err != nil {
			t.Fatal(err)
		}
		var got, out []string
		for _, x := range found {
			rel, _ := filepath.Rel(root, x)
			got = append(got, rel)
		}
		if !slices.Equal(got, want) {
			t.Errorf("depth %d: %q, want %q", depth, got, want)
		}
		for _, x := range left {
			rel, _ := filepath.Rel(root, x.Path)
			out = append(out, rel)
			if x.Failed != (rel == "broken") || x.Why == "" {
				t.Errorf("%+v", x)
			}
		}
		if !slices.Equal(out, []string{"broken", "tree"}) {
			t.Errorf("depth %d: left out %q", depth, out)
		}
	}
}

// A folder that is a repository itself is looked into, and its submodules are left to it.
func TestFindBelowInRepository(t *testing.T) {
	root := layBelow(t)
	found, left, err := FindBelow(t.Context(), filepath.Join(root, "a"), root, 2)
	if err != nil || len(found) != 2 || found[0] != filepath.Join(root, "a") ||
		found[1] != filepath.Join(root, "a", "vendor", "nested") {
		t.Errorf("%q, %v", found, err)
	}
	if len(left) != 1 || !strings.Contains(left[0].Why, "submodule") || left[0].Failed {
		t.Errorf("left out %+v", left)
	}
}

func TestFindBelowStops(t *testing.T) {
	root := layBelow(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := FindBelow(ctx, root, "", 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, _, err := FindBelow(t.Context(), filepath.Join(root, "nothing"), "", 2); err == nil {
		t.Error("a missing folder is no error")
	}
}
