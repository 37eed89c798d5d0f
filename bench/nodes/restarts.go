package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"time"

	"patina/wire/peer"
)

// restarts kills a node and starts it anew many times. What the front and this program, a user,
// keep open must not grow.
func restarts(ctx context.Context, b *bench) error {
	p, err := newPair(ctx, b, nil)
	if err != nil {
		return err
	}
	defer p.close()
	a, front := p.nodes[0], p.front
	type kept struct {
		goroutines, files, frontFiles, frontThreads, running int
		frontGoroutines                                      string
	}
	look := func() (kept, error) {
		runtime.GC()
		n, err := front.metric(ctx, "go_goroutines")
		http.DefaultClient.CloseIdleConnections()
		return kept{
			runtime.NumGoroutine(), openFiles(os.Getpid()), openFiles(front.pid()), threads(front.pid()),
			stateOf(p.watcher, "node-b").InFlight, n,
		}, err
	}
	settle := func() error {
		for i := range 40 {
			if o := p.askers[i%users].ask(ctx, p.both.Name, p.questions[i], 10*time.Second); o.failure != "" {
				return fmt.Errorf("ask: %s", o.failure)
			}
		}
		return sleep(ctx, 2*time.Second)
	}
	if err := settle(); err != nil {
		return err
	}
	before, err := look()
	if err != nil {
		return err
	}
	n := b.some(100)
	b.say("%d kills", n)
	var failed []string
	for i := range n {
		l := startLoad(p.askers, perSecond, p.ask(ctx, budget))
		a.kill()
		if _, err := await(ctx, "down", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Down }); err != nil {
			return err
		}
		if err := a.start(); err != nil {
			return err
		}
		if _, err := a.awaitListening(ctx); err != nil {
			return err
		}
		if _, err := await(ctx, "up", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Up }); err != nil {
			return err
		}
		if sum := l.end(); sum.failed > 0 {
			failed = append(failed, fmt.Sprintf("cycle %d: %s", i, sum.reasons()))
		}
	}
	if err := settle(); err != nil {
		return err
	}
	after, err := look()
	if err != nil {
		return err
	}
	t := newTable(fmt.Sprintf("%d kills and restarts of one of two nodes under load", n), "before", "after")
	t.add("goroutines of a user", before.goroutines, after.goroutines)
	t.add("files of a user", before.files, after.files)
	t.add("goroutines of the front", before.frontGoroutines, after.frontGoroutines)
	t.add("files of the front", before.frontFiles, after.frontFiles)
	t.add("threads of the front", before.frontThreads, after.frontThreads)
	t.add("calls under way at the node that lives (holds)", before.running, after.running)
	t.add("cycles with failed questions", "", mark(len(failed) == 0, fmt.Sprint(len(failed))))
	t.print(b.out)
	for _, f := range failed {
		b.say("%s", f)
	}
	return nil
}
