package front

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"patina/actors/api"
	"patina/oracles"
	"patina/registry/route"
	"patina/store/doc"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/serve"
)

// made is a Backend of repositories that are made up: their answers cost nothing, so that only the
// wire is measured. Nothing else of a server is replaced.
type made struct {
	hosted []*nodepb.Hosted
	lists  *api.Lists
}

func (m *made) Repositories() []*nodepb.Hosted { return m.hosted }
func (m *made) Beat(context.Context) error     { return nil }

func (m *made) Target(name string) (api.Target, bool) {
	return madeTarget{name, m.lists}, slices.ContainsFunc(m.hosted, func(h *nodepb.Hosted) bool { return h.GetRepository() == name })
}

type madeTarget struct {
	name  string
	lists *api.Lists
}

func (m madeTarget) Name() string { return m.name }

func (m madeTarget) Channels() []string { return []string{"lexical"} }

func (m madeTarget) Ask(context.Context, *api.Ask) (*api.Lists, error) { return m.lists, nil }

func (m madeTarget) Describe(context.Context, *api.Describe) (*api.Descriptions, error) {
	return nil, nil
}

func (m madeTarget) Read(context.Context, api.Lookup) (any, error) { return nil, errors.New("none") }

// listsOf returns lists of about some bytes on the wire.
func listsOf(tb testing.TB, bytes int) *api.Lists {
	l := &api.Lists{Evidence: map[string]doc.Evidence{}, Channels: []api.ChannelState{{Channel: "lexical", Status: api.OK}}}
	for n := 0; n < bytes; {
		list := oracles.List{Channel: "lexical", Kind: doc.Code, Generation: 7}
		for range 20 {
			path := fmt.Sprintf("internal/package%d/file%d.go", len(l.Lists), len(list.Hits))
			list.Hits = append(list.Hits, doc.Ranked{DocID: path + "::Function", Path: path, Raw: 1.5, Chunks: []int{1, 2, 3}, Near: []float64{.5, .25}})
			l.Evidence[path] = doc.Evidence{Share: .5, Coverage: .75, Known: 1, Passage: .25, Cosine: .125}
		}
		l.Lists = append(l.Lists, list)
		m, err := wire.EncodeLists(l)
		if err != nil {
			tb.Fatal(err)
		}
		n = proto.Size(m)
	}
	return l
}

// serveMade serves on a port of this machine, in the clear.
func serveMade(tb testing.TB, s interface {
	Serve(net.Listener) error
	Stop()
},
) (address string) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	done := serving(tb, s, l)
	tb.Cleanup(func() { s.Stop(); <-done })
	return l.Addr().String()
}

// frontOf serves a front of some nodes, in the clear. Its nodes share this process, and so their
// beats are slow: whoever counts words of 10,000 repositories would be taken for dead.
func frontOf(tb testing.TB, cfg *config.Config) (*Server, string) {
	tb.Helper()
	s, err := New(Options{Config: func() *config.Config { return cfg }, Beat: 5 * time.Second})
	if err != nil {
		tb.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	done := serving(tb, s, l)
	tb.Cleanup(func() { s.Close(); <-done })
	if err := s.Wait(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return s, l.Addr().String()
}

// bare is a node whose lists are made before, so that nothing but messages is measured.
type bare struct {
	*serve.Server
	answer *nodepb.FromRepository
}

func (n *bare) Query(st grpc.BidiStreamingServer[nodepb.ToRepository, nodepb.FromRepository]) error {
	if _, err := st.Recv(); err != nil {
		return err
	}
	if err := st.Send(n.answer); err != nil {
		return err
	}
	_, _ = st.Recv() // the asker ends the stream
	return nil
}

// BenchmarkHop asks four repositories on four nodes at once, of which each answers with lists of 30
// kB: at the nodes themselves, and through a front. Client, front and nodes share this process, so
// its processor time is that of the whole wire. "messages" are encoded and decoded as messages
// only, and "answers" are those of an engine, too.
func BenchmarkHop(b *testing.B) {
	const repositories, bytes = 4, 30_000
	lists := listsOf(b, bytes)
	encoded, err := wire.EncodeLists(lists)
	if err != nil {
		b.Fatal(err)
	}
	answer := &nodepb.FromRepository{Of: &nodepb.FromRepository_Lists{Lists: encoded}}
	var whole, messages []config.Node
	for i := range repositories {
		h := &nodepb.Hosted{Repository: repositoryOf(i), Channels: []string{"lexical"}}
		o := serve.Options{Backend: &made{hosted: []*nodepb.Hosted{h}, lists: lists}}
		whole = append(whole, config.Node{Name: fmt.Sprint("node-", i), Address: serveMade(b, serve.New(o))})
		base := serve.NewBase(o)
		nodepb.RegisterNodeServer(base.GRPC, &bare{serve.New(o), answer})
		messages = append(messages, config.Node{Name: fmt.Sprint("node-", i), Address: serveMade(b, base)})
	}
	for _, kind := range []struct {
		name  string
		nodes []config.Node
		asker func(*testing.B, *peer.Set, int) func(query string)
	}{{"messages", messages, askMessages}, {"answers", whole, askAnswers}} {
		_, address := frontOf(b, &config.Config{Nodes: kind.nodes})
		for _, clients := range []int{1, 8} {
			var direct time.Duration
			for _, way := range []struct {
				name  string
				nodes []config.Node
			}{{"direct", kind.nodes}, {"front", []config.Node{{Name: "front", Address: address}}}} {
				b.Run(fmt.Sprintf("%s/clients=%d/%s", kind.name, clients, way.name), func(b *testing.B) {
					s, err := peer.New(peer.Options{Nodes: way.nodes})
					if err != nil {
						b.Fatal(err)
					}
					defer s.Close()
					if err := s.Wait(b.Context()); err != nil {
						b.Fatal(err)
					}
					used := askAtOnce(b, clients, repositories, kind.asker(b, s, repositories))
					b.ReportMetric(float64(used.Microseconds()), "cpu-µs/op")
					if way.name == "direct" {
						direct = used
					} else if direct > 0 {
						b.ReportMetric(float64(used)/float64(direct), "cpu-ratio")
					}
				})
			}
		}
	}
}

func repositoryOf(i int) string { return fmt.Sprint("repository", i) }

// askAtOnce lets clients ask b.N times, and returns the processor time of each.
func askAtOnce(b *testing.B, clients, repositories int, ask func(query string)) time.Duration {
	ask("warm") // connections are made
	before := processorTime(b)
	b.ResetTimer()
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				ask(fmt.Sprint(n))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	return (processorTime(b) - before) / time.Duration(b.N)
}

// askMessages returns a function that asks all repositories at once, and reads their messages.
func askMessages(b *testing.B, s *peer.Set, repositories int) func(string) {
	return func(string) {
		var all sync.WaitGroup
		for i := range repositories {
			all.Go(func() {
				_, call, err := peer.Try(b.Context(), s, repositoryOf(i), peer.How{},
					func(life context.Context, c *peer.Call) (*nodepb.FromRepository, error) {
						st, err := nodepb.NewNodeClient(c.Conn).Query(life)
						if err != nil {
							return nil, err
						}
						m := &nodepb.AskRequest{Repository: repositoryOf(i), Text: "where is the cache evicted", Limit: 10}
						_ = st.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: m}})
						return st.Recv()
					})
				if err != nil {
					b.Error(err)
					return
				}
				call.End()
			})
		}
		all.Wait()
	}
}

// askAnswers returns a function that asks all repositories at once as an engine does.
func askAnswers(b *testing.B, s *peer.Set, repositories int) func(string) {
	var targets []api.Target
	for i := range repositories {
		x, err := s.Target(repositoryOf(i))
		if err != nil {
			b.Fatal(err)
		}
		targets = append(targets, x)
	}
	return func(query string) { askAll(b, targets, query) }
}

// askAll asks repositories at once, and ends the questions.
func askAll(b *testing.B, targets []api.Target, query string) {
	var all sync.WaitGroup
	for _, x := range targets {
		all.Go(func() {
			m := &api.Ask{Query: query, Text: "where is the cache evicted", Limit: 10, Budget: 10 * time.Second}
			if _, err := x.Ask(b.Context(), m); err != nil {
				b.Error(err)
			}
			if _, err := x.Describe(b.Context(), &api.Describe{Query: query}); err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
}

// processorTime returns the time that this process has used of processors.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// A fleet is many nodes with many made-up repositories, of which each is on two nodes.
type fleet struct {
	config *config.Config
	names  []string
}

const (
	fleetNodes        = 20
	fleetRepositories = 10_000
	sketchTerms       = 2_000 // of a sketch: with names some 14 kB, as real ones have
)

func newFleet(tb testing.TB) *fleet {
	tb.Helper()
	f := &fleet{config: &config.Config{}}
	var sketches []*route.Sketch
	var hashes [][]byte
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		c := route.Contents{Chunks: 3000, Counted: 3000, Terms: map[string]int{}}
		for len(c.Terms) < sketchTerms {
			c.Terms[fmt.Sprint("word", int(20_000*random.Float64()*random.Float64()))] = 2 + random.IntN(200)
		}
		for range 3000 {
			c.Names = append(c.Names, fmt.Sprint("definition", random.IntN(1e6)))
		}
		s := route.New(c)
		sum := sha256.Sum256(s.Bytes())
		sketches, hashes = append(sketches, &s), append(hashes, sum[:16])
	}
	backends := make([]*made, fleetNodes)
	for i := range backends {
		backends[i] = &made{}
	}
	of := map[string]*route.Sketch{}
	for i := range fleetRepositories {
		name := fmt.Sprintf("git.example.com/organisation%d/repository%d", i/100, i)
		f.names = append(f.names, name)
		of[name] = sketches[i%len(sketches)]
		h := &nodepb.Hosted{
			Repository: name, Head: fmt.Sprintf("%040x", i), ScrapedAtUnix: 1_700_000_000 + int64(i), SketchHash: hashes[i%len(hashes)],
			Channels: []string{"lexical", "semantic", "temporal", "belief"}, Kinds: []string{"code", "pattern", "commit", "belief"}, Extractor: 18652613,
		}
		for _, n := range []int{i % fleetNodes, (i/fleetNodes + 1 + i) % fleetNodes} {
			if b := backends[n]; len(b.hosted) == 0 || b.hosted[len(b.hosted)-1] != h {
				b.hosted = append(b.hosted, h)
			}
		}
	}
	for i, m := range backends {
		o := serve.Options{Backend: m, Sketch: func(name string) *route.Sketch { return of[name] }}
		address := serveMade(tb, serve.New(o))
		f.config.Nodes = append(f.config.Nodes, config.Node{Name: fmt.Sprint("node-", i), Address: address})
	}
	return f
}

// counting counts the bytes of connections.
type counting struct {
	net.Conn
	bytes *atomic.Int64
}

func (c counting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

func (c counting) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.bytes.Add(int64(n))
	return n, err
}

// Of 10,000 repositories a laptop with fifty edges transfers less than a megabyte, and asks for
// nothing twice that it has.
func TestBytesOfALaptop(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 repositories")
	}
	f := newFleet(t)
	_, address := frontOf(t, f.config)
	var bytes atomic.Int64
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			var d net.Dialer
			c, err := d.DialContext(ctx, "tcp", address)
			return counting{c, &bytes}, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	front, node := nodepb.NewFrontClient(conn), nodepb.NewNodeClient(conn)
	spent := func(what string, most int64) {
		t.Helper()
		if n := bytes.Swap(0); n > most {
			t.Errorf("%s: %d bytes, more than %d", what, n, most)
		} else {
			t.Logf("%s: %d bytes", what, n)
		}
	}
	edges := f.names[:50]
	watch, err := node.Watch(t.Context(), &nodepb.WatchRequest{Repositories: edges})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := watch.Recv(); err != nil || len(m.GetHosted()) != len(edges) {
		t.Fatalf("%d, %v", len(m.GetHosted()), err)
	}
	spent("the state of 50 repositories", 20_000)
	sketches, err := node.Sketches(t.Context(), &nodepb.SketchesRequest{Repositories: edges})
	if err != nil || len(sketches.GetSketches()) != len(edges) {
		t.Fatalf("%d sketches, %v", len(sketches.GetSketches()), err)
	}
	t.Logf("a sketch: %d bytes", len(sketches.GetSketches()[0].GetSketch()))
	spent("50 sketches", 950_000)
	if _, err := node.Route(t.Context(), &nodepb.RouteRequest{Stems: make([]uint64, 12)}); err != nil {
		t.Fatal(err)
	}
	spent("the sums of a question", 1_000)
	all, err := front.Repositories(t.Context(), &nodepb.RepositoriesRequest{})
	if err != nil || len(all.GetRepositories()) != fleetRepositories {
		t.Fatalf("%d repositories, %v", len(all.GetRepositories()), err)
	}
	spent("all 10,000 repositories", wire.MaxReply/2)
	again, err := front.Repositories(t.Context(), &nodepb.RepositoriesRequest{Etag: all.GetEtag()})
	if err != nil || !again.GetUnchanged() || len(again.GetRepositories())+len(again.GetNodes()) > 0 {
		t.Fatalf("%.200q, %v", again, err)
	}
	spent("all 10,000 repositories, unchanged", 500)
	one, err := front.Repositories(t.Context(), &nodepb.RepositoriesRequest{Repositories: []string{f.names[77], "none"}})
	if err != nil || len(one.GetRepositories()) != 1 {
		t.Fatalf("%.200q, %v", one, err)
	}
	spent("one repository by name", 2_000)
}

// BenchmarkRoute asks for the sums over 10,000 repositories on twenty nodes.
func BenchmarkRoute(b *testing.B) {
	f := newFleet(b)
	s, address := frontOf(b, f.config)
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	m := &nodepb.RouteRequest{}
	for i := range 12 {
		m.Stems = append(m.Stems, uint64(route.HashOf(fmt.Sprint("word", i*97))))
	}
	began := time.Now()
	reply, err := nodepb.NewNodeClient(conn).Route(b.Context(), m)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("before there were counts: %v: %.200q", time.Since(began), reply.GetNote())
	await(func() bool {
		reply, err = nodepb.NewNodeClient(conn).Route(b.Context(), m)
		return err != nil || reply.GetNote() == ""
	})
	b.Logf("counts were there after %v", time.Since(began))
	if want := uint64(3000 * fleetRepositories); err != nil || reply.GetChunks() != want {
		b.Fatalf("%d chunks, want %d: %v", reply.GetChunks(), want, err)
	}
	terms := 0
	for _, n := range s.counts.sums("").counts {
		terms += len(n.terms)
	}
	b.Logf("%d terms in all counts, %d kB", terms, 16*terms/1000)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := nodepb.NewNodeClient(conn).Route(b.Context(), m); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
