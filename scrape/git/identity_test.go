package git

import (
	"os"
	"path/filepath"
	"testing"
)

// A repository's settings must not say who the user is, because a stranger may have written them.
func TestIdentity(t *testing.T) {
	dir, global := repository(t), filepath.Join(t.TempDir(), "config")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_AUTHOR_EMAIL", "")
	if _, err := Output(t.Context(), Call{Folder: dir, Args: []string{
		"config", "user.email", "stranger@example.org",
	}}); err != nil {
		t.Fatal(err)
	}
	if got := Identity(t.Context(), dir); got != "" {
		t.Errorf("the repository's own: %q", got)
	}
	if err := os.WriteFile(global, []byte("[user]\n\temail = ann@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Identity(t.Context(), dir); got != "ann@example.org" {
		t.Errorf("the user's: %q", got)
	}
	t.Setenv("GIT_AUTHOR_EMAIL", "work@example.org")
	if got := Identity(t.Context(), dir); got != "work@example.org" {
		t.Errorf("the environment's: %q", got)
	}
}
