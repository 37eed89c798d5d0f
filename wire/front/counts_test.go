package front

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/registry/route"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
)

// words are the stems of these tests' questions.
var words = []string{"dial", "cache", "walnut", "unheard"}

// counted returns the sums for the words and the chunks.
func counted(t *testing.T, c *grpc.ClientConn, candidates ...string) (sums []uint64, m *nodepb.RouteReply) {
	t.Helper()
	r := &nodepb.RouteRequest{Candidates: candidates}
	for _, w := range words {
		r.Stems = append(r.Stems, uint64(route.HashOf(w)))
	}
	m, err := nodepb.NewNodeClient(c).Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return append(slices.Clone(m.GetDocuments()), m.GetChunks()), m
}

// A repository counts once although two nodes host it, and not at all for those who may not see it.
// This stays so when a node dies, when it comes back, and when rights change.
func TestEachRepositoryCountsOnce(t *testing.T) {
	c := start(t, false, nil)
	anna, ben := c.connect(pki.User, "anna"), c.connect(pki.User, "ben")
	both, one := []uint64{12, 16, 8, 0, 150}, []uint64{8, 16, 0, 0, 100}
	for name, want := range map[string][]uint64{"anna": both, "ben": one} {
		conn := anna
		if name == "ben" {
			conn = ben
		}
		got, m := counted(t, conn, app, hidden, none)
		if !slices.Equal(got, want) || m.GetNote() != "" {
			t.Errorf("%s: %v, want %v: %q", name, got, want, m.GetNote())
		}
		var all []string
		for _, x := range m.GetCandidates() {
			all = append(all, x.GetRepository())
		}
		if seen := []string{app, hidden}; name == "anna" && !slices.Equal(all, seen) || name == "ben" && !slices.Equal(all, seen[:1]) {
			t.Errorf("%s: candidates %v", name, m.GetCandidates())
		}
		if x := m.GetCandidates()[0]; !slices.Equal(append(x.GetDocuments(), x.GetChunks()), one) {
			t.Errorf("%s: %v", name, x)
		}
	}
	for _, n := range c.nodes {
		n.kill()
		await(func() bool { return conditionOf(c, n.name) == peer.Down })
		for range 30 { // as it was counted before, or anew by the other replica
			if got, m := counted(t, anna); !slices.Equal(got, both) {
				t.Fatalf("without %s: %v: %q", n.name, got, m.GetNote())
			}
			time.Sleep(60 * time.Millisecond)
		}
		n.start()
		await(func() bool { return conditionOf(c, n.name) == peer.Up })
	}
	// Another sketch: the sums follow.
	c.mu.Lock()
	c.sketches[hidden] = sketchOf(60, map[string]int{"walnut": 16, "dial": 4})
	c.mu.Unlock()
	for _, n := range c.nodes {
		n.host(hidden, "2")
	}
	later := []uint64{12, 16, 16, 0, 160}
	await(func() bool {
		got, _ := counted(t, anna)
		time.Sleep(60 * time.Millisecond)
		return slices.Equal(got, later)
	})
	if got, _ := counted(t, ben); !slices.Equal(got, one) {
		t.Errorf("a hidden repository changed the sums: %v", got)
	}
	// Other rights count at the next question, and not what was counted before.
	c.change(func() { c.groups["few"] = []string{"ben"} })
	if got, m := counted(t, anna); !slices.Equal(got, one) && m.GetNote() == "" || got[2] != 0 {
		t.Errorf("after the rights were taken away: %v: %q", got, m.GetNote())
	}
	await(func() bool {
		got, _ := counted(t, ben)
		time.Sleep(60 * time.Millisecond)
		return slices.Equal(got, later)
	})
}

func conditionOf(c *cluster, node string) peer.Condition {
	all := c.front.Set().States()
	return all[slices.IndexFunc(all, func(n peer.NodeState) bool { return n.Name == node })].Condition
}

// A question does not wait for counts that are late. It is told what is known, and what is missing.
func TestLateCounts(t *testing.T) {
	c := start(t, false, nil)
	conn := c.connect(pki.User, "anna")
	// Under another configuration nothing that was counted counts, and the nodes' sketches cannot be
	// read.
	c.change(func() { c.groups["many"] = []string{"anna"} })
	c.mu.Lock()
	began := time.Now()
	got, m := counted(t, conn)
	took := time.Since(began)
	c.mu.Unlock()
	if slices.Max(got) != 0 || !strings.HasPrefix(m.GetNote(), "words are counted without the repositories of node-") {
		t.Errorf("%v: %q", got, m.GetNote())
	}
	t.Logf("took %v", took)
	await(func() bool {
		got, m := counted(t, conn)
		time.Sleep(60 * time.Millisecond)
		return got[0] == 12 && m.GetNote() == ""
	})
}

// A repository is counted by the first node of its plan that is up and has a sketch of it.
func TestWhoCounts(t *testing.T) {
	with, without := &nodepb.Hosted{SketchHash: []byte{1}}, &nodepb.Hosted{}
	for want, all := range map[string][]replica{
		"b": {{node: "a", hosted: with}, {node: "b", hosted: with}, {node: "x", hosted: with}},
		"a": {{node: "a", hosted: with}, {node: "b", hosted: with, condition: peer.Down}, {node: "x", hosted: with}},
		"x": {{node: "a", hosted: without}, {node: "b", hosted: without}, {node: "x", hosted: with}},
		"":  {{node: "a", hosted: without}},
		"B": {{node: "b", hosted: with, condition: peer.Down}, {node: "x", hosted: with, condition: peer.Down}},
	} {
		l := &listing{plan: map[string][]string{app: {"b", "a"}}, replicas: map[string][]replica{app: all}}
		if r, ok := l.counts(app); r.node != strings.ToLower(want) || ok != (want != "") {
			t.Errorf("%+v: %q, want %q", all, r.node, want)
		}
	}
}

// The counts that a node sends are not believed blindly.
func TestNewCountRefuses(t *testing.T) {
	for name, m := range map[string]*nodepb.CountsReply{
		"more words than counts": {Terms: []uint64{1, 2}, Documents: []uint64{1}},
		"no order":               {Terms: []uint64{2, 1}, Documents: []uint64{1, 1}},
		"a count without end":    {Terms: []uint64{1}, Documents: []uint64{1 << 63}},
		"chunks without end":     {Chunks: 1 << 63},
	} {
		if c, err := newCount(m, &share{}); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Counts are kept for as many groups of users as there may be, and the one that was used last
// stays.
func TestCountsAreForgotten(t *testing.T) {
	cfg := &config.Config{}
	c := newCounter(nil, nil, func() *config.Config { return cfg }, false)
	first := c.sums("first")
	for i := range 2 * mostRights {
		c.sums(strings.Repeat("x", i))
		if c.sums("first") != first {
			t.Fatalf("forgotten after %d others, though it is asked for", i)
		}
	}
	if n := len(c.byRights); n != mostRights {
		t.Errorf("%d kept", n)
	}
	cfg = &config.Config{Groups: map[string]config.Group{"few": {Users: []string{"anna"}}, "all": {Users: []string{"*"}}}}
	c.warm(cfg)
	for rights, x := range c.byRights {
		if x.config != cfg {
			t.Errorf("%q is still by the old configuration", rights)
		}
	}
	if c.byRights["first"] == nil || c.byRights[cfg.RightsOf("anna")] == nil || c.byRights[cfg.RightsOf("ben")] == nil {
		t.Error("some are not made before they are asked for")
	}
}

// Sketches come from the nodes that host them, for those who may see them.
func TestSketches(t *testing.T) {
	c := start(t, false, nil)
	for name, want := range map[string][]string{"anna": {app, hidden}, "ben": {app}} {
		conn := c.connect(pki.User, name)
		m := &nodepb.SketchesRequest{Repositories: []string{hidden, none, app, app}}
		reply, err := nodepb.NewNodeClient(conn).Sketches(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range reply.GetSketches() {
			got = append(got, s.GetRepository())
			if x := c.sketch(s.GetRepository()); string(s.GetSketch()) != string(x.Words()) ||
				string(s.GetStatements()) != string(x.Statements()) {
				t.Errorf("%s: another sketch", s.GetRepository())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	m := &nodepb.SketchesRequest{Repositories: make([]string, mostSketches+1)}
	if _, err := nodepb.NewNodeClient(c.connect(pki.User, "anna")).Sketches(t.Context(), m); status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
}
