package cli

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/mother"
)

// An app is one run of the command: its streams and the flags shared by all subcommands.
type App struct {
	In        io.Reader
	Out, Errs io.Writer
	Store     string   // --store
	Repos     []string // --repo

	fronts *mother.Client // nil until Mother is called
	grace  atomic.Int64
}

// defaultGrace is the time in which an interrupted command should end by itself. A scrape needs
// some milliseconds to roll back and release its lock.
const defaultGrace = time.Second

// Grace returns the time in which the command should end by itself once it is interrupted.
func (a *App) Grace() time.Duration {
	return cmp.Or(time.Duration(a.grace.Load()), defaultGrace)
}

// SetGrace changes Grace, for a command that finishes its work when it is interrupted. It may be
// called while Grace is.
func (a *App) SetGrace(d time.Duration) { a.grace.Store(int64(d)) }

func UnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	err := errors.New("unknown command " + Quoted(args[0]))
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		slices.Sort(near)
		return Hint(err, "did you mean: patina "+strings.Join(near, ", patina "))
	}
	return Hint(err, Asking("to ask a question: ", strings.Join(args, " ")), `run "patina --help" for the commands`)
}

// Here finds the project around the working folder.
func (a *App) Here() (project.Place, error) { return Placed(project.Here(a.Store)) }

// Indexed finds the project for a question.
func (a *App) Indexed() (project.Place, error) { return Placed(project.Indexed(a.Store)) }

func Placed(p project.Place, err error) (project.Place, error) {
	if errors.Is(err, project.ErrHome) {
		err = Hint(err, "name another folder with --store DIR")
	}
	return p, err
}

// Settings merges a project's settings with the command's flags of the same names.
func (a *App) Settings(c *cobra.Command, p project.Place) (registry.Settings, []registry.Setting, error) {
	return p.Settings(Given(c))
}

// Given returns the settings that the command line sets by flags, by name.
func Given(c *cobra.Command) map[string]string {
	flags := map[string]string{}
	for _, name := range []string{"timeout", "limit", "budget", "all-repos"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			flags[name] = f.Value.String()
		}
	}
	return flags
}

// Quoted returns a Go string literal in which a reader sees every character.
func Quoted(s string) string { return layout.OneLine(strconv.Quote(s)) }

// Terminal reports whether a stream is a terminal. Colour, progress and prompts should go nowhere
// else.
func Terminal(stream any) bool {
	if c, ok := stream.(*Counter); ok {
		stream = c.Writer
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && info.Name() != "null"
}

// Coloured reports whether a stream should have colour (no-color.org).
func Coloured(stream any) bool {
	return Terminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
