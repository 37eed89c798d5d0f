package scrape

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes files under root; content is the name unless it is given.
func tree(t *testing.T, root string, files map[string]string) {
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

func gitDo(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main",
		"-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// opened is a folder until the test ends.
func opened(t testing.TB, root string) *folder {
	t.Helper()
	at, err := openFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	return at
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// withSubmodules makes a repository with the submodule "libs/mod", which has the submodule "deep".
func withSubmodules(t *testing.T) string {
	t.Helper()
	deep, mod, root := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{deep, mod, root} {
		gitDo(t, dir, "init", "-q")
	}
	tree(t, deep, map[string]string{"d.go": "package d\n"})
	gitDo(t, deep, "add", ".")
	gitDo(t, deep, "commit", "-qm", "deep")
	tree(t, mod, map[string]string{".gitignore": "*.log\n", ".gitattributes": "*.gen linguist-generated\n", "m.go": "package m\n", "m.gen": "m"})
	gitDo(t, mod, "submodule", "--quiet", "add", deep, "deep")
	gitDo(t, mod, "add", ".")
	gitDo(t, mod, "commit", "-qm", "mod")
	tree(t, root, map[string]string{".gitignore": "*.tmp\n", "a.go": "package a\n", "z.gen": "z", "package.json": `{"name": "root"}`})
	gitDo(t, root, "submodule", "--quiet", "add", mod, "libs/mod")
	gitDo(t, root, "submodule", "--quiet", "update", "--init", "--recursive")
	gitDo(t, root, "add", ".")
	gitDo(t, root, "commit", "-qm", "root")
	return root
}
