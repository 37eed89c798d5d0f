package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/bench/eval/act"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// An actCall is one call of eval act, with its flags.
type actCall struct {
	*app
	echo   bool
	folder string
	asJSON bool
	act.Options
}

// actClients are the clients for which hooks before a tool are installed (agentcmd).
var actClients = []string{"claude", "codex"}

// act is "patina eval act".
func (a *app) act() *cobra.Command {
	x := &actCall{app: a}
	c := &cobra.Command{
		Use:   "act (--echo | -q FOLDER --agent COMMAND)",
		Short: "Measure the hooks at an edit or a command",
		Long: `Measure the hooks at an edit or a command (patina agent install --hooks act), in
copies of this repository with a home of their own.

--echo is a scripted client. It notes words that nobody can guess, fires the
events of a session at "patina hook", and counts the notes that come back, the
events that stay silent, and the processor time.

-q lets your agent do tasks in fresh copies, without the hooks and with them. A
task is a JSON file: {"prompt", "notes": [{"text", "path", "symbol"}], "check",
"setup"}. COMMAND is run by sh -c in the copy, finds the prompt in the file
$PATINA_TASK, and has patina on its PATH. The task is done if the command
"check" ends with exit code 0 afterwards. COMMAND, check and setup are yours:
they run as you, without a sandbox (docs/evaluation.md).

Exit codes: 0 measured, 1 a planted note did not come back or an event failed,
2 error, 130 interrupted (the tasks that were finished are printed).`,
		Example: `  patina eval act --echo
  patina eval act -q tasks --agent ./agent.sh --runs 3`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return x.run(c.Context()) },
	}
	f := c.Flags()
	f.BoolVar(&x.echo, "echo", false, "plant notes and look whether they come back")
	f.StringVarP(&x.folder, "tasks", "q", "", "the tasks, a `folder`")
	f.StringVar(&x.Agent, "agent", "", "let this `command` do the tasks")
	f.StringVar(&x.Client, "client", "claude", "whose hooks are installed: claude or codex")
	f.IntVar(&x.Runs, "runs", 1, "runs of each task, without and with")
	f.DurationVar(&x.Limit, "limit", 10*time.Minute, "of one run of the agent")
	f.BoolVar(&x.asJSON, "json", false, "print the whole report as JSON")
	_ = c.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(actClients, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (x *actCall) checkFlags() error {
	switch {
	case x.echo == (x.folder != ""):
		return cli.Hint(errors.New("one of --echo and -q FOLDER is needed"), "see: patina eval act --help")
	case x.folder != "" && strings.TrimSpace(x.Agent) == "":
		return cli.Hint(errors.New("no agent"), "name a command: --agent COMMAND")
	case !slices.Contains(actClients, x.Client):
		return cli.Hint(fmt.Errorf("unknown client %s", cli.Quoted(x.Client)), "want claude or codex")
	case x.Runs < 1 || x.Limit <= 0:
		return errors.New("--runs and --limit must be above 0")
	}
	return nil
}

func (x *actCall) run(ctx context.Context) error {
	if err := x.checkFlags(); err != nil {
		return err
	}
	var tasks []act.Task
	var err error
	if x.folder != "" {
		if tasks, err = act.LoadTasks(x.folder); err != nil {
			return err
		}
	}
	p, err := x.Here()
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "patina-act-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if x.Source, err = act.NewSource(p.Root, program, work); err != nil {
		return err
	}
	if x.echo {
		return x.runEcho(ctx)
	}
	if cli.Terminal(x.Errs) {
		b := cli.NewBar(x.Errs, time.Now)
		x.OnDone = func(done, total int) { b.Show("ran", done, total) }
		defer b.Clear()
	}
	report, err := act.Run(ctx, tasks, x.Options)
	if report == nil || len(report.Rows) == 0 {
		return err
	}
	if x.asJSON {
		return errors.Join(err, layout.Encode(x.Out, report))
	}
	return errors.Join(err, report.Text(x.Out))
}

func (x *actCall) runEcho(ctx context.Context) error {
	report, err := act.Echo(ctx, x.Source)
	if err != nil {
		return err
	}
	if x.asJSON {
		err = layout.Encode(x.Out, report)
	} else {
		err = report.Text(x.Out)
	}
	if err == nil && !report.IsWhole() {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}
