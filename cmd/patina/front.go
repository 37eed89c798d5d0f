package main

import (
	"context"
	"time"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/memory/recall"
	"patina/store/scrape"
)

// A front is what a call came through, if not the command line: a tool of "patina mcp".
type front struct {
	warm   *warm  // keeps engines between calls
	repo   string // the argument that names the project; empty: none is needed
	silent bool   // the project is none of the client's
	// admits reports whether the client may see an answer about the project at a root.
	admits func(ctx context.Context, root string) bool
	tell   func(scrape.Progress) // hears how a first scrape goes
}

// dialect spells calls that run where this one came from.
func (s *scrying) dialect() deliver.Dialect {
	shell := deliver.CLI{}
	if s.Store != "" {
		shell.Store = s.place.Store
	}
	if s.moved != "" {
		shell = deliver.CLI{Repo: s.moved}
	}
	if s.tool != nil {
		if s.moved != "" {
			return deliver.MCP{Repo: s.moved, Shell: shell}
		}
		return deliver.MCP{Repo: s.tool.repo, Silent: s.tool.silent, Shell: shell}
	}
	return shell
}

// either returns the words for where this call came from.
func (s *scrying) either(command, tool string) string {
	if s.tool != nil {
		return tool
	}
	return command
}

// asked returns a hint that ends in the call for a question.
func (s *scrying) asked(text, question string) string {
	call := s.dialect().Ask(question)
	if call == "" {
		return ""
	}
	return text + call
}

// settle reads the settings of a call.
func (s *scrying) settle(given map[string]string) error {
	settings, origins, err := cli.ReadSettings(s.place, given)
	if err != nil {
		return err
	}
	s.settings = settings
	s.place.Scoring = recall.Scoring(settings.Scoring)
	for _, x := range origins {
		if x.Key == "timeout" && x.Origin != "default" {
			s.timed = true
		}
	}
	if s.noRefresh {
		s.settings.Refresh = 0
	}
	return nil
}

// ceiling sets the tokens of a text that has a default of its own. 0 leaves it to package deliver.
func (s *scrying) ceiling(given map[string]string, tokens int) {
	if given["budget"] == "" || s.settings.Budget == 0 {
		s.settings.Budget = tokens
	}
}

// engine opens an engine for a call. done ends its use.
func (s *scrying) engine(ctx context.Context, within time.Duration) (e actors.Service, done func(), err error) {
	if s.tool != nil {
		return s.tool.warm.open(ctx, s.place, within)
	}
	opened, err := cli.Open(ctx, s.place, within)
	if err != nil {
		return nil, nil, err
	}
	return opened, func() { cli.Closing(opened) }, nil
}
