package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // as the command

	"patina/registry/route"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/pki"
)

// many lets twenty nodes host ten thousand repositories with made-up sketches, and looks at what a
// user transfers and how long a question waits for where it goes.
func many(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "many")
	if err != nil {
		return err
	}
	defer c.down()
	const nodes = 20
	each := b.some(500)
	var list strings.Builder
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i)
		o := childOptions{Name: name, Bytes: 1, Words: 800}
		for k := range each {
			r := fmt.Sprintf("git.example.com/team%d/repository-%d", i, k)
			o.Prepared = append(o.Prepared, r)
			fmt.Fprintf(&list, "[[repo]]\nurl = \"https://%s.git\"\nname = %q\nnodes = [%q]\n", r, r, name)
		}
		if o.Certificates, err = c.certifyChild(name); err != nil {
			return err
		}
		h, err := b.startChild("server", o)
		if err != nil {
			return err
		}
		defer h.end()
		c.others = append(c.others, config.Node{Name: name, Address: h.address})
	}
	c.list = list.String()
	front, err := c.add(pki.Front, "front")
	if err != nil {
		return err
	}
	b.say("start a front of %d repositories", nodes*each)
	began := time.Now()
	if err := c.up(ctx); err != nil {
		return err
	}
	proxy, err := newCounting(front.address)
	if err != nil {
		return err
	}
	defer func() { _ = proxy.listener.Close() }()
	dir, err := c.user("anna")
	if err != nil {
		return err
	}
	creds, err := credentialsOf(dir, pki.Front)
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient("passthrough:///"+proxy.address(),
		grpc.WithTransportCredentials(creds(config.Node{Name: front.name, Address: proxy.address()})),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	node, fronts := nodepb.NewNodeClient(conn), nodepb.NewFrontClient(conn)
	t := newTable(fmt.Sprintf("%d repositories on %d nodes, made-up sketches", nodes*each, nodes), "figure")
	var reply *nodepb.RouteReply
	stems := []uint64{uint64(route.HashOf(word(3))), uint64(route.HashOf(word(50))), uint64(route.HashOf(word(700))), uint64(route.HashOf(word(9000)))}
	request := &nodepb.RouteRequest{Stems: stems, BudgetUs: 1e6}
	for i := range 20 {
		request.Candidates = append(request.Candidates, fmt.Sprintf("git.example.com/team%d/repository-%d", i, i))
	}
	// The counts of all nodes come after the front has started.
	for reply.GetChunks() == 0 || reply.GetNote() != "" {
		if reply, err = node.Route(ctx, request); err != nil && ctx.Err() != nil {
			return err
		}
		if time.Since(began) > 2*time.Minute {
			return fmt.Errorf("route: %v, %w", reply, err)
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	t.add("until the front has counted all words", time.Since(began))
	if err := sleep(ctx, 3*time.Second); err != nil { // the front is at rest
		return err
	}
	took := func(call func() error) (time.Duration, int64, error) {
		up, down, at := proxy.up.Load(), proxy.down.Load(), time.Now()
		err := call()
		return time.Since(at), proxy.up.Load() - up + proxy.down.Load() - down, err
	}
	var pings []time.Duration
	routes, bytes := map[int][]time.Duration{}, map[int]int64{}
	for range b.some(200) {
		d, _, err := took(func() error {
			_, err := fronts.Repositories(ctx, &nodepb.RepositoriesRequest{Repositories: []string{"git.example.com/none"}})
			return err
		})
		if err != nil {
			return err
		}
		pings = append(pings, d)
		for _, candidates := range []int{0, 1, 20} {
			m := &nodepb.RouteRequest{Stems: stems, BudgetUs: 1e6, Candidates: request.GetCandidates()[:candidates]}
			d, n, err := took(func() error {
				_, err := node.Route(ctx, m)
				return err
			})
			if err := errors.Join(err, pause(ctx)); err != nil {
				return err
			}
			routes[candidates], bytes[candidates] = append(routes[candidates], d), n
		}
	}
	trip := percentile(pings, .5)
	t.add("round trip, p50; p99", duration(trip)+"; "+duration(percentile(pings, .99)))
	for _, candidates := range []int{0, 1, 20} {
		p50 := percentile(routes[candidates], .5)
		t.add(fmt.Sprintf("Route of 4 words without %d repositories: p50; p99; bytes", candidates), fmt.Sprintf("%s; %s; %d",
			mark(p50-trip <= 10*time.Millisecond, duration(p50)), duration(percentile(routes[candidates], .99)), bytes[candidates]))
	}
	d, n, err := took(func() error {
		_, err := fronts.Repositories(ctx, &nodepb.RepositoriesRequest{Repositories: request.GetCandidates()})
		return err
	})
	if err != nil {
		return err
	}
	t.add("names of 20 repositories: bytes; time", fmt.Sprintf("%d; %s", n, duration(d)))
	var all *nodepb.RepositoriesReply
	if d, n, err = took(func() (err error) {
		all, err = fronts.Repositories(ctx, &nodepb.RepositoriesRequest{})
		return err
	}); err != nil {
		return err
	}
	t.add(fmt.Sprintf("names of all %d: bytes; time", len(all.GetRepositories())),
		fmt.Sprintf("%s; %s", mark(n <= 1e6, fmt.Sprint(n)), duration(d)))
	var again *nodepb.RepositoriesReply
	if d, n, err = took(func() (err error) {
		again, err = fronts.Repositories(ctx, &nodepb.RepositoriesRequest{Etag: all.GetEtag()})
		return err
	}); err != nil {
		return err
	}
	t.add("names of all again: unchanged; bytes; time", fmt.Sprintf("%v; %d; %s", again.GetUnchanged(), n, duration(d)))
	var sketches *nodepb.SketchesReply
	if d, n, err = took(func() (err error) {
		sketches, err = node.Sketches(ctx, &nodepb.SketchesRequest{Repositories: request.GetCandidates()})
		return err
	}); err != nil {
		return err
	}
	t.add(fmt.Sprintf("%d sketches: bytes; time", len(sketches.GetSketches())), fmt.Sprintf("%d; %s", n, duration(d)))
	if err := c.onlyOne(ctx, proxy, t); err != nil {
		return err
	}
	t.add("memory of the front, MB", resident(front.pid())/1e6)
	t.print(b.out)
	return nil
}

// onlyOne lets the command of a user add twenty repositories and ask.
func (c *cluster) onlyOne(ctx context.Context, proxy *counting, t *table) error {
	dir, err := c.project(ctx)
	if err != nil {
		return err
	}
	l, err := c.newLaptop("laptop", dir)
	if err != nil {
		return err
	}
	l.mother = proxy.address()
	if _, err := l.do(ctx, "repo", "add", "."); err != nil {
		return err
	}
	began := proxy.up.Load() + proxy.down.Load()
	last := began
	step := func(name string, took time.Duration) {
		now := proxy.up.Load() + proxy.down.Load()
		t.add(name+": bytes; time", fmt.Sprintf("%d; %s", now-last, duration(took)))
		last = now
	}
	at := time.Now()
	for i := range 20 {
		name := fmt.Sprintf("git.example.com/team%d/repository-%d", i, i)
		if _, err := l.do(ctx, "repo", "add", "--from-mother", name); err != nil {
			return err
		}
		if _, err := l.do(ctx, "repo", "link", filepath.Base(dir), filepath.Base(name), "USES"); err != nil {
			return err
		}
	}
	step("patina repo add --from-mother and repo link, 20 times", time.Since(at))
	for range 2 {
		r, err := l.run(ctx, "scry", "--no-refresh", "--all-repos", word(3)+" "+word(50))
		if err != nil {
			return err
		}
		if r.code > 1 {
			return fmt.Errorf("scry: exit %d: %s%s", r.code, r.out, r.errs)
		}
		step("patina scry --all-repos", r.took)
	}
	t.add("all that the user has transferred, bytes", mark(last-began <= 1e6, fmt.Sprint(last-began)))
	return nil
}
