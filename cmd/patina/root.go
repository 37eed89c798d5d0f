package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/agentcmd"
	"patina/cmd/internal/beliefcmd"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/doctorcmd"
	"patina/cmd/internal/evalcmd"
	"patina/cmd/internal/hookcmd"
	"patina/cmd/internal/indexcmd"
	"patina/cmd/internal/memorycmd"
	"patina/cmd/internal/modelcmd"
	"patina/cmd/internal/mothercmd"
	"patina/cmd/internal/nodecmd"
	"patina/cmd/internal/print"
	"patina/cmd/internal/serve"
	"patina/cmd/internal/ui"
	"patina/cmd/internal/uninstallcmd"
)

// An app is one run of the command, for the commands of this package.
type app struct{ *cli.App }

// printer returns a printer for a call on the streams of the command.
func (a *app) printer(call *ask.Call) *print.Printer {
	return &print.Printer{
		App: a.App, Call: call,
		Dialect: func(c *ask.Call) dialect.Dialect { return print.ShellDialect(c, a.Store) },
	}
}

// A command is the name of a subcommand, its heading in the top help (groups), and a function that
// creates it. Without a heading it is hidden.
type command struct {
	name, group string
	create      func() *cobra.Command
}

// commands lists all subcommands, in the order of the help.
func (a *app) commands() []command {
	return []command{
		{"scry", "ask", a.scry},
		{"show", "ask", a.showDocument},
		{"grep", "ask", a.grep},
		{"callers", "ask", a.callers},
		{"assay", "ask", a.assay},
		{"impact", "ask", a.impact},
		{"graph", "ask", a.graph},
		{"why", "ask", a.why},
		{"recent", "ask", a.recent},
		{"orient", "ask", a.orient},
		{"context", "ask", a.context},
		{"ui", "ask", func() *cobra.Command { return ui.Command(a.App) }},
		{"memory", "keep", func() *cobra.Command { return memorycmd.Memory(a.App) }},
		{"belief", "keep", func() *cobra.Command { return beliefcmd.Belief(a.App) }},
		{"repo", "keep", func() *cobra.Command { return mothercmd.Repo(a.App) }},
		{"scrape", "index", a.scrape},
		{"index", "index", func() *cobra.Command { return indexcmd.Index(a.App) }},
		{"model", "index", func() *cobra.Command { return modelcmd.Model(a.App) }},
		{"doctor", "index", func() *cobra.Command { return doctorcmd.Doctor(a.App) }},
		{"eval", "index", func() *cobra.Command { return evalcmd.Command(a.App) }},
		{"config", "index", a.config},
		{"trust", "index", a.trust},
		{"clean", "index", a.clean},
		{"agent", "connect", func() *cobra.Command { return agentcmd.Agent(a.App) }},
		{"mcp", "connect", func() *cobra.Command { return serve.MCP(a.App) }},
		{"serve", "connect", func() *cobra.Command { return serve.Serve(a.App, ui.ServeSite) }},
		{"node", "connect", func() *cobra.Command { return nodecmd.Node(a.App) }},
		{"completion", "connect", a.completion},
		{"demo", "connect", a.demo},
		{"uninstall", "connect", func() *cobra.Command { return uninstallcmd.Uninstall(a.App) }},
		{"persona", "", func() *cobra.Command { return memorycmd.Persona(a.App) }},
		{"mother", "", func() *cobra.Command { return mothercmd.Mother(a.App) }},
		{"init", "", a.init},
		{"hook", "", func() *cobra.Command { return hookcmd.Command(a.App) }},
		{"tokens", "", func() *cobra.Command { return evalcmd.Tokens(a.App) }},
		{"version", "", a.version},
		{"man", "", a.man},
	}
}

// rootFor returns the command with the subcommand that begins the arguments, or with all. Creating
// all of them would cost each start a millisecond and 1 MB.
func (a *app) rootFor(args []string) *cobra.Command {
	lists := len(args) > 0 && (args[0] == "man" || args[0] == "completion") // need all
	for _, x := range a.commands() {
		if len(args) > 0 && x.name == args[0] && !lists {
			return a.root(x)
		}
	}
	return a.root(a.commands()...)
}

// root returns the command with some subcommands.
func (a *app) root(subcommands ...command) *cobra.Command {
	c := &cobra.Command{
		Use:   "patina",
		Short: "Ask a repository about its code, history and documents",
		Long: `Ask a repository about its code, history and documents. Nothing is sent unasked.
  patina scrape                      read the repository around this folder
  patina scry "how are rows locked"  ask it
  patina COMMAND --help              how to use a command, with examples`,
		Version:           versionLine(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if offered, err := a.offer(c.Context()); offered || err != nil {
					return err
				}
			}
			return cli.UnknownCommand(c, args)
		},
	}
	c.SetVersionTemplate("{{.Version}}\n")
	c.SuggestionsMinimumDistance = 2 // edit distance for a mistyped command
	c.SetHelpCommand(help())
	c.SetFlagErrorFunc(flagError)
	c.PersistentFlags().StringVar(&a.Store, "store", "", "`folder` of the index (default .patina)")
	cobra.EnableCommandSorting = false // the help lists them in the order of their use
	c.AddGroup(groups...)
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = writeHelp(c.OutOrStdout(), c) })
	for _, x := range subcommands {
		sub := x.create()
		sub.GroupID, sub.Hidden = x.group, x.group == ""
		c.AddCommand(sub)
	}
	return c
}

// flagError returns an error for a wrong flag with hints, without the name of a Go function.
func flagError(c *cobra.Command, err error) error {
	hints := []string{`run "` + c.CommandPath() + ` --help" for its flags`}
	if strings.HasPrefix(err.Error(), "unknown") {
		switch c.Name() {
		case "scry":
			hints = append(hints,
				`put "--" before a question that holds words with dashes: patina scry -- what does -x do`)
		case "grep":
			hints = append(hints, `put "--" before a pattern that begins with a dash: patina grep -F -- -x`)
		}
	}
	var number *strconv.NumError
	if errors.As(err, &number) {
		before, _, _ := strings.Cut(err.Error(), ": strconv.")
		err = fmt.Errorf("%s: want a whole number", before)
	}
	return cli.Hint(err, hints...)
}

// help is a command because users expect one beside --help. It is hidden in the list.
func help() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Print the help of a command", Hidden: true,
		Example: "  patina help scry",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return cli.UnknownCommand(c.Root(), args)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
