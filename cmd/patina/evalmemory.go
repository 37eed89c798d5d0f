package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"patina/bench/eval/conversation"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/oracles/embed"
)

func (a *app) evalMemory() *cobra.Command {
	var file, beam string
	var names []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "memory --locomo FILE|--beam FOLDER",
		Short: "Ask questions about long conversations",
		Long: `Ask the questions of LoCoMo about its conversations, and print how much of the evidence is among the best 5, 10 and 20 turns: by
words, by vectors, by both, by plain BM25 and by the formulas of the specification. Then how many of the answer's words an injected
set of 500 tokens shows. FILE is locomo10.json, or a folder with a file for each conversation. Its licence forbids copies, so fetch it yourself. --beam asks
about the chats of BEAM in the same way.`,
		Example: `  patina eval memory --locomo locomo10.json
  patina eval memory --locomo locomo10.json --conversations conv-26,conv-30 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			load, path := conversation.Load, file
			switch {
			case (file == "") == (beam == ""):
				return cli.Hint(errors.New("want one set of conversations"), "name a file: patina eval memory --locomo FILE")
			case beam != "":
				load, path = conversation.LoadBEAM, beam
			}
			list, err := load(path)
			if err != nil {
				return err
			}
			for _, n := range names {
				if !slices.ContainsFunc(list, func(c conversation.Conversation) bool { return c.Name == n }) {
					return fmt.Errorf("no conversation %q in %q", n, path)
				}
			}
			if len(names) > 0 {
				list = slices.DeleteFunc(list, func(c conversation.Conversation) bool { return !slices.Contains(names, c.Name) })
			}
			rows := conversation.Run(list, embed.Base())
			if asJSON {
				return deliver.Encode(a.Out, rows)
			}
			return conversation.Text(a.Out, rows)
		},
	}
	c.Flags().StringVar(&file, "locomo", "", "the conversations, a `file` or folder")
	c.Flags().StringVar(&beam, "beam", "", "BEAM's chats, a `folder`")
	c.Flags().StringSliceVar(&names, "conversations", nil, "only these, by name")
	c.Flags().BoolVar(&asJSON, "json", false, "print a row a question as JSON")
	return c
}
