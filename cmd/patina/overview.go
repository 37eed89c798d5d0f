package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
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
	return s.recent(c.Context(), s.days)
}

// recent lists the changes in the last days.
func (s *scrying) recent(ctx context.Context, days int) error {
	if days < 1 || days > maxDays {
		return hint(fmt.Errorf("%s %d is out of range", s.either("--days", "days"), days), fmt.Sprintf("give 1 to %d: %s", maxDays, s.dialect().Recent(30)))
	}
	r, err := s.request("")
	if err != nil {
		return err
	}
	since := time.Now().AddDate(0, 0, -days)
	return s.asking(ctx, func(e actors.Service) error {
		p, err := e.Recent(ctx, actors.RecentRequest{ReadOptions: s.within(), Since: since, Filter: r.Filter, Limit: s.settings.Limit})
		if err != nil {
			return err
		}
		out := deliver.Recent{Period: p.Period, Days: days, Since: since, Index: s.lagged(p.Index)}
		if s.asJSON {
			err = deliver.RecentJSON(s.out, out)
		} else {
			err = deliver.Recently(s.out, out, s.options(false))
		}
		if err == nil && len(p.Commits) == 0 {
			return exit(exitNothing)
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
			fmt.Fprintf(s.errs, "patina: nothing indexed in %s\n", quoted(cmp.Or(folder, ".")))
			return exit(exitNothing)
		}
		if err != nil {
			return err
		}
		out := deliver.Orientation{Overview: v.Overview, Limit: s.settings.Limit, Index: s.lagged(v.Index)}
		if s.asJSON {
			return deliver.OrientJSON(s.out, out)
		}
		return deliver.Orient(s.out, out, s.options(false))
	})
}
