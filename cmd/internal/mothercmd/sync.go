package mothercmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask/clones"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/mother"
	"patina/scrape"
)

// syncsAtOnce is the number of repositories read at the same time. It is small because a scrape
// already uses two cores.
const syncsAtOnce = 2

func (a *app) motherSync() *cobra.Command {
	var fetch bool
	c := &cobra.Command{
		Use:   "sync [NAME...]",
		Short: "Bring the indexes of repositories up to date",
		Long: `Bring the indexes of all repositories up to date, or of those named. What has
not changed is not read. With --fetch, clones that patina has made first get
what their origin has; a folder of yours is only read.

Stopped at any point, each index is whole, and the next sync goes on.
Exit codes: 0 all synced, 2 some could not be: the others are.`,
		Example: `  patina repo sync
  patina repo sync cobra --fetch`,
		ValidArgsFunction: a.completeRepos,
		RunE: a.run(nil, func(c *cobra.Command, m *repos, args []string) error {
			if fetch {
				clones.RemoveLeft(m.home)
			}
			return m.sync(c.Context(), args, fetch)
		}),
	}
	c.Flags().BoolVar(&fetch, "fetch", false, "first fetch what clones by patina lack")
	return c
}

// stopping is the time that two interrupted scrapes have to roll back, before the command ends
// without a word about what was done.
const stopping = 10 * time.Second

// A synced is a repository that was synced, or will be.
type synced struct {
	name    string
	done    bool
	err     error
	summary scrape.Summary
}

// sync updates repositories, two at a time. Without names, it updates all registered ones.
func (m *repos) sync(ctx context.Context, names []string, fetch bool) error {
	wanted, err := m.wantedRepositories(ctx, names)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		return m.endList(nil, 0, noRepository)
	}
	all := m.syncAll(ctx, wanted, fetch, m.Out)
	if ctx.Err() != nil {
		m.stopped(unsynced(all), len(all), "patina repo sync goes on")
		return ctx.Err()
	}
	var failed []error
	for _, s := range all {
		if s.err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, s.err))
		}
	}
	return errors.Join(failed...)
}

// syncAll updates repositories, two at a time, with one line of progress on a terminal, and returns
// the outcome of each. A line for each goes to out. After an interrupt it returns when those that
// were begun have ended.
func (m *repos) syncAll(ctx context.Context, wanted []mother.Repository, fetch bool, out io.Writer) []synced {
	m.SetGrace(stopping)
	all := make([]synced, len(wanted))
	screen := newScreen(m.Errs)
	var running sync.WaitGroup
	slots := make(chan struct{}, syncsAtOnce)
	quiet := &repos{
		app:  &app{&cli.App{In: m.In, Out: screen.above(out), Errs: screen.above(m.Errs), Store: m.Store}},
		home: m.home,
	}
	bring := quiet.syncOne
	if fetch {
		bring = quiet.fetchAndSync
	}
	for i, r := range wanted {
		all[i].name = r.Name
		if r.Far != "" {
			all[i].done = true
			quiet.passOver(r)
			continue
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		screen.show(fmt.Sprintf("%d of %d: %s", i+1, len(wanted), layout.Plain(r.Name)))
		running.Go(func() {
			defer func() { <-slots }()
			err := ctx.Err()
			if err == nil {
				all[i].summary, err = bring(ctx, r)
			}
			all[i].done, all[i].err = err == nil, err
		})
	}
	running.Wait()
	screen.show("")
	return all
}

// named is the largest number of repositories on a line.
const named = 10

// unsynced returns the names of the repositories that were not synced.
func unsynced(all []synced) (names []string) {
	for _, s := range all {
		if !s.done {
			names = append(names, s.name)
		}
	}
	return names
}

// stopped prints which of n repositories an interrupted command has not synced, and how to go on.
func (m *repos) stopped(left []string, n int, then string) {
	done, more := n-len(left), ""
	if n := len(left) - named; n > 0 {
		left, more = left[:named], fmt.Sprintf(" and %d more", n)
	}
	m.Warn("%d of %d synced, not %s%s: %s", done, n, strings.Join(left, ", "), more, then)
}

// syncOne updates a repository's index, and records its languages and the time.
func (m *repos) syncOne(ctx context.Context, r mother.Repository) (s scrape.Summary, err error) {
	if _, err := os.Stat(r.Root); err != nil {
		return s, cli.Hint(fmt.Errorf("sync %q: its folder is gone or has moved", r.Root),
			"register it where it is: patina repo add PATH", "or forget it: patina repo remove NAME")
	}
	p, err := cli.Placed(project.At(r.Root, ""))
	if err != nil {
		return s, err
	}
	s, err = m.Fill(ctx, p, scrape.Options{})
	if err != nil {
		return s, err
	}
	p = p.Of(p.Root, p.Store)
	_, notes, err := m.Embed(ctx, p)
	s.Notes = append(s.Notes, notes...)
	for _, n := range s.Notes {
		m.Warn("%s: %s", r.Name, n)
	}
	if err != nil {
		return s, err
	}
	var languages []string
	if s.Generation.Files > 0 { // there is no overview of nothing
		if languages, err = languagesOf(ctx, p); err != nil {
			return s, err
		}
	}
	err = mother.Put(ctx, m.home, mother.Repository{ID: p.ID, Languages: languages, Synced: time.Now()})
	if err != nil {
		return s, Unlinked(err)
	}
	fmt.Fprintf(m.Out, "synced %s: %s\n", layout.Plain(r.Name), strings.TrimPrefix(cli.SummaryLine(s), "scraped "))
	return s, nil
}

// mostLanguages bounds the recorded languages of a repository.
const mostLanguages = 8

// languagesOf returns the languages of a project, most files first.
func languagesOf(ctx context.Context, p project.Place) (names []string, err error) {
	e, err := project.Open(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	defer cli.Closing(e)
	v, err := e.Overview(ctx, api.OverviewRequest{ReadOptions: api.ReadOptions{Timeout: time.Minute}})
	if err != nil {
		return nil, err
	}
	for _, t := range v.Languages {
		if t.Name != "" && len(names) < mostLanguages {
			names = append(names, strings.ReplaceAll(t.Name, " ", "-"))
		}
	}
	return names, nil
}
