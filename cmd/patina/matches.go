package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/fusion"
	"patina/querylog"
	"patina/store"
)

// checkText refuses what does not go with --literal and --regex.
func (s *scrying) checkText(args []string) error {
	switch {
	case s.literal != "" && s.regex != "":
		return cli.Hint(errors.New("--literal beside --regex"), "give one of them")
	case len(args) > 0:
		return cli.Hint(fmt.Errorf("unexpected %q beside %s", args[0], s.textFlag()),
			"quote a text of several words: patina scry --literal 'cannot open file'",
			"a question can quote as well: patina scry 'where does \"cannot open file\" come from'")
	case len(s.oracles) > 0:
		return cli.Hint(fmt.Errorf("--oracle beside %s", s.textFlag()), "it reads the texts, and asks no oracle")
	}
	if _, err := regexp.Compile(s.regex); err != nil {
		return cli.Hint(fmt.Errorf("read --regex %q: %w", s.regex, err),
			"the syntax is RE2, as in Go: no look-around, no back-references", "for the characters themselves: --literal")
	}
	return nil
}

func (s *scrying) textFlag() string {
	if s.regex != "" {
		return "--regex"
	}
	return "--literal"
}

// showMatches prints the lines of files with a text, in the form of an answer.
func (s *scrying) showMatches(ctx context.Context, args []string) error {
	if err := s.checkText(args); err != nil {
		return err
	}
	query := s.textFlag() + " " + s.literal + s.regex
	r, err := s.request(query)
	if err != nil {
		return err
	}
	return s.asking(ctx, func(e actors.Service) error {
		began := time.Now()
		found, err := e.Matches(ctx, actors.MatchesRequest{
			ReadOptions: s.within(), Literal: s.literal, Regex: s.regex, Filter: r.Filter, Limit: r.Limit,
		})
		if err != nil {
			return err
		}
		a := matchesAnswer(found, time.Since(began))
		a.QueryID, a.Query = querylog.NewID(time.Now()), query
		return s.show(ctx, e, a)
	})
}

// matchesAnswer makes an answer of lines found by their text.
func matchesAnswer(found *actors.MatchesAnswer, took time.Duration) *actors.Answer {
	a := &actors.Answer{
		Intent: fusion.General, Relevance: fusion.Relevant, Partial: found.Partial, Took: took,
		Indexes: []actors.IndexState{found.Index},
	}
	state := actors.ChannelState{
		Project: found.Index.Project, Channel: "text", Status: actors.OK, Hits: found.Lines, Elapsed: took,
	}
	if found.Partial {
		state.Status, state.Detail = actors.Deadline, "the time was over before all files were read"
	}
	a.Channels = append(a.Channels, state)
	for i, m := range found.Matches {
		key := fusion.Key{Project: found.Index.Project, Kind: string(m.Kind), ID: m.DocID}
		a.Results = append(a.Results, actors.Result{
			Rank: i + 1, Result: fusion.Result{Key: key, Score: 1, Share: 1, Prior: 1, Weight: 1, Exact: true},
			Description: store.Description{
				DocID: m.DocID, Shown: m.Shown, Kind: m.Kind, Path: m.Path, Symbol: m.Symbol,
				Language: m.Language, Package: m.Package, First: m.Line, Last: m.Line, Summary: m.Text,
			},
		})
	}
	if found.Lines > 0 {
		note := fmt.Sprintf("%s in %s", deliver.Count(found.Lines, "line"), deliver.Count(found.Files, "file"))
		if n := len(found.Matches); n < found.Lines {
			note += fmt.Sprintf("; first %d shown", n)
		}
		a.Notes = append(a.Notes, note)
	}
	return a
}
