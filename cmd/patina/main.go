// Command patina answers questions about a repository: its code, its history, its documents.
//
// It is a thin front end: a command makes a request of its flags, package ask answers it, and
// package print puts the answer before the user. It promises stable exit codes and keeps errors off
// standard output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"patina/cmd/internal/cli"
	"patina/scrape"
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
		os.Exit(cli.ExitInterrupted)
	})()
	a := &app{&cli.App{In: in, Out: out, Errs: errs}}
	root := a.rootFor(args)
	root.SetArgs(spared(root, args))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var code cli.Exit
	switch {
	case err == nil:
		return cli.ExitFound
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "patina: interrupted"+left(err))
		return cli.ExitInterrupted
	case errors.As(err, &code):
		return int(code)
	}
	a.Complain(err)
	return cli.ExitError
}

// left says what an interrupted first scrape leaves.
func left(err error) string {
	if _, words := errors.AsType[scrape.WordsError](err); words {
		return "; words and history answer, the model is not fitted yet: patina scrape"
	}
	return ""
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
