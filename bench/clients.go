package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"patina/actors"
	"patina/actors/api"
)

// clients are the numbers of concurrent clients.
var clients = []int{1, 8, 64}

// crowd measures the warm engine with several clients. Each client asks its next question after the
// answer to the last one.
func (b *bench) crowd(ctx context.Context, qs []question) (err error) {
	e, err := b.open(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close(context.Background())) }()
	if _, err := timed(ctx, qs, b.asking(e)); err != nil { // warm-up
		return err
	}
	for _, n := range clients {
		b.say("%d clients at once", n)
		var took [][]time.Duration
		var rate []float64
		for range b.times.rounds {
			began := time.Now()
			round, err := together(ctx, e, qs, n)
			if err != nil {
				return err
			}
			took = append(took, round)
			rate = append(rate, float64(len(round))/time.Since(began).Seconds())
		}
		name := fmt.Sprintf("%d clients at once", n)
		if n == 1 {
			name = "1 client"
		}
		b.report.add(figure{name, "answers/s", rate})
		b.report.add(latencies("— "+name, took, warmPercentiles)...)
	}
	return nil
}

// together asks every question once, from n concurrent clients. It returns the time of each
// question.
func together(ctx context.Context, e *actors.Engine, qs []question, n int) ([]time.Duration, error) {
	took := make([]time.Duration, len(qs))
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, n)
	for range n {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(qs) {
					return
				}
				began := time.Now()
				a, err := e.Scry(ctx, api.Request{Text: qs[i].text, Timeout: time.Minute})
				if err == nil && a.Partial {
					err = fmt.Errorf("ask %q: the answer is partial: %v", qs[i].text, a.Channels)
				}
				if err != nil {
					failed <- err
					return
				}
				took[i] = time.Since(began)
			}
		})
	}
	all.Wait()
	close(failed)
	return took, <-failed // nil if no client failed
}
