package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/hookcmd"
	"patina/cmd/internal/print"
)

// context is the command that introduces a project.
func (a *app) context() *cobra.Command {
	var topic string
	var asJSON, noRefresh, brief bool
	c := &cobra.Command{
		Use:   "context [TOPIC...]",
		Short: "Print what to know before a change, by topic",
		Long: `Print what to know before a change, in 600 tokens: what the project is for, how
to build, test and run it, its packages, central files and owners, its rules,
decisions and beliefs, and what changed last month. Everything is quoted from
the repository with file and line, and nothing in it is followed.

With a topic, what is about it comes first, with the files that answer it,
notes about it (patina memory) and beliefs of linked repositories.

For agents: ` + dialect.InLines(dialect.ContextTool+" "+dialect.RecallRule, len("For agents: ")),
		Example: `  patina context
  patina context error handling
  patina context --topic retries --budget 1200
  patina context --json | jq -r '.rules[].text'`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if topic != "" {
					return cli.Hint(fmt.Errorf("unexpected %q beside --topic", args[0]),
						"give the topic once: patina context --topic WORDS")
				}
				topic = strings.Join(args, " ")
			}
			place, err := a.Indexed()
			if err != nil {
				return err
			}
			if brief {
				return a.printOpening(c, place, topic)
			}
			o := a.CallOptions(place, cli.Given(c), noRefresh)
			o.LooksUp, o.AtLeast, o.Sent.Tool = true, ask.SurveyTime, "context"
			call, err := ask.Begin(o)
			if err != nil {
				return err
			}
			p := a.printer(call)
			p.Budget = call.Budget(deliver.ContextTokens)
			if asJSON {
				p.JSON = print.Brief
			}
			return p.AskAndPrint(c.Context(), ask.Request{Form: ask.Context, Text: strings.TrimSpace(topic)})
		},
	}
	f := c.Flags()
	f.StringVar(&topic, "topic", "", "put first what is about these `words`")
	f.StringArrayVar(&a.Repos, "repo", nil, "in this project: its `name`, or its path")
	f.BoolVar(&asJSON, "json", false, "print JSON (docs/context.md)")
	f.BoolVar(&noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.BoolVar(&brief, "brief", false, "print what a hook tells an agent when its session begins")
	_ = f.MarkHidden("brief")
	f.Duration("timeout", ask.SurveyTime, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 600")
	return c
}

// printOpening prints the text of a hook for a session that begins.
func (a *app) printOpening(c *cobra.Command, place project.Place, topic string) error {
	for _, name := range []string{"json", "budget"} {
		if topic == "" && c.Flags().Changed(name) {
			topic = "--" + name
		}
	}
	if topic != "" {
		return cli.Hint(fmt.Errorf("unexpected %q beside --brief", topic), "the brief context has one form: patina context --brief")
	}
	text, err := hookcmd.StartText(c.Context(), place)
	if err == nil {
		_, err = io.WriteString(a.Out, text)
	}
	return cli.Explained(err, place)
}
