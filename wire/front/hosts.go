package front

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/placement"
)

// leastPause is the shortest time between two looks at what the nodes host, and pauseShare how many
// times as long as a look the pause after it is: at 10,000 repositories a look takes some
// milliseconds, and something changes all the time.
const (
	leastPause = 20 * time.Millisecond
	pauseShare = 20
)

// hosts knows which repositories there are and who hosts them. It is safe for concurrent use.
type hosts struct {
	set     *peer.Set
	config  func() *config.Config
	now     atomic.Pointer[listing]
	looking sync.Mutex    // whoever holds it may change now
	updated chan struct{} // the configuration has changed
	asked   chan struct{} // someone wants to know whether follow is at work
}

// A listing holds the repositories that all nodes host together at one time. It must not be
// changed.
type listing struct {
	config   *config.Config
	plan     placement.Plan
	entries  []*nodepb.Hosted // by name
	byName   map[string]entry
	replicas map[string][]replica
}

// An entry is a repository as it is shown: as its best replica says.
type entry struct {
	shown *nodepb.Hosted
	from  *nodepb.Hosted // as the node said; nil if no node ever said so
	node  string         // whose replica that is; "" if there is none
}

// A replica is a repository on a node.
type replica struct {
	node      string
	condition peer.Condition
	since     time.Time
	hosted    *nodepb.Hosted
}

func newHosts(set *peer.Set, cfg func() *config.Config) *hosts {
	h := &hosts{set: set, config: cfg, updated: make(chan struct{}, 1), asked: make(chan struct{})}
	h.now.Store(h.hostedNow(&listing{}))
	return h
}

// follow keeps the listing up to date until ctx ends.
func (h *hosts) followHosts(ctx context.Context) {
	for {
		changed, began := h.set.Changed(), time.Now()
		h.refresh()
		if !h.awaitChange(ctx, changed, max(leastPause, pauseShare*time.Since(began))) {
			return
		}
	}
}

// refresh reads the repositories that the nodes host now.
func (h *hosts) refresh() {
	h.looking.Lock()
	defer h.looking.Unlock()
	old := h.now.Load()
	if l := h.hostedNow(old); !l.equal(old) {
		h.now.Store(l)
	}
}

// rest says that follow is at work until something has changed, and for some time at least. It
// returns false when ctx has ended.
func (h *hosts) awaitChange(ctx context.Context, changed <-chan struct{}, least time.Duration) bool {
	pause := time.NewTimer(least)
	defer pause.Stop()
	again, rested := false, false
	for !again || !rested {
		select {
		case <-ctx.Done():
			return false
		case <-h.asked:
		case <-pause.C:
			rested = true
		case <-changed:
			again, changed = true, nil
		case <-h.updated:
			again = true
		}
	}
	return true
}

// update makes follow look again because the configuration has changed.
func (h *hosts) update() {
	select {
	case h.updated <- struct{}{}:
	default:
	}
}

// beat returns nil if follow is at work, and else an error by the end of ctx at the latest.
func (h *hosts) beat(ctx context.Context) error {
	select {
	case h.asked <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// look returns what the nodes host now.
func (h *hosts) hostedNow(old *listing) *listing {
	l := &listing{
		config: h.config(), plan: old.plan, byName: map[string]entry{},
		replicas: map[string][]replica{},
	}
	if l.config != old.config {
		// The configuration was checked when it was read. Without a repository there is no plan.
		l.plan, _ = l.config.Plan()
	}
	h.set.Each(func(n peer.Host) {
		for name, x := range n.Hosted {
			l.replicas[name] = append(l.replicas[name], replica{n.Name, n.Condition, n.Since, x})
		}
	})
	for name, all := range l.replicas {
		l.byName[name] = entryOf(name, all, old.byName[name])
	}
	for i := range l.config.Repositories {
		name := l.config.Repositories[i].Name
		if _, hosted := l.byName[name]; !hosted {
			l.byName[name] = entryOf(name, nil, old.byName[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.byName)) {
		l.entries = append(l.entries, l.byName[name].shown)
	}
	return l
}

// entryOf returns the entry of a repository, with the values of the old one if nothing has changed:
// watchers are told of new pointers only. The freshest replica on a node that may be asked counts;
// without one, the freshest that is known.
func entryOf(name string, all []replica, old entry) entry {
	var best replica
	for _, r := range all {
		asked, bestAsked := r.condition <= peer.Suspect, best.hosted != nil && best.condition <= peer.Suspect
		if best.hosted == nil || asked && !bestAsked || asked == bestAsked && wire.Fresher(r.hosted, best.hosted) {
			best = r
		}
	}
	e := entry{from: best.hosted, node: best.node}
	unreachable := best.hosted == nil || best.condition > peer.Suspect
	switch {
	case old.shown != nil && old.from == e.from && old.shown.GetUnreachable() == unreachable:
		e.shown = old.shown
	case e.from == nil:
		e.shown = &nodepb.Hosted{Repository: name, Unreachable: true}
	case e.from.GetUnreachable() == unreachable:
		e.shown = e.from
	default:
		e.shown = proto.CloneOf(e.from)
		e.shown.Unreachable = unreachable
	}
	return e
}

// equal reports whether two listings say the same about repositories and who may be asked.
func (l *listing) equal(other *listing) bool {
	return l.config == other.config && slices.Equal(l.entries, other.entries) &&
		maps.EqualFunc(l.replicas, other.replicas, slices.Equal)
}

// knows reports whether there is a repository: it is configured, or a node hosts it.
func (h *hosts) knows(repository string) bool {
	if h.config().Repository(repository) != nil {
		return true
	}
	_, ok := h.now.Load().byName[repository]
	return ok
}

// hosting returns the nodes that host a repository, as far as is known, or else those that are to
// host it. They are sorted.
func (h *hosts) hosting(repository string) (nodes []string) {
	l := h.now.Load()
	for _, r := range l.replicas[repository] {
		nodes = append(nodes, r.node)
	}
	if len(nodes) == 0 {
		nodes = slices.Clone(l.plan[repository])
	}
	slices.Sort(nodes)
	return nodes
}

// condition says how a node is, for people.
func (h *hosts) condition(node string) string {
	text := node + " is not declared"
	if h.config().IsRevoked(node, "") {
		text = node + " is revoked"
	}
	h.set.Each(func(n peer.Host) {
		switch {
		case n.Name != node:
		case n.Condition == peer.Up:
			text = node + " up, and does not answer for the repository"
		default:
			text = fmt.Sprintf("%s %s since %s", node, n.Condition, n.Since.Format(time.TimeOnly))
		}
	})
	return text
}
