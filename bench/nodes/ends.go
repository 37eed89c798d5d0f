package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"patina/actors/api"
	"patina/store/doc"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/serve"
)

// ends cancels questions whose work takes seconds, and resets streams at each step, at a node of
// the command.
func ends(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "ends")
	if err != nil {
		return err
	}
	defer c.down()
	if c.repos, err = b.makeRepositories(ctx, 1); err != nil {
		return err
	}
	large, err := b.largeRepository(ctx)
	if err != nil {
		return err
	}
	c.repos = append(c.repos, large)
	node, err := c.add(pki.Node, "node-a")
	if err != nil {
		return err
	}
	if _, err := c.add(pki.Front, "front"); err != nil {
		return err
	}
	b.say("start a node and a front; the node scrapes a large repository")
	if err := c.up(ctx); err != nil {
		return err
	}
	if err := c.cancel(ctx, node, large); err != nil {
		return err
	}
	return c.reset(ctx, node)
}

// largeRepository returns a repository with all of Go's compiler and its library.
func (b *bench) largeRepository(ctx context.Context) (config.Repository, error) {
	root, err := output(ctx, ".", "go", "env", "GOROOT")
	if err != nil {
		return config.Repository{}, err
	}
	dir := filepath.Join(b.work, "origins", "go.dev", "src")
	if _, err := os.Stat(dir); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return config.Repository{}, err
		}
		if err := makeRepository(ctx, source{"go.dev/src", filepath.Join(root, "src")}, dir); err != nil {
			return config.Repository{}, err
		}
	}
	return config.Repository{URL: "file://" + dir, Name: "go.dev/src"}, nil
}

// costly is a look-up that reads every file of a repository.
func costly(r config.Repository) api.Lookup {
	return api.MatchesRequest{
		ReadOptions: api.ReadOptions{Project: r.Name, Timeout: 30 * time.Second},
		Regex:       `(\w+\s+)*\w+zyzzyva\w*(\s+\w+)*$`, Limit: 10, Filter: doc.Filter{},
	}
}

// cancel cancels look-ups. That the work ends shows in the processor time of the node.
func (c *cluster) cancel(ctx context.Context, node *process, r config.Repository) error {
	b := c.bench
	set, err := c.throughFront("anna", 0)
	if err != nil {
		return err
	}
	defer set.Close()
	target, err := set.Target(r.Name)
	if err != nil {
		return err
	}
	watcher, err := c.watch()
	if err != nil {
		return err
	}
	defer watcher.Close()
	spend := func(d time.Duration) (time.Duration, error) {
		x, err := used(node.pid())
		if err != nil {
			return 0, err
		}
		if err := sleep(ctx, d); err != nil {
			return 0, err
		}
		y, err := used(node.pid())
		return y - x, err
	}
	const window = time.Second
	rest, err := spend(window)
	if err != nil {
		return err
	}
	whole, cancelWhole := context.WithCancel(ctx)
	defer cancelWhole()
	failed := make(chan error, 1)
	go func() {
		_, err := target.Read(whole, costly(r))
		failed <- err
	}()
	if err := sleep(ctx, window/2); err != nil {
		return err
	}
	busy, err := spend(window)
	if err != nil {
		return err
	}
	select {
	case err := <-failed:
		return fmt.Errorf("the look-up is too quick to be cancelled: %w", err)
	default:
	}
	cancelWhole()
	<-failed
	reached, n := 0, 20
	var idle []time.Duration
	for range n {
		life, cancel := context.WithCancel(ctx)
		go func() {
			_, err := target.Read(life, costly(r))
			failed <- err
		}()
		err := sleep(ctx, window/2)
		cancel()
		<-failed
		if err := errors.Join(err, sleep(ctx, 50*time.Millisecond)); err != nil {
			return err
		}
		x, err := spend(window)
		if err != nil {
			return err
		}
		if x <= rest+busy/10 && stateOf(watcher, node.name).InFlight == 0 {
			reached++
		}
		idle = append(idle, x)
	}
	t := newTable("a costly look-up through the front: processor time of the node in a second", "figure")
	t.add("at rest", rest)
	t.add("under way", busy)
	t.add("from 50 ms after it was cancelled, p50; most", duration(percentile(idle, .5))+"; "+duration(percentile(idle, 1)))
	t.add("at rest again, and no call under way", mark(reached == n, fmt.Sprintf("%d of %d", reached, n)))
	t.print(b.out)
	return nil
}

// reset resets streams before and after each message.
func (c *cluster) reset(ctx context.Context, node *process) error {
	b, n := c.bench, c.bench.some(20_000)
	dir, err := b.folder("front")
	if err != nil {
		return err
	}
	if dir, err = c.certify(filepath.Join(dir, "certificates"), pki.Front, "resetter", "127.0.0.1"); err != nil {
		return err
	}
	creds, err := credentialsOf(dir, pki.Node)
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient("passthrough:///"+node.address,
		grpc.WithTransportCredentials(creds(config.Node{Name: node.name, Address: node.address})))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	watcher, err := c.watch()
	if err != nil {
		return err
	}
	defer watcher.Close()
	ask, err := wire.EncodeAsk(c.repos[0].Name, &api.Ask{Text: "where are connections closed", Limit: 5}, time.Minute)
	if err != nil {
		return err
	}
	client := nodepb.NewNodeClient(conn)
	reset := func(i int) error {
		// Users in turn, because each may ask 50 times a second.
		life, cancel := context.WithCancel(metadata.AppendToOutgoingContext(ctx, serve.ForUser, fmt.Sprintf("user-%d", i%200)))
		defer cancel()
		st, err := client.Query(life)
		if err != nil {
			return err
		}
		if i%4 > 0 {
			_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: ask}})
		}
		if i%4 > 1 {
			if _, err := st.Recv(); err != nil {
				return err
			}
		}
		if i%4 > 2 {
			m := &nodepb.DescribeRequest{Wants: []byte(`[{"DocID":"dial.go","Kind":"code"}]`)}
			_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: m}})
		}
		return nil
	}
	for i := range 8 {
		if err := reset(i); err != nil {
			return err
		}
	}
	if err := sleep(ctx, time.Second); err != nil {
		return err
	}
	files, memory, tasks := openFiles(node.pid()), resident(node.pid()), threads(node.pid())
	b.say("reset %d streams", n)
	began := time.Now()
	refused, half := 0, 0
	for i := range n {
		if err := reset(i); err != nil {
			refused++
		}
		if i == n/2 {
			half = openFiles(node.pid())
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	took := time.Since(began)
	ended, err := await(ctx, "no call under way", func() bool { return stateOf(watcher, node.name).InFlight == 0 })
	if err != nil {
		return err
	}
	t := newTable(fmt.Sprintf("%d streams reset, a quarter each: opened, asked, answered, described", n), "before", "after")
	t.add("calls under way at the node (holds)", 0, stateOf(watcher, node.name).InFlight)
	t.add("until there were none", "", ended.Sub(began.Add(took)))
	t.add("files of the node", files, fmt.Sprintf("%d (%d after half of them)", openFiles(node.pid()), half))
	t.add("threads of the node", tasks, threads(node.pid()))
	t.add("memory of the node, MB", memory/1e6, resident(node.pid())/1e6)
	t.add("streams that the node refused", "", refused)
	t.add("a second", "", float64(n)/took.Seconds())
	t.print(b.out)
	return nil
}
