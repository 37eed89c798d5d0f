package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"time"
)

// kills kills n scrapes, by turns updates and fresh ones, a quarter of them once they report
// publishing. Afterwards the store must equal its old state, or the state after an undisturbed
// scrape.
func kills(ctx context.Context, t *torture) error {
	r := rand.New(rand.NewSource(t.seed))
	files, err := t.sources()
	if err != nil {
		return err
	}
	tried, clean := filepath.Join(t.work, "tried"), filepath.Join(t.work, "clean")
	for _, s := range []string{tried, clean} {
		if err := t.scrape(ctx, s); err != nil {
			return err
		}
	}
	old, err := digest(ctx, tried)
	if err != nil {
		return err
	}
	var before, after, ended, publishing, publishedAfter int
	tally := func(n int) {
		fmt.Fprintf(t.out, "  %d kills: %d left the state before, %d the state after; %d while publishing (%d of these left the state after); %d scrapes had ended already\n",
			n-ended, before, after, publishing, publishedAfter, ended)
	}
	for i := range t.n {
		if i > 0 && i%10 == 0 {
			tally(i)
		}
		if err := t.change(r, files, i, 1+r.Intn(200)); err != nil {
			return err
		}
		args := []string{"scrape"}
		if i%4 == 1 { // fresh scrapes take longest
			args = append(args, "--full")
		}
		began := time.Now()
		if err := t.scrape(ctx, clean, args[1:]...); err != nil {
			return err
		}
		whole := time.Since(began)
		late := i%4 >= 2
		killed, err := t.kill(ctx, tried, args, late, time.Duration(r.Int63n(int64(whole))), r)
		if err != nil {
			return err
		}
		got, err := digest(ctx, tried)
		if err != nil {
			return fmt.Errorf("kill %d (%v, late %v): the store cannot be read: %w", i, args, late, err)
		}
		// Every round changes the tree, so the two states differ.
		if got == old {
			before++
		} else {
			want, err := digest(ctx, clean) // dumps take longest
			if err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("kill %d (%v, late %v): the store says neither what it said before nor what it should after", i, args, late)
			}
			after++
			if late && killed {
				publishedAfter++
			}
			old = got
		}
		if !killed {
			ended++
		} else if late {
			publishing++
		}
		// A scrape after the crash must repair everything.
		if i%5 == 4 {
			if err := t.scrape(ctx, tried); err != nil {
				return fmt.Errorf("scrape after kill %d: %w", i, err)
			}
			want, err := digest(ctx, clean)
			if err != nil {
				return err
			}
			if old, err = digest(ctx, tried); err != nil || old != want {
				return fmt.Errorf("scrape after kill %d: store differs from one that was never killed (%v)", i, err)
			}
		}
	}
	tally(t.n)
	return nil
}

// kill starts a scrape and kills it: after a delay or, if late is true, a moment after it reports
// publishing. It returns whether the scrape was still running.
func (t *torture) kill(ctx context.Context, store string, args []string, late bool, delay time.Duration,
	r *rand.Rand,
) (bool, error) {
	c := t.command(ctx, store, args...)
	terminal, err := attach(c)
	if err != nil {
		return false, err
	}
	defer func() { _ = terminal.Close() }()
	if err := c.Start(); err != nil {
		return false, err
	}
	says := make(chan bool, 1)
	go watch(terminal, []byte("publishing"), says)
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	if late {
		select {
		case <-says:
			time.Sleep(time.Duration(r.Int63n(int64(60 * time.Millisecond))))
		case err := <-done:
			return false, err
		}
	} else {
		select {
		case <-time.After(delay):
		case err := <-done:
			return false, err
		}
	}
	killed := c.Process.Kill()
	<-done
	if errors.Is(killed, os.ErrProcessDone) {
		return false, nil
	}
	return c.ProcessState.ExitCode() == -1, nil
}

// watch reads a process's output and sends to says, once, when the words have occurred.
func watch(from *os.File, words []byte, says chan<- bool) {
	var seen []byte
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		seen = append(seen, buf[:n]...)
		if bytes.Contains(seen, words) {
			says <- true
			seen = nil
			words = []byte("\x00never")
		}
		if err != nil {
			return
		}
	}
}
