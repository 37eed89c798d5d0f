package peer

import (
	"maps"
	"slices"
	"time"

	"patina/wire"
	"patina/wire/nodepb"
)

// A NodeState is the state of a node, for people to see.
type NodeState struct {
	Name      string
	Address   string
	Condition Condition
	Since     time.Time // of the condition
	Why       string    // it is down
	Returned  time.Time // it was last heard anew; zero if it never was heard
	Boot      string    // another one: the node was started anew
	Version   string    // of patina
	Draining  bool
	InFlight  int              // calls under way at the node, as it last said
	Slots     int              // calls that it takes at once
	Calls     int              // calls under way from here
	RTT       time.Duration    // 0 if it was never measured
	P50, P99  time.Duration    // of its last answers; 0 without any
	Hedges    int64            // how often it was asked beside a slow replica
	Failovers int64            // how often it was asked instead of one that had failed
	Expires   time.Time        // when its certificate does; zero if it has none
	Hosted    []*nodepb.Hosted // by name; they must not be changed
}

// States returns the nodes by name.
func (s *Set) States() []NodeState {
	nodes, _ := s.all()
	var out []NodeState
	for _, n := range nodes {
		n.mu.Lock()
		x := n.state
		state := NodeState{
			Name: n.name, Address: n.address, Condition: x.condition, Since: x.since, Why: x.why, Returned: x.returned,
			Boot: x.boot, Version: x.version, Draining: x.draining, InFlight: x.inFlight, Slots: x.slots,
			Calls: len(n.calls), RTT: n.rtt, P50: n.answers.percentile(50), P99: n.answers.percentile(99),
			Hedges: n.hedges.Load(), Failovers: n.failovers.Load(), Hosted: hostedByName(x.hosted),
		}
		if x.expires != 0 {
			state.Expires = time.Unix(x.expires, 0)
		}
		n.mu.Unlock()
		out = append(out, state)
	}
	return out
}

func hostedByName(all map[string]*nodepb.Hosted) []*nodepb.Hosted {
	var out []*nodepb.Hosted
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// Counts count the calls that a Set made beside asking one replica.
type Counts struct{ Hedges, Failovers int64 }

// Counts returns how often a second replica was asked.
func (s *Set) Counts() Counts { return Counts{s.hedges.Load(), s.failovers.Load()} }

// Status returns how the nodes are, and the replicas of the repositories for which may is true: of
// all if the request wants replicas, and else of those that no node answers for. plan holds the
// nodes that are to host each repository.
func (s *Set) Status(m *nodepb.StatusRequest, plan map[string][]string, may func(string) bool) *nodepb.StatusReply {
	reply := &nodepb.StatusReply{Protocol: wire.Protocol()}
	replicas := map[string]*nodepb.Replicas{}
	for name, nodes := range plan {
		if may(name) {
			replicas[name] = &nodepb.Replicas{Repository: name, Declared: nodes}
		}
	}
	for _, n := range s.States() {
		seen := n.message()
		for _, h := range n.Hosted {
			name := h.GetRepository()
			if !may(name) {
				continue
			}
			seen.Repositories++
			if t := h.GetScrapedAtUnix(); t > 0 && (seen.OldestUnix == 0 || t < seen.OldestUnix) {
				seen.OldestUnix = t
			}
			r := replicas[name]
			if r == nil {
				r = &nodepb.Replicas{Repository: name}
				replicas[name] = r
			}
			r.Replicas = append(r.Replicas, &nodepb.Replica{
				Node: n.Name, Head: h.GetHead(), ScrapedAtUnix: h.GetScrapedAtUnix(), Up: n.Condition <= Suspect,
			})
		}
		reply.Nodes = append(reply.Nodes, seen)
	}
	for _, name := range slices.Sorted(maps.Keys(replicas)) {
		if r := replicas[name]; m.GetReplicas() || !slices.ContainsFunc(r.GetReplicas(), (*nodepb.Replica).GetUp) {
			reply.Repositories = append(reply.Repositories, r)
		}
	}
	return reply
}

// message returns the state without what it says about repositories.
func (n NodeState) message() *nodepb.NodeState {
	m := &nodepb.NodeState{
		Node: n.Name, State: n.Condition.String(), SinceUnix: n.Since.Unix(), Version: n.Version, Why: n.Why,
		BootId: n.Boot, Draining: n.Draining, InFlight: int32(n.InFlight), Slots: int32(n.Slots),
		P50Us: n.P50.Microseconds(), P99Us: n.P99.Microseconds(), Hedges: n.Hedges, Failovers: n.Failovers,
	}
	if !n.Expires.IsZero() {
		m.CertificateUnix = n.Expires.Unix()
	}
	return m
}
