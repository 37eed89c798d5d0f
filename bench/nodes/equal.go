package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/code/assay"
	"patina/code/lookup"
	"patina/store/doc"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/pki"
)

// A counting forwards connections and counts their bytes.
type counting struct {
	listener net.Listener
	to       string
	up, down atomic.Int64 // bytes to and from the server
}

// newCounting returns a proxy of a server.
func newCounting(to string) (*counting, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &counting{listener: l, to: to}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go c.forward(conn)
		}
	}()
	return c, nil
}

func (c *counting) address() string { return c.listener.Addr().String() }

func (c *counting) forward(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	server, err := net.Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() {
		_, _ = io.Copy(counter{server, &c.up}, conn)
		_ = server.Close()
	}()
	_, _ = io.Copy(counter{conn, &c.down}, server)
}

type counter struct {
	io.Writer
	n *atomic.Int64
}

// Write implements io.Writer.
func (c counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// equal compares answers of a node and of a front with those of an engine in this process on the
// same index, byte for byte as JSON.
func equal(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "equal")
	if err != nil {
		return err
	}
	defer c.down()
	if c.repos, err = b.makeRepositories(ctx, 3); err != nil {
		return err
	}
	node, err := c.add(pki.Node, "node-a")
	if err != nil {
		return err
	}
	front, err := c.add(pki.Front, "front")
	if err != nil {
		return err
	}
	b.say("start a node and a front")
	if err := c.up(ctx); err != nil {
		return err
	}
	t := newTable("", "questions equal", "look-ups equal", "bytes to the client, a question", "bytes from it", "p50", "at home, p50")
	ways := []struct {
		name string
		role pki.Role
		to   *process
	}{{"through the node", pki.Node, node}, {"through front and node", pki.Front, front}}
	for _, w := range ways {
		proxy, err := newCounting(w.to.address)
		if err != nil {
			return err
		}
		defer func() { _ = proxy.listener.Close() }()
		var names []string
		for _, r := range c.repos {
			names = append(names, r.Name)
		}
		set, err := c.as("anna", w.role, []config.Node{{Name: w.to.name, Address: proxy.address()}}, 5*time.Second)
		if err != nil {
			return err
		}
		far, err := newAsker(set, names...)
		if err != nil {
			return err
		}
		defer far.close()
		for _, r := range c.repos {
			if err := c.compare(ctx, w.name, node.home, r, far, proxy, t); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
		}
	}
	t.print(b.out)
	return nil
}

// atHome returns an engine in this process on the index that a node has of a repository.
func atHome(ctx context.Context, home string, r config.Repository) (*actors.Engine, error) {
	if err := os.Setenv("PATINA_HOME", home); err != nil {
		return nil, err
	}
	defer func() { _ = os.Unsetenv("PATINA_HOME") }()
	clones, err := filepath.Glob(filepath.Join(home, "repos", "*", filepath.Base(strings.TrimPrefix(r.URL, "file://"))))
	if err != nil || len(clones) != 1 {
		return nil, errors.Join(err, fmt.Errorf("%d clones of %s", len(clones), r.URL))
	}
	place, err := project.At(clones[0], "")
	if err != nil {
		return nil, err
	}
	p, err := place.Answering(ctx)
	if err != nil {
		return nil, err
	}
	p.Name = r.Name
	if p.Kinds, err = visit.SharedKinds(place); err != nil {
		return nil, err
	}
	o := project.EngineOptions()
	o.Projects = []actors.Project{p}
	return actors.Open(o)
}

func (c *cluster) compare(
	ctx context.Context, way, home string, r config.Repository, far *asker, proxy *counting, t *table,
) error {
	b := c.bench
	e, err := atHome(ctx, home, r)
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = e.Close(end)
	}()
	questions, err := questionsOf(r, 60)
	if err != nil {
		return err
	}
	same := 0
	var there, here []time.Duration
	up, down := proxy.up.Load(), proxy.down.Load()
	for i, q := range questions {
		m := api.Request{Text: q, Timeout: 20 * time.Second, Projects: []string{r.Name}, Limit: 10, Now: time.Unix(1.75e9, 0)}
		if i%4 == 3 {
			m.Filter = doc.Filter{Kinds: []doc.Kind{doc.Code}}
		}
		want, err := e.Scry(ctx, m)
		if err != nil {
			return err
		}
		got, err := far.engine.Scry(ctx, m)
		if err := errors.Join(err, pause(ctx)); err != nil {
			return err
		}
		there, here = append(there, got.Took), append(here, want.Took)
		x, err := timeless(want)
		if err != nil {
			return err
		}
		y, err := timeless(got)
		if err != nil {
			return err
		}
		if x == y {
			same++
			continue
		}
		b.say("%q differs %s\nat home: %s\nfar:     %s", q, way, x, y)
	}
	n := int64(len(questions))
	up, down = (proxy.up.Load()-up)/n, (proxy.down.Load()-down)/n
	reads, all, err := compareReads(ctx, r, e, far.engine, questions)
	if err != nil {
		return err
	}
	t.add(r.Name+" "+way, mark(same == len(questions), fmt.Sprintf("%d of %d", same, len(questions))),
		mark(reads == all, fmt.Sprintf("%d of %d", reads, all)), down, up, percentile(there, .5), percentile(here, .5))
	return nil
}

// pause keeps a user below the questions that nodes and fronts take in a second.
func pause(ctx context.Context) error { return sleep(ctx, 1500*time.Millisecond/wire.MaxRate) }

// timeless is an answer as JSON without the parts that differ between two askings, or that stay at
// home.
func timeless(a *api.Answer) (string, error) {
	out := *a
	out.Took, out.QueryID = 0, ""
	out.Channels = slices.Clone(a.Channels)
	for i := range out.Channels {
		out.Channels[i].Elapsed = 0
	}
	out.Indexes = slices.Clone(a.Indexes)
	for i, x := range out.Indexes {
		out.Indexes[i].Generation.ScrapedAt = x.Generation.ScrapedAt.Round(0).UTC()
		out.Indexes[i].Root = ""
	}
	out.Results = slices.Clone(a.Results)
	for i, r := range out.Results {
		out.Results[i].Time = r.Time.UTC()
		out.Results[i].Stat = doc.Stat{Size: r.Stat.Size}
	}
	return plain(out)
}

// plain is a value as JSON without the difference between an empty list and none, which not every
// wire keeps.
func plain(v any) (string, error) {
	raw, err := json.Marshal(v)
	s := string(raw)
	for _, empty := range []string{"null", "[]", "{}"} {
		s = strings.ReplaceAll(s, ":"+empty, ":0")
	}
	return s, err
}

// compareReads compares look-ups about what questions found.
func compareReads(
	ctx context.Context, r config.Repository, home, far *actors.Engine, questions []string,
) (same, all int, err error) {
	here, err := home.Target(r.Name)
	if err != nil {
		return 0, 0, err
	}
	there, err := far.Target(r.Name)
	if err != nil {
		return 0, 0, err
	}
	lookups := []api.Lookup{
		api.OverviewRequest{},
		api.PackagesRequest{},
		api.FreshnessRequest{},
		api.TreeRequest{Limit: 50},
		api.BriefRequest{Topic: questions[0], Now: time.Unix(1.75e9, 0)},
		api.RecentRequest{Since: time.Unix(0, 0), Limit: 20},
		api.AssayRequest{Query: assay.Query{Type: "functions", Pattern: "e"}},
		api.MatchesRequest{Literal: "return nil", Limit: 20},
		api.MatchesRequest{Regex: `^func [A-Z]\w+`, Limit: 20},
		api.AuditRequest{},
		api.ProposalsRequest{Limit: 20},
	}
	for i, q := range questions[:20] {
		a, err := home.Scry(ctx, api.Request{Text: q, Timeout: 20 * time.Second, Filter: doc.Filter{Kinds: []doc.Kind{doc.Code}}})
		if err != nil {
			return 0, 0, err
		}
		if len(a.Results) == 0 {
			continue
		}
		f := a.Results[0]
		lookups = append(lookups, []api.Lookup{
			api.DetailRequest{DocID: f.DocID},
			api.LinksRequest{Path: f.Path, Reasons: 2, Commits: 5, Neighbours: 5},
			api.ClosestRequest{Question: q, DocID: f.DocID, Limit: 3},
			api.NearNamesRequest{Name: strings.ToLower(q), Limit: 5, Paths: true},
			api.ResolveRequest{Names: []string{f.Path}, Symbols: true},
			api.SymbolsRequest{Symbols: []lookup.Symbol{{Path: f.Path, Name: "New"}}},
			api.LinesRequest{Lines: []api.Line{{Path: f.Path, Number: 1}, {Path: f.Path, Number: 2}}},
		}[i%7])
	}
	for _, x := range lookups {
		x = api.WithOptions(x, api.ReadOptions{Project: r.Name, Timeout: 20 * time.Second})
		want, wantErr := here.Read(ctx, x)
		got, gotErr := there.Read(ctx, x)
		if err := pause(ctx); err != nil {
			return 0, 0, err
		}
		all++
		a, err := bare(want, wantErr)
		if err != nil {
			return 0, 0, err
		}
		b, err := bare(got, gotErr)
		if err != nil {
			return 0, 0, err
		}
		if a == b {
			same++
		} else {
			fmt.Fprintf(os.Stderr, "%s differs\nat home: %.2000s\nfar:     %.2000s\n", x.Verb(), a, b)
		}
	}
	return same, all, nil
}

// bare is the outcome of a look-up as JSON without what stays at home.
func bare(answer any, err error) (string, error) {
	if err != nil {
		if f, ok := errors.AsType[*api.Failure](err); ok {
			return plain(f)
		}
		return err.Error(), nil
	}
	if x := api.IndexOf(answer); x != nil {
		x.Root = ""
	}
	switch a := answer.(type) {
	case *api.DetailAnswer:
		a.Stat = doc.Stat{Size: a.Stat.Size}
	case *api.TreeAnswer:
		for i, f := range a.Files {
			a.Files[i].Stat = doc.Stat{Size: f.Size}
		}
	}
	return plain(answer)
}
