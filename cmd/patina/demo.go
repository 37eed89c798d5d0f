package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/scrape"
)

// removal is the time that an interrupted demonstration has to remove its copy.
const removal = 30 * time.Second

func (a *app) demo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo [PATH]",
		Short: "Show what patina does, in a throw-away copy",
		Long: `Show what patina does: clone this repository, or the one at PATH, into a
temporary folder, scrape the copy, ask it one question about itself and print
the answer. The copy holds what is committed. Its index and home are in the same
folder, which is removed at the end, also after an interrupt. Your repository
and your home stay as they are, and nothing in the copy is run.`,
		Example: `  patina demo
  patina demo ../library`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if a.Store != "" {
				return cli.Hint(errors.New("demo takes no --store"), "its index is in the copy: patina demo")
			}
			from := "."
			if len(args) > 0 {
				from = args[0]
			}
			return a.demonstrate(c.Context(), from)
		},
	}
}

// demonstrate shows the first answer in a copy of the repository around a folder. The process must
// do nothing else, because its working folder and its PATINA_HOME are in the copy.
func (a *app) demonstrate(ctx context.Context, from string) (err error) {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	here, err := cli.Placed(project.At(from, ""))
	if err != nil {
		return err
	}
	if r, err := here.Repository(); err != nil || r == nil {
		return cli.Hint(errors.Join(fmt.Errorf("demo: %s is in no git repository", cli.Quoted(here.Root)), err),
			"go to one, or name it: patina demo PATH", "without git: patina scrape")
	} else if r.Head == "" {
		return cli.Hint(fmt.Errorf("demo: nothing is committed in %s", cli.Quoted(here.Root)), "read it as it is: patina scrape")
	}
	a.SetGrace(removal)
	ctx, stop := surviving(ctx)
	defer stop()
	temp, err := os.MkdirTemp("", "patina-demo-")
	if err != nil {
		return err
	}
	before, err := os.Getwd()
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, os.Chdir(before), os.RemoveAll(temp))
		if err == nil {
			fmt.Fprintf(a.Out, "\nThe copy is removed. For your own: patina scrape\n")
		}
	}()
	copied := filepath.Join(temp, filepath.Base(here.Root))
	if err := scrape.Clone(ctx, "file://"+here.Root, copied); err != nil {
		return fmt.Errorf("copy the repository: %w", err)
	}
	if err := errors.Join(os.Setenv("PATINA_HOME", filepath.Join(temp, "home")), os.Chdir(copied)); err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "a copy of %s in %s\n", cli.Quoted(here.Root), cli.Quoted(temp))
	p, err := a.Here()
	if err != nil {
		return err
	}
	return a.firstAnswer(ctx, p)
}

// surviving returns a context that ends if the terminal goes away. Until stop is called, a reader
// that has gone does not end the process, because the copy must be removed first.
func surviving(ctx context.Context) (_ context.Context, stop func()) {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGHUP)
	return ctx, func() {
		signal.Stop(gone)
		cancel()
	}
}
