package actors

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// What a tour keeps of its budget for descriptions, which take a tenth of a millisecond each.
const (
	describeShare = 10
	describeMost  = 100 * time.Millisecond
)

// routed tells a tour that every project has been asked: from now on a dismissal cannot overtake the ask.
type routed struct{ expected }

// cancelled is sent to itself when the caller has gone.
type cancelled struct{ expected }

// A tour is the actor of one query in all projects: it gathers their lists, fuses them, asks for what is shown, answers and
// stops. It answers within its budget whoever is silent, unless the caller has gone.
type tour struct {
	gather
	scry     *scry
	targets  []target
	log      *slog.Logger
	unwatch  func() bool
	fused    fused
	awaiting map[string]bool // projects that have yet to describe
	problems []ChannelState
}

func newTour(m *scry, targets []target, log *slog.Logger) *tour {
	var of []awaited
	for _, to := range targets {
		a := to.awaited
		if len(m.question.Oracles) > 0 {
			a.channels = m.question.Oracles
		}
		of = append(of, a)
	}
	t := &tour{scry: m, targets: targets, log: log, awaiting: map[string]bool{}, unwatch: func() bool { return true }}
	whole := m.question.Timeout
	t.gather = gather{state: newGathering(m.query, of), began: time.Now(), budget: whole - reserve(whole, describeShare, describeMost)}
	return t
}

// ask is the question as every project gets it.
func (t *tour) ask() *ask {
	q := t.scry.question
	return &ask{Query: t.scry.query, Question: q.forOracles(), Oracles: q.Oracles, Budget: t.budget}
}

// Receive implements actor.Actor.
func (t *tour) Receive(c actor.Context) {
	defer t.rescue(c)
	switch m := c.Message().(type) {
	case *actor.Started:
		t.after(c, t.budget, collecting)
		t.after(c, t.scry.question.Timeout, describing)
	case *routed:
		self, root := c.Self(), c.ActorSystem().Root
		t.unwatch = context.AfterFunc(t.scry.ctx, func() { root.Send(self, &cancelled{}) })
	case *actor.Stopping:
		t.stop()
		t.unwatch()
	case *lists:
		if t.phase == collecting && t.state.add(m) {
			t.fuse(c)
		}
	case *descriptions:
		t.described(c, m)
	case *deadline:
		t.deadline(c, m)
	case *cancelled:
		t.leave(c)
	default:
		unexpected(c, t.log)
	}
}

func (t *tour) deadline(c actor.Context, m *deadline) {
	switch {
	case m.of != t.phase:
	case m.of == collecting:
		t.late()
		t.fuse(c)
	case m.of == describing:
		for _, a := range t.state.awaited {
			if t.awaiting[a.from] {
				t.problems = append(t.problems, t.problem(a.from, Deadline, deadlineText(t.elapsed())))
			}
		}
		t.answer(c)
	}
}

// fuse ranks what has come and asks each project to describe what is shown of it. A project of which nothing is shown
// learns that the query is over.
func (t *tour) fuse(c actor.Context) {
	t.phase = describing
	t.fused = fuse(t.scry.question, t.state.got)
	for _, to := range t.targets {
		wants := t.fused.wants[to.from]
		if len(wants) == 0 {
			t.dismiss(c, to)
			continue
		}
		t.awaiting[to.from] = true
		c.Request(to.pid, &describe{Query: t.scry.query, Wants: wants, Budget: t.scry.question.Timeout - t.elapsed()})
	}
	if len(t.awaiting) == 0 {
		t.answer(c)
	}
}

func (t *tour) described(c actor.Context, m *descriptions) {
	if t.phase != describing || m.Query != t.scry.query || !t.awaiting[m.From] {
		return
	}
	delete(t.awaiting, m.From)
	t.fused.describe(m)
	if m.Problem.Status != "" {
		t.problems = append(t.problems, m.Problem)
	}
	if len(t.awaiting) == 0 {
		t.answer(c)
	}
}

func (t *tour) answer(c actor.Context) {
	t.phase = over
	t.scry.reply <- t.fused.answer(t.problems, t.elapsed())
	c.Stop(c.Self())
}

// dismiss tells a project that the query is over.
func (t *tour) dismiss(c actor.Context, to target) { c.Send(to.pid, &describe{Query: t.scry.query}) }

// leave dismisses all projects, and ends.
func (t *tour) leave(c actor.Context) {
	for _, to := range t.targets {
		t.dismiss(c, to)
	}
	c.Stop(c.Self())
}

func (t *tour) problem(project string, s Status, detail string) ChannelState {
	return ChannelState{Project: project, Channel: "description", Status: s, Elapsed: t.elapsed(), Detail: detail}
}

// rescue answers for a tour that panicked: with what was gathered, unranked channels and all, and ends it.
func (t *tour) rescue(c actor.Context) {
	p := recover()
	if p == nil {
		return
	}
	err := panicError{p}
	t.log.Error("query panicked", "actor", c.Self().GetId(), "error", err)
	t.state.silence(Failed, err.Error(), t.elapsed())
	f := fused{question: t.scry.question, got: t.state.got}
	a := f.answer([]ChannelState{{Channel: "fusion", Status: Failed, Elapsed: t.elapsed(), Detail: err.Error()}}, t.elapsed())
	select {
	case t.scry.reply <- a:
	default: // it had answered
	}
	t.leave(c)
}
