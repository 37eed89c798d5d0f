package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"patina/wire/pki"
)

// versions lets nodes, a front and users of two versions of the command ask each other.
func versions(ctx context.Context, b *bench) error {
	of := map[string]string{}
	for name, command := range map[string]string{"old": b.old, "new": b.patina} {
		out, err := output(ctx, "", command, "version")
		if err != nil {
			return err
		}
		of[name], _, _ = strings.Cut(out, "\n")
	}
	t := newTable("node, front", "user", "questions", "look-ups", "kill -9 of the node, back")
	for _, way := range [][2]string{{"old", "new"}, {"new", "old"}, {"old", "old"}} {
		if err := b.mixed(ctx, way[0], way[1], t); err != nil {
			return fmt.Errorf("node %s, front %s: %w", way[0], way[1], err)
		}
	}
	t.print(b.out)
	fmt.Fprintf(b.out, "old: %s; new: %s\n\n", of["old"], of["new"])
	return nil
}

// mixed starts a node of one version and a front of another one, and asks by this program and by
// the command of both versions.
func (b *bench) mixed(ctx context.Context, node, front string, t *table) error {
	commands := map[string]string{"old": b.old, "new": b.patina}
	c, err := newCluster(b, "versions")
	if err != nil {
		return err
	}
	defer c.down()
	if c.repos, err = b.makeRepositories(ctx, 2); err != nil {
		return err
	}
	n, err := c.add(pki.Node, "node-a")
	if err != nil {
		return err
	}
	f, err := c.add(pki.Front, "front")
	if err != nil {
		return err
	}
	n.command, f.command = commands[node], commands[front]
	if err := c.up(ctx); err != nil {
		return err
	}
	set, err := c.throughFront("anna", 0)
	if err != nil {
		return err
	}
	r := c.repos[0]
	a, err := newAsker(set, r.Name)
	if err != nil {
		return err
	}
	defer a.close()
	e, err := atHome(ctx, n.home, r)
	if err != nil {
		return err
	}
	questions, err := questionsOf(r, 60)
	if err != nil {
		return err
	}
	var all []outcome
	for _, q := range questions {
		all = append(all, a.ask(ctx, r.Name, q, 10*time.Second))
		if err := pause(ctx); err != nil {
			return err
		}
	}
	same, reads, err := compareReads(ctx, r, e, a.engine, questions)
	if err != nil {
		return err
	}
	n.kill()
	if err := n.start(); err != nil {
		return err
	}
	at, err := n.awaitListening(ctx)
	if err != nil {
		return err
	}
	back, err := await(ctx, "a whole answer", func() bool { return a.ask(ctx, r.Name, questions[0], 2*time.Second).failure == "" })
	if err != nil {
		return err
	}
	s := newTally(all)
	t.add(node+", "+front, "new", mark(s.failed == 0, fmt.Sprintf("%d of %d whole", s.asked-s.failed, s.asked)),
		mark(same == reads, fmt.Sprintf("%d of %d equal to those at home", same, reads)), back.Sub(at))
	return nil
}
