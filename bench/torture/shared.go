package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// shared lets two servers and a terminal work on one tree, n times, and each time kills one server
// when it begins to scrape. The other one must go on answering and lose nothing.
func shared(ctx context.Context, t *torture) (err error) {
	c := &churning{torture: t, r: rand.New(rand.NewSource(t.seed)), took: map[string][]time.Duration{}}
	if err := c.begin(ctx); err != nil {
		return err
	}
	if c.s, err = t.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.s.close()) }()
	if err := c.found(ctx, "first"); err != nil {
		return err
	}
	killed, longest := 0, time.Duration(0)
	for c.number = 1; c.number <= t.n; c.number++ {
		took, dead, err := c.round(ctx)
		if err != nil {
			return fmt.Errorf("round %d: %w", c.number, err)
		}
		if longest = max(longest, took); dead {
			killed++
		}
	}
	if err := c.same(ctx); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "  %d rounds, a server killed while it scraped in %d of them: the longest answer of the other one took %s, nothing lost\n",
		t.n, killed, longest.Round(time.Millisecond))
	return nil
}

// round changes every file while another server and a terminal read them, and kills that server.
func (c *churning) round(ctx context.Context) (longest time.Duration, killed bool, err error) {
	other, err := c.serve(ctx)
	if err != nil {
		return 0, false, err
	}
	victim := &churning{torture: c.torture, s: other}
	if _, _, err := victim.known(ctx); err != nil { // it follows the tree from now on
		return 0, false, errors.Join(err, other.close())
	}
	for i := range churned {
		if err := c.put(c.file(i), i); err != nil {
			return 0, false, errors.Join(err, other.close())
		}
	}
	var beside sync.WaitGroup
	beside.Go(func() { _, _, _ = victim.known(ctx) }) // it may be killed before it answers
	terminal := c.command(ctx, filepath.Join(c.tree, ".patina"), "scrape")
	var scraped error
	beside.Go(func() {
		if out, err := terminal.CombinedOutput(); err != nil &&
			!strings.Contains(string(out), "another scrape holds the store") {
			scraped = fmt.Errorf("scrape in a terminal: %w: %s", err, out)
		}
	})
	dead := make(chan bool, 1)
	go func() { dead <- c.killWriter(ctx, other) }()
	want, err := c.written()
	for err == nil {
		began := time.Now()
		var got map[string]string
		got, _, err = c.known(ctx)
		longest = max(longest, time.Since(began))
		if maps.Equal(got, want) {
			break
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	killed = <-dead
	beside.Wait()
	return longest, killed, errors.Join(err, scraped)
}

// killWriter kills a server as soon as it holds the writer's lock, otherwise after two seconds. It
// returns whether the server held the lock.
func (c *churning) killWriter(ctx context.Context, s *server) (held bool) {
	lock := filepath.Join(c.tree, ".patina", "lock")
	holder := fmt.Sprintf("process %d,", s.process.Process.Pid)
	for end := time.Now().Add(2 * time.Second); !held && time.Now().Before(end) &&
		ctx.Err() == nil; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(lock)
		held = err == nil && strings.HasPrefix(string(text), holder)
	}
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
	return held
}
