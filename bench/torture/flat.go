package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles"
	"patina/scrape"
)

// questionsAnUpdate is the number of questions after each update.
const questionsAnUpdate = 100

// flat updates an index n times in a process that also answers questions, and reports memory and
// descriptors.
func flat(ctx context.Context, t *torture) error {
	r := rand.New(rand.NewSource(t.seed))
	files, err := t.sources()
	if err != nil {
		return err
	}
	dir := filepath.Join(t.work, "flat-store")
	options := scrape.Options{Root: t.tree, StoreDir: dir}
	if _, err := scrape.Run(ctx, options); err != nil {
		return err
	}
	e, err := actors.Open(actors.Options{
		Projects: []actors.Project{{Name: "p", Root: t.tree, StoreDir: dir}},
		Oracles:  oracles.Default(),
	})
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(context.Background()) }()
	began := time.Now()
	for i := range t.n + 1 {
		if i%max(1, t.n/10) == 0 {
			if err := t.state(i, time.Since(began)); err != nil {
				return err
			}
		}
		if err := t.change(r, files, i, 3); err != nil {
			return err
		}
		if _, err := scrape.Run(ctx, options); err != nil {
			return err
		}
		for k := range questionsAnUpdate {
			a, err := e.Scry(ctx, api.Request{Text: questions[k%len(questions)] + " " + strconv.Itoa(r.Intn(1000))})
			if err != nil || a.Partial {
				return errors.Join(err, fmt.Errorf("question %d after update %d is partial: %v", k, i, err == nil))
			}
		}
	}
	return nil
}

// state prints this process's memory and open descriptors.
func (t *torture) state(updates int, took time.Duration) error {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	rss := ""
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS:") || strings.HasPrefix(line, "RssAnon:") {
			rss += " " + strings.Join(strings.Fields(line), " ")
		}
	}
	fmt.Fprintf(t.out, "  %d updates, %d questions, %s: heap %d MB,%s, %d descriptors, %d goroutines\n",
		updates, updates*questionsAnUpdate, took.Round(time.Second), m.HeapAlloc>>20, rss, len(fds),
		runtime.NumGoroutine())
	return nil
}
