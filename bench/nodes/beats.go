package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"patina/wire/peer"
	"patina/wire/pki"
)

// A transitions is a handler of a log that counts what nodes have become.
type transitions struct {
	mu  sync.Mutex
	got map[string]int
}

// Enabled implements slog.Handler.
func (t *transitions) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs implements slog.Handler.
func (t *transitions) WithAttrs([]slog.Attr) slog.Handler { return t }

// WithGroup implements slog.Handler.
func (t *transitions) WithGroup(string) slog.Handler { return t }

// Handle implements slog.Handler.
func (t *transitions) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if r.Message == "node changed" && a.Key == "to" {
			t.mu.Lock()
			t.got[a.Value.String()]++
			t.mu.Unlock()
		}
		return true
	})
	return nil
}

// beats watches a node from a hundred places beside programs that burn all processors.
func beats(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "beats")
	if err != nil {
		return err
	}
	defer c.down()
	if c.repos, err = b.makeRepositories(ctx, 1); err != nil {
		return err
	}
	if _, err := c.add(pki.Node, "node-a"); err != nil {
		return err
	}
	if err := c.up(ctx); err != nil {
		return err
	}
	dir, err := c.user("anna")
	if err != nil {
		return err
	}
	creds, err := credentialsOf(dir, pki.Node)
	if err != nil {
		return err
	}
	log := &transitions{got: map[string]int{}}
	const watches = 100
	for range watches {
		s, err := c.setOf(peer.Options{Nodes: c.declared(), Credentials: creds, Log: slog.New(log)})
		if err != nil {
			return err
		}
		defer s.Close()
	}
	for range 3 {
		h, err := b.startChild("burn", childOptions{})
		if err != nil {
			return err
		}
		defer h.end()
	}
	d := time.Duration(b.some(75)) * time.Second
	node, own := c.nodes[0].pid(), os.Getpid()
	began := [2]time.Duration{}
	for i, pid := range []int{node, own} {
		began[i], _ = used(pid)
	}
	b.say("%s beside three programs that burn all processors", d)
	if err := sleep(ctx, d); err != nil {
		return err
	}
	at := newTable("100 watches of one node beside three programs that burn all processors", "figure")
	log.mu.Lock()
	defer log.mu.Unlock()
	at.add("beats", fmt.Sprint(watches*int(d/peer.Beat)))
	at.add("false suspicions", log.got["suspect"])
	at.add("false downs", mark(log.got["down"] == 0, fmt.Sprint(log.got["down"])))
	for i, pid := range []int{node, own} {
		now, err := used(pid)
		if err != nil {
			return err
		}
		at.add([]string{"processor time of the node", "of the watchers"}[i], now-began[i])
	}
	at.print(b.out)
	return nil
}
