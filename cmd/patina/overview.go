package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store/lookup"
)

// The default and the bound for "recent", in days back from now.
const (
	defaultDays = 7
	maxDays     = 100 * 365
)

// questionOnly lists flags that only a question has.
var questionOnly = []string{"content-type", "oracle", "explain", "strict"}

// showRecent is the form "recent".
func (s *scrying) showRecent(c *cobra.Command) error {
	if err := errors.Join(s.noListing("recent"), refuse("recent", c.Flags().Changed, questionOnly...)); err != nil {
		return err
	}
	if s.dated.since != "" && c.Flags().Changed("days") {
		return cli.Hint(errors.New("--days beside --since"), "both say where to begin: give one of them")
	}
	return s.recent(c.Context(), s.days)
}

// recent lists the changes in the last days.
func (s *scrying) recent(ctx context.Context, days int) error {
	if days < 1 || days > maxDays {
		return cli.Hint(fmt.Errorf("%s %d is out of range", s.either("--days", "days"), days), fmt.Sprintf("give 1 to %d: %s", maxDays, s.dialect().Recent(30)))
	}
	r, err := s.request("")
	if err != nil {
		return err
	}
	when := r.Filter.When
	since := time.Now().AddDate(0, 0, -days)
	switch {
	case !when.Since.IsZero():
		since = when.Since
	case !when.Until.IsZero():
		since = when.Until.AddDate(0, 0, -days)
		when.Since = since
	}
	return s.asking(ctx, func(e actors.Service) error {
		p, err := e.Recent(ctx, actors.RecentRequest{ReadOptions: s.within(), Since: since, Filter: r.Filter, Limit: s.settings.Limit})
		if err != nil {
			return err
		}
		out := deliver.Recent{Period: p.Period, Days: days, Since: since, When: when, Index: s.lagged(p.Index)}
		if s.asJSON {
			err = deliver.RecentJSON(s.Out, out)
		} else {
			err = deliver.Recently(s.Out, out, s.options(false))
		}
		if err == nil && len(p.Commits) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}

// showOverview is the form "orient".
func (s *scrying) showOverview(c *cobra.Command, folder string) error {
	if err := errors.Join(s.noListing("orient"), refuse("orient "+folder, c.Flags().Changed, append([]string{"days"}, questionOnly...)...)); err != nil {
		return err
	}
	return s.orient(c.Context(), folder)
}

// orient prints an overview of a folder.
func (s *scrying) orient(ctx context.Context, folder string) error {
	r, err := s.request("")
	if err != nil {
		return err
	}
	return s.asking(ctx, func(e actors.Service) error {
		v, err := e.Overview(ctx, actors.OverviewRequest{ReadOptions: s.within(), Folder: folder, Filter: r.Filter})
		if errors.Is(err, lookup.ErrNoDocument) {
			fmt.Fprintf(s.Errs, "patina: nothing indexed in %s\n", cli.Quoted(cmp.Or(folder, ".")))
			return cli.Exit(cli.ExitNothing)
		}
		if err != nil {
			return err
		}
		out := deliver.Orientation{Overview: v.Overview, Limit: s.settings.Limit, Index: s.lagged(v.Index)}
		if s.asJSON {
			return deliver.OrientJSON(s.Out, out)
		}
		return deliver.Orient(s.Out, out, s.options(false))
	})
}
