package actors

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"patina/store"
)

// What a visit keeps of its budget for evidence, and for the way back: evidence takes 1 ms where lists take 4, and a tenth
// of a second is much for a large repository under load.
const (
	evidenceShare = 5
	evidenceMost  = 150 * time.Millisecond
	returnShare   = 20
	returnMost    = 30 * time.Millisecond
)

// linger is how long after its budget a visit waits for the describe that ends it, should its asker have died.
const linger = 500 * time.Millisecond

// ready is sent to itself when the readers have been pinned, or could not be.
type ready struct {
	expected
	pin    *pinned
	status Status // empty: pinned
	detail string
}

// judged is sent to itself with the evidence of the union of all lists.
type judged struct {
	expected
	exact    []store.Ranked
	evidence map[string]store.Evidence
	behind   int
	note     string
	problem  ChannelState // Status empty: none
}

// A visit is the actor of one query in one project. It waits for a slot, pins one generation, gathers the oracles, asks the
// store for the evidence of what they found, answers with lists, and keeps its generation until it has described what is
// shown or is told that nothing is. Whatever happens it answers its asker's ask once.
type visit struct {
	*host
	gather
	ask      *ask
	asker    *actor.PID
	channels []*actor.PID // of the oracles asked, as state.awaited
	lease    *lease
	life     context.Context // ends with the visit
	cancel   context.CancelFunc
	pin      *pinned
	seen     IndexState
	judged   *judged
}

func newVisit(r *repo, m *ask, asker *actor.PID, l *lease) *visit {
	v := &visit{host: r.host, ask: m, asker: asker, lease: l, seen: r.showing(store.Generation{})}
	v.life, v.cancel = context.WithCancel(r.host.life)
	var of []awaited
	for _, o := range r.oracles {
		if len(m.Oracles) == 0 || slices.Contains(m.Oracles, o.Name()) {
			of = append(of, awaited{from: o.Name(), project: r.project.Name, channels: []string{o.Name()}})
			v.channels = append(v.channels, r.channels[o.Name()])
		}
	}
	v.gather = gather{state: newGathering(m.Query, of), began: time.Now()}
	v.budget = m.Budget - reserve(m.Budget, evidenceShare, evidenceMost)
	return v
}

// Receive implements actor.Actor.
func (v *visit) Receive(c actor.Context) {
	defer v.rescue(c)
	switch m := c.Message().(type) {
	case *actor.Started:
		v.after(c, v.budget, collecting)
		v.after(c, v.ask.Budget-reserve(v.ask.Budget, returnShare, returnMost), judging)
		v.after(c, v.ask.Budget+linger, describing)
	case *actor.Stopping:
		v.stop()
		v.cancel()
		v.lease.end()
	case *deadline:
		v.deadline(c, m)
	case *describe:
		v.describe(c, m)
	default:
		v.working(c)
	}
}

// working is what a visit does before it answers; later none of these messages matters.
func (v *visit) working(c actor.Context) {
	switch m := c.Message().(type) {
	case *admitted:
		if v.phase == collecting {
			v.begin(c)
		}
	case *ready:
		if v.phase == collecting {
			v.scatter(c, m)
		}
	case *lists:
		if v.phase == collecting && v.state.add(m) {
			v.judge(c)
		}
	case *judged:
		if v.phase == judging {
			v.judged = m
			v.answer(c)
		}
	default:
		unexpected(c, v.log)
	}
}

func (v *visit) deadline(c actor.Context, m *deadline) {
	switch {
	case m.of == describing:
		c.Stop(c.Self())
	case m.of != v.phase:
	case m.of == collecting && v.index.waited():
		v.state.silence(Deadline, errSlow.Error(), v.elapsed())
		v.judge(c)
	case m.of == collecting:
		v.late()
		v.judge(c)
	case m.of == judging:
		v.judged = &judged{behind: -1, problem: v.problem("evidence", Deadline, deadlineText(v.elapsed()))}
		v.answer(c)
	}
}

// until is the end of a phase that lasts d from the beginning of the visit.
func (v *visit) until(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithDeadline(v.life, v.began.Add(d))
}

// spawn runs f in a goroutine that may use the pin until it returns, and sends what it returns to the visit.
func (v *visit) spawn(c actor.Context, f func() any) {
	self, root := c.Self(), c.ActorSystem().Root
	if !v.lease.acquire() {
		return
	}
	v.work.Go(func() {
		m := f()
		v.lease.release()
		root.Send(self, m)
	})
}

// begin pins the readers.
func (v *visit) begin(c actor.Context) {
	v.spawn(c, func() any {
		ctx, cancel := v.until(v.budget)
		defer cancel()
		m := &ready{}
		err := guarded(v.log, func() (err error) {
			m.pin, err = v.host.index.pin(ctx, len(v.channels))
			return err
		})
		if err != nil {
			m.status, m.detail = blame(ctx, err)
			return m
		}
		v.lease.hold(m.pin)
		return m
	})
}

// scatter asks every oracle at once, each with its own reader of the one generation.
func (v *visit) scatter(c actor.Context, m *ready) {
	if m.status != "" {
		v.state.silence(m.status, m.detail, v.elapsed())
		v.answer(c)
		return
	}
	v.pin = m.pin
	v.seen = v.host.showing(m.pin.desk.Generation())
	v.state.generation = v.seen.Generation.Number
	ctx, cancel := v.until(v.budget)
	v.cancel = both(v.cancel, cancel)
	for i, pid := range v.channels {
		c.Send(pid, &call{
			ctx: ctx, lease: v.lease, reader: m.pin.oracles[i], query: v.ask.Query,
			question: v.ask.Question, index: v.seen, asker: c.Self(), began: v.began,
		})
	}
}

func both(f, g func()) func() { return func() { f(); g() } }

// judge asks the store once for the evidence of the union of all lists.
func (v *visit) judge(c actor.Context) {
	if v.pin == nil {
		v.answer(c)
		return
	}
	v.phase = judging
	ids, found := union(v.state.got), meaningOf(v.state.got)
	v.spawn(c, func() any {
		ctx, cancel := v.until(v.ask.Budget)
		defer cancel()
		m := &judged{behind: -1}
		if err := guarded(v.log, func() error { return v.weigh(ctx, m, ids, found) }); err != nil {
			m.problem = v.problem("evidence", failure(ctx), err.Error())
		}
		v.compare(m)
		return m
	})
}

// answer replies to the ask. A visit that has nothing pinned has nothing to describe, and is over.
func (v *visit) answer(c actor.Context) {
	v.phase = describing
	c.Send(v.asker, v.found())
	if v.pin == nil {
		c.Stop(c.Self())
	}
}

// found is the answer to the ask.
func (v *visit) found() *lists {
	m := &lists{Query: v.ask.Query, From: v.project.Name, Index: v.seen, Channels: v.state.channels()}
	for _, l := range v.state.got {
		m.Lists = append(m.Lists, l.Lists...)
	}
	if j := v.judged; j != nil {
		m.Exact, m.Evidence, m.Index.Behind = j.exact, j.evidence, j.behind
		if j.note != "" {
			m.Notes = append(m.Notes, j.note)
		}
		if j.problem.Status != "" {
			m.Channels = append(m.Channels, j.problem)
		}
	}
	return m
}

func (v *visit) problem(step string, s Status, detail string) ChannelState {
	return ChannelState{Project: v.project.Name, Channel: step, Status: s, Elapsed: v.elapsed(), Detail: detail}
}

// describe answers with what the shown documents show; then the visit is over.
func (v *visit) describe(c actor.Context, m *describe) {
	if len(m.Wants) == 0 || v.pin == nil {
		c.Stop(c.Self())
		return
	}
	asker, root, idle := c.Sender(), c.ActorSystem().Root, v.idle()
	v.spawn(c, func() any {
		ctx, cancel := context.WithTimeout(v.life, m.Budget)
		defer cancel()
		out := &descriptions{Query: m.Query, From: v.project.Name}
		if err := guarded(v.log, func() error { return v.tell(ctx, out, m.Wants, idle) }); err != nil {
			out.Problem = v.problem("description", failure(ctx), err.Error())
		}
		root.Send(asker, out)
		return &deadline{of: describing} // nothing more to wait for
	})
}

// idle is the reader of an oracle that has answered well, and so has no call left that uses it; nil if there is none.
func (v *visit) idle() *store.Reader {
	for i, l := range v.state.got {
		if l != nil && len(l.Channels) == 1 && (l.Channels[0].Status == OK || l.Channels[0].Status == Empty) {
			return v.pin.oracles[i]
		}
	}
	return nil
}

// rescue answers for a visit that panicked, and ends it.
func (v *visit) rescue(c actor.Context) {
	p := recover()
	if p == nil {
		return
	}
	err := panicError{p}
	v.log.Error("query panicked", "actor", c.Self().GetId(), "error", err)
	if v.phase != describing {
		v.state.silence(Failed, err.Error(), v.elapsed())
		v.phase = describing
		c.Send(v.asker, &lists{Query: v.ask.Query, From: v.project.Name, Index: v.seen, Channels: v.state.channels()})
	}
	c.Stop(c.Self())
}
