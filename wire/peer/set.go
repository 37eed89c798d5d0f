package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/config"
)

// Options configure a Set.
type Options struct {
	Nodes []config.Node
	// Credentials returns those of a connection to a node. If it is nil, the connections are in the
	// clear, and only loopback addresses and sockets are allowed.
	Credentials func(config.Node) credentials.TransportCredentials
	// Dial returns further options of the connections to a node. It may be nil.
	Dial func(config.Node) []grpc.DialOption
	Beat time.Duration // between beats; Beat if 0
	// Named means that the nodes are asked only for the state of repositories that Want names,
	// because a user asks few of very many.
	Named bool
	// Log gets a line for each change of a node's condition, and for each repository that no node
	// answers for any more, or again. If it is nil, nothing is logged.
	Log *slog.Logger
}

// A Set knows nodes, and asks those that host a repository. A node never leaves it by itself, so
// that an answer without a silent one does not look whole. It is safe for concurrent use. Close
// ends it.
type Set struct {
	options   Options
	hedges    atomic.Int64
	failovers atomic.Int64

	mu        sync.Mutex
	nodes     map[string]*node
	changed   chan struct{} // closed and replaced when a node's condition or what it hosts changes
	wanted    []string      // sorted; only with Options.Named
	tokens    tokens
	latencies map[string]*latencies // by repository

	reported reported
}

// New returns a set that begins to watch the nodes. It returns an error for an address that is not
// host:port or unix:PATH, and for one that others can reach if there are no credentials.
func New(o Options) (*Set, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Beat = cmp.Or(o.Beat, Beat)
	s := &Set{options: o, nodes: map[string]*node{}, changed: make(chan struct{}), latencies: map[string]*latencies{}}
	if err := s.Update(o.Nodes); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// checkAddress returns an error for an address that may not be asked.
func checkAddress(c config.Node, secure bool) error {
	if strings.HasPrefix(c.Address, "unix:") {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return fmt.Errorf("node %q: address %.80q: it must be host:port", c.Name, c.Address)
	}
	if ip := net.ParseIP(host); secure || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("node %q: address %s: without certificates only a loopback address such as 127.0.0.1 is asked; "+
		"get a certificate with \"patina node join\"", c.Name, c.Address)
}

// Update makes nodes the nodes of the set. Nodes that are new or have another address are watched
// from now on, and calls to others end. If it returns an error, nothing has changed.
func (s *Set) Update(nodes []config.Node) error {
	wanted := map[string]config.Node{}
	for _, c := range nodes {
		if err := checkAddress(c, s.options.Credentials != nil); err != nil {
			return err
		}
		wanted[c.Name] = c
	}
	s.mu.Lock()
	if s.nodes == nil {
		s.mu.Unlock()
		return api.ErrClosed
	}
	var gone []*node
	next := map[string]*node{}
	var errs []error
	for name, c := range wanted {
		if n := s.nodes[name]; n != nil && n.address == c.Address {
			next[name] = n
			continue
		}
		n, err := newNode(s, c)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		next[name] = n
	}
	old := s.nodes
	if len(errs) > 0 {
		old, next = next, old
	}
	s.nodes = next
	for name, n := range old {
		if next[name] != n {
			gone = append(gone, n)
		}
	}
	s.mu.Unlock()
	s.announce()
	for _, n := range gone {
		n.closeNode()
	}
	return errors.Join(errs...)
}

// Want adds repositories to those whose state the nodes are asked for, in a set with Options.Named.
// Wait then waits until the nodes have told it.
func (s *Set) Want(repositories ...string) {
	s.mu.Lock()
	before := len(s.wanted)
	s.wanted = slices.Concat(s.wanted, repositories)
	slices.Sort(s.wanted)
	s.wanted = slices.Compact(s.wanted)
	var nodes []*node
	if len(s.wanted) > before {
		nodes = slices.Collect(maps.Values(s.nodes))
	}
	s.mu.Unlock()
	for _, n := range nodes {
		n.watchAnew()
	}
}

// wants returns the repositories whose state is wanted. None means all.
func (s *Set) wants() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.wanted)
}

// Close ends all calls and connections. It may be called again.
func (s *Set) Close() {
	s.mu.Lock()
	nodes := s.nodes
	s.nodes = nil
	s.mu.Unlock()
	s.announce()
	for _, n := range nodes {
		n.closeNode()
	}
}

// announce wakes those who wait for a change.
func (s *Set) announce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// all returns the nodes by name, and a channel that is closed when a condition changes.
func (s *Set) all() ([]*node, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	nodes := slices.Collect(maps.Values(s.nodes))
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	return nodes, s.changed
}

// Wait waits until each node was heard or is known to be silent, which takes less than a second. It
// returns the error of ctx if that ends before.
func (s *Set) Wait(ctx context.Context) error {
	for {
		nodes, changed := s.all()
		if !slices.ContainsFunc(nodes, (*node).isUnknown) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (n *node) isUnknown() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state.condition == Unknown || n.anew && n.state.condition != Down
}

// replicas returns the nodes to ask for a repository, in order, and the one named last only if
// there is no other one. If no known node hosts it, it waits for nodes that have not answered yet.
func (s *Set) replicas(ctx context.Context, repository, last string) ([]candidate, error) {
	for {
		nodes, changed := s.all()
		rand.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		var hosts, lasts []candidate
		unknown := false
		for _, n := range nodes {
			c, ok := n.candidate(repository)
			switch {
			case ok && c.node == last:
				lasts = append(lasts, c)
			case ok:
				hosts = append(hosts, c)
			}
			unknown = unknown || c.condition == Unknown || n.isUnknown()
		}
		if best := order(hosts); len(best) > 0 {
			return best, nil
		}
		if best := order(lasts); len(best) > 0 {
			return best, nil
		}
		if !unknown {
			return nil, s.unreachable(repository)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// living returns all nodes that can be asked, in order, whatever they host. It waits for nodes that
// have not answered yet if there is none.
func (s *Set) living(ctx context.Context) ([]candidate, error) {
	for {
		nodes, changed := s.all()
		rand.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		var all []candidate
		var silent []string
		for _, n := range nodes {
			c, _ := n.candidate("")
			all = append(all, c)
			if c.condition == Down {
				n.mu.Lock()
				silent = append(silent, n.state.text(n.name))
				n.mu.Unlock()
			}
		}
		if best := order(all); len(best) > 0 {
			return best, nil
		}
		if len(silent) == len(nodes) {
			return nil, &api.Failure{Status: api.Unreachable, Detail: strings.Join(silent, "; ")}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// unreachable returns why no node can be asked for a repository: it names the silent ones that host
// it, or that may.
func (s *Set) unreachable(repository string) *api.Failure {
	nodes, _ := s.all()
	var silent []string
	foreign := true
	for _, n := range nodes {
		n.mu.Lock()
		_, hosts := n.state.hosted[repository]
		if n.state.condition == Down && (hosts || n.state.hosted == nil || n.state.foreign) {
			silent = append(silent, n.state.text(n.name))
			foreign = foreign && n.state.foreign
		}
		n.mu.Unlock()
	}
	switch {
	case len(silent) == 0:
		return wire.FailureOf(wire.ErrNoRepository)
	case foreign:
		return &api.Failure{Status: api.Failed, Detail: strings.Join(silent, "; ")}
	}
	return &api.Failure{Status: api.Unreachable, Detail: strings.Join(silent, "; ")}
}

// begin begins a call at a node.
func (s *Set) beginCall(ctx context.Context, name string, attempt int) (*Call, error) {
	n := s.node(name)
	if n == nil {
		return nil, &api.Failure{Status: api.Unreachable, Detail: name + " is no longer declared"}
	}
	return n.beginCall(ctx, attempt)
}

// hedgeAfter returns when a second replica is asked, and lets the question pay for hedges. It is
// the later the fewer tokens there are, so that they are left for the slowest.
func (s *Set) hedgeAfter(repository string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens.earn()
	return s.tokens.stretch(s.latencies[repository].hedgeAfter())
}

func (s *Set) onSlow(r *race) step {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.onSlow(&s.tokens)
}

// measure notes how long a repository took to answer.
func (s *Set) measure(repository string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.latencies[repository]
	if l == nil {
		l = newLatencies(keptOfRepository)
		s.latencies[repository] = l
	}
	l.observe(d)
}

// countHedge counts that a node was asked beside a slow replica.
func (s *Set) countHedge(name string) {
	s.hedges.Add(1)
	if n := s.node(name); n != nil {
		n.hedges.Add(1)
	}
}

// countFailover counts that a node was asked instead of one that had failed.
func (s *Set) countFailover(name string) {
	s.failovers.Add(1)
	if n := s.node(name); n != nil {
		n.failovers.Add(1)
	}
}

// node returns a node, or nil if there is none.
func (s *Set) node(name string) *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes[name]
}
