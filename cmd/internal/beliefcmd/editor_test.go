package beliefcmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// VISUAL must come before EDITOR, arguments before the file, and a program in the working folder
// must not be found by its name alone.
func TestEditorIsTheUsers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"mine":    "#!/bin/sh\necho \"$@\" > said\n",
		"planted": "#!/bin/sh\ntouch ran\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("EDITOR", "false")
	t.Setenv("VISUAL", filepath.Join(dir, "mine")+" --wait")
	if err := openEditor(t.Context(), "file.md"); err != nil {
		t.Fatal(err)
	}
	if said, err := os.ReadFile("said"); err != nil || string(said) != "--wait file.md\n" {
		t.Errorf("%q, %v", said, err)
	}
	t.Setenv("VISUAL", "")
	if err := openEditor(t.Context(), "file.md"); err == nil || errors.Is(err, errNoEditor) {
		t.Errorf("false: %v", err)
	}
	t.Setenv("PATH", "."+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("EDITOR", "planted")
	if err := openEditor(t.Context(), "file.md"); err == nil {
		t.Error("a program of the working folder ran")
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("it left its trace")
	}
	t.Setenv("EDITOR", " ")
	if err := openEditor(t.Context(), "file.md"); !errors.Is(err, errNoEditor) {
		t.Errorf("no editor: %v", err)
	}
}
