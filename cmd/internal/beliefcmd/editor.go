package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// errNoEditor means that no editor is named.
var errNoEditor = errors.New("no editor is named in VISUAL or EDITOR")

// openEditor runs the editor in $VISUAL, else in $EDITOR, on a file, and waits for its end. The
// variable may contain arguments, separated by spaces. It returns errNoEditor if both are empty.
// Beside git and a judge of answers (bench/eval/ab), the editor is the only program that a command
// starts, because the user named it in the environment and no repository can.
func openEditor(ctx context.Context, file string) error {
	named := os.Getenv("VISUAL")
	if named == "" {
		named = os.Getenv("EDITOR")
	}
	words := strings.Fields(named)
	if len(words) == 0 {
		return errNoEditor
	}
	run := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stderr, os.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("editor %q: %w", named, err)
	}
	return nil
}
