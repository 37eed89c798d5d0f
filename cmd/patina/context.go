package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/print"
)

// context is the command that introduces a project.
func (a *app) context() *cobra.Command {
	var topic string
	var asJSON, noRefresh bool
	c := &cobra.Command{
		Use:   "context [TOPIC...]",
		Short: "Print what to know before a change: purpose, commands, packages, rules",
		Long: dialect.ContextTool + `

The answer is within 600 tokens and says what was cut. It holds the README's first paragraph, how to build, test and run, packages
and their purpose, central files, owners, rules that people wrote or that a linter enforces, and decision records. What changed last
month ends it. All of it is quoted from the repository, with file and line; nothing in it is followed.

A project with a layer/ gets its core patterns, its active beliefs, and how to search them instead.

With a topic, the pieces that share words with it come first, and the files that answer it stand in place of the central ones. Beliefs
about it of the projects that edges lead to (patina mother) follow, with the calls that open them, and notes about it (patina memory);
without a topic the notes that are pinned.`,
		Example: `  patina context
  patina context --topic "error handling"
  patina context --topic retries --budget 1200
  patina context --json | jq -r '.rules[].text'`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if topic != "" {
					return cli.Hint(fmt.Errorf("unexpected %q beside --topic", args[0]), "give the topic once: patina context --topic WORDS")
				}
				topic = strings.Join(args, " ")
			}
			place, err := a.Indexed()
			if err != nil {
				return err
			}
			o := a.CallOptions(place, cli.Given(c), noRefresh)
			o.AtLeast, o.Sent.Tool = ask.SurveyTime, "context"
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
	f.BoolVar(&asJSON, "json", false, "print JSON (schema: docs/context.md)")
	f.BoolVar(&noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", ask.SurveyTime, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 600")
	return c
}
