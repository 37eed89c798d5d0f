// Package editor opens a text in the editor that the user has chosen. Beside git
// and a judge of answers (bench/eval/ab), it is the only program that a command starts: the user
// named it, in the environment, and no repository can.
package editor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ErrNone says that no editor is named.
var ErrNone = errors.New("no editor is named in VISUAL or EDITOR")

// Open runs the editor in $VISUAL, else in $EDITOR, on a file, and waits for its end. The variable
// may hold arguments, parted by spaces.
func Open(ctx context.Context, file string) error {
	named := os.Getenv("VISUAL")
	if named == "" {
		named = os.Getenv("EDITOR")
	}
	words := strings.Fields(named)
	if len(words) == 0 {
		return ErrNone
	}
	run := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stderr, os.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("editor %q: %w", named, err)
	}
	return nil
}
