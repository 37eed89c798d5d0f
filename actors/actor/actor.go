// Package actor runs actors in one process. An actor handles one message at a time.
//
// It promises:
//   - An actor's Receive is never called twice at once. What one call wrote, the next one sees.
//   - Messages from one goroutine to one actor are handled in the order of their sending.
//   - Started is an actor's first message and Stopping its last.
//   - Send never blocks. A mailbox has no bound: who may be asked too much must refuse by a reply.
//   - A parent ends after all of its children have ended.
//   - A panic in Receive is logged and costs its message only. The actor handles the next one.
//   - A message that its receiver cannot handle any more is dropped, and logged unless it is
//     Droppable.
//
// An idle actor has no goroutine. There is no supervision, no restart and no network.
package actor

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
)

// An Actor handles messages. It must not use c after Receive has returned, or in another goroutine.
type Actor interface{ Receive(c *Context) }

// Started is the first message of an actor.
type Started struct{}

// Stopping is the last message of an actor.
type Stopping struct{}

// drain is sent by Drain and stops the actor when its turn comes.
type drain struct{}

// Droppable implements Droppable, because an actor may end before its turn comes.
func (drain) Droppable() {}

// Droppable marks messages whose receiver may be gone.
type Droppable interface{ Droppable() }

// A System starts actors and knows the running ones by id. It is safe for concurrent use.
type System struct {
	log     *slog.Logger
	mu      sync.Mutex
	running map[string]*PID
}

// NewSystem returns a system without actors. log must not be nil.
func NewSystem(log *slog.Logger) *System {
	return &System{log: log, running: map[string]*PID{}}
}

// Spawn starts an actor. It returns an error if an actor with this id is running.
func (s *System) Spawn(id string, a Actor) (*PID, error) { return s.spawn(id, a, nil) }

// Find returns the running actor with an id, or nil.
func (s *System) Find(id string) *PID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[id]
}

func (s *System) spawn(id string, a Actor, parent *PID) (*PID, error) {
	p := &PID{id: id, system: s, actor: a, parent: parent, ended: make(chan struct{})}
	s.mu.Lock()
	if s.running[id] != nil {
		s.mu.Unlock()
		return nil, fmt.Errorf("start actor %q: one with this id is running", id)
	}
	s.running[id] = p
	if parent != nil {
		parent.children = append(parent.children, p)
	}
	s.mu.Unlock()
	p.post(envelope{message: &Started{}})
	return p, nil
}

// remove forgets an actor that has ended.
func (s *System) remove(p *PID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, p.id)
	if p.parent == nil {
		return
	}
	for i, x := range p.parent.children {
		if x == p {
			last := len(p.parent.children) - 1
			p.parent.children[i] = p.parent.children[last]
			p.parent.children[last] = nil
			p.parent.children = p.parent.children[:last]
			return
		}
	}
}

func (s *System) childrenOf(p *PID) []*PID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*PID(nil), p.children...)
}

// dropped logs a message that no actor handles, unless it is Droppable.
func (s *System) dropped(to string, m any) {
	if _, ok := m.(Droppable); !ok {
		s.log.Info("message without a receiver", "actor", to, "type", fmt.Sprintf("%T", m))
	}
}

// An envelope is a message in a mailbox.
type envelope struct {
	message any
	sender  *PID // nil if no reply is wanted
}

// A PID refers to an actor, running or ended. A nil PID refers to nobody: messages to it are
// dropped silently. It is safe for concurrent use.
type PID struct {
	id       string
	system   *System
	actor    Actor
	function func(m any, sender *PID) // of Func, which has no mailbox; otherwise nil
	parent   *PID
	children []*PID        // guarded by system.mu
	ended    chan struct{} // closed when the actor and its children have ended

	mu      sync.Mutex
	mailbox []envelope
	busy    bool // a goroutine is handling the mailbox
	stopped bool // no further message is handled
}

// Func returns a PID that calls f with each message, in the goroutine of the sender. It must not be
// stopped or drained.
func Func(f func(m any, sender *PID)) *PID { return &PID{function: f} }

// ID returns the id of the actor, which is unique among running actors.
func (p *PID) ID() string { return p.id }

// Send sends a message without a sender. It never blocks.
func (p *PID) Send(m any) { p.Request(m, nil) }

// Request sends a message whose reply goes to sender, which may be nil.
func (p *PID) Request(m any, sender *PID) {
	switch {
	case p == nil:
	case p.function != nil:
		p.function(m, sender)
	default:
		p.post(envelope{m, sender})
	}
}

// Stop stops the actor after its current message. The messages in its mailbox are dropped.
func (p *PID) Stop() {
	p.mu.Lock()
	p.stopped = true
	p.wake()
	p.mu.Unlock()
}

// Drain stops the actor after the messages that it already has, and waits until it has ended. An
// actor must not drain itself, its parent or an actor that waits for it.
func (p *PID) Drain() {
	p.post(envelope{message: drain{}})
	<-p.ended
}

func (p *PID) post(e envelope) {
	p.mu.Lock()
	if p.stopped {
		p.mu.Unlock()
		p.system.dropped(p.id, e.message)
		return
	}
	p.mailbox = append(p.mailbox, e)
	p.wake()
	p.mu.Unlock()
}

// wake starts a goroutine for the actor if it has none. The caller must hold mu.
func (p *PID) wake() {
	if !p.busy {
		p.busy = true // stays true once the actor has ended
		go p.handleMessages()
	}
}

// handleMessages handles messages until the mailbox is empty or the actor has ended.
func (p *PID) handleMessages() {
	for c := (&Context{self: p}); p.handleOne(c); {
	}
}

// handleOne handles one message. It returns false if the goroutine must end.
func (p *PID) handleOne(c *Context) bool {
	p.mu.Lock()
	switch {
	case p.stopped:
		left := p.mailbox
		p.mailbox = nil
		p.mu.Unlock()
		p.endActor(c, left)
		return false
	case len(p.mailbox) == 0:
		p.mailbox, p.busy = nil, false
		p.mu.Unlock()
		return false
	}
	e := p.mailbox[0]
	p.mailbox[0] = envelope{}
	p.mailbox = p.mailbox[1:]
	p.mu.Unlock()
	if _, last := e.message.(drain); last {
		p.Stop()
		return true
	}
	p.handle(c, e)
	return true
}

// endActor sends Stopping to the actor, stops its children and waits for them. left are the
// messages to drop.
func (p *PID) endActor(c *Context, left []envelope) {
	p.handle(c, envelope{message: &Stopping{}})
	children := p.system.childrenOf(p)
	for _, x := range children {
		x.Stop()
	}
	for _, x := range children {
		<-x.ended
	}
	p.system.remove(p)
	close(p.ended)
	for _, e := range left {
		p.system.dropped(p.id, e.message)
	}
}

func (p *PID) handle(c *Context, e envelope) {
	defer func() {
		if v := recover(); v != nil {
			p.system.log.Error("actor panicked", "actor", p.id, "type", fmt.Sprintf("%T", e.message),
				"value", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	c.envelope = e
	p.actor.Receive(c)
}

// A Context gives an actor access to one message.
type Context struct {
	self *PID
	envelope
}

// Message returns the message.
func (c *Context) Message() any { return c.message }

// Sender returns the PID that waits for a reply, or nil.
func (c *Context) Sender() *PID { return c.sender }

// Self returns the PID of this actor.
func (c *Context) Self() *PID { return c.self }

// Respond sends a reply to the sender, if there is one.
func (c *Context) Respond(m any) { c.sender.Send(m) }

// Request sends a message whose reply comes to this actor.
func (c *Context) Request(to *PID, m any) { to.Request(m, c.self) }

// Forward sends the current message on. The reply goes to its sender.
func (c *Context) Forward(to *PID) { to.Request(c.message, c.sender) }

// Stop stops this actor after the current message.
func (c *Context) Stop() { c.self.Stop() }

// Spawn starts a child. Its id is the id of this actor, a slash and the name. Spawn returns an
// error if a child with this name is running.
func (c *Context) Spawn(name string, a Actor) (*PID, error) {
	return c.self.system.spawn(c.self.id+"/"+name, a, c.self)
}

// Child returns the running child with a name, or nil.
func (c *Context) Child(name string) *PID { return c.self.system.Find(c.self.id + "/" + name) }
