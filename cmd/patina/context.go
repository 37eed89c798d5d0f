package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/memory"
	"patina/memory/recall"
	"patina/store"
	"patina/store/lookup"
)

// context is the command that introduces a project.
func (a *app) context() *cobra.Command {
	s := &scrying{app: a}
	var topic string
	c := &cobra.Command{
		Use:   "context [TOPIC...]",
		Short: "Print what to know before a change: purpose, commands, packages, rules",
		Long: deliver.ContextTool + `

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
		RunE: func(c *cobra.Command, args []string) (err error) {
			if len(args) > 0 {
				if topic != "" {
					return cli.Hint(fmt.Errorf("unexpected %q beside --topic", args[0]), "give the topic once: patina context --topic WORDS")
				}
				topic = strings.Join(args, " ")
			}
			if s.place, err = s.Indexed(); err != nil {
				return err
			}
			if err := s.settle(cli.Given(c)); err != nil {
				return err
			}
			s.ceiling(cli.Given(c), deliver.ContextTokens)
			if !c.Flags().Changed("timeout") {
				s.settings.Timeout = max(s.settings.Timeout, surveyWithin)
			}
			return s.counted("context", "", func() error { return s.introduce(c.Context(), strings.TrimSpace(topic)) })
		},
	}
	f := c.Flags()
	f.StringVar(&topic, "topic", "", "put first what is about these `words`")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/context.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", surveyWithin, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 600")
	return c
}

// surveyWithin is how long a context may take: it counts who uses each file, which takes a second
// or two for ten thousand of them.
const surveyWithin = 30 * time.Second

// notTheirs leaves out what others wrote.
var notTheirs = []string{"!vendor/**", "!**/vendor/**", "!third_party/**", "!**/third_party/**", "!**/node_modules/**"}

// topics is the number of documents that answer a topic.
const topics = 12

// introduce prints the context of the project.
func (s *scrying) introduce(ctx context.Context, topic string) error {
	skip, err := s.skipped()
	if err != nil {
		return err
	}
	return s.asking(ctx, func(e actors.Service) error {
		b, err := e.Brief(ctx, actors.BriefRequest{ReadOptions: s.within(), Topic: topic, Now: time.Now(), Skip: skip})
		if errors.Is(err, lookup.ErrNoDocument) {
			fmt.Fprintln(s.Errs, "patina: the index is empty")
			return cli.Exit(cli.ExitNothing)
		}
		if err != nil {
			return err
		}
		b.Index = s.lagged(b.Index)
		c := deliver.Context{BriefAnswer: *b, Project: b.Index.Project, Topic: topic, Now: time.Now()}
		if c.Memories, err = s.remembered(ctx, topic); err != nil {
			fmt.Fprintf(s.Errs, "patina: without memories: %v\n", err)
		}
		if topic != "" {
			if err := s.focus(ctx, e, &c); err != nil {
				return err
			}
			c.Elsewhere = s.elsewhere(ctx, e, topic)
		}
		if s.asJSON {
			return deliver.ContextJSON(s.Out, c, s.options(false))
		}
		return deliver.Introduce(s.Out, c, s.options(false))
	})
}

// contextMemories is the most memories in a context.
const contextMemories = 5

// remembered returns the memories on a topic, or those that are pinned.
func (s *scrying) remembered(ctx context.Context, topic string) ([]memory.Found, error) {
	if s.place.ID == "" || s.guests != nil && !slices.Contains(s.guests, store.Memory) {
		return nil, nil
	}
	path := memory.File(s.place.Home, s.place.ID)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if topic != "" {
		return memory.Ask(ctx, path, memory.Query{
			Text: topic, Filter: memory.Filter{Limit: contextMemories}, Scoring: recall.Scoring(s.settings.Scoring), Model: project.Model(ctx, s.place),
		})
	}
	var found []memory.Found
	err := memory.Look(ctx, path, func(m *memory.Store) error {
		pinned, err := m.List(ctx, memory.Filter{Pinned: true, Limit: contextMemories})
		found = nil
		for _, p := range pinned {
			found = append(found, memory.Found{Memory: p})
		}
		return err
	})
	return found, err
}

// focus asks for what answers the topic, and puts it first.
func (s *scrying) focus(ctx context.Context, e actors.Service, c *deliver.Context) error {
	code, err := s.onTopic(ctx, e, c.Topic, store.Code, notTheirs)
	if err != nil {
		return err
	}
	var rules, beliefs, commits []actors.Result
	if files := c.RuleFiles(); len(files) > 0 {
		if rules, err = s.onTopic(ctx, e, c.Topic, store.Pattern, files); err != nil {
			return err
		}
	}
	if len(c.Layer.Beliefs)+len(c.Layer.Decisions) > 0 {
		if beliefs, err = s.onTopic(ctx, e, c.Topic, store.Belief, nil); err != nil {
			return err
		}
	}
	if !c.Layered() {
		if commits, err = s.onTopic(ctx, e, c.Topic, store.Commit, nil); err != nil {
			return err
		}
	}
	c.Focus(code, rules, beliefs, commits)
	return nil
}

// onTopic returns the documents of a kind that answer a topic, in some files or in all; none where
// nothing is relevant.
func (s *scrying) onTopic(ctx context.Context, e actors.Service, topic string, kind store.Kind, files []string) ([]actors.Result, error) {
	r, err := s.request(topic)
	if err != nil {
		return nil, err
	}
	r.Filter.Kinds, r.Filter.Paths, r.Limit, r.Timeout = []store.Kind{kind}, files, topics, s.left()
	a, err := e.Scry(ctx, r)
	if err != nil {
		return nil, err
	}
	return deliver.Found(a), nil
}

// wantsBeliefs reports whether a call asks for beliefs, and for none in particular.
func (s *scrying) wantsBeliefs(words []string) bool {
	kinds, err := kindsNamed(s.kinds)
	return err == nil && len(words) == 0 && len(kinds) == 1 && kinds[0] == store.Belief && s.listing() == ""
}

// holds reports whether a belief is held today.
func holds(status string, _ []string) bool { return status == "active" || status == "scoped" }
