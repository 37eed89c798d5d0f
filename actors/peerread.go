package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// takeRead asks the target, or answers at once why not.
func (p *peer) takeRead(c *actor.Context, m *Read) {
	x := &errand{read: m, asker: c.Sender(), began: time.Now()}
	var ok bool
	if x.request, ok = m.Request.(api.Lookup); !ok {
		p.failRead(x, &api.Failure{Status: api.Failed, Detail: fmt.Sprintf("no request: %T", m.Request)})
		return
	}
	if why := p.resting(x.began); why != "" {
		p.failRead(x, &api.Failure{Status: api.Unreachable, Detail: why})
		return
	}
	x.ctx, x.cancel = context.WithTimeout(p.life, m.Budget)
	turn := p.limiter.takeSlot(x)
	if turn == refuse {
		x.cancel()
		p.failRead(x, &api.Failure{Status: api.Overloaded, Detail: tooMany})
		return
	}
	self := c.Self()
	context.AfterFunc(x.ctx, func() { self.Send(&expired{errand: x}) })
	p.errands[m.Query] = x
	if turn == now {
		p.runErrand(c, x)
	}
}

// readTarget asks the target for a look-up, with the rest of the budget.
func (p *peer) readTarget(x *errand) *done {
	d := &done{errand: x}
	d.err = recoverPanic(p.log, func() (err error) {
		left := max(x.read.Budget-time.Since(x.began), time.Millisecond)
		d.answer, err = p.target.Read(x.ctx, api.WithOptions(x.request, api.ReadOptions{Timeout: left}))
		if err == nil && api.IndexOf(d.answer) == nil {
			err = fmt.Errorf("no answer: %T", d.answer)
		}
		return err
	})
	return d
}

// answerRead passes on the target's answer with this engine's name for the project.
func (p *peer) answerRead(m *done) {
	x := m.errand
	if m.err == nil {
		api.IndexOf(m.answer).Project = p.name
		p.reply(x, &ReadReply{Answer: m.answer})
		return
	}
	status, detail := troubleOf(x.ctx, m.err)
	f := &api.Failure{Status: status, Detail: detail, Causes: api.CausesOf(m.err)}
	p.failRead(x, f)
}

// expire answers a Read whose time is over or whose asker has gone.
func (p *peer) expire(x *errand) {
	err := x.ctx.Err()
	f := &api.Failure{Status: api.Deadline, Detail: deadlineText(x.read.Budget, 0), Causes: api.CausesOf(err)}
	if errors.Is(err, context.Canceled) {
		f.Status, f.Detail = api.Failed, err.Error()
	}
	p.failRead(x, f)
}

// endRead ends a Read for which nobody waits any more.
func (p *peer) endRead(query string) {
	if x := p.errands[query]; x != nil && x.read != nil {
		x.cancel()
	}
}

func (p *peer) failRead(x *errand, f *api.Failure) {
	f.Project = p.name
	if x.request != nil {
		f.Read = x.request.Verb()
	}
	p.reply(x, &ReadReply{Failure: f})
}

// reply answers a Read, once.
func (p *peer) reply(x *errand, m *ReadReply) {
	if x.replied {
		return
	}
	x.replied = true
	m.Query = x.read.Query
	delete(p.errands, m.Query)
	if x.cancel != nil {
		x.cancel()
	}
	x.asker.Send(m)
}
