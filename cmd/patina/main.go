// Command patina answers questions about a repository: its code, its history, its documents.
//
// It is a thin front end: a command turns its flags into a request, package ask answers it, and
// package print prints the answer. Its exit codes are stable, and errors never reach standard
// output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"patina/cmd/internal/cli"
	"patina/scrape"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs the command with arguments and returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &app{&cli.App{In: in, Out: out, Errs: errs}}
	defer onSignal(cancel, a.Grace, func() {
		fmt.Fprintln(errs, "patina: interrupted")
		os.Exit(cli.ExitInterrupted)
	})()
	if slices.Equal(args, []string{"--version"}) {
		args = []string{"version"}
	}
	root := a.rootFor(args)
	root.SetArgs(spared(root, args))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	a.LeaveMother()
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

// left returns what remains of an interrupted first scrape, as the end of a line.
func left(err error) string {
	if _, words := errors.AsType[scrape.WordsError](err); words {
		return "; words and history answer, the model is not fitted yet: patina scrape"
	}
	return ""
}

// onSignal calls cancel at the first interrupt, and end after the grace, because a command may hang
// on a disk or a pipe. A scrape killed at any instruction leaves the last generation intact. A
// second signal kills the process. The caller must call stop.
func onSignal(cancel func(), grace func() time.Duration, end func()) (stop func()) {
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
		case <-time.After(grace()):
			end()
		}
	}()
	return func() { close(done) }
}
