package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/layout"
	"patina/scrape"
	"patina/store"
)

func OnlyOf(words ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		for _, arg := range args {
			if !slices.Contains(words, arg) {
				return Hint(fmt.Errorf("unknown argument %q", arg), `want one of: `+strings.Join(words, ", "))
			}
		}
		return nil
	}
}

// OneOf wants exactly one argument, which must be one of words.
func OneOf(words ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return Hint(errors.New("want one argument"), "one of: "+strings.Join(words, ", "))
		}
		return OnlyOf(words...)(c, args)
	}
}

// Fill scrapes a project into its store, with progress on a terminal. Its error has hints.
func (a *App) Fill(ctx context.Context, p project.Place, o scrape.Options) (scrape.Summary, error) {
	if Terminal(a.Errs) {
		m := NewMeter(a.Errs, time.Now)
		defer m.clear()
		o.Progress = m.Show
	}
	s, err := project.Scrape(ctx, p, o, a.NotNoted)
	return s, Unfilled(err)
}

// Unfilled adds hints to the error of a scrape.
func Unfilled(err error) error {
	switch {
	case errors.Is(err, project.ErrNoProject):
		return Hint(err, "go to the folder of one, and run patina scrape there")
	case errors.Is(err, store.ErrLocked):
		return Hint(err, "wait until it has finished, then run this again")
	case errors.Is(err, store.ErrNewer):
		return Hint(err, "install the newer patina, or build the index anew: patina clean && patina scrape")
	case errors.Is(err, syscall.ENOSPC):
		return Hint(err, "make room, or name a folder on another disk with --store DIR; the last index is as it was")
	}
	return unclaimed(err)
}

// SummaryLine returns one line with the files added, changed, removed and skipped, with reasons.
func SummaryLine(s scrape.Summary) string {
	shared := ""
	if s.Shared > 0 {
		shared = fmt.Sprintf(", %d shared with other working trees", s.Shared)
	}
	line := fmt.Sprintf("scraped in %s: %d added, %d changed, %d removed, %d unchanged%s; %s read",
		s.Took.Round(time.Millisecond), s.Added, s.Changed, s.Removed, s.Unchanged, shared, Plural(s.Commits, "commit"))
	total := 0
	var why []string
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		total += s.Skipped[reason]
		why = append(why, fmt.Sprintf("%d %s", s.Skipped[reason], layout.Plain(reason)))
	}
	if total > 0 {
		line += fmt.Sprintf("; skipped %d (%s)", total, strings.Join(why, ", "))
	}
	if n := s.Embedded.Rows; n > 0 {
		line += "; " + Plural(n, "vector")
		if s.Embedded.Adapted {
			line += " of the adapted model"
		}
	}
	return line + fmt.Sprintf("; now %s, %s", Plural(s.Generation.Files, "file"),
		Plural(s.Generation.Commits, "commit"))
}

func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
