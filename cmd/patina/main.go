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
	"time"

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

// grace is how long a command that was told to stop may take to end by itself: a scrape rolls back and lets go of its lock in some
// milliseconds. Whatever hangs for longer, a disk or the other end of a pipe, ends with the process: a scrape that is killed at any
// instruction leaves the last generation as it was.
const grace = time.Second

// run is the command: it interprets arguments and returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer onSignal(cancel, func() {
		fmt.Fprintln(errs, "patina: interrupted")
		os.Exit(exitInterrupted)
	})()
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

// onSignal calls cancel at the first signal that ends a command, and end when grace has passed since. A second signal ends the
// process where it stands. The function that it returns ends the waiting.
func onSignal(cancel, end func()) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case <-done:
			return
		case <-signals:
		}
		signal.Stop(signals)
		cancel()
		select {
		case <-done:
		case <-time.After(grace):
			end()
		}
	}()
	return func() { close(done) }
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
