package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // so that a front may compress a long list
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
)

const (
	// dialTime bounds one dial. A lost SYN is sent again after a second, so a healed network is
	// found within about as much.
	dialTime = 2 * time.Second
	// firstWait is, unless beats are slow, the longest silence of a stream of beats, whatever the
	// condition. Silence of a node that is down is not judged, and a connection may die without a
	// word.
	firstWait = 2 * time.Second
	// longestRTT bounds the measured round trips that are believed, because the first message of a
	// large node takes longer.
	longestRTT = 250 * time.Millisecond
	// returnTime is the time that an answer needs besides its round trip.
	returnTime = 10 * time.Millisecond
)

// A node is the shell around the state of one node. It owns the one connection to it.
type node struct {
	set     *Set
	name    string
	address string
	end     context.CancelFunc
	gone    chan struct{} // closed when follow has returned

	mu    sync.Mutex
	state *state
	anew  bool               // no snapshot has come since other repositories were wanted
	over  context.CancelFunc // ends the stream of beats, so that another one begins; nil without one
	conn  *grpc.ClientConn
	calls map[*Call]struct{}
	alarm *time.Timer // for silence
	rtt   time.Duration

	answers   *latencies
	hedges    atomic.Int64
	failovers atomic.Int64
}

func newNode(s *Set, c config.Node) (*node, error) {
	n := &node{
		set: s, name: c.Name, address: c.Address, gone: make(chan struct{}), calls: map[*Call]struct{}{},
		answers: newLatencies(keptOfNode),
	}
	var err error
	if n.conn, err = n.dial(); err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	n.end = end
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state = newState(s.options.Beat, time.Now())
	n.alarm = time.AfterFunc(time.Until(n.state.wake()), func() {
		n.handleEvent((*state).onSilence)
	})
	go func() {
		defer close(n.gone)
		n.followNode(life)
	}()
	return n, nil
}

// dial returns a connection that is made when it is first used. It has no service config, because
// retries are ours, and resolves the name at each dial, because a container comes back with another
// address.
func (n *node) dial() (*grpc.ClientConn, error) {
	c, declared := insecure.NewCredentials(), config.Node{Name: n.name, Address: n.address}
	if n.set.options.Credentials != nil {
		c = n.set.options.Credentials(declared)
	}
	var more []grpc.DialOption
	if n.set.options.Dial != nil {
		more = n.set.options.Dial(declared)
	}
	conn, err := grpc.NewClient("passthrough:///"+n.address, append(more,
		grpc.WithTransportCredentials(c),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithNoProxy(),
		grpc.WithMaxHeaderListSize(wire.MaxHeaders),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(wire.MaxReply), grpc.MaxCallSendMsgSize(wire.MaxRequest)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: Beat / 2, Multiplier: 1.2, Jitter: 0.2, MaxDelay: Beat},
			MinConnectTimeout: dialTime,
		}),
	)...)
	if err != nil {
		return nil, fmt.Errorf("connect to node %q at %s: %w", n.name, n.address, err)
	}
	return conn, nil
}

// handleEvent gives the state an event, and does what follows from it.
func (n *node) handleEvent(event func(s *state, now time.Time) action) {
	n.mu.Lock()
	was, since, drained := n.state.condition, n.state.since, n.state.draining
	a := event(n.state, time.Now())
	is, text := *n.state, n.state.text(n.name)
	var turned []string // repositories that the node answers for now, or no more
	if (was <= Suspect) != (is.condition <= Suspect) {
		turned = n.repositories()
	}
	var old *grpc.ClientConn
	if a.redial {
		if conn, err := n.dial(); err == nil {
			old, n.conn = n.conn, conn
		}
	}
	if a.end {
		down := &api.Failure{Status: api.Unreachable, Detail: text}
		for c := range n.calls {
			c.cancel(down)
		}
	}
	if due := n.state.wake(); due.IsZero() {
		n.alarm.Stop()
	} else {
		n.alarm.Reset(time.Until(due))
	}
	n.mu.Unlock()
	if old != nil {
		_ = old.Close()
	}
	if a.changed {
		n.set.announce()
		n.set.logChange(n.name, was, since, is)
		n.set.logReplicas(turned)
	}
	if is.draining && !drained {
		n.set.options.Log.Info("node drains", "node", n.name)
	}
}

// follow watches the node until ctx ends.
func (n *node) followNode(ctx context.Context) {
	for {
		began := time.Now()
		err := n.watch(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, errAnew) {
			why := briefly(status.Convert(err).Message())
			n.handleEvent(func(s *state, now time.Time) action { return s.onBroken(why, now) })
		}
		if errors.Is(err, errAnew) || err == nil && time.Since(began) > Beat { // it is asked anew
			continue
		}
		select {
		case <-time.After(Beat/4 + rand.N(Beat/4)): // many ask a node that comes back
		case <-ctx.Done():
			return
		}
	}
}

// briefly returns the last part of an error of a connection, which grpc wraps in several others.
func briefly(why string) string {
	for _, before := range []string{"while dialing: ", ": connect: ", "authentication handshake failed: "} {
		if at := strings.LastIndex(why, before); at >= 0 {
			why = strings.TrimSuffix(why[at+len(before):], `"`)
		}
	}
	return why
}

// watch opens a stream of beats and hears it. It returns nil when the server has ended it in order.
func (n *node) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.mu.Lock()
	conn := n.conn
	n.mu.Unlock()
	awaitConnection(ctx, conn)
	n.handleEvent(func(s *state, now time.Time) action { s.onStarted(now); return action{} })
	began := time.Now()
	m := &nodepb.WatchRequest{Protocol: wire.Protocol(), BeatUs: n.set.options.Beat.Microseconds()}
	if n.set.options.Named {
		m.Repositories = n.wantsNow(func() { cancel(errAnew) })
	}
	st, err := nodepb.NewNodeClient(conn).Watch(ctx, m)
	if err != nil {
		return cmp.Or(asAnew(ctx), err)
	}
	longest := max(firstWait, 2*downBeats*n.set.options.Beat)
	silent := time.AfterFunc(longest, func() { cancel(errSilent) })
	defer silent.Stop()
	for heard := false; ; heard = true {
		m, err := st.Recv()
		switch {
		case errors.Is(err, io.EOF) && heard:
			return nil
		case context.Cause(ctx) == errSilent:
			return errSilent
		case err != nil && asAnew(ctx) != nil:
			return errAnew
		case err != nil:
			return err
		}
		silent.Reset(longest)
		if !heard {
			n.measure(time.Since(began))
		}
		n.handleEvent(func(s *state, now time.Time) action { return s.onState(m, now) })
		if m.GetSnapshot() || len(m.GetHosted())+len(m.GetGone()) > 0 {
			n.set.announce()
			n.set.logReplicas(namesOf(m))
		}
		if !heard {
			n.takeSnapshot(ctx)
		}
	}
}

var (
	errSilent = errors.New("no beat")
	errAnew   = errors.New("other repositories are wanted")
)

// asAnew returns errAnew if that ended ctx, else nil.
func asAnew(ctx context.Context) error {
	if context.Cause(ctx) == errAnew {
		return errAnew
	}
	return nil
}

// watchAnew begins another stream of beats, because other repositories are wanted.
func (n *node) watchAnew() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.anew = true
	if n.over != nil {
		n.over()
	}
}

// wantsNow returns the repositories to ask for in a stream of beats that end ends.
func (n *node) wantsNow(end func()) []string {
	n.mu.Lock()
	n.over = end
	n.mu.Unlock()
	if wanted := n.set.wants(); len(wanted) > 0 {
		return wanted
	}
	return []string{""} // the name of no repository, because none would mean all
}

// takeSnapshot takes that the snapshot of a stream of beats has come.
func (n *node) takeSnapshot(ctx context.Context) {
	n.mu.Lock()
	was := n.anew
	n.anew = n.anew && ctx.Err() != nil
	n.mu.Unlock()
	if was {
		n.set.announce()
	}
}

// connect waits until a connection is made or has failed.
func awaitConnection(ctx context.Context, conn *grpc.ClientConn) {
	conn.Connect()
	for s := conn.GetState(); s == connectivity.Idle || s == connectivity.Connecting; s = conn.GetState() {
		if !conn.WaitForStateChange(ctx, s) {
			return
		}
	}
}

// measure keeps the shortest round trip.
func (n *node) measure(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d = min(d, longestRTT); n.rtt == 0 || d < n.rtt {
		n.rtt = d
	}
}

// addAnswer notes how long an answer of the node took.
func (n *node) addAnswer(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers.observe(d)
}

// close ends the connection and all calls.
func (n *node) closeNode() {
	n.end()
	<-n.gone
	n.mu.Lock()
	defer n.mu.Unlock()
	n.alarm.Stop()
	for c := range n.calls {
		c.cancel(api.ErrClosed)
	}
	_ = n.conn.Close()
}

// candidate returns the node as a replica of a repository. It is false if the node does not host it
// as far as is known.
func (n *node) candidate(repository string) (candidate, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.state
	h, ok := s.hosted[repository]
	return candidate{
		node: n.name, condition: s.condition, draining: s.draining, full: s.slots > 0 && s.inFlight >= s.slots,
		calls: len(n.calls), head: h.GetHead(), scrapedAt: h.GetScrapedAtUnix(),
	}, ok
}

// A Call is a call under way at one node. It ends when End is called, when the node enters down,
// and after wire.MaxBudget.
type Call struct {
	Node    string
	Conn    *grpc.ClientConn
	Attempt int // 0 at the first replica, then 1 and so on

	node   *node
	life   context.Context
	cancel context.CancelCauseFunc
	stop   context.CancelFunc
	loosen func() bool // from the context of the caller
}

// begin counts a call at the node. Its life ends with ctx until loosen is called, and has the
// values of ctx. It returns an error of code RESOURCE_EXHAUSTED beyond wire.MaxCalls, and a
// *api.Failure if the node is down.
func (n *node) beginCall(ctx context.Context, attempt int) (*Call, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.state.condition == Down {
		return nil, &api.Failure{Status: api.Unreachable, Detail: n.state.text(n.name)}
	}
	if len(n.calls) >= wire.MaxCalls {
		return nil, status.Errorf(codes.ResourceExhausted, "%d calls to %s are under way", len(n.calls), n.name)
	}
	c := &Call{Node: n.name, Conn: n.conn, Attempt: attempt, node: n}
	c.life, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	c.life, c.stop = context.WithTimeout(c.life, wire.MaxBudget)
	c.loosen = context.AfterFunc(ctx, func() { c.cancel(context.Cause(ctx)) })
	n.calls[c] = struct{}{}
	context.AfterFunc(c.life, c.End)
	return c, nil
}

// End ends the call, and its stream if it has one. It may be called again.
func (c *Call) End() {
	c.loosen()
	c.cancel(nil)
	c.stop()
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	delete(c.node.calls, c)
}

// Budget returns the time that the node is given if left is the time left here: less the way to it
// and back.
func (c *Call) Budget(left time.Duration) time.Duration {
	c.node.mu.Lock()
	rtt := c.node.rtt
	c.node.mu.Unlock()
	return max(left-min(rtt+returnTime, left/4), time.Millisecond)
}

// reason returns the error of a call: that of the node's condition where it ended the call.
func (c *Call) reason(err error) error {
	if f, ok := errors.AsType[*api.Failure](context.Cause(c.life)); ok {
		return f
	}
	return err
}
