package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// besideQuestions is the number of cold questions that each round asks each command.
const besideQuestions = 20

// A contender is one of two commands that are measured in turns, with its own home and index.
type contender struct {
	title, path, home, store string
	starts, scrapes, cold    []usage
	unlooked                 []usage // cold questions without a comparison of tree and index
}

// byTurns measures the command and another one, such as that of an earlier commit, in turns on the
// same tree: processor time and wall clock of starts, first scrapes and cold questions, with the
// ratio of each pair. They take turns because other work on the machine then costs both alike.
func (b *bench) byTurns(other string) func(context.Context) error {
	return func(ctx context.Context) error {
		path, err := filepath.Abs(other)
		if err != nil {
			return err
		}
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("find the other command: %w", err)
		}
		qs, err := makeQuestions(b.tree, besideQuestions)
		if err != nil {
			return err
		}
		both := [2]*contender{{title: "this one", path: b.patina}, {title: "the other", path: path}}
		for i, c := range both {
			c.home, c.store = filepath.Join(b.work, fmt.Sprint("home", i)),
				filepath.Join(b.work, fmt.Sprint("store", i))
		}
		for round := range b.times.runs {
			b.say("by turns, round %d of %d", round+1, b.times.runs)
			for _, c := range both {
				if err := b.scrapeOf(ctx, c); err != nil {
					return err
				}
			}
			for _, q := range qs {
				for _, c := range both {
					if err := b.askOf(ctx, c, q.text); err != nil {
						return err
					}
				}
			}
		}
		b.compare(both)
		b.noteWorst(both, qs)
		return nil
	}
}

// scrapeOf measures a first scrape by a contender, and several starts of it.
func (b *bench) scrapeOf(ctx context.Context, c *contender) error {
	if err := errors.Join(os.Setenv("PATINA_HOME", c.home), os.RemoveAll(c.store)); err != nil {
		return err
	}
	u, err := b.process(ctx, nil, c.path, "scrape", "--json", "--store", c.store)
	if err != nil {
		return err
	}
	if b.report.indexed, err = readScraped(u.out); err != nil {
		return err
	}
	c.scrapes = append(c.scrapes, u)
	for range starts {
		if u, err = b.process(ctx, nil, c.path, "version"); err != nil {
			return err
		}
		c.starts = append(c.starts, u)
	}
	return nil
}

// askOf measures a contender's cold answer to a question, with and without a look at the tree.
func (b *bench) askOf(ctx context.Context, c *contender, question string) error {
	if err := os.Setenv("PATINA_HOME", c.home); err != nil {
		return err
	}
	ask := func(to *[]usage, flags ...string) error {
		args := append([]string{"scry", "--timeout", "1m", "--store", c.store}, flags...)
		u, err := b.process(ctx, []int{nothingRelevant}, c.path, append(args, "--", question)...)
		*to = append(*to, u)
		return err
	}
	return errors.Join(ask(&c.cold), ask(&c.unlooked, "--no-refresh"))
}

// compare reports the figures of two contenders, and their ratios.
func (b *bench) compare(both [2]*contender) {
	milli := func(of func(usage) float64) func(usage) float64 {
		return func(u usage) float64 { return of(u) * 1000 }
	}
	b.report.note("By turns: of each round one first scrape, %d starts and %d cold questions of each command; ratios are of the pairs.", starts, besideQuestions)
	for _, row := range []struct {
		name, unit string
		took       func(*contender) []usage
		of         func(usage) float64
	}{
		{"start, processor time", "ms", func(c *contender) []usage { return c.starts }, milli(cpuSeconds)},
		{"first scrape, processor time", "s", func(c *contender) []usage { return c.scrapes }, cpuSeconds},
		{"cold question, processor time", "ms", func(c *contender) []usage { return c.cold }, milli(cpuSeconds)},
		{"cold question, wall clock", "ms", func(c *contender) []usage { return c.cold }, milli(wallSeconds)},
		{"cold question with --no-refresh, processor time", "ms", func(c *contender) []usage {
			return c.unlooked
		}, milli(cpuSeconds)},
	} {
		ours, theirs := each(row.took(both[0]), row.of), each(row.took(both[1]), row.of)
		ratios := make([]float64, len(ours))
		for i := range ours {
			ratios[i] = ours[i] / theirs[i]
		}
		b.report.add(
			figure{row.name, row.unit, ours},
			figure{"— of the other command", row.unit, theirs},
			figure{"— ratio", "×", ratios},
		)
	}
}

// noteWorst names the cold question with the greatest ratio of processor times, of this command to
// the other.
func (b *bench) noteWorst(both [2]*contender, qs []question) {
	ratio := func(i int) float64 { return cpuSeconds(both[0].unlooked[i]) / cpuSeconds(both[1].unlooked[i]) }
	worst := 0
	for i := range both[0].unlooked {
		if ratio(i) > ratio(worst) {
			worst = i
		}
	}
	b.report.note("The greatest ratio with --no-refresh, %s, is of the question %q.", digits(ratio(worst)),
		qs[worst%len(qs)].text)
}
