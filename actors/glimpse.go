package actors

import (
	"context"
	"slices"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/ranking"
)

// A glimpse is the answer of the asker's own project while others, or slow channels of it, are
// still asked. The fusion asks the project's query to hasten, fuses its offer, and lets it describe
// the results. The query goes on as if nobody had looked: every channel and project is asked once,
// and the answer at the end is the same.

const (
	// looksAfter is the time without an answer after which it is worth a glimpse. Most answers are
	// complete before, and a reader notices no shorter wait.
	looksAfter = 100 * time.Millisecond
	// mostGlimpses bounds the glimpses that wait for a caller. Further ones are dropped.
	mostGlimpses = 8
)

// looks is sent by the fusion to itself after looksAfter.
type looks struct{ droppable }

// hasten tells a query in one project that its lists so far are wanted.
type hasten struct {
	droppable
	query string
}

// offered is the lists that a hastened query has so far, with evidence.
type offered struct {
	droppable
	lists   *api.Lists
	awaited []string // channels that have not answered
}

// offerEnded is sent by a fanout to itself when an offer was made, or could not be.
type offerEnded struct{ droppable }

// describeOffered asks a query to describe some documents and go on.
type describeOffered struct {
	droppable
	query  string
	wants  []api.Want
	budget time.Duration
}

// describedOffer is the reply. The fanout sends it to itself, and then to the asker.
type describedOffer struct {
	droppable
	asker *actor.PID
	found *api.Descriptions
}

// Glimpse is Scry for a caller that shows an answer as it grows. It calls show in the caller's
// goroutine with the answer of the asker's own project, if the whole one takes longer. show is not
// called after Glimpse has returned.
func (e *Engine) Glimpse(ctx context.Context, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	type result struct {
		answer *api.Answer
		err    error
	}
	came, end := make(chan *api.Glimpse, mostGlimpses), make(chan result, 1)
	go func() {
		a, err := e.scry(ctx, r, nil, came)
		end <- result{a, err}
	}()
	for {
		select {
		case g := <-came:
			renumber(&g.Answer)
			show(g)
		case x := <-end:
			if x.err != nil {
				return nil, x.err
			}
			renumber(x.answer)
			return x.answer, nil
		}
	}
}

// A looking is the state of a fusion whose caller wants glimpses.
type looking struct {
	home    target
	late    bool       // it is worth a glimpse
	busy    bool       // the project describes an offer
	offer   *offered   // the newest one of a query that has not answered
	shown   *api.Lists // of the last glimpse
	awaited []string   // when the offer was made
	fused   ranking.Ranking
}

// watchHome begins to look, if the caller wants it and its project is on this machine. Among equal
// projects the asker's is the one that was opened first, as others are visits.
func (f *fusionActor) watchHome(c *actor.Context) {
	if f.scry.came == nil {
		return
	}
	i, home := 0, f.scry.question.Home
	if home != "" {
		i = slices.IndexFunc(f.targets, func(t target) bool { return t.project == home })
	}
	if i < 0 || i >= len(f.targets) || f.targets[i].opening == nil {
		return
	}
	f.looking = &looking{home: f.targets[i]}
	self := c.Self()
	f.alarms = append(f.alarms, f.watch.After(looksAfter, func() { self.Send(&looks{}) }))
}

// look handles the messages of a glimpse. It reports false for another message.
func (f *fusionActor) look(c *actor.Context) bool {
	switch m := c.Message().(type) {
	case *looks:
		f.looking.late = true
		f.looking.home.pid.Request(&hasten{query: f.scry.query}, c.Self())
	case *offered:
		f.looking.offer = m
	case *describedOffer:
		f.looking.busy = false
		f.showGlimpse(m.found)
	default:
		return false
	}
	f.glimpse(c)
	return true
}

// glimpse fuses the lists of the asker's project, and lets it describe the results.
func (f *fusionActor) glimpse(c *actor.Context) {
	l := f.looking
	if l == nil || !l.late || l.busy || f.phase != collecting && f.phase != finishing {
		return
	}
	lists, awaited := f.homeLists()
	if lists == nil || lists == l.shown {
		return
	}
	l.shown, l.awaited = lists, awaited
	l.fused = ranking.Fuse(f.scry.question, []*api.Lists{lists})
	wants := l.fused.Wants[l.home.from]
	if len(wants) == 0 {
		f.showGlimpse(nil)
		return
	}
	l.busy = true
	left := max(f.scry.question.Timeout-f.watch.Elapsed(), percentOf(f.scry.question.Timeout, describeTime))
	c.Request(l.home.pid, &describeOffered{query: f.scry.query, wants: wants, budget: left})
}

// homeLists returns the newest lists of the asker's project, and the names of those that have not
// answered: channels of it, and projects.
func (f *fusionActor) homeLists() (lists *api.Lists, awaited []string) {
	if o := f.looking.offer; o != nil {
		lists, awaited = o.lists, slices.Clone(o.awaited)
	}
	for i, a := range f.state.awaited {
		switch {
		case a.from != f.looking.home.from:
			if f.state.got[i] == nil {
				awaited = append(awaited, a.project)
			}
		case f.state.got[i] != nil:
			lists, awaited = f.state.got[i], nil
		}
	}
	return lists, awaited
}

// showGlimpse gives the caller an answer of the asker's project, if it is still of use. found may
// be nil.
func (f *fusionActor) showGlimpse(found *api.Descriptions) {
	if f.phase != collecting && f.phase != finishing {
		return
	}
	l := f.looking
	if found != nil {
		l.fused.Describe(found)
	}
	g := &api.Glimpse{Answer: *l.fused.Answer(nil, f.elapsed()), Awaited: l.awaited}
	select {
	case f.scry.came <- g:
	default: // the caller is slow, and there will be a better one
	}
}

// offer offers the lists so far to the asker, if the query was hastened. It must be called after
// each answer of a channel.
func (f *fanout) offer(c *actor.Context) {
	f.unoffered = true
	got := f.state.answered()
	if !f.hastened || f.offering || f.pin == nil || len(got) == 0 || f.phase != collecting && f.phase != finishing {
		return
	}
	f.offering, f.unoffered = true, false
	f.seek()
	awaited, left := f.allSilent(), max(f.ask.Budget-f.watch.Elapsed(), percentOf(f.ask.Budget, evidenceTime))
	channels, to := f.state.channels(), f.asker
	f.spawn(c, func() any {
		ctx, cancel := f.withTimeout(left)
		defer cancel()
		m := &weighed{behind: -1}
		// After an error there is no glimpse. The answer will say it.
		if recoverPanic(f.log, func() error { return f.evidence(ctx, m, got, nil) }) == nil {
			to.Send(&offered{lists: f.listsOf(got, channels, m), awaited: awaited})
		}
		return &offerEnded{}
	})
}

// endOffer makes a further offer if more has come since the last one.
func (f *fanout) endOffer(c *actor.Context) {
	f.offering = false
	if f.unoffered {
		f.offer(c)
	}
}

// describeOffered answers with descriptions of documents, and the query goes on.
func (f *fanout) describeOffered(c *actor.Context, m *describeOffered) {
	if f.pin == nil {
		return
	}
	asker := c.Sender()
	f.spawn(c, func() any {
		ctx, cancel := f.withTimeout(m.budget)
		defer cancel()
		out := &api.Descriptions{Query: m.query, From: f.project.Name}
		if err := recoverPanic(f.log, func() error { return f.tell(ctx, out, m.wants, nil, nil) }); err != nil {
			out.Problem = f.problem("description", failureStatus(ctx), err.Error())
		}
		return &describedOffer{asker: asker, found: out}
	})
}
