package peer

import (
	"cmp"
	"slices"
	"time"

	"patina/wire"
)

const (
	// worthwhile is the time that must be left for another replica to answer in.
	worthwhile = 20 * time.Millisecond
	// hedgeFloor is the least time after which a second replica is asked beside a slow one.
	hedgeFloor = 15 * time.Millisecond
	// hedgeUnmeasured takes its place until fewest answers of a repository were measured.
	hedgeUnmeasured = 100 * time.Millisecond
	fewest          = 20
	// hedgeShare is how many second replicas a question pays for, and hedgeBurst how many may be
	// saved. They bound the work that hedges add to 5%. hedgeStretch is how many times longer is
	// waited without tokens.
	hedgeShare   = 0.05
	hedgeBurst   = 10
	hedgeStretch = 4
)

// A candidate is a node that hosts a repository, as the choice sees it.
type candidate struct {
	node      string
	condition Condition
	draining  bool
	full      bool   // all slots of the node are taken
	calls     int    // under way from here
	head      string // of its index
	scrapedAt int64  // in seconds
}

// order sorts candidates by whom to ask first: nodes that take questions, up before suspect, with a
// new index before an old one, and with few calls before many. Candidates that are down or unknown
// are left out. An index is new if it is of the newest head, or not more than wire.SameAge older:
// replicas fetch by their own clocks. Equal candidates keep their order, so the caller shuffles
// them.
func order(all []candidate) []candidate {
	all = slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.condition > Suspect })
	if len(all) == 0 {
		return nil
	}
	newest := slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(a.scrapedAt, b.scrapedAt) })
	old := func(c candidate) bool {
		return c.head != newest.head && newest.scrapedAt-c.scrapedAt > int64(wire.SameAge.Seconds())
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(
			compareFalseFirst(a.draining, b.draining),
			cmp.Compare(a.condition, b.condition),
			compareFalseFirst(old(a), old(b)),
			cmp.Compare(a.calls, b.calls),
		)
	})
	return all
}

func compareFalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// tokens pay for hedges. The zero value is full.
type tokens struct{ spent float64 }

// earn adds what one question pays.
func (t *tokens) earn() { t.spent = max(0, t.spent-hedgeShare) }

// pay takes a token, or returns false.
func (t *tokens) pay() bool {
	if t.spent+1 > hedgeBurst {
		return false
	}
	t.spent++
	return true
}

// stretch returns a time as it is with all tokens, and hedgeStretch times as long with none: of 20
// answers one is slower than hedgeAfter, which is as many as tokens pay for.
func (t *tokens) stretch(d time.Duration) time.Duration {
	return d + time.Duration(float64(d)*(hedgeStretch-1)*t.spent/hedgeBurst)
}

// latencies are the last times that a repository or a node took to answer.
type latencies struct {
	last []time.Duration // as many as are kept
	n    int             // how many were added
}

// The answers that are kept of a repository, and of a node: enough for one in a hundred to show.
const (
	keptOfRepository = 64
	keptOfNode       = 512
)

func newLatencies(keep int) *latencies { return &latencies{last: make([]time.Duration, keep)} }

func (l *latencies) observe(d time.Duration) {
	l.last[l.n%len(l.last)] = d
	l.n++
}

// percentile returns the time that a share of the last answers took at most. It is 0 before the
// first.
func (l *latencies) percentile(percent int) time.Duration {
	if l.n == 0 {
		return 0
	}
	sorted := slices.Clone(l.last[:min(l.n, len(l.last))])
	slices.Sort(sorted)
	return sorted[len(sorted)*percent/100]
}

// hedgeAfter returns when a second replica is asked: after the time that 19 of 20 answers took. A
// nil l has measured nothing.
func (l *latencies) hedgeAfter() time.Duration {
	if l == nil || l.n < fewest {
		return hedgeUnmeasured
	}
	return max(hedgeFloor, l.percentile(95))
}

// A race is one call and the replicas that are asked for it. It begins with one replica.
type race struct {
	replicas []candidate
	next     int // the first replica that was not asked
	open     int // how many have not answered
	hedge    bool
	hedged   bool
}

// A step tells the owner of a race its next action.
type step int

const (
	wait  step = iota // for an answer
	start             // ask the next replica
	stop              // the error is the outcome
)

// newRace returns a race among replicas in their order, of which there must be one. Without hedge,
// no second replica is asked beside the first.
func newRace(replicas []candidate, hedge bool) *race {
	return &race{replicas: replicas, hedge: hedge}
}

// take returns the replica to ask after a start.
func (r *race) take() (replica candidate, attempt int) {
	r.next++
	r.open++
	return r.replicas[r.next-1], r.next - 1
}

// onError takes that a replica failed. Another one is asked at once if the error is the node's and
// not the question's, and if there is time for it. left is what is left of the time.
func (r *race) onError(retryable bool, left time.Duration) step {
	r.open--
	switch {
	case retryable && r.next < len(r.replicas) && left >= worthwhile:
		return start
	case r.open > 0 && retryable:
		return wait
	}
	return stop
}

// onSlow takes that the first replica has not answered for hedgeAfter. The second one must be up,
// not draining, and have a free slot.
func (r *race) onSlow(t *tokens) step {
	if !r.hedge || r.hedged || r.open == 0 || r.next >= len(r.replicas) {
		return wait
	}
	if c := r.replicas[r.next]; c.condition != Up || c.draining || c.full || !t.pay() {
		return wait
	}
	r.hedged = true
	return start
}
