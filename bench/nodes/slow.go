package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"patina/oracles/embed"
	"patina/scrape"
	"patina/wire/config"
	"patina/wire/pki"
)

// scraped makes an index of a repository beside it, for children to answer from.
func (b *bench) scraped(ctx context.Context, r config.Repository) (storedProject, error) {
	root := r.URL[len("file://"):]
	store, err := b.folder("store")
	if err != nil {
		return storedProject{}, err
	}
	b.say("scrape %s", r.Name)
	_, err = scrape.Run(ctx, scrape.Options{Root: root, StoreDir: store, Embedder: embed.Base(), Load: embed.Load})
	return storedProject{r.Name, root, store}, err
}

// slowPerSecond is how many questions come in a second.
const slowPerSecond = 60

// slow asks a repository of which 2% of the questions wait 300 ms at the server: on one node, and
// on two, of which the front may ask the other one beside. Requests are counted at the servers.
func slow(ctx context.Context, b *bench) error {
	repos, err := b.makeRepositories(ctx, 2)
	if err != nil {
		return err
	}
	c, err := newCluster(b, "slow")
	if err != nil {
		return err
	}
	defer c.down()
	one, err := b.scraped(ctx, repos[1])
	if err != nil {
		return err
	}
	two := one // the same index under another name
	two.Repository = "two/replicas"
	var servers []*helper
	for i, name := range []string{"node-a", "node-b"} {
		o := childOptions{Name: name, Slow: .02, SlowFor: 300 * time.Millisecond, Projects: []storedProject{two, one}[:2-i]}
		if o.Certificates, err = c.certifyChild(name); err != nil {
			return err
		}
		h, err := b.startChild("server", o)
		if err != nil {
			return err
		}
		defer h.end()
		servers = append(servers, h)
		c.others = append(c.others, config.Node{Name: name, Address: h.address})
	}
	c.list = fmt.Sprintf("[[repo]]\nurl = %q\nname = %q\nnodes = [\"node-a\"]\n[[repo]]\nurl = %q\nname = %q\nreplicas = 2\n",
		repos[1].URL, one.Repository, repos[0].URL, two.Repository)
	if _, err := c.add(pki.Front, "front"); err != nil {
		return err
	}
	if err := c.up(ctx); err != nil {
		return err
	}
	questions, err := questionsOf(repos[1], 200)
	if err != nil {
		return err
	}
	var askers []*asker
	for i := range users {
		s, err := c.throughFront(fmt.Sprintf("user-%d", i), 0)
		if err != nil {
			return err
		}
		a, err := newAsker(s, one.Repository, two.Repository)
		if err != nil {
			return err
		}
		defer a.close()
		askers = append(askers, a)
	}
	n := b.some(3000)
	t := newTable(fmt.Sprintf("2%% of the questions, %d a second, wait 300 ms at the server", slowPerSecond),
		"asked", "failed", "p50", "p99", "asked at servers", "more than questions")
	var p99 [2]time.Duration
	for i, name := range []string{one.Repository, two.Repository} {
		b.say("ask %s", name)
		// The front learns after which time it asks a second replica.
		if _, err := askEach(ctx, askers, name, questions, 200); err != nil {
			return err
		}
		before, err := asksOf(servers)
		if err != nil {
			return err
		}
		l := startLoad(askers, slowPerSecond, func(a *asker, i int) outcome {
			return a.ask(ctx, name, questions[i%len(questions)], 5*time.Second)
		})
		err = sleep(ctx, time.Duration(n)*time.Second/slowPerSecond)
		sum := l.end()
		if err != nil {
			return err
		}
		after, err := asksOf(servers)
		if err != nil {
			return err
		}
		p99[i] = percentile(sum.times, .99)
		more := 100 * (float64(after-before)/float64(sum.asked) - 1)
		t.add([]string{"one replica", "two replicas"}[i], sum.asked, sum.failed, percentile(sum.times, .5), p99[i], after-before,
			mark(more <= 5, digits(more)+"%"))
	}
	t.add("p99 with two, of that with one", "", "", "", mark(2*p99[1] <= p99[0], digits(float64(p99[1])/float64(p99[0]))), "", "")
	t.print(b.out)
	return nil
}

// asksOf returns how many questions servers were asked.
func asksOf(servers []*helper) (n int64, err error) {
	for _, h := range servers {
		s, err := h.stats()
		if err != nil {
			return 0, err
		}
		n += s.Asks
	}
	return n, nil
}

// askEach lets each asker ask in turn, one question after the other, until all have asked n.
func askEach(ctx context.Context, askers []*asker, repository string, questions []string, n int) (tally, error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var outcomes []outcome
	for g, a := range askers {
		all.Go(func() {
			for i := g; i < n && ctx.Err() == nil; i += len(askers) {
				o := a.ask(ctx, repository, questions[i%len(questions)], 5*time.Second)
				mu.Lock()
				outcomes = append(outcomes, o)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return newTally(outcomes), ctx.Err()
}
