package actor_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"patina/actors/actor"
)

// receive is a function as an actor.
type receive func(c *actor.Context)

func (f receive) Receive(c *actor.Context) { f(c) }

// newSystem returns a system and its log.
func newSystem() (*actor.System, *bytes.Buffer) {
	var log bytes.Buffer
	return actor.NewSystem(slog.New(slog.NewTextHandler(&log, nil))), &log
}

func spawn(t *testing.T, s *actor.System, id string, f receive) *actor.PID {
	t.Helper()
	p, err := s.Spawn(id, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An actor must handle one message at a time, and each sender's messages in order. The race
// detector checks the counter.
func TestOneMessageAtATimeInOrder(t *testing.T) {
	const senders, messages = 20, 500
	type numbered struct{ sender, n int }
	s, _ := newSystem()
	next, handled := make([]int, senders), 0
	p := spawn(t, s, "counter", func(c *actor.Context) {
		if m, ok := c.Message().(numbered); ok {
			handled++
			if next[m.sender] != m.n {
				t.Errorf("sender %d: message %d, want %d", m.sender, m.n, next[m.sender])
			}
			next[m.sender]++
		}
	})
	var all sync.WaitGroup
	for i := range senders {
		all.Go(func() {
			for n := range messages {
				p.Send(numbered{i, n})
			}
		})
	}
	all.Wait()
	p.Drain()
	if handled != senders*messages {
		t.Errorf("%d messages handled, want %d", handled, senders*messages)
	}
}

// Started must come first and Stopping last. Drain handles earlier messages. Later ones are
// dropped, with a log line unless they are Droppable.
func TestDrain(t *testing.T) {
	s, log := newSystem()
	var got []string
	p := spawn(t, s, "a", func(c *actor.Context) { got = append(got, fmt.Sprintf("%T", c.Message())) })
	p.Send(1)
	p.Drain()
	p.Send("late")
	p.Send(droppable{})
	p.Drain() // of one that has ended
	if want := []string{"*actor.Started", "int", "*actor.Stopping"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "actor=a type=string") {
		t.Errorf("log:\n%s", log)
	}
	if s.Find("a") != nil {
		t.Error("an ended actor is found")
	}
	spawn(t, s, "a", func(*actor.Context) {}).Drain()
}

type droppable struct{}

func (droppable) Droppable() {}

// Stop must drop the messages in the mailbox.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := newSystem()
		var got []any
		release := make(chan struct{})
		p := spawn(t, s, "a", func(c *actor.Context) {
			switch m := c.Message().(type) {
			case *actor.Started:
				<-release
			default:
				got = append(got, m)
			}
		})
		p.Send(1)
		p.Stop()
		close(release)
		p.Drain()
		synctest.Wait() // the log line is written after the end
		if len(got) != 1 || !strings.Contains(log.String(), "type=int") {
			t.Errorf("%v\n%s", got, log)
		}
	})
}

// A parent must end after its children, and each of them gets Stopping.
func TestChildrenEndFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newSystem()
		release, ended := make(chan struct{}), make(chan string, 3)
		child := func(name string) receive {
			return func(c *actor.Context) {
				if _, ok := c.Message().(*actor.Stopping); ok {
					<-release
					ended <- name
				}
			}
		}
		p := spawn(t, s, "p", func(c *actor.Context) {
			if _, ok := c.Message().(*actor.Started); !ok {
				return
			}
			for _, name := range []string{"x", "y"} {
				if _, err := c.Spawn(name, child(name)); err != nil {
					t.Error(err)
				}
			}
			if _, err := c.Spawn("x", child("x")); err == nil {
				t.Error("two children with one name")
			}
			if c.Child("x") == nil || c.Child("x").ID() != "p/x" || c.Child("z") != nil {
				t.Error("children are not found by name")
			}
		})
		go func() {
			p.Drain()
			ended <- "p"
		}()
		synctest.Wait()
		if len(ended) > 0 || s.Find("p") == nil {
			t.Error("the parent ended before its children")
		}
		close(release)
		<-ended
		<-ended
		if last := <-ended; last != "p" || s.Find("p/x") != nil {
			t.Errorf("%q ended last", last)
		}
	})
}

// A panic must cost only its message. The actor keeps its state and its children.
func TestPanic(t *testing.T) {
	s, log := newSystem()
	var got []any
	p := spawn(t, s, "a", func(c *actor.Context) {
		switch m := c.Message().(type) {
		case string:
			panic(m)
		case int:
			got = append(got, m)
		}
	})
	p.Send(1)
	p.Send("broken")
	p.Send(2)
	p.Drain()
	if len(got) != 2 || !strings.Contains(log.String(), "actor panicked") || !strings.Contains(log.String(), "value=broken") {
		t.Errorf("%v\n%s", got, log)
	}
}

// A reply must go to the sender of the request, even if it was forwarded.
func TestForward(t *testing.T) {
	s, _ := newSystem()
	last := spawn(t, s, "last", func(c *actor.Context) {
		if m, ok := c.Message().(int); ok {
			c.Respond(m + 1)
		}
	})
	first := spawn(t, s, "first", func(c *actor.Context) {
		switch c.Message().(type) {
		case int:
			c.Forward(last)
		case string:
			c.Forward(c.Child("nobody"))
		}
	})
	reply := make(chan any, 1)
	asker := actor.Func(func(m any, _ *actor.PID) { reply <- m })
	first.Request("dropped", asker)
	first.Send(1) // its reply is dropped
	first.Request(2, asker)
	if m := <-reply; m != 3 {
		t.Errorf("reply %v", m)
	}
	first.Drain()
	last.Drain()
}
