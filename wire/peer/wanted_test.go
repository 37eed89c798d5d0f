package peer

import (
	"context"
	"errors"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/wire/config"
	"patina/wire/nodepb"
)

// A set with Named hears only of repositories that are wanted. Wanting another one asks the nodes
// anew, without taking them for dead.
func TestOnlyWantedRepositoriesAreTold(t *testing.T) {
	p := newProject(t)
	f := newFar(t, p, nil)
	s, err := New(Options{Nodes: []config.Node{{Name: "node-a", Address: f.address}}, Named: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	wait := func() NodeState {
		t.Helper()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.States()[0]
	}
	first := wait()
	if len(first.Hosted) != 0 || first.Condition != Up {
		t.Fatalf("nothing is wanted: %+v", first)
	}
	s.Want("git.example.com/team/none")
	if n := wait(); len(n.Hosted) != 0 || n.Since != first.Since {
		t.Errorf("one that there is not: %+v", n)
	}
	if _, err := s.Target("git.example.com/team/none"); !errors.Is(err, api.ErrNoProject) {
		t.Error(err)
	}
	for range 100 {
		s.Want(repository)
	}
	// It may be asked at once, because an Ask waits for what nodes host.
	e := newEngine(t, actors.Options{Lazy: true})
	if err := e.AddTarget(targetOf(t, s)); err != nil {
		t.Fatal(err)
	}
	a, err := e.Scry(t.Context(), api.Request{Text: "dial with retries", Timeout: ample})
	if err != nil || a.Partial || len(a.Results) == 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if n := wait(); len(n.Hosted) != 1 || n.Since != first.Since || n.Boot != first.Boot {
		t.Errorf("after 100 wishes: %+v", n)
	}
	f.kill()
	await(is(s, "node-a", Down))
	s.Want("git.example.com/team/later") // nobody hears it now, and Wait ends all the same
	wait()
	f.start(t)
	await(is(s, "node-a", Up))
	if n := wait(); len(n.Hosted) != 1 {
		t.Errorf("after its return: %+v", n)
	}
}

// A call that is about no repository goes to any node that lives, and to the next one if that
// fails.
func TestAnyNodeThatLives(t *testing.T) {
	p := newProject(t)
	a, b := newFar(t, p, nil), newFar(t, p, nil)
	s := newSet(t, a, b)
	ask := func(ctx context.Context) (string, error) {
		name, c, err := TryAny(ctx, s, How{}, func(life context.Context, c *Call) (string, error) {
			_, err := nodepb.NewNodeClient(c.Conn).Read(life, &nodepb.ReadRequest{Repository: repository, Verb: "packages"})
			return c.Node, err
		})
		if err == nil {
			c.End()
		}
		return name, err
	}
	asked := map[string]bool{}
	for range 40 {
		name, err := ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		asked[name] = true
	}
	if len(asked) != 2 {
		t.Errorf("of two nodes %v were asked", asked)
	}
	a.kill()
	for range 10 {
		if name, err := ask(t.Context()); err != nil || name != "node-b" {
			t.Errorf("%s, %v", name, err)
		}
	}
	b.kill()
	await(is(s, "node-a", Down))
	await(is(s, "node-b", Down))
	began := time.Now()
	_, err := ask(t.Context())
	f, ok := errors.AsType[*api.Failure](err)
	if !ok || f.Status != api.Unreachable || time.Since(began) > time.Minute {
		t.Errorf("%s: %v", time.Since(began), err)
	}
}

func TestBriefReasons(t *testing.T) {
	for why, want := range map[string]string{
		`connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:1: connect: connection refused"`: "connection refused",
		`connection error: desc = "transport: authentication handshake failed: tls: expired certificate"`:              "tls: expired certificate",
		`no beat`: "no beat",
		``:        ``,
	} {
		if got := briefly(why); got != want {
			t.Errorf("%q of %q", got, why)
		}
	}
}
