package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// The deadlines of a stopped process pass at once and may arrive in any order. The answer must
// still come, at once.
func TestDeadlinesComeInAnyOrder(t *testing.T) {
	for name, order := range map[string][]phase{
		"in order": {collecting, describing}, "reversed": {describing, collecting}, "the last alone": {describing},
	} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{Lazy: true})
			// Who never describes what it has found, who is silent, and whose index is being
			// opened.
			finds := &api.Lists{
				From: "finds", Index: api.IndexState{Project: "finds"},
				Lists:    []oracles.List{{Channel: "lexical", Kind: doc.Code, Hits: []doc.Ranked{{DocID: "a.go", Path: "a.go", Raw: 1}}}},
				Channels: []api.ChannelState{{Project: "finds", Channel: "lexical", Status: api.OK}},
			}
			var of []target
			for _, from := range []string{"finds", "silent", "opens"} {
				of = append(of, target{
					awaited: awaited{from: from, project: from, channels: []string{"lexical"}},
					pid: actor.Func(func(m any, sender *actor.PID) {
						if m, ok := m.(*api.Ask); ok && from == "finds" {
							finds.Query = m.Query
							sender.Send(finds)
						}
					}),
					opening: func() bool { return from == "opens" },
				})
			}
			q, err := e.texts.Prepare(api.Request{Text: "dial", Timeout: ample})
			if err != nil {
				t.Fatal(err)
			}
			q.Shown = func(r []fusion.Result) []int { return []int{0} }
			began, reply := time.Now(), make(chan *api.Answer, 1)
			e.router.Send(&scry{ctx: t.Context(), query: "q", question: q, targets: of, reply: reply})
			synctest.Wait()
			for _, p := range order {
				e.system.Find("router/fusion/q").Send(&deadline{of: p})
			}
			a := <-reply
			if d := time.Since(began); d != 0 || len(a.Results) != 1 || !a.Partial {
				t.Errorf("after %s: %+v", d, a)
			}
			want := map[string]api.Status{"finds lexical": api.OK, "silent lexical": api.Deadline, "opens lexical": api.Deadline, "finds description": api.Deadline}
			for _, c := range a.Channels {
				if s, ok := want[c.Project+" "+c.Channel]; !ok || c.Status != s || (c.Detail == api.ErrNotOpen.Error()) != (c.Project == "opens") {
					t.Errorf("%+v, want %s", c, s)
				}
			}
			if len(a.Channels) != len(want) {
				t.Errorf("channels %+v", a.Channels)
			}
		})
	}
}

// A query whose time is over before its projects were asked must not dismiss them before their Ask.
func TestNoDismissalBeforeTheAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Lazy: true})
		told := make(chan any, 10)
		to := target{
			awaited: awaited{from: "p", project: "p", channels: []string{"lexical"}},
			pid: actor.Func(func(m any, _ *actor.PID) {
				if m, ok := m.(*api.Describe); ok {
					told <- m
				}
			}),
		}
		q, err := e.texts.Prepare(api.Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Fatal(err)
		}
		q.Shown = func([]fusion.Result) []int { return nil }
		reply := make(chan *api.Answer, 1)
		f := newFusion(&scry{ctx: t.Context(), query: "q", question: q, targets: []target{to}, reply: reply}, slog.New(slog.DiscardHandler))
		pid, err := e.system.Spawn("fusion", f)
		if err != nil {
			t.Fatal(err)
		}
		pid.Send(&deadline{of: collecting})
		pid.Send(&deadline{of: describing})
		synctest.Wait()
		if len(told) > 0 || len(reply) > 0 {
			t.Errorf("%d messages, %d answers before the ask", len(told), len(reply))
		}
		pid.Send(&routed{})
		if a := <-reply; len(a.Channels) != 1 || a.Channels[0].Status != api.Deadline {
			t.Errorf("%+v", a)
		}
		<-told
	})
}

// A fanout must answer its Ask whichever deadline comes first.
func TestFanoutAnswersAtAnyDeadline(t *testing.T) {
	p := newProject(t, "app")
	for name, of := range map[string]phase{"lists": collecting, "evidence": weighing, "the end": describing} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{script{"late", sleeps}, script{"lexical", finds("net/dial.go")}}})
			app, err := e.Target("app")
			if err != nil {
				t.Fatal(err)
			}
			answers, began := make(chan *api.Lists), time.Now()
			go func() {
				l, err := app.Ask(t.Context(), fullAsk("q", "dial"))
				if err != nil {
					t.Error(err)
				}
				answers <- l
			}()
			synctest.Wait()
			e.system.Find(e.members[0].pid.ID() + "/" + fanoutName("q.1")).Send(&deadline{of: of})
			l := <-answers
			if d := time.Since(began); d != 0 || l == nil || len(l.Channels) < 2 || l.Channels[0].Status != api.Deadline || l.Channels[1].Status != api.OK {
				t.Errorf("after %s: %+v", d, l)
			}
		})
	}
}

// The grace must begin when the process continues, so that a process stopped for longer still gets
// its answer.
func TestGraceBeginsAfterTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Lazy: true})
		for _, test := range []struct {
			takes time.Duration
			want  error
		}{{0, nil}, {answerGrace - 1, nil}, {answerGrace + 1, errSilent}} {
			reply := make(chan int, 1)
			time.AfterFunc(test.takes, func() { reply <- 7 })
			got, err := receiveReply(t.Context(), e, reply, -2*answerGrace)
			if !errors.Is(err, test.want) || (got == 7) != (err == nil) {
				t.Errorf("a reply after %s: %d, %v", test.takes, got, err)
			}
		}
	})
}

// If Close stops waiting, callers of running queries must get an error. A call that ignores its
// context keeps its index until it returns.
func TestCloseThatWaitsNoLonger(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
			script{"stuck", func(context.Context, oracles.Question) ([]oracles.List, error) {
				<-release
				return nil, nil
			}},
		}})
		app, err := e.Target("app")
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error)
		go func() {
			_, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
			errs <- err
		}()
		go func() {
			_, err := app.Ask(t.Context(), fullAsk("q", "dial"))
			errs <- err
		}()
		synctest.Wait()
		index := e.members[0].host.index
		ended, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := e.Close(ended); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v", err)
		}
		for range 2 {
			if err := <-errs; !errors.Is(err, api.ErrClosed) {
				t.Errorf("a running query: %v", err)
			}
		}
		pin, err := index.pin(t.Context(), 0)
		if err != nil {
			t.Fatalf("the index is closed under a call: %v", err)
		}
		pin.Close()
		close(release)
		synctest.Wait()
		if _, err := index.pin(t.Context(), 0); err == nil {
			t.Error("the index is open")
		}
	})
}

// speaking is a target with a channel.
type speaking struct{ api.Target }

func (speaking) Channels() []string { return []string{"lexical"} }

// A call must be counted before its asker gets the answer, so that the next question sees the
// channel's or the project's state.
func TestCallIsCountedBeforeItsAnswer(t *testing.T) {
	broken := errors.New("disk on fire")
	log, work := slog.New(slog.DiscardHandler), &sync.WaitGroup{}
	fails := script{"lexical", func(context.Context, oracles.Question) ([]oracles.List, error) { return nil, broken }}
	for name, test := range map[string]struct {
		of  func() actor.Actor
		ask func(asker *actor.PID) any
	}{
		"an oracle": {
			func() actor.Actor { return newOracleActor(&channel{oracle: fails}, 1, log, work) },
			func(asker *actor.PID) any {
				ctx, cancel := context.WithTimeout(t.Context(), ample)
				t.Cleanup(cancel)
				return &call{ctx: ctx, lease: &lease{}, asker: asker}
			},
		},
		"a project": {
			func() actor.Actor {
				return newPeer(t.Context(), changing{Target: speaking{}, ask: func(context.Context, *api.Ask) (*api.Lists, error) { return nil, broken }}, log)
			},
			func(*actor.PID) any { return fullAsk("q", "dial") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, Options{Lazy: true})
			of, err := e.system.Spawn("asked", test.of())
			if err != nil {
				t.Fatal(err)
			}
			asked, ended := 0, make(chan int)
			// It asks again before whoever answers has gone on.
			var asker *actor.PID
			asker = actor.Func(func(m any, _ *actor.PID) {
				if l, ok := m.(*api.Lists); ok && (len(l.Channels) == 1 && l.Channels[0].Status != api.Failed || asked > 2*failuresInARow) {
					ended <- asked
					return
				}
				asked++
				of.Request(test.ask(asker), asker)
			})
			go asker.Send("begin")
			if n := <-ended; n != failuresInARow+1 {
				t.Errorf("rests at question %d, want %d", n, failuresInARow+1)
			}
			of.Drain()
		})
	}
}
