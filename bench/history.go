package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// history measures a scrape of the commits only, from nothing to a published index: git, words,
// vectors and co-changes. It also measures git's own list of changed files for each commit. It adds
// no rows for a folder without commits.
func (b *bench) history(ctx context.Context) error {
	if b.report.indexed.Commits == 0 {
		return nil
	}
	var ours, gits []usage
	commits := 0
	for range b.times.first {
		b.say("history alone")
		dir := filepath.Join(b.work, "history")
		u, err := b.process(ctx, nil, b.patina, "scrape", "git", "--json", "--store", dir)
		if err != nil {
			return err
		}
		s, err := readScraped(u.out)
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
		commits = s.Commits
		u.out = nil
		ours = append(ours, u)
		if u, err = b.process(ctx, nil, "git", "log", "--raw", "--no-renames", "-z", "--format=%H %an %ae %ct %s%n%b",
			"HEAD"); err != nil {
			return err
		}
		u.out = nil
		gits = append(gits, u)
	}
	wall := func(u usage) float64 { return float64(commits) / u.wall.Seconds() }
	b.report.add(
		figure{"history alone, to a published index", "commits/s", each(ours, wall)},
		figure{"— of processor time, git's with it", "commits/s", each(ours, func(u usage) float64 {
			return float64(commits) / u.cpu.Seconds()
		})},
		figure{"— peak memory", "MB", each(ours, peakMegabytes)},
		figure{"— commits", "thousand", []float64{float64(commits) / 1000}},
		figure{"git log --raw alone", "commits/s", each(gits, wall)},
	)
	return nil
}
