package peer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	"patina/actors/api"
	"patina/oracles"
	"patina/wire"
	"patina/wire/nodepb"
)

type queryStream = grpc.BidiStreamingClient[nodepb.ToRepository, nodepb.FromRepository]

// Target returns a repository for an engine to ask, by its name on the wire, which is its name in
// answers, too. If no node was heard that hosts it, but some node is silent, it has the channels
// that are usual. It returns an error that wraps api.ErrNoProject if all nodes were heard and no
// node hosts it. Call Wait before, because nothing is known of a set that was just made.
func (s *Set) Target(repository string) (api.Target, error) {
	nodes, _ := s.all()
	hosted, silent := false, false
	t := &target{set: s, repository: repository, open: map[string]*question{}}
	for _, n := range nodes {
		n.mu.Lock()
		h, ok := n.state.hosted[repository]
		silent = silent || n.state.hosted == nil || n.anew
		n.mu.Unlock()
		hosted = hosted || ok
		if ok && len(t.channels) == 0 {
			t.channels = slices.Clone(h.GetChannels())
		}
	}
	if len(t.channels) > 0 {
		return t, nil
	}
	if !hosted && !silent {
		return nil, fmt.Errorf("%w %q on any node", api.ErrNoProject, repository)
	}
	for _, o := range oracles.Default() {
		t.channels = append(t.channels, o.Name())
	}
	return t, nil
}

// A target is a repository on other nodes.
type target struct {
	set        *Set
	repository string
	channels   []string

	mu   sync.Mutex
	open map[string]*question // by query, from Ask to Describe
}

// A question is a stream between its two messages.
type question struct {
	call   *Call
	stream queryStream
	ask    *api.Ask
	lists  *api.Lists
}

var (
	_ api.Target   = (*target)(nil)
	_ api.Returner = (*target)(nil)
)

// Name implements api.Target.
func (t *target) Name() string { return t.repository }

// Channels implements api.Target.
func (t *target) Channels() []string { return slices.Clone(t.channels) }

// Returned implements api.Returner: it is when the last of the replicas came back.
func (t *target) Returned() time.Time {
	nodes, _ := t.set.all()
	var last time.Time
	for _, n := range nodes {
		n.mu.Lock()
		if _, ok := n.state.hosted[t.repository]; ok && n.state.returned.After(last) {
			last = n.state.returned
		}
		n.mu.Unlock()
	}
	return last
}

// Ask implements api.Target. The stream of the replica that answered stays open for Describe.
func (t *target) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	q, err := t.askReplica(ctx, m, How{Hedge: true})
	if err != nil {
		return nil, t.failure(err, "ask")
	}
	t.mu.Lock()
	_, twice := t.open[m.Query]
	if !twice {
		t.open[m.Query] = q
	}
	t.mu.Unlock()
	if twice {
		q.call.End()
		return nil, fmt.Errorf("ask %q: query %q is under way", t.repository, m.Query)
	}
	context.AfterFunc(q.call.life, func() { t.forget(m.Query, q) })
	return q.lists, nil
}

// forget drops a question whose call has ended. One that is lost is kept for a while.
func (t *target) forget(query string, q *question) {
	drop := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.open[query] == q {
			delete(t.open, query)
		}
	}
	if isLost(q) {
		time.AfterFunc(wire.MaxBudget, drop)
		return
	}
	drop()
}

// isLost reports whether the node of a question went down between its two messages. Then its Ask is
// kept, so that Describe can ask another replica.
func isLost(q *question) bool {
	_, down := errors.AsType[*api.Failure](context.Cause(q.call.life))
	return down
}

// ask sends an Ask to a replica and returns its stream with the lists.
func (t *target) askReplica(ctx context.Context, m *api.Ask, how How) (*question, error) {
	q, call, err := Try(ctx, t.set, t.repository, how, func(life context.Context, c *Call) (*question, error) {
		out, err := wire.EncodeAsk(t.repository, m, c.Budget(min(timeLeft(ctx), m.Budget)))
		if err != nil {
			return nil, err
		}
		out.Attempt = int32(c.Attempt)
		st, err := nodepb.NewNodeClient(c.Conn).Query(life)
		if err != nil {
			return nil, err
		}
		in, err := exchange(st, &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: out}})
		if err != nil {
			return nil, err
		}
		if in.GetLists() == nil {
			return nil, fmt.Errorf("answer to a question: %T", in.GetOf())
		}
		l, err := wire.DecodeLists(in.GetLists(), m.Query, t.repository)
		return &question{stream: st, ask: m, lists: l}, err
	})
	if err != nil {
		return nil, err
	}
	q.call = call
	return q, nil
}

// exchange sends a message and returns the next one of the stream.
func exchange(st queryStream, m *nodepb.ToRepository) (*nodepb.FromRepository, error) {
	// The error of a stream that has ended is io.EOF in Send, and what it is in Recv.
	_ = st.Send(m)
	return st.Recv()
}

// Describe implements api.Target. It asks the replica that has the generation of the Ask. If that
// has gone meanwhile, another one is asked both. A front may be asked again, because it asks
// another replica.
func (t *target) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	t.mu.Lock()
	q := t.open[m.Query]
	delete(t.open, m.Query)
	t.mu.Unlock()
	if q == nil {
		return nil, fmt.Errorf("describe documents of %q: no query %q", t.repository, m.Query)
	}
	defer q.call.End()
	if len(m.Wants) == 0 {
		return nil, nil
	}
	d, err := t.describe(ctx, q, m)
	if err == nil {
		return d, nil
	}
	if !isRetryable(err) || timeLeft(ctx) < worthwhile {
		return nil, t.failure(&CallError{Node: q.call.Node, Err: err}, "describe")
	}
	again := *q.ask
	again.Budget = timeLeft(ctx)
	other, askErr := t.askReplica(ctx, &again, How{Last: q.call.Node})
	if askErr != nil {
		return nil, t.failure(&CallError{Node: q.call.Node, Err: err}, "describe")
	}
	defer other.call.End()
	t.set.countFailover(other.call.Node)
	if d, err = t.describe(ctx, other, m); err != nil {
		return nil, t.failure(&CallError{Node: other.call.Node, Err: err}, "describe")
	}
	return d, nil
}

// describe sends a Describe on the stream of a question.
func (t *target) describe(ctx context.Context, q *question, m *api.Describe) (*api.Descriptions, error) {
	stop := context.AfterFunc(ctx, func() { q.call.cancel(context.Cause(ctx)) })
	defer stop()
	out, err := wire.EncodeDescribe(m, q.call.Budget(min(timeLeft(ctx), m.Budget)))
	if err != nil {
		return nil, err
	}
	in, err := exchange(q.stream, &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: out}})
	if err != nil {
		return nil, q.call.reason(err)
	}
	if in.GetDescriptions() == nil {
		return nil, fmt.Errorf("answer to a Describe: %T", in.GetOf())
	}
	return wire.DecodeDescriptions(in.GetDescriptions(), m.Query, t.repository)
}

// Read implements api.Target.
func (t *target) Read(ctx context.Context, r api.Lookup) (any, error) {
	if _, err := wire.EncodeRead(t.repository, r, 0); err != nil { // it stays at home
		return nil, t.failure(err, r.Verb())
	}
	end := time.Now().Add(timeLeft(ctx))
	if d := r.Options().Timeout; d > 0 && d < timeLeft(ctx) {
		end = time.Now().Add(d)
	}
	how := How{Hedge: true}
	answer, call, err := Try(ctx, t.set, t.repository, how, func(life context.Context, c *Call) (any, error) {
		life, cancel := context.WithDeadline(life, end)
		defer cancel()
		m, err := wire.EncodeRead(t.repository, r, c.Budget(time.Until(end)))
		if err != nil {
			return nil, err
		}
		reply, err := nodepb.NewNodeClient(c.Conn).Read(life, m)
		if err != nil {
			return nil, err
		}
		return wire.DecodeAnswer(reply, r, t.repository)
	})
	if err != nil {
		return nil, t.failure(err, r.Verb())
	}
	call.End()
	return answer, nil
}

// failure returns an error of a call as that of the repository.
func (t *target) failure(err error, verb string) *api.Failure {
	call, ok := errors.AsType[*CallError](err)
	if ok {
		err = call.Err
	}
	f := *wire.FailureOf(err)
	// An error of the repository is the same on all nodes, and says nothing about one.
	if ofRepository := f.Status == api.Unavailable || f.Read != ""; ok && !ofRepository {
		f.Detail = call.Error()
	}
	f.Project, f.Read = t.repository, verb
	return &f
}
