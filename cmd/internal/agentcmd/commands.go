package agentcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/registry"
)

// Agent is the command that puts patina into coding agents.
func Agent(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "agent",
		Short: "Put patina into coding agents, and take it out again",
		Long: `Put patina into coding agents, as the MCP server "patina mcp" in their settings,
and take it out again without a trace. Known are:
` + dialect.InLines(strings.Join(Names(), ", "), 0) + ".",
		Example: `  patina agent status
  patina agent install --client claude
  patina agent uninstall`,
		RunE: func(c *cobra.Command, args []string) error { return cli.UnknownCommand(c, args) },
		Args: cobra.ArbitraryArgs,
	}
	c.AddCommand(a.agentInstall(), a.agentUninstall(), a.agentStatus())
	return c
}

// An agentCall is one call of agent install or uninstall.
type agentCall struct {
	*app
	verb         string
	clients      []string
	all          bool
	scope        string
	instructions bool
	hooks        string
	unrecorded   bool
	print, dry   bool
	json, yes    bool
}

func (s *agentCall) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVar(&s.clients, "client", nil, "a client, or several with commas (patina agent --help)")
	f.StringVar(&s.scope, "scope", string(User), `"user" (yours, for all projects) or "project" (this one)`)
	f.BoolVar(&s.dry, "dry-run", false, "show the plan and write nothing")
	f.BoolVar(&s.json, "json", false, "print the plan as JSON")
	f.BoolVar(&s.yes, "yes", false, "write without asking")
	_ = c.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(Names(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("scope",
		cobra.FixedCompletions([]string{string(User), string(Project)}, cobra.ShellCompDirectiveNoFileComp))
}

func (a *app) agentInstall() *cobra.Command {
	s := &agentCall{app: a, verb: "install"}
	c := &cobra.Command{
		Use:   "install",
		Short: "Add patina to coding agents: server, instructions, hooks",
		Long: `Add the MCP server "patina mcp" to the settings of coding agents. The plan is
shown first, and asked for once. Nothing else is written unless you ask for it:
--instructions adds five lines to the client's file of instructions, and a
skill; --hooks safe adds context when a session begins, --hooks act also what
governs an edit or a command. A hook never blocks or changes anything.

Files are edited as bytes, and a copy from before the first change is kept
beside each. What does not parse, or somebody has changed, is left as it is
(docs/agents.md). Exit codes: 0 done or nothing to do, 2 some file was refused.`,
		Example: `  patina agent install --client claude
  patina agent install --client cursor,vscode --scope project
  patina agent install --all-detected --instructions --yes
  patina agent install --client codex --hooks act --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.install(c.Context()) },
	}
	s.flags(c)
	f := c.Flags()
	f.BoolVar(&s.all, "all-detected", false, "all clients that seem to be installed")
	f.BoolVar(&s.instructions, "instructions", false, "add lines on patina for the agent, and a skill")
	f.StringVar(&s.hooks, "hooks", string(NoHooks), `"none", "safe" or "act"`)
	f.BoolVar(&s.print, "print", false, "print what to copy by hand, and write nothing")
	hooks := []string{string(NoHooks), string(SafeHooks), string(ActHooks)}
	_ = c.RegisterFlagCompletionFunc("hooks", cobra.FixedCompletions(hooks, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) agentUninstall() *cobra.Command {
	s := &agentCall{app: a, verb: "uninstall"}
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Take patina out of coding agents",
		Long: `Take out of the settings of coding agents what "patina agent install" has added,
of all clients unless some are named. A file is afterwards as it was before,
byte for byte; one that holds nothing else is removed, and so is the copy.

What somebody has changed in an entry of patina is left, and named; so is an
entry that you wrote. $PATINA_HOME/agents.json records what install has written.
Exit codes: 0 done or nothing to do, 2 some file was refused, 3 something was
left since it was changed.`,
		Example: `  patina agent uninstall
  patina agent uninstall --client codex --yes
  patina agent uninstall --scope project --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.uninstall(c.Context()) },
	}
	s.flags(c)
	c.Flags().BoolVar(&s.unrecorded, "unrecorded", false, "also what looks like patina's and nobody recorded")
	return c
}

// Machine returns the machine as clients see it, without a project.
func Machine() (Env, error) {
	home, err := registry.UserHome()
	if err != nil {
		return Env{}, err
	}
	own, err := registry.Home()
	if err != nil {
		return Env{}, err
	}
	return Env{Home: home, OS: runtime.GOOS, Record: filepath.Join(own, "agents.json"), Getenv: os.Getenv}, nil
}

// agentEnv returns the machine as clients see it. With needsRoot, a missing project is an error.
func (a *app) agentEnv(needsRoot bool) (Env, error) {
	env, err := Machine()
	if err != nil {
		return env, err
	}
	p, err := a.Here()
	if err != nil {
		if needsRoot {
			return env, err
		}
		return env, nil
	}
	env.Root = p.Root
	return env, nil
}

// chosen returns the named clients, or with --all-detected all that are detected. It returns an
// error with hints if there are none.
func (s *agentCall) chosen(env Env) (out []Client, err error) {
	var found []string
	for _, c := range Clients() {
		if env.Detected(c) {
			found = append(found, c.Name)
			if s.all {
				out = append(out, c)
			}
		}
	}
	for _, name := range s.clients {
		c, ok := Named(name)
		if !ok {
			return nil, cli.Hint(fmt.Errorf("unknown client %q", name), "clients: "+strings.Join(Names(), ", "))
		}
		if !slices.ContainsFunc(out, func(o Client) bool { return o.Name == name }) {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if len(found) == 0 {
		return nil, cli.Hint(errors.New("no client named, and none found on this machine"),
			"name one: patina agent install --client "+strings.Join(Names(), "|"))
	}
	return nil, cli.Hint(errors.New("no client named"), "found on this machine: "+strings.Join(found, ", "),
		"name some: --client "+found[0]+", or take them: --all-detected")
}

// scoped checks the scope and returns the machine.
func (s *agentCall) scoped() (Env, Scope, error) {
	scope := Scope(s.scope)
	if scope != User && scope != Project {
		return Env{}, "", cli.Hint(fmt.Errorf("unknown scope %q", s.scope), `want "user" or "project"`)
	}
	env, err := s.agentEnv(scope == Project)
	return env, scope, err
}

func (s *agentCall) install(ctx context.Context) error {
	env, scope, err := s.scoped()
	if err != nil {
		return err
	}
	hooks := Hooks(s.hooks)
	if hooks == searchHooks {
		hooks = ActHooks
	}
	if hooks != NoHooks && hooks != SafeHooks && hooks != ActHooks {
		return cli.Hint(fmt.Errorf("unknown hooks %q", s.hooks), `want "none", "safe" or "act"`)
	}
	list, err := s.chosen(env)
	if err != nil {
		return err
	}
	r := Request{Clients: list, Scope: scope, Instructions: s.instructions, Hooks: hooks}
	if s.print {
		return s.printed(env, env.Pieces(r))
	}
	plan := env.Install(r)
	if err := s.carryOut(ctx, env, plan); err != nil {
		return err
	}
	if env.OnPath("patina") == "" {
		s.Warn("patina is not on PATH, by which clients start it")
	}
	if plan.Refused() {
		return cli.Exit(cli.ExitError)
	}
	return nil
}

func (s *agentCall) uninstall(ctx context.Context) error {
	env, scope, err := s.scoped()
	if err != nil {
		return err
	}
	list := Clients()
	if len(s.clients) > 0 {
		if list, err = s.chosen(env); err != nil {
			return err
		}
	}
	plan := env.Uninstall(list, scope, s.unrecorded)
	if err := s.carryOut(ctx, env, plan); err != nil {
		return err
	}
	switch {
	case plan.Refused():
		return cli.Exit(cli.ExitError)
	case plan.Left():
		return cli.Exit(cli.ExitPartial)
	}
	return nil
}
