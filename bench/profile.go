package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"

	"patina/oracles/embed"
	"patina/scrape"
)

// profiles writes CPU profiles of work in this process: of a first scrape, and of questions to a
// warm engine.
func (b *bench) profiles(ctx context.Context, prefix string) error {
	b.store = filepath.Join(b.work, "store")
	b.say("profiling a first scrape")
	err := profiled(prefix+"-scrape.pprof", func() error {
		_, err := scrape.Run(ctx, scrape.Options{
			Root: b.tree.root, StoreDir: b.store, Embedder: embed.Base(),
			Load: embed.Load,
		})
		return err
	})
	if err != nil {
		return err
	}
	qs, err := makeQuestions(b.tree, maxQuestions)
	if err != nil {
		return err
	}
	e, err := b.open(nil)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(context.Background()) }()
	// The first round reads data that a generation shares, so it is not profiled.
	if _, err := timed(ctx, qs, b.asking(e)); err != nil {
		return err
	}
	b.say("profiling %d rounds of %d warm questions", profileRounds, len(qs))
	return profiled(prefix+"-query.pprof", func() error {
		for range profileRounds {
			if _, err := timed(ctx, qs, b.asking(e)); err != nil {
				return err
			}
		}
		return nil
	})
}

// profileRounds makes some seconds of work, with a hundred samples in each.
const profileRounds = 10

func profiled(file string, f func() error) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return errors.Join(err, out.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}
