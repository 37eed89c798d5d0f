// Command patina answers questions about a repository: its code, its history, its documents.
//
// It is a thin front end. What it knows comes from package actors, what it says is written by deliver; here are commands,
// flags, and the errors that teach.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"patina/cmd/internal/deliver"
)

// version is set when a release is built: go build -ldflags "-X main.version=…".
var version = "unknown"

// The exit codes that scripts can rely on.
const (
	exitFound       = 0
	exitNothing     = 1 // nothing relevant
	exitError       = 2
	exitPartial     = 3   // with --strict: a channel did not answer
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command: it interprets arguments and returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process where it stands
	a := &app{in: in, out: out, errs: errs}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var code exit
	switch {
	case err == nil:
		return exitFound
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "patina: interrupted")
		return exitInterrupted
	case errors.As(err, &code):
		return int(code)
	}
	a.complain(err)
	return exitError
}

// An exit ends the command with a code, all having been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// A taught error has hints: what to type instead.
type taught struct {
	error
	hints []string
}

func (t taught) Unwrap() error { return t.error }

// hint adds what to type instead. A hint that is empty is none.
func hint(err error, hints ...string) error {
	return taught{err, slices.DeleteFunc(hints, func(h string) bool { return h == "" })}
}

// typed is a hint that ends in a call of patina; empty where that cannot be spelled for a shell.
func typed(text string, words ...string) string {
	call := deliver.Command(words...)
	if call == "" {
		return ""
	}
	return text + call
}

// asking is a hint that ends in the call that asks a question.
func asking(text, question string) string {
	if strings.HasPrefix(question, "-") {
		return typed(text, "scry", "--", question)
	}
	return typed(text, "scry", question)
}

// maxComplaint is how many bytes of an error are printed.
const maxComplaint = 4 << 10

// complain prints an error on one line, then its hints.
func (a *app) complain(err error) {
	text := err.Error()
	text = text[:min(len(text), maxComplaint)] // a repository may have chosen a part of it
	fmt.Fprintf(a.errs, "patina: %s\n", deliver.OneLine(text))
	var t taught
	if errors.As(err, &t) {
		for _, h := range t.hints {
			fmt.Fprintf(a.errs, "patina: hint: %s\n", deliver.OneLine(h))
		}
	}
}

// warn prints what a user should know beside an answer.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.errs, "patina: %s\n", deliver.OneLine(fmt.Sprintf(format, args...)))
}
