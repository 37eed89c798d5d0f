// Command patina answers questions about a repository: its code, its history, its documents.
//
// It is a thin front end: commands, flags, and errors with hints. It promises stable exit codes and
// keeps errors off standard output. Package actors finds the answers, and package deliver writes
// them.
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

// version is set in a release build: go build -ldflags "-X main.version=…".
var version = "unknown"

// The exit codes are stable for scripts.
const (
	exitFound       = 0
	exitNothing     = 1 // nothing relevant
	exitError       = 2
	exitPartial     = 3   // a channel did not answer: with --strict, or where nothing was found
	exitInterrupted = 130 // 128 + SIGINT, as in shells
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// grace is how long an interrupted command may take to end by itself. A scrape needs some
// milliseconds to roll back and release its lock. A command that hangs longer, on a disk or a pipe,
// ends with the process. A scrape killed at any instruction leaves the last generation intact.
const grace = time.Second

// run interprets arguments and returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer onSignal(cancel, func() {
		fmt.Fprintln(errs, "patina: interrupted")
		os.Exit(exitInterrupted)
	})()
	a := &app{in: in, out: out, errs: errs}
	root := a.root()
	root.SetArgs(spared(root, args))
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

// onSignal calls cancel at the first interrupt, and end after a further grace. A second signal
// kills the process. stop ends the waiting.
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

// An exit ends the command with a code and no further message.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// A taught error has hints about commands to type.
type taught struct {
	error
	hints []string
}

func (t taught) Unwrap() error { return t.error }

// hint adds hints to an error; empty ones are dropped.
func hint(err error, hints ...string) error {
	return taught{err, slices.DeleteFunc(hints, func(h string) bool { return h == "" })}
}

// typed returns a hint that ends in a patina call. It is empty where the call cannot be quoted for
// a shell.
func typed(text string, words ...string) string {
	call := deliver.Command(words...)
	if call == "" {
		return ""
	}
	return text + call
}

// asking returns a hint that ends in the call for a question.
func asking(text, question string) string {
	if strings.HasPrefix(question, "-") {
		return typed(text, "scry", "--", question)
	}
	return typed(text, "scry", question)
}

// maxComplaint bounds a printed error, in bytes.
const maxComplaint = 4 << 10

// complain prints an error on one line, then its hints.
func (a *app) complain(err error) {
	text := err.Error()
	text = text[:min(len(text), maxComplaint)] // a repository may have chosen parts
	fmt.Fprintf(a.errs, "patina: %s\n", deliver.OneLine(text))
	var t taught
	if errors.As(err, &t) {
		for _, h := range t.hints {
			fmt.Fprintf(a.errs, "patina: hint: %s\n", deliver.OneLine(h))
		}
	}
}

// warn prints a warning beside an answer.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.errs, "patina: %s\n", deliver.OneLine(fmt.Sprintf(format, args...)))
}
