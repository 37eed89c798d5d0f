package actors

import (
	"context"
	"log/slog"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/ranking"
)

// routed tells a fusion that every project has been asked, so a dismissal cannot overtake the Ask.
type routed struct{ droppable }

// cancelled is sent by the fusion to itself when the caller has gone.
type cancelled struct{ droppable }

// A fusionActor is the actor of one query in all projects. It gathers their lists, fuses them, asks
// for descriptions, answers and stops. It answers within its time even if projects are silent,
// unless the caller has gone. Words of a project on this machine may take longer (wordsLeast).
type fusionActor struct {
	gather
	scry     *scry
	targets  []target // the projects asked
	log      *slog.Logger
	routed   bool // every project has been asked
	unwatch  func() bool
	fused    ranking.Ranking
	awaiting map[string]bool // projects yet to describe
	problems []api.ChannelState
	looking  *looking // nil if the caller wants no glimpses
}

func newFusion(m *scry, log *slog.Logger) *fusionActor {
	f := &fusionActor{scry: m, log: log, awaiting: map[string]bool{}, unwatch: func() bool { return true }}
	var of []awaited
	var absent []*api.Lists
	for _, to := range m.targets {
		to.channels = channelsAsked(to.channels, m.question.Oracles)
		of = append(of, to.awaited)
		if len(to.channels) == 0 {
			absent = append(absent, to.nothing(m))
			continue
		}
		f.targets = append(f.targets, to)
	}
	f.gather = gather{
		state: newGathering(m.query, of), began: time.Now(), watch: m.watch(),
		budget: askBudget(m.question.Timeout),
	}
	for _, l := range absent {
		f.state.addAnswer(l)
	}
	return f
}

// nothing returns the answer of a project that has none of the wanted oracles.
func (t target) nothing(m *scry) *api.Lists {
	l := &api.Lists{Query: m.query, From: t.from, Index: api.IndexState{Project: t.project, Behind: -1}}
	for _, name := range m.question.Oracles {
		l.Channels = append(l.Channels, api.ChannelState{Project: t.project, Channel: name, Status: api.Empty})
	}
	return l
}

// ask returns the Ask for a project.
func (f *fusionActor) ask(project string) *api.Ask {
	q := f.scry.question
	visit := q.Home != "" && project != q.Home
	return &api.Ask{
		Query: f.scry.query, Text: q.Text, Filter: q.Filter, Limit: q.Limit, Oracles: q.Oracles,
		Budget: f.budget, Counts: q.Counts, Tuning: q.Tuning, AsWritten: q.AsWritten, Now: q.Now,
		Visit: visit,
	}
}

// Receive implements actor.Actor.
func (f *fusionActor) Receive(c *actor.Context) {
	defer f.rescue(c)
	switch m := c.Message().(type) {
	case *actor.Started:
		f.sendAfter(c, f.budget, collecting)
		f.sendAfter(c, longestAsk(f.budget)+linger, finishing)
	case *routed:
		self := c.Self()
		f.unwatch = context.AfterFunc(f.scry.ctx, func() { self.Send(&cancelled{}) })
		f.routed = true
		f.watchHome(c)
		if len(f.targets) == 0 {
			f.fuse(c)
		}
		f.hurry(c)
	case *actor.Stopping:
		f.stop()
		f.unwatch()
	case *api.Lists:
		switch {
		case f.phase != collecting && f.phase != finishing:
		case f.state.addAnswer(m):
			f.fuse(c)
		default:
			f.glimpse(c)
		}
	case *api.Descriptions:
		f.addDescriptions(c, m)
	case *deadline:
		f.endPhase(m)
		f.hurry(c)
	case *cancelled:
		f.dismissAll(c)
	default:
		if f.looking == nil || !f.look(c) {
			logUnexpected(c, f.log)
		}
	}
}

// hurry goes on without those that are late.
func (f *fusionActor) hurry(c *actor.Context) {
	if !f.routed { // a dismissal must not overtake its Ask
		return
	}
	if f.due(collecting) {
		for _, to := range f.targets {
			switch {
			case to.opening == nil: // a peer
				f.late([]string{to.from})
			case to.opening():
				f.silence([]string{to.from}, api.Deadline, api.ErrNotOpen.Error())
			}
		}
		if f.phase = finishing; f.state.missing == 0 {
			f.fuse(c)
		}
	}
	if f.due(finishing) {
		f.late(f.allSilent())
		f.fuse(c)
	}
	if f.due(describing) {
		for _, a := range f.state.awaited {
			if f.awaiting[a.from] {
				f.problems = append(f.problems, f.problem(a.from, api.Deadline, deadlineText(f.elapsed(), 0)))
			}
		}
		f.answer(c)
	}
}

// fuse ranks the gathered lists and asks each project to describe its shown documents. A project
// without such documents is dismissed.
func (f *fusionActor) fuse(c *actor.Context) {
	f.phase = describing
	whole := f.scry.question.Timeout
	left := max(whole-f.watch.Elapsed(), percentOf(whole, describeTime))
	f.sendAfter(c, left, describing)
	f.fused = ranking.Fuse(f.scry.question, f.state.got)
	for _, to := range f.targets {
		wants := f.fused.Wants[to.from]
		if len(wants) == 0 {
			f.dismiss(to)
			continue
		}
		f.awaiting[to.from] = true
		c.Request(to.pid, &api.Describe{Query: f.scry.query, Wants: wants, Budget: left})
	}
	if len(f.awaiting) == 0 {
		f.answer(c)
	}
}

func (f *fusionActor) addDescriptions(c *actor.Context, m *api.Descriptions) {
	if f.phase != describing || m.Query != f.scry.query || !f.awaiting[m.From] {
		return
	}
	delete(f.awaiting, m.From)
	f.fused.Describe(m)
	if m.Problem.Status != "" {
		f.problems = append(f.problems, m.Problem)
	}
	if len(f.awaiting) == 0 {
		f.answer(c)
	}
}

func (f *fusionActor) answer(c *actor.Context) {
	f.phase = over
	f.scry.reply <- f.fused.Answer(f.problems, f.elapsed())
	c.Stop()
}

// dismiss tells a project that the query is over.
func (f *fusionActor) dismiss(to target) {
	to.pid.Send(&api.Describe{Query: f.scry.query})
}

// dismissAll dismisses all projects and stops.
func (f *fusionActor) dismissAll(c *actor.Context) {
	for _, to := range f.targets {
		f.dismiss(to)
	}
	c.Stop()
}

func (f *fusionActor) problem(project string, s api.Status, detail string) api.ChannelState {
	return api.ChannelState{Project: project, Channel: "description", Status: s, Elapsed: f.elapsed(), Detail: detail}
}

// rescue answers for a fusion that panicked, with only the channel states, and stops it.
func (f *fusionActor) rescue(c *actor.Context) {
	p := recover()
	if p == nil {
		return
	}
	err := panicError{p}
	f.log.Error("query panicked", "actor", c.Self().ID(), "error", err)
	f.silence(f.allSilent(), api.Failed, err.Error())
	lame := ranking.Unranked(f.scry.question, f.state.got)
	a := lame.Answer(
		[]api.ChannelState{{Channel: "fusion", Status: api.Failed, Elapsed: f.elapsed(), Detail: err.Error()}},
		f.elapsed())
	select {
	case f.scry.reply <- a:
	default: // already answered
	}
	f.dismissAll(c)
}
