package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/store"
	"patina/store/lookup"
)

// How far back "recent" looks, from now.
const (
	defaultDays = 7
	maxDays     = 100 * 365
)

// questionOnly are flags that only a question has.
var questionOnly = []string{"content-type", "oracle", "explain", "strict", "timeout"}

// showRecent lists what changed in the last days.
func (s *scrying) showRecent(c *cobra.Command) error {
	if err := errors.Join(s.noListing("recent"), refuse("recent", c.Flags().Changed, questionOnly...)); err != nil {
		return err
	}
	if s.days < 1 || s.days > maxDays {
		return hint(fmt.Errorf("--days %d is out of range", s.days), fmt.Sprintf("give 1 to %d: patina scry recent --days 30", maxDays))
	}
	ctx := c.Context()
	r, err := s.request("")
	if err != nil {
		return err
	}
	since := time.Now().AddDate(0, 0, -s.days)
	return s.withIndex(ctx, func(reader *store.Reader) error {
		p, err := lookup.Recent(ctx, reader, since, r.Filter, s.settings.Limit)
		if err != nil {
			return err
		}
		out := deliver.Recent{Period: p, Days: s.days, Since: since, Index: s.indexState(reader)}
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

// showOverview tells what a folder holds.
func (s *scrying) showOverview(c *cobra.Command, folder string) error {
	if err := errors.Join(s.noListing("orient"), refuse("orient "+folder, c.Flags().Changed, append([]string{"days"}, questionOnly...)...)); err != nil {
		return err
	}
	ctx := c.Context()
	r, err := s.request("")
	if err != nil {
		return err
	}
	return s.withIndex(ctx, func(reader *store.Reader) error {
		v, err := lookup.Orient(ctx, reader, folder, r.Filter)
		if errors.Is(err, lookup.ErrNoDocument) {
			fmt.Fprintf(s.errs, "patina: nothing indexed in %s\n", quoted(cmp.Or(folder, ".")))
			return exit(exitNothing)
		}
		if err != nil {
			return err
		}
		out := deliver.Orientation{Overview: v, Limit: s.settings.Limit, Index: s.indexState(reader)}
		if s.asJSON {
			return deliver.OrientJSON(s.out, out)
		}
		return deliver.Orient(s.out, out, s.options(false))
	})
}

// withIndex is withReader; without an index it offers to make one.
func (s *scrying) withIndex(ctx context.Context, f func(*store.Reader) error) error {
	err := s.withReader(ctx, f)
	if !errors.Is(err, store.ErrNoIndex) {
		return err
	}
	return s.withEngine(ctx, 0, func(*actors.Engine) error { return s.withReader(ctx, f) })
}

// indexState says of what the index is, and how far behind.
func (s *scrying) indexState(r *store.Reader) actors.IndexState {
	g := r.Generation()
	behind, _ := fresh(actors.Project{Root: s.place.Root}, g)
	return actors.IndexState{Project: s.place.Name, Root: s.place.Root, Generation: g, Behind: behind}
}

// folder tells whether a word names an existing folder inside the project, from the working folder or from the root, and
// returns its path from the root; the root itself is "".
func (s *scrying) folder(word string) (string, bool) {
	root, err := filepath.EvalSymlinks(s.place.Root)
	if err != nil {
		return "", false
	}
	candidates := []string{word}
	if !filepath.IsAbs(word) {
		candidates = append(candidates, filepath.Join(root, word))
	}
	for _, full := range candidates {
		full, err := filepath.Abs(full)
		if err != nil {
			continue
		}
		if full, err = filepath.EvalSymlinks(full); err != nil {
			continue
		}
		info, err := os.Stat(full)
		if err != nil || !info.IsDir() {
			continue
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			continue
		}
		if rel == "." {
			rel = ""
		}
		return filepath.ToSlash(rel), true
	}
	return "", false
}
