package cli

import (
	"errors"
	"fmt"
	"strings"

	"patina/ask/project"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// Version is set in a release build: go build -ldflags "-X patina/cmd/internal/cli.Version=…".
var Version = "unknown"

// The exit codes are stable for scripts.
const (
	ExitFound       = 0
	ExitNothing     = 1 // nothing relevant
	ExitError       = 2
	ExitPartial     = 3   // the answer lacks a channel, the evidence or descriptions
	ExitInterrupted = 130 // 128 + SIGINT, as in shells
)

// An Exit ends the command with a code and no further message.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Hint adds hints to an error. Empty hints are dropped.
func Hint(err error, hints ...string) error { return project.AddHint(err, hints...) }

// typed returns a hint that ends in a patina call. It is empty if the call cannot be quoted for a
// shell.
func typed(text string, words ...string) string {
	call := dialect.Command(words...)
	if call == "" {
		return ""
	}
	return text + call
}

// Asking returns a hint that ends in the call for a question.
func Asking(text, question string) string {
	if strings.HasPrefix(question, "-") {
		return typed(text, "scry", "--", question)
	}
	return typed(text, "scry", question)
}

// maxComplaint bounds a printed error, in bytes.
const maxComplaint = 4 << 10

// Complain prints an error on one line, then its hints.
func (a *App) Complain(err error) {
	text := err.Error()
	text = text[:min(len(text), maxComplaint)] // parts may come from a repository
	fmt.Fprintf(a.Errs, "patina: %s\n", layout.OneLine(text))
	var t project.HintedError
	if errors.As(err, &t) {
		for _, h := range t.Hints() {
			fmt.Fprintf(a.Errs, "patina: hint: %s\n", layout.OneLine(h))
		}
	}
}

// Warn prints a warning beside an answer.
func (a *App) Warn(format string, args ...any) {
	fmt.Fprintf(a.Errs, "patina: %s\n", layout.OneLine(fmt.Sprintf(format, args...)))
}
