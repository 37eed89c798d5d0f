package hookcmd

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
)

// hookTime bounds the time of a hook at a tool. Clients wait for it each time.
const hookTime = 200 * time.Millisecond

// lengthen returns how long a hook may take: at least the bound that is given, and longer where the
// user of a slow machine says so in PATINA_HOOK_TIMEOUT. A value that is no duration counts for
// nothing, because a hook must not complain.
func lengthen(bound time.Duration) time.Duration {
	if d, err := time.ParseDuration(os.Getenv("PATINA_HOOK_TIMEOUT")); err == nil {
		return max(bound, d)
	}
	return bound
}

// Command returns the command "hook". It must always exit with 0, because some clients take another
// exit code as a veto.
func Command(shared *cli.App) *cobra.Command {
	a := &app{App: shared}
	return &cobra.Command{
		Use:   "hook EVENT",
		Short: "Answer a hook of a coding agent",
		Long: `Answer a hook that "patina agent install --hooks" has added to a coding agent.
What the client tells comes as JSON on standard input; the answer is JSON that
adds a few lines to what the model reads, or nothing: where there is no index,
where the input is broken, where it takes too long. It never blocks or changes
anything, and always ends with exit code 0.

EVENT is ` + strings.Join(Events(), ", ") + `.`,
		Example:            `  echo '{"hook_event_name": "SessionStart"}' | patina hook session-start`,
		DisableFlagParsing: true, // an unknown flag must not fail
		ValidArgs:          Events(),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
				return c.Help()
			}
			if len(args) > 0 {
				signal.Ignore(syscall.SIGPIPE) // a client that reads nothing must not see a failure
				a.answerHook(args[0])
			}
			return nil
		},
	}
}

// answerHook prints an answer if one is ready in time.
func (a *app) answerHook(event string) {
	answer := make(chan []byte, 1)
	go func() {
		defer func() {
			_ = recover() // a hook that fails prints nothing
			close(answer)
		}()
		input, err := io.ReadAll(io.LimitReader(a.In, MaxInput+1))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, a.In) // the client may still be writing
		if text := a.answerInput(event, input); text != nil {
			answer <- text
		}
	}()
	bound := hookTime
	if kindOf(event) == SessionStart {
		bound = startTime
	}
	select {
	case text := <-answer:
		_, _ = a.Out.Write(text)
	case <-time.After(lengthen(bound)):
	}
}
