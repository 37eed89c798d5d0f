// Package scrapetest makes folders and git repositories for tests.
package scrapetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/openat"
)

// Tree writes files below root. The keys are their paths, with slashes.
func Tree(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Git runs git in root, without the settings of the user and the machine. It ends the test if git
// fails.
func Git(t testing.TB, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c",
		"init.defaultBranch=main", "-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// Open opens a folder and closes it when the test ends.
func Open(t testing.TB, root string) *openat.Folder {
	t.Helper()
	at, err := openat.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	return at
}

// Must ends the test if err is not nil.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// WithSubmodules makes a repository with the submodule "libs/mod", which has the submodule "deep".
// It returns its folder.
func WithSubmodules(t *testing.T) string {
	t.Helper()
	deep, mod, root := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{deep, mod, root} {
		Git(t, dir, "init", "-q")
	}
	Tree(t, deep, map[string]string{"d.go": "package d\n"})
	Git(t, deep, "add", ".")
	Git(t, deep, "commit", "-qm", "deep")
	Tree(t, mod, map[string]string{
		".gitignore": "*.log\n", ".gitattributes": "*.gen linguist-generated\n", "m.go": "package m\n", "m.gen": "m",
	})
	Git(t, mod, "submodule", "--quiet", "add", deep, "deep")
	Git(t, mod, "add", ".")
	Git(t, mod, "commit", "-qm", "mod")
	Tree(t, root, map[string]string{
		".gitignore": "*.tmp\n", "a.go": "package a\n", "z.gen": "z", "package.json": `{"name": "root"}`,
	})
	Git(t, root, "submodule", "--quiet", "add", mod, "libs/mod")
	Git(t, root, "submodule", "--quiet", "update", "--init", "--recursive")
	Git(t, root, "add", ".")
	Git(t, root, "commit", "-qm", "root")
	return root
}
