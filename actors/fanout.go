package actors

import (
	"context"
	"slices"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/code/describe"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
)

// linger is the time for which a fanout waits for its last message after its asker's time, in case
// the asker died.
const linger = 500 * time.Millisecond

// ready is sent by the fanout to itself when the readers have been pinned, or could not be.
type ready struct {
	droppable
	pin      *pinned
	question oracles.Question
	read     api.FromWords
	status   api.Status // empty if pinned
	detail   string
}

// weighed is sent by the fanout to itself with evidence for the union of all lists.
type weighed struct {
	droppable
	exact    []doc.Ranked
	evidence map[string]doc.Evidence
	pages    map[string]*describe.Page // first code files, by path
	behind   int
	note     string
	more     []oracles.Places // further places of quoted texts
	notes    []string         // about literals and names in the question
	unknown  bool             // the question is a name that does not occur in the project
	problem  api.ChannelState // Status is empty if there is no problem
}

// A fanout is the actor of one query in one project. It waits for a slot, pins one generation,
// gathers lists from the oracles and evidence from the store, and answers. It keeps its generation
// until it has described the shown documents, or is told that there are none. It always answers its
// Ask once.
type fanout struct {
	*host
	gather
	ask      *api.Ask
	asker    *actor.PID
	names    []string              // of the oracles that are asked in every generation
	sparing  []oracles.Sparing     // asked only if needed
	pids     map[string]*actor.PID // of all oracles
	channels []*actor.PID          // the oracles asked, in the order of state.awaited
	lease    *lease
	life     context.Context // ends with the fanout
	cancel   context.CancelFunc
	// stopOthers ends all channels except wordsChannel.
	stopOthers context.CancelFunc
	pin        *pinned
	seen       api.IndexState
	question   oracles.Question // once pinned
	read       api.FromWords
	named      *named // nil until an oracle has answered
	weighed    *weighed
	words      [2]*excerpt.Words // of the question, for the desk and an idle reader; nil until read
	hastened   bool              // the lists so far are wanted (glimpse.go)
	offering   bool              // an offer is being made
	unoffered  bool              // more has come since
}

func newFanout(r *repo, m *api.Ask, asker *actor.PID, l *lease) *fanout {
	m = r.host.limited(m)
	f := &fanout{host: r.host, ask: m, asker: asker, lease: l, seen: r.showing(doc.Generation{})}
	f.life, f.cancel = context.WithCancel(r.host.life)
	f.stopOthers = func() {}
	for _, x := range r.host.oracles {
		name := x.oracle.Name()
		switch s, sparing := x.oracle.(oracles.Sparing); {
		case len(m.Oracles) > 0 && !slices.Contains(m.Oracles, name):
		case sparing && len(m.Oracles) == 0:
			f.sparing = append(f.sparing, s)
		default:
			f.names = append(f.names, name)
		}
	}
	f.pids = r.channels
	all := slices.Clone(f.names) // until the generation is known
	for _, x := range f.sparing {
		all = append(all, x.Name())
	}
	f.gather = gather{state: f.awaiting(all), began: time.Now(), watch: r.host.stopwatch(m.Budget)}
	f.budget = percentOf(m.Budget, othersEnd)
	return f
}

// awaiting returns the state of a fanout that asks some channels, and sets f.channels.
func (f *fanout) awaiting(names []string) gathering {
	var of []awaited
	f.channels = nil
	for _, name := range names {
		of = append(of, awaited{from: name, project: f.project.Name, channels: []string{name}})
		f.channels = append(f.channels, f.pids[name])
	}
	return newGathering(f.ask.Query, of)
}

// needed returns the names of the channels to ask about a generation.
func (f *fanout) needed(g doc.Generation) []string {
	names := slices.Clone(f.names)
	for _, x := range f.sparing {
		if x.Needed(g, f.ask.Filter) {
			names = append(names, x.Name())
		}
	}
	return names
}

// Receive implements actor.Actor.
func (f *fanout) Receive(c *actor.Context) {
	defer f.rescue(c)
	switch m := c.Message().(type) {
	case *actor.Started:
		f.sendAfter(c, f.budget, collecting)
		f.sendAfter(c, wordsBudget(f.ask.Budget), finishing)
		f.meter(c, f.life, collecting, percentOf(f.ask.Budget, processorTime), f.host)
	case *actor.Stopping:
		f.stop()
		f.cancel()
		f.lease.endQuery()
	case *deadline:
		f.endPhase(m)
		f.hurry(c)
	case *api.Describe:
		f.describe(c, m)
	case *hasten:
		f.hastened = true
		f.offer(c)
	case *offerEnded:
		f.endOffer(c)
	case *describeOffered:
		f.describeOffered(c, m)
	case *describedOffer:
		m.asker.Send(m)
	default:
		f.working(c)
	}
}

// working handles messages before the answer. Later ones do not matter.
func (f *fanout) working(c *actor.Context) {
	switch m := c.Message().(type) {
	case *admitted:
		if f.phase == collecting || f.phase == finishing {
			f.beginFanout(c)
		}
	case *ready:
		if f.phase == collecting || f.phase == finishing {
			f.scatter(c, m)
		}
	case *api.Lists:
		if f.phase == collecting || f.phase == finishing {
			last := f.state.addAnswer(m)
			f.seek()
			if last {
				f.weighEvidence(c)
			} else {
				f.offer(c)
			}
		}
	case *weighed:
		if f.phase == weighing {
			f.weighed = m
			f.answer(c)
		}
	default:
		logUnexpected(c, f.log)
	}
}

// hurry goes on without those that are late.
func (f *fanout) hurry(c *actor.Context) {
	if f.due(collecting) {
		f.stopOthers()
		f.silenceLate(f.state.silent(wordsChannel))
		if f.phase = finishing; f.state.missing == 0 {
			f.weighEvidence(c)
		}
	}
	if f.due(finishing) {
		f.silenceLate(f.allSilent())
		f.weighEvidence(c)
	}
	if f.due(weighing) {
		f.weighed = &weighed{behind: -1, problem: f.problem("evidence", api.Deadline, deadlineText(f.elapsed(), 0))}
		f.answer(c)
	}
	if f.due(describing) {
		c.Stop()
	}
}

// silenceLate answers for late channels. If the index is not open, it is the reason.
func (f *fanout) silenceLate(names []string) {
	if f.index.waited() {
		f.silence(names, api.Deadline, api.ErrNotOpen.Error())
		return
	}
	f.late(names)
}

// until returns a context that ends d after the beginning of the fanout.
func (f *fanout) until(d time.Duration) (context.Context, context.CancelFunc) {
	return f.watch.Within(f.life, d)
}

// withTimeout returns a context that ends d from now.
func (f *fanout) withTimeout(d time.Duration) (context.Context, context.CancelFunc) {
	return f.watch.Within(f.life, f.watch.Elapsed()+d)
}

// spawn runs work in a goroutine and sends the result to the fanout. work may use the pin until it
// returns.
func (f *fanout) spawn(c *actor.Context, work func() any) {
	self := c.Self()
	if !f.lease.acquire() {
		return
	}
	f.work.Go(func() {
		m := work()
		f.lease.releaseUse()
		self.Send(m)
	})
}

// beginFanout reads the question and pins the readers.
func (f *fanout) beginFanout(c *actor.Context) {
	f.spawn(c, func() any {
		ctx, cancel := f.until(wordsBudget(f.ask.Budget))
		defer cancel()
		m := &ready{}
		err := recoverPanic(f.log, func() (err error) {
			m.question = f.texts.QuestionOf(f.ask)
			m.pin, err = f.host.index.pinFor(ctx, func(g doc.Generation) int { return len(f.needed(g)) })
			return err
		})
		if err != nil {
			m.status, m.detail = statusOfIndex(ctx, err)
			return m
		}
		f.lease.holdPin(m.pin)
		err = recoverPanic(f.log, func() (err error) {
			m.read, err = f.texts.ReadAsk(f.ask).Narrow(ctx, m.pin.desk, &m.question)
			return err
		})
		if err != nil {
			m.status, m.detail = statusOfIndex(ctx, err)
		}
		return m
	})
}

// scatter asks every oracle at once, each with its own reader of one generation. If there is only
// time for words, it asks only wordsChannel.
func (f *fanout) scatter(c *actor.Context, m *ready) {
	if m.status != "" {
		f.silence(f.allSilent(), m.status, m.detail)
		f.answer(c)
		return
	}
	f.pin, f.question, f.read = m.pin, m.question, m.read
	f.seen = f.host.showing(m.pin.desk.Generation())
	f.state = f.awaiting(f.needed(f.seen.Generation))
	f.state.generation = f.seen.Generation.Number
	others, stopOthers := f.until(f.budget)
	words, stopWords := f.until(wordsBudget(f.ask.Budget))
	f.stopOthers = stopOthers
	f.cancel = inTurn(f.cancel, inTurn(stopOthers, stopWords))
	if f.phase == collecting && len(f.channels) == 0 {
		f.weighEvidence(c)
	}
	for i, pid := range f.channels {
		ctx := others
		switch {
		case f.state.awaited[i].from == wordsChannel:
			ctx = words
		case f.phase == finishing:
			continue
		}
		pid.Send(&call{
			ctx: ctx, lease: f.lease, reader: m.pin.oracles[i], query: f.ask.Query,
			question: m.question, index: f.seen, asker: c.Self(), began: f.began,
		})
	}
	if f.phase == finishing {
		f.late(f.state.silent(wordsChannel))
		if f.state.missing == 0 {
			f.weighEvidence(c)
		}
	}
}

func inTurn(f, g func()) func() { return func() { f(); g() } }

// weighEvidence asks the store once for evidence on the union of all lists.
func (f *fanout) weighEvidence(c *actor.Context) {
	if f.pin == nil {
		f.answer(c)
		return
	}
	f.phase = weighing
	f.seek()
	left := max(f.ask.Budget-f.watch.Elapsed(), percentOf(f.ask.Budget, evidenceTime))
	f.sendAfter(c, left, weighing)
	got, idle := f.state.answered(), f.idle()
	f.spawn(c, func() any {
		ctx, cancel := f.withTimeout(left)
		defer cancel()
		m := &weighed{behind: -1}
		if err := recoverPanic(f.log, func() error { return f.evidence(ctx, m, got, idle) }); err != nil {
			m.problem = f.problem("evidence", failureStatus(ctx), err.Error())
		}
		f.compareTree(m)
		return m
	})
}

// answer replies to the Ask. A fanout without a pin has nothing to describe and stops.
func (f *fanout) answer(c *actor.Context) {
	f.phase = describing
	f.sendAfter(c, longestQuestion(f.ask.Budget), describing)
	f.asker.Send(f.found())
	if f.pin == nil {
		c.Stop()
	}
}

// refuse answers for a fanout that was not started.
func (f *fanout) refuse(c *actor.Context, s api.Status, why string) {
	f.silence(f.allSilent(), s, why)
	c.Respond(f.found())
	f.cancel()
}

// found returns the answer to the Ask.
func (f *fanout) found() *api.Lists {
	return f.listsOf(f.state.answered(), f.state.channels(), f.weighed)
}

// listsOf returns the lists of channels as one answer. j may be nil.
func (f *fanout) listsOf(got []*api.Lists, channels []api.ChannelState, j *weighed) *api.Lists {
	m := &api.Lists{Query: f.ask.Query, From: f.project.Name, Index: f.seen, Channels: channels, Read: f.read}
	for _, l := range got {
		m.Lists = append(m.Lists, l.Lists...)
	}
	if j != nil {
		m.Exact, m.Evidence, m.Index.Behind = j.exact, j.evidence, j.behind
		m.Notes, m.Unknown, m.More = append(m.Notes, j.notes...), j.unknown, j.more
		if j.note != "" {
			m.Notes = append(m.Notes, j.note)
		}
		if j.problem.Status != "" {
			m.Channels = append(m.Channels, j.problem)
		}
	}
	return m
}

func (f *fanout) problem(step string, s api.Status, detail string) api.ChannelState {
	return api.ChannelState{Project: f.project.Name, Channel: step, Status: s, Elapsed: f.elapsed(), Detail: detail}
}

// describe answers with descriptions of the shown documents. Then the fanout stops.
func (f *fanout) describe(c *actor.Context, m *api.Describe) {
	if len(m.Wants) == 0 || f.pin == nil {
		c.Stop()
		return
	}
	asker, idle, pages := c.Sender(), f.idle(), f.pages()
	f.spawn(c, func() any {
		ctx, cancel := f.withTimeout(m.Budget)
		defer cancel()
		out := &api.Descriptions{Query: m.Query, From: f.project.Name}
		if err := recoverPanic(f.log, func() error { return f.tell(ctx, out, m.Wants, pages, idle) }); err != nil {
			out.Problem = f.problem("description", failureStatus(ctx), err.Error())
		}
		asker.Send(out)
		return &deadline{of: describing} // the fanout is done
	})
}

// pages returns the pages that were opened for the evidence.
func (f *fanout) pages() map[string]*describe.Page {
	if f.weighed == nil {
		return nil
	}
	return f.weighed.pages
}

// idle returns the reader of an oracle that has answered well and has no running call. It returns
// nil if there is no such reader.
func (f *fanout) idle() *store.Reader {
	for i, l := range f.state.got {
		if l != nil && len(l.Channels) == 1 && (l.Channels[0].Status == api.OK || l.Channels[0].Status == api.Empty) {
			return f.pin.oracles[i]
		}
	}
	return nil
}

// rescue answers for a fanout that panicked, and stops it.
func (f *fanout) rescue(c *actor.Context) {
	p := recover()
	if p == nil {
		return
	}
	err := panicError{p}
	f.log.Error("query panicked", "actor", c.Self().ID(), "error", err)
	if f.phase != describing {
		f.silence(f.allSilent(), api.Failed, err.Error())
		f.phase = describing
		f.asker.Send(&api.Lists{Query: f.ask.Query, From: f.project.Name, Index: f.seen, Channels: f.state.channels()})
	}
	c.Stop()
}
