package main

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
)

const (
	perSecond = 40                     // questions of a load
	users     = 16                     // who ask in turn: each may have 8 questions under way
	budget    = 2 * time.Second        // of a question of a load
	short     = 300 * time.Millisecond // of one that must not wait for a silent node
)

// A pair is two nodes and a front with a repository on both nodes and one on the first alone.
type pair struct {
	*cluster
	both, one config.Repository
	questions []string // about both
	single    []string // about one
	askers    []*asker
	watcher   *peer.Set // as a front sees the nodes
}

// newPair starts a pair, and warms it up.
func newPair(ctx context.Context, b *bench, s *spaces) (*pair, error) {
	repos, err := b.makeRepositories(ctx, 2)
	if err != nil {
		return nil, err
	}
	p := &pair{both: repos[0], one: repos[1]}
	if p.cluster, err = newCluster(b, "pair"); err != nil {
		return nil, err
	}
	p.spaces = s
	p.both.Replicas, p.one.Nodes = 2, []string{"node-a"}
	p.repos = []config.Repository{p.both, p.one}
	for _, name := range []string{"node-a", "node-b"} {
		if _, err := p.add(pki.Node, name); err != nil {
			return nil, err
		}
	}
	front, err := p.add(pki.Front, "front")
	if err != nil {
		return nil, err
	}
	if front.status, err = freeAddress("127.0.0.1", false); err != nil {
		return nil, err
	}
	if p.questions, err = questionsOf(p.both, 100); err != nil {
		return nil, err
	}
	if p.single, err = questionsOf(p.one, 60); err != nil {
		return nil, err
	}
	b.say("start two nodes and a front")
	if err := p.up(ctx); err != nil {
		p.down()
		return nil, err
	}
	if err := p.connect(); err != nil {
		p.down()
		return nil, err
	}
	for i, q := range p.questions { // caches, and the times after which a second replica is asked
		if o := p.askers[i%users].ask(ctx, p.both.Name, q, 10*time.Second); o.failure != "" {
			p.close()
			return nil, fmt.Errorf("ask %q: %s", q, o.failure)
		}
	}
	return p, nil
}

// connect makes the askers and the watcher.
func (p *pair) connect() error {
	for i := range users {
		s, err := p.throughFront(fmt.Sprintf("user-%d", i), 0)
		if err != nil {
			return err
		}
		a, err := newAsker(s, p.both.Name, p.one.Name)
		if err != nil {
			return err
		}
		p.askers = append(p.askers, a)
	}
	var err error
	p.watcher, err = p.watch()
	return err
}

func (p *pair) close() {
	for _, a := range p.askers {
		a.close()
	}
	if p.watcher != nil {
		p.watcher.Close()
	}
	p.down()
}

// ask asks the next question of a load about the repository on both nodes.
func (p *pair) ask(ctx context.Context, budget time.Duration) func(*asker, int) outcome {
	return func(a *asker, i int) outcome {
		return a.ask(ctx, p.both.Name, p.questions[i%len(p.questions)], budget)
	}
}

// A fault is something that happens to the first node under load, and its end.
type fault struct {
	name    string
	begin   func() error
	end     func() error
	restart bool // end starts the process anew
}

// faults kills, stops and drains one of two nodes under load.
func faults(ctx context.Context, b *bench) error {
	p, err := newPair(ctx, b, nil)
	if err != nil {
		return err
	}
	defer p.close()
	a := p.nodes[0]
	send := func(s syscall.Signal) func() error { return func() error { return a.signal(s) } }
	t := newTable(append([]string{"two replicas, 40 questions a second"}, append(loadHead, "down noticed after", "back after")...)...)
	for _, f := range []fault{
		{"kill -9", send(syscall.SIGKILL), a.start, true},
		{"SIGSTOP, SIGCONT", send(syscall.SIGSTOP), send(syscall.SIGCONT), false},
		{"SIGTERM", send(syscall.SIGTERM), func() error { <-a.done; return a.start() }, true},
	} {
		if err := p.suffer(ctx, f, t); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	t.print(b.out)
	return p.alone(ctx)
}

// suffer lets a fault of the first node begin and end under load, and adds a row.
func (p *pair) suffer(ctx context.Context, f fault, t *table) error {
	b := p.bench
	b.say("%s", f.name)
	l := startLoad(p.askers, perSecond, p.ask(ctx, budget))
	if err := sleep(ctx, 3*time.Second); err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	began := time.Now()
	down, err := await(ctx, "down", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Down })
	if err != nil {
		return err
	}
	if err := sleep(ctx, 3*time.Second); err != nil {
		return err
	}
	ended := time.Now()
	if err := f.end(); err != nil {
		return err
	}
	if f.restart {
		if ended, err = p.nodes[0].awaitListening(ctx); err != nil {
			return err
		}
	}
	back, err := await(ctx, "up", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Up })
	if err != nil {
		return err
	}
	if err := sleep(ctx, 3*time.Second); err != nil {
		return err
	}
	sum := l.end()
	noticed, returned := down.Sub(began), back.Sub(ended)
	limit := 500 * time.Millisecond
	if !f.restart {
		limit = 2 * time.Second
	}
	t.add(append(append([]any{f.name}, sum.cells()...),
		mark(noticed <= time.Second, duration(noticed)), mark(returned <= limit, duration(returned)))...)
	if why := sum.reasons(); why != "" {
		b.say("%s: failed: %s", f.name, why)
	}
	return nil
}

// alone kills the only node of a repository: its questions name it, are partial and end at once.
func (p *pair) alone(ctx context.Context) error {
	b, a := p.bench, p.nodes[0]
	t := newTable("one replica", "figure")
	ask := func(i int, limit time.Duration) outcome {
		return p.askers[i%users].ask(ctx, p.one.Name, p.single[i%len(p.single)], limit)
	}
	for i := range p.single {
		if o := ask(i, 10*time.Second); o.failure != "" {
			return fmt.Errorf("before: %s", o.failure)
		}
	}
	b.say("the only replica is stopped")
	if err := a.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	var silent []outcome
	for i := range 8 {
		silent = append(silent, ask(i, short))
	}
	s := newTally(silent)
	t.add("silent: questions with 300 ms, partial; beyond 310 ms; longest", fmt.Sprintf("%d of %d; %s; %s", s.failed, s.asked,
		mark(s.late == 0, fmt.Sprint(s.late)), duration(percentile(s.times, 1))))
	if err := p.refused(ctx, t, "silent", ask); err != nil {
		return err
	}
	if err := a.signal(syscall.SIGCONT); err != nil {
		return err
	}
	if err := p.awaitWhole(ctx, ask, time.Now(), 2*time.Second, t, "continued: first whole answer after"); err != nil {
		return err
	}
	l, err := p.linked(ctx)
	if err != nil {
		return err
	}
	b.say("the only replica is killed")
	a.kill()
	if err := p.refused(ctx, t, "killed", ask); err != nil {
		return err
	}
	if err := p.strict(ctx, l, t); err != nil {
		return err
	}
	for range b.some(20) {
		if err := a.start(); err != nil {
			return err
		}
		at, err := a.awaitListening(ctx)
		if err != nil {
			return err
		}
		if err := p.awaitWhole(ctx, ask, at, 500*time.Millisecond, t, "started anew: first whole answer after it listens"); err != nil {
			return err
		}
		a.kill()
		if _, err := await(ctx, "down", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Down }); err != nil {
			return err
		}
	}
	if err := a.start(); err != nil {
		return err
	}
	t.merge()
	t.print(b.out)
	return nil
}

// refused asks for the repository that nobody answers for.
func (p *pair) refused(ctx context.Context, t *table, how string, ask func(int, time.Duration) outcome) error {
	if _, err := await(ctx, "down", func() bool { return ask(0, short).status == api.Unreachable }); err != nil {
		return err
	}
	var all []outcome
	named := 0
	for i := range 100 {
		o := ask(i, 2*time.Second)
		all = append(all, o)
		if err := sleep(ctx, 3*time.Second/wire.MaxRate/users); err != nil {
			return err
		}
		if o.partial && o.status == api.Unreachable && strings.Contains(o.detail, "node-a") {
			named++
		}
	}
	s := newTally(all)
	most := percentile(s.times, .99)
	t.add(how+" and down: partial with the node's name", mark(named == 100, fmt.Sprintf("%d of 100", named)))
	t.add(how+" and down: refused in, p50; p99; longest", fmt.Sprintf("%s; %s; %s", duration(percentile(s.times, .5)),
		mark(most <= 5*time.Millisecond, duration(most)), duration(percentile(s.times, 1))))
	return nil
}

// awaitWhole waits for the first whole answer.
func (p *pair) awaitWhole(
	ctx context.Context, ask func(int, time.Duration) outcome, since time.Time, limit time.Duration, t *table, what string,
) error {
	at, err := await(ctx, "a whole answer", func() bool { return ask(0, 2*time.Second).failure == "" })
	if err != nil {
		return err
	}
	t.addTo(what, at.Sub(since), limit)
	return nil
}
