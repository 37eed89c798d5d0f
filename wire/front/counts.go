package front

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/serve"
)

const (
	// countWait is how long a question waits for counts, at most.
	countWait = 50 * time.Millisecond
	// roundTime bounds one round of asking all nodes for counts.
	roundTime = 10 * time.Second
	// A round begins at the earliest after roundPause, and after roundShare times as long as the
	// last one took, for each of the counts in use, so that all take one hundredth of the time.
	roundPause = time.Second
	roundShare = 100
	longPause  = 10 * time.Minute
	// Counts that nobody has asked for in idleTime are not renewed until somebody does. They stay
	// for him, unless there are mostRights later ones.
	idleTime   = 10 * time.Minute
	mostRights = 64
	// mostWarm is for how many groups of users the counts are made before somebody asks.
	mostWarm = 16
	// longNames is the length of names beyond which a node is asked for all that it hosts.
	longNames = wire.MaxRequest / 2
	// mostStems and mostCandidates bound a question about words.
	mostStems      = 512
	mostCandidates = 256
)

// A counter knows how often words occur in the repositories of all nodes, for each group of users
// that may ask the same ones.
//
// Each repository is counted by one node: the first of its plan that is up and has a sketch of it.
// So replicas are counted once, and the sum over the nodes is the sum over the repositories. Where
// each is counted may change, but all counts are exchanged together: those of a node are never
// added to those of another one that counts the same repository.
type counter struct {
	set    *peer.Set
	hosts  *hosts
	config func() *config.Config
	local  bool // everyone is the user of this machine

	mu       sync.Mutex
	byRights map[string]*sums
	begun    chan struct{} // there are new sums
}

// sums are the counts for users with the same rights.
type sums struct {
	rights string
	all    bool           // of all repositories, for the user of this machine
	config *config.Config // by which the rights were looked at
	ready  chan struct{}  // closed after the first round

	// mu of the counter guards what follows.
	used   time.Time
	counts map[string]*count // by node
	lacks  []string          // nodes whose counts are missing
	again  bool              // a node did not answer in the last round
	seen   *listing          // by the last round
	due    time.Time         // of the next round
}

// A count is the reply of one node. It must not be changed.
type count struct {
	of        *share // as it was asked for
	etag      string
	terms     []uint64 // in ascending order
	documents []uint64
	chunks    uint64
}

// frequency returns in how many chunks a term is.
func (c *count) frequency(term uint64) uint64 {
	i, ok := slices.BinarySearch(c.terms, term)
	if !ok {
		return 0
	}
	return c.documents[i]
}

// newCount reads the reply of a node. It returns an error for one that cannot be right.
func newCount(m *nodepb.CountsReply, of *share) (*count, error) {
	c := &count{of: of, etag: m.GetEtag(), terms: m.GetTerms(), documents: m.GetDocuments(), chunks: m.GetChunks()}
	if len(c.terms) != len(c.documents) || !slices.IsSorted(c.terms) || slices.Max(append(c.documents, c.chunks)) > math.MaxInt32 {
		return nil, fmt.Errorf("%d words with %d counts that are no counts", len(c.terms), len(c.documents))
	}
	return c, nil
}

func newCounter(set *peer.Set, h *hosts, cfg func() *config.Config, local bool) *counter {
	return &counter{
		set: set, hosts: h, config: cfg, local: local, byRights: map[string]*sums{}, begun: make(chan struct{}, 1),
	}
}

// sums returns the counts for some rights, which may not be there yet.
func (c *counter) sums(rights string) *sums {
	cfg := c.config()
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.sumsOf(rights, cfg)
	x.used = time.Now()
	return x
}

// sumsOf is sums by a configuration. The caller holds mu.
func (c *counter) sumsOf(rights string, cfg *config.Config) *sums {
	x := c.byRights[rights]
	if x != nil && x.config == cfg {
		return x
	}
	// Under another configuration, what was counted may be hidden now.
	next := &sums{
		rights: rights, all: c.local, config: cfg, ready: make(chan struct{}), counts: map[string]*count{},
		used: time.Now(),
	}
	if x != nil {
		next.used = x.used
	} else if len(c.byRights) >= mostRights {
		c.forgetOldest()
	}
	c.byRights[rights] = next
	select {
	case c.begun <- struct{}{}:
	default:
	}
	return next
}

// forgetOldest drops the counts that nobody has asked for for longest. The caller holds mu.
func (c *counter) forgetOldest() {
	var oldest *sums
	for _, x := range c.byRights {
		if oldest == nil || x.used.Before(oldest.used) {
			oldest = x
		}
	}
	delete(c.byRights, oldest.rights)
}

// warm begins the counts that will be asked for: those that were before the configuration changed,
// and those of the users that it names.
func (c *counter) warm(cfg *config.Config) {
	rights := map[string]bool{}
	if c.local {
		rights[""] = true
	}
	for _, g := range cfg.Groups {
		for _, user := range g.Users {
			if len(rights) < mostWarm && !c.local {
				rights[cfg.RightsOf(user)] = true
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.byRights {
		rights[key] = true
	}
	for key := range rights {
		c.sumsOf(key, cfg)
	}
}

// add adds the counts of stems to a reply.
func (c *counter) addCounts(x *sums, stems []uint64, out *nodepb.RouteReply) {
	c.mu.Lock()
	counts, lacks, first := maps.Clone(x.counts), x.lacks, x.seen == nil
	c.mu.Unlock()
	if first {
		lacks = c.lacking(x, counts)
	}
	out.Documents = make([]uint64, len(stems))
	for _, n := range counts {
		out.Chunks += n.chunks
		for i, stem := range stems {
			out.Documents[i] += n.frequency(stem)
		}
	}
	if len(lacks) > 0 {
		out.Note = "words are counted without the repositories of " + strings.Join(lacks, ", ")
	}
}

// lacking returns the nodes that have something to count and are not among those with counts.
func (c *counter) lacking(x *sums, counts map[string]*count) (nodes []string) {
	for node := range sharesOf(c.hosts.now.Load(), x) {
		if counts[node] == nil {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// follow asks the nodes anew when what they count has changed, until ctx ends. The nodes must have
// been heard before.
func (c *counter) followCounts(ctx context.Context) {
	t := time.NewTicker(roundPause / 4)
	defer t.Stop()
	var rounds sync.WaitGroup
	defer rounds.Wait()
	running := map[*sums]bool{}
	over := make(chan *sums)
	var cfg *config.Config
	for {
		if now := c.config(); now != cfg {
			cfg = now
			c.warm(cfg)
		}
		select {
		case <-ctx.Done():
			for len(running) > 0 {
				delete(running, <-over)
			}
			return
		case x := <-over:
			delete(running, x)
			continue
		case <-t.C:
		case <-c.begun:
		}
		for _, x := range c.dueNow(time.Now()) {
			if !running[x] {
				running[x] = true
				rounds.Go(func() { c.round(ctx, x); over <- x })
			}
		}
	}
}

// dueNow returns the counts for which a round is due.
func (c *counter) dueNow(now time.Time) (due []*sums) {
	l, cfg := c.hosts.now.Load(), c.config()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byRights {
		wanted := x.seen == nil || x.isUsed(now) && (x.seen != l || x.again)
		if wanted && x.config == cfg && now.After(x.due) {
			due = append(due, x)
		}
	}
	return due
}

// isUsed reports whether somebody asks for the counts. The caller holds mu of the counter.
func (x *sums) isUsed(now time.Time) bool { return now.Sub(x.used) < idleTime }

// round asks the nodes for their counts, as far as these have changed.
func (c *counter) round(ctx context.Context, x *sums) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	l := c.hosts.now.Load()
	shares := sharesOf(l, x)
	c.mu.Lock()
	old, first := maps.Clone(x.counts), x.seen == nil
	c.mu.Unlock()
	counts := map[string]*count{}
	var lacks []string
	again := false
	var all sync.WaitGroup
	for node, s := range shares {
		all.Go(func() {
			n, err := c.askShare(ctx, node, x.rights, s, old[node])
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil {
				again = true
				if n = old[node]; n == nil || n.of.names != s.names { // others count what it counted
					lacks = append(lacks, node)
					return
				}
			}
			counts[node] = n
			if first { // nothing else is known: questions take what there is
				x.counts = maps.Clone(counts)
			}
		})
	}
	all.Wait()
	slices.Sort(lacks)
	c.mu.Lock()
	defer c.mu.Unlock()
	x.counts, x.lacks, x.again, x.seen = counts, lacks, again, l
	now := time.Now()
	used := 1
	for _, other := range c.byRights {
		if other != x && other.isUsed(now) {
			used++
		}
	}
	x.due = now.Add(min(max(roundPause, time.Duration(roundShare*used)*now.Sub(began)), longPause))
	if first {
		close(x.ready)
	}
}

// ask asks a node for its share of the counts, unless that is the same as of the old count.
func (c *counter) askShare(ctx context.Context, node, rights string, s *share, old *count) (*count, error) {
	if old != nil && old.of.sketches == s.sketches {
		return old, nil
	}
	call, err := c.set.Begin(ctx, node)
	if err != nil {
		return nil, err
	}
	defer call.End()
	m := &nodepb.CountsRequest{Rights: rights, Repositories: s.repositories}
	if old != nil {
		m.Etag = old.etag
	}
	if s.length > longNames {
		m.Repositories = nil
	}
	reply, err := nodepb.NewNodeClient(call.Conn).Counts(call.Context(), m)
	if err != nil {
		return nil, err
	}
	if reply.GetUnchanged() && old != nil {
		same := *old
		same.of = s
		return &same, nil
	}
	return newCount(reply, s)
}

// A share holds the repositories that one node has to count.
type share struct {
	repositories []string // sorted
	length       int      // of their names
	names        uint64   // a hash of their names
	sketches     uint64   // a hash of their names and sketches
}

// sharesOf returns the shares of the nodes in the counts for some rights.
func sharesOf(l *listing, x *sums) map[string]*share {
	shares := map[string]*share{}
	for _, h := range l.entries {
		name := h.GetRepository()
		if !x.all && !x.config.MayRights(x.rights, name) {
			continue
		}
		r, ok := l.counts(name)
		if !ok {
			continue
		}
		s := shares[r.node]
		if s == nil {
			s = &share{}
			shares[r.node] = s
		}
		s.repositories = append(s.repositories, name)
		s.length += len(name)
		s.names = hashOf(s.names, name, nil)
		s.sketches = hashOf(s.sketches, name, r.hosted.GetSketchHash())
	}
	return shares
}

// hashOf goes on with a hash.
func hashOf(before uint64, name string, sketch []byte) uint64 {
	sum := xxhash.New()
	addNumber(sum, int64(before))
	addText(sum, name)
	_, _ = sum.Write(sketch)
	return sum.Sum64()
}

// counts returns the replica whose node counts a repository. It is false if none has a sketch.
func (l *listing) counts(repository string) (replica, bool) {
	var best replica
	plan := l.plan[repository]
	rank := func(r replica) int {
		n := slices.Index(plan, r.node)
		if n < 0 {
			n = len(plan)
		}
		if r.condition > peer.Suspect {
			n += len(plan) + 1
		}
		return n
	}
	for _, r := range l.replicas[repository] { // by the names of the nodes
		if len(r.hosted.GetSketchHash()) > 0 && (best.hosted == nil || rank(r) < rank(best)) {
			best = r
		}
	}
	return best, best.hosted != nil
}

// Route implements nodepb.NodeServer. The sums are over all nodes. It does not wait for them longer
// than countWait: what is known then is the answer, and the note says what it lacks.
func (s *Server) Route(ctx context.Context, m *nodepb.RouteRequest) (*nodepb.RouteReply, error) {
	a, leave, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if len(m.GetStems()) > mostStems || len(m.GetCandidates()) > mostCandidates {
		return nil, status.Errorf(codes.InvalidArgument, "more than %d stems or %d candidates", mostStems, mostCandidates)
	}
	ctx, cancel := context.WithTimeout(ctx, min(wire.BudgetOf(m.GetBudgetUs()), countWait))
	defer cancel()
	out := &nodepb.RouteReply{}
	if a.User == "" && !isLocal(a) { // nodes and fronts may ask no repository
		out.Documents = make([]uint64, len(m.GetStems()))
		return out, nil
	}
	x := s.counts.sums(s.options.Config().RightsOf(a.User))
	found := make(chan []*nodepb.Candidate, 1)
	go func() { found <- s.candidates(ctx, a, m) }()
	select {
	case <-x.ready:
	case <-ctx.Done():
	}
	s.counts.addCounts(x, m.GetStems(), out)
	out.Candidates = <-found
	return out, nil
}

// Counts implements nodepb.NodeServer. A front has no counts but those that it fetched.
func (s *Server) Counts(ctx context.Context, _ *nodepb.CountsRequest) (*nodepb.CountsReply, error) {
	if _, err := s.Gate().Admit(ctx); err != nil {
		return nil, err
	}
	return nil, status.Error(codes.Unimplemented, "a front counts no words itself; ask the nodes")
}

// isLocal reports whether an asker is the user of this machine.
func isLocal(a *serve.Asker) bool { return a.Role == "" }
