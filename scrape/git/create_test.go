package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A made repository has its commits, its files and a clean tree, whatever the user's settings say,
// and equal commits have equal ids.
func TestCreate(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("[init]\n\tdefaultBranch = trunk\n[commit]\n\tgpgSign = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	commits := []NewCommit{
		{Author: "Ada <ada@example.org>", Time: at, Message: "first\n", Files: map[string][]byte{"a.txt": []byte("1\n"), "docs/b c.md": []byte("b")}},
		{Author: "Ada <ada@example.org>", Time: at.Add(time.Hour), Message: "second\n\nwhy\n", Files: map[string][]byte{"a.txt": []byte("2\n")}},
	}
	var heads []string
	for _, name := range []string{"x", "y"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := Create(t.Context(), dir, commits); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{"a.txt": "2\n", "docs/b c.md": "b"} {
			if got, err := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
				t.Errorf("%s: %q, %v", path, got, err)
			}
		}
		if got := git(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("not clean: %s", got)
		}
		if got := git(t, dir, "log", "--format=%s %an %aI %D"); got != "second Ada 2026-01-05T10:00:00+00:00 HEAD -> main\nfirst Ada 2026-01-05T09:00:00+00:00 " {
			t.Errorf("log %q", got)
		}
		heads = append(heads, git(t, dir, "rev-parse", "HEAD"))
	}
	if heads[0] != heads[1] {
		t.Errorf("heads %q", heads)
	}
	if err := Create(t.Context(), t.TempDir(), commits); !os.IsExist(err) {
		t.Errorf("a folder that exists: %v", err)
	}
}
