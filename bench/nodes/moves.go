package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"patina/wire/config"
	"patina/wire/peer"
	"patina/wire/pki"
)

// moves lets a node join twenty others under load, and kills one.
func moves(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "moves")
	if err != nil {
		return err
	}
	defer c.down()
	if c.repos, err = b.makeRepositories(ctx, 40); err != nil {
		return err
	}
	for i := range c.repos {
		c.repos[i].Replicas = 2
	}
	for i := range 20 {
		if _, err := c.add(pki.Node, fmt.Sprintf("node-%d", i)); err != nil {
			return err
		}
	}
	if _, err := c.add(pki.Front, "front"); err != nil {
		return err
	}
	b.say("start twenty nodes with forty repositories, two replicas each")
	began := time.Now()
	if err := c.up(ctx); err != nil {
		return err
	}
	b.say("hosted after %s", time.Since(began).Round(time.Second))
	questions := map[string][]string{}
	var names []string
	for _, r := range c.repos {
		if questions[r.Name], err = questionsOf(r, 5); err != nil {
			continue // too little text
		}
		names = append(names, r.Name)
	}
	var askers []*asker
	for i := range users {
		s, err := c.throughFront(fmt.Sprintf("user-%d", i), 0)
		if err != nil {
			return err
		}
		a, err := newAsker(s, names...)
		if err != nil {
			return err
		}
		defer a.close()
		askers = append(askers, a)
	}
	ask := func(a *asker, i int) outcome {
		name := names[i%len(names)]
		return a.ask(ctx, name, questions[name][i/len(names)%5], 5*time.Second)
	}
	t := newTable(append([]string{"twenty nodes, forty repositories, 20 questions a second"}, append(loadHead, "replicas that moved")...)...)
	l := startLoad(askers, 20, ask)
	moved, joined, err := c.join(ctx, "node-20")
	if err != nil {
		return err
	}
	sum := l.end()
	all := 0
	for _, r := range c.repos {
		all += r.Replicas
	}
	t.add(append(append([]any{"node-20 joins, " + joined.Round(time.Second).String()}, sum.cells()...),
		fmt.Sprintf("%d of %d", moved, all))...)
	if why := sum.reasons(); why != "" {
		b.say("failed: %s", why)
	}
	before, err := c.clones()
	if err != nil {
		return err
	}
	b.say("node-3 crashes")
	l = startLoad(askers, 20, ask)
	if err := c.nodes[3].signal(syscall.SIGKILL); err != nil {
		return err
	}
	if err := sleep(ctx, time.Duration(b.some(100))*time.Second); err != nil {
		return err
	}
	sum = l.end()
	after, err := c.clones()
	if err != nil {
		return err
	}
	t.add(append(append([]any{fmt.Sprintf("node-3 crashes, %d s", b.some(100))}, sum.cells()...),
		mark(difference(before, after) == 0, fmt.Sprint(difference(before, after))))...)
	if why := sum.reasons(); why != "" {
		b.say("failed: %s", why)
	}
	t.print(b.out)
	return c.plans(ctx)
}

// join adds a node and waits until everything is where the plan says.
func (c *cluster) join(ctx context.Context, name string) (moved int, took time.Duration, err error) {
	s, err := c.watch()
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	if err := sleep(ctx, 3*time.Second); err != nil {
		return 0, 0, err
	}
	before := hostedBy(s)
	p, err := c.add(pki.Node, name)
	if err != nil {
		return 0, 0, err
	}
	c.bench.say("%s joins", name)
	began := time.Now()
	if err := c.write(); err != nil {
		return 0, 0, err
	}
	if err := p.start(); err != nil {
		return 0, 0, err
	}
	cfg, err := config.Read(c.config())
	if err != nil {
		return 0, 0, err
	}
	plan, err := cfg.Plan()
	if err != nil {
		return 0, 0, err
	}
	wide, err := c.watch()
	if err != nil {
		return 0, 0, err
	}
	defer wide.Close()
	for {
		now := hostedBy(wide)
		settled := true
		for repository, nodes := range plan {
			settled = settled && slices.Equal(now[repository], slices.Sorted(slices.Values(nodes)))
		}
		if settled {
			break
		}
		if time.Since(began) > 6*time.Minute {
			return 0, 0, fmt.Errorf("not where the plan says after six minutes:\n%s", strings.Join(unsettled(plan, now), "\n"))
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return 0, 0, err
		}
	}
	took = time.Since(began)
	after := hostedBy(wide)
	for repository, nodes := range after {
		for _, n := range nodes {
			if !slices.Contains(before[repository], n) {
				moved++
			}
		}
	}
	return moved, took, sleep(ctx, 5*time.Second)
}

func unsettled(plan map[string][]string, now map[string][]string) (out []string) {
	for _, repository := range slices.Sorted(maps.Keys(plan)) {
		if !slices.Equal(now[repository], slices.Sorted(slices.Values(plan[repository]))) {
			out = append(out, fmt.Sprintf("%s: planned %v, on %v", repository, plan[repository], now[repository]))
		}
	}
	return out
}

// hostedBy returns the nodes that host each repository, sorted.
func hostedBy(s *peer.Set) map[string][]string {
	out := map[string][]string{}
	for _, n := range s.States() { // by name
		for _, h := range n.Hosted {
			out[h.GetRepository()] = append(out[h.GetRepository()], n.Name)
		}
	}
	for _, nodes := range out {
		slices.Sort(nodes)
	}
	return out
}

// clones returns the folders of clones of each node.
func (c *cluster) clones() (map[string][]string, error) {
	out := map[string][]string{}
	for _, n := range c.nodes {
		all, err := filepath.Glob(filepath.Join(n.home, "repos", "*", "*"))
		if err != nil {
			return nil, err
		}
		out[n.name] = all
	}
	return out, nil
}

// difference returns how many clones are new.
func difference(before, after map[string][]string) (n int) {
	for name := range after {
		for _, x := range after[name] {
			if !slices.Contains(before[name], x) {
				n++
			}
		}
	}
	return n
}

// plans asks the command what moves of ten thousand repositories.
func (c *cluster) plans(ctx context.Context) error {
	b := c.bench
	var list strings.Builder
	const repositories = 10_000
	for i := range repositories {
		fmt.Fprintf(&list, "[[repo]]\nurl = \"https://git.example.com/team/r%d.git\"\nreplicas = 2\n", i)
	}
	folder := func(nodes int) (string, error) {
		dir, err := b.folder("plan")
		if err != nil {
			return "", err
		}
		var text strings.Builder
		for i := range nodes {
			fmt.Fprintf(&text, "[[node]]\nname = \"node-%d\"\naddress = \"node-%d.example:7470\"\n", i, i)
		}
		if err := os.WriteFile(filepath.Join(dir, config.NodesFile), []byte(text.String()), 0o600); err != nil {
			return "", err
		}
		return dir, os.WriteFile(filepath.Join(dir, config.RepositoriesFile), []byte(list.String()), 0o600)
	}
	old, err := folder(20)
	if err != nil {
		return err
	}
	next, err := folder(21)
	if err != nil {
		return err
	}
	out, err := output(ctx, "", b.patina, "node", "plan", "--config", next, "--from", old)
	if err != nil {
		return err
	}
	n := strings.Count(out, "\n") + 1
	share := 100 * float64(n) / (2 * repositories)
	t := newTable("patina node plan, 10,000 repositories with two replicas, 20 nodes become 21", "figure")
	t.add("replicas that move", mark(share <= 5.5, digits(share)+"%"))
	t.add("of these to the new node", fmt.Sprintf("%d of %d", strings.Count(out, " to node-20"), n))
	t.print(b.out)
	return nil
}
