package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patina/settings"
	"patina/workspace"
)

// An app is one run of the command: its streams and the flags shared by all subcommands.
type app struct {
	in        io.Reader
	out, errs io.Writer
	store     string   // --store
	repos     []string // --repo
}

func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "patina",
		Short: "Ask a repository about its code, history and documents",
		Long: `patina scrapes a repository into an index beside the code and answers questions about it in milliseconds: which
code, which commit, which page of the documents. It works offline and sends nothing anywhere.

  patina scrape                      read the repository around this folder
  patina scry "how are rows locked"  ask

Exit codes: 0 found, 1 nothing relevant, 2 error, 3 partial (with --strict, or nothing found), 130 interrupted.
Environment: PATINA_HOME (default ~/.patina), PATINA_TIMEOUT and so on for each setting of "patina config",
PATINA_TRUST_STORE=1 (believe an index that no scrape of yours has made: patina trust --help), NO_COLOR.`,
		Version:           versionLine(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE:              func(c *cobra.Command, args []string) error { return unknownCommand(c, args) },
	}
	c.SetVersionTemplate("{{.Version}}\n")
	c.SuggestionsMinimumDistance = 2 // edit distance for a mistyped command
	c.SetHelpCommand(help())
	c.SetFlagErrorFunc(flagError)
	c.PersistentFlags().StringVar(&a.store, "store", "", "folder of the index, for a tree that cannot be written (default: .patina of the main working tree)")
	c.AddCommand(a.init(), a.scrape(), a.scry(), a.context(), a.assay(), a.mcp(), a.tokens(), a.belief(), a.persona(), a.memory(), a.repo(), a.mother(), a.config(), a.clean(), a.trust(), a.doctor(), a.eval(), a.agent(), a.hook(), a.version(), a.completion(), a.man())
	return c
}

// flagError says why a flag is wrong, without the name of a Go function.
func flagError(c *cobra.Command, err error) error {
	hints := []string{`run "` + c.CommandPath() + ` --help" for its flags`}
	if c.Name() == "scry" && strings.HasPrefix(err.Error(), "unknown") {
		hints = append(hints, `put "--" before a question that holds words with dashes: patina scry -- what does -x do`)
	}
	var number *strconv.NumError
	if errors.As(err, &number) {
		before, _, _ := strings.Cut(err.Error(), ": strconv.")
		err = fmt.Errorf("%s: want a whole number", before)
	}
	return hint(err, hints...)
}

// help is a command because users expect one beside --help. It stays out of the list.
func help() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Print the help of a command", Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), args)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	err := errors.New("unknown command " + quoted(args[0]))
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return hint(err, "did you mean: patina "+strings.Join(near, ", patina "))
	}
	return hint(err, asking("to ask a question: ", strings.Join(args, " ")), `run "patina --help" for the commands`)
}

// here finds the project around the working folder.
func (a *app) here() (workspace.Place, error) { return placed(workspace.Here(a.store)) }

// indexed finds the project for a question.
func (a *app) indexed() (workspace.Place, error) { return placed(workspace.Indexed(a.store)) }

func placed(p workspace.Place, err error) (workspace.Place, error) {
	if errors.Is(err, workspace.ErrHome) {
		err = hint(err, "name another folder with --store DIR")
	}
	return p, err
}

// settings merges a project's settings with the command's flags of the same names.
func (a *app) settings(c *cobra.Command, p workspace.Place) (settings.Settings, []settings.Setting, error) {
	return readSettings(p, given(c))
}

// given returns the settings that a command line has as flags, by name.
func given(c *cobra.Command) map[string]string {
	flags := map[string]string{}
	for _, name := range []string{"timeout", "limit", "budget", "all-repos"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			flags[name] = f.Value.String()
		}
	}
	return flags
}

// readSettings merges a project's settings with those given with a call.
func readSettings(p workspace.Place, given map[string]string) (settings.Settings, []settings.Setting, error) {
	s, list, err := settings.Sources{Flags: given, Root: p.Root, Home: p.Home}.Read()
	if err != nil {
		err = hint(err, `run "patina config --help" for the settings that exist`)
	}
	return s, list, err
}

func quoted(s string) string { return strconv.Quote(s) }

// terminal reports whether a stream is a terminal: only there are colour, progress and prompts
// welcome.
func terminal(stream any) bool {
	if c, ok := stream.(*counter); ok {
		stream = c.Writer
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && info.Name() != "null"
}

// coloured reports whether a stream wants colour (no-color.org).
func coloured(stream any) bool {
	return terminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
