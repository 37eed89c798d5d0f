package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"patina/actors/api"
	"patina/wire/peer"
)

// A spaces is network namespaces on one bridge, one for each process of a pair. This program
// reaches them through an address of the bridge.
type spaces struct {
	prefix string
	names  []string
}

func needsRoot(*bench) string {
	switch {
	case runtime.GOOS != "linux" || os.Geteuid() != 0:
		return "network namespaces need root on Linux"
	case firstMissing("ip", "iptables") != "":
		return "it needs " + firstMissing("ip", "iptables")
	}
	return ""
}

func firstMissing(programs ...string) string {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}

// newSpaces makes a namespace for each name.
func newSpaces(ctx context.Context, names ...string) (*spaces, error) {
	s := &spaces{prefix: fmt.Sprintf("pn%d", os.Getpid()%10_000), names: names}
	s.remove()
	steps := [][]string{
		{"ip", "link", "add", s.prefix + "br", "type", "bridge"},
		{"ip", "addr", "add", "10.77.46.254/24", "dev", s.prefix + "br"},
		{"ip", "link", "set", s.prefix + "br", "up"},
	}
	for i, name := range names {
		space, host := s.spaceOf(name)
		port := fmt.Sprintf("%sv%d", s.prefix, i)
		steps = append(
			steps,
			[]string{"ip", "netns", "add", space},
			[]string{"ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space},
			[]string{"ip", "link", "set", port, "master", s.prefix + "br", "up"},
			[]string{"ip", "-n", space, "addr", "add", host + "/24", "dev", "eth0"},
			[]string{"ip", "-n", space, "link", "set", "eth0", "up"},
			[]string{"ip", "-n", space, "link", "set", "lo", "up"},
		)
	}
	for _, step := range steps {
		if _, err := output(ctx, "", step[0], step[1:]...); err != nil {
			s.remove()
			return nil, err
		}
	}
	return s, nil
}

// spaceOf returns the namespace of a process and its address there.
func (s *spaces) spaceOf(name string) (space, host string) {
	for i, n := range s.names {
		if n == name {
			return fmt.Sprintf("%sn%d", s.prefix, i), fmt.Sprintf("10.77.46.%d", i+1)
		}
	}
	return "", "127.0.0.1"
}

// remove removes all namespaces.
func (s *spaces) remove() {
	ctx := context.Background()
	for i := range s.names {
		_, _ = output(ctx, "", "ip", "netns", "del", fmt.Sprintf("%sn%d", s.prefix, i))
		_, _ = output(ctx, "", "ip", "link", "del", fmt.Sprintf("%sv%d", s.prefix, i))
	}
	_, _ = output(ctx, "", "ip", "link", "del", s.prefix+"br")
}

// cut takes a process off the bridge, so that nothing reaches it and nothing comes from it.
func (s *spaces) cut(name string) error { return s.port(name, "nomaster") }

func (s *spaces) heal(name string) error { return s.port(name, "master", s.prefix+"br") }

func (s *spaces) port(name string, args ...string) error {
	for i, n := range s.names {
		if n == name {
			_, err := output(context.Background(), "", "ip", append([]string{"link", "set", fmt.Sprintf("%sv%d", s.prefix, i)}, args...)...)
			return err
		}
	}
	return errors.New("no space of " + name)
}

// drop drops a share of the packets to a process (INPUT) or from it (OUTPUT), until undo is called.
func (s *spaces) drop(name, chain string, share float64) (undo func() error, err error) {
	space, _ := s.spaceOf(name)
	rule := func(action string) error {
		args := []string{"netns", "exec", space, "iptables", action, chain, "!", "-i", "lo"}
		if chain == "OUTPUT" {
			args[7] = "-o"
		}
		if share < 1 {
			args = append(args, "-m", "statistic", "--mode", "random", "--probability", fmt.Sprint(share))
		}
		_, err := output(context.Background(), "", "ip", append(args, "-j", "DROP")...)
		return err
	}
	return func() error { return rule("-D") }, rule("-A")
}

// networks cuts one of two nodes off in all directions, and loses packets.
func networks(ctx context.Context, b *bench) error {
	s, err := newSpaces(ctx, "front", "node-a", "node-b")
	if err != nil {
		return err
	}
	defer s.remove()
	p, err := newPair(ctx, b, s)
	if err != nil {
		return err
	}
	defer p.close()
	t := newTable(append([]string{"two replicas, 40 questions a second"}, append(loadHead, "down noticed after", "back after")...)...)
	var undo func() error
	dropping := func(chain string) func() error {
		return func() (err error) {
			undo, err = s.drop("node-a", chain, 1)
			return err
		}
	}
	heal := func() error { return undo() }
	for _, f := range []fault{
		{"partition", func() error { return s.cut("node-a") }, func() error { return s.heal("node-a") }, false},
		{"nothing reaches the node", dropping("INPUT"), heal, false},
		{"nothing comes from the node", dropping("OUTPUT"), heal, false},
	} {
		if err := p.suffer(ctx, f, t); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	for _, of := range []struct {
		name  string
		nodes []string
	}{
		{"20% of packets lost, both ways, at one node", []string{"node-a"}},
		{"20% of packets lost, both ways, at both nodes", []string{"node-a", "node-b"}},
	} {
		if err := p.lossy(ctx, s, of.name, of.nodes, t); err != nil {
			return err
		}
	}
	t.print(b.out)
	return nil
}

// lossy loses a fifth of the packets of nodes under load. Questions have the time that they have
// unless a user says otherwise.
func (p *pair) lossy(ctx context.Context, s *spaces, name string, nodes []string, t *table) error {
	p.bench.say("%s", name)
	var undos []func() error
	for _, n := range nodes {
		for _, chain := range []string{"INPUT", "OUTPUT"} {
			undo, err := s.drop(n, chain, .2)
			if err != nil {
				return err
			}
			undos = append(undos, undo)
		}
	}
	downs := 0
	end := make(chan struct{})
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		was := false
		for {
			select {
			case <-end:
				return
			case <-time.After(time.Millisecond):
			}
			is := stateOf(p.watcher, "node-a").Condition == peer.Down
			if is && !was {
				downs++
			}
			was = is
		}
	}()
	l := startLoad(p.askers, perSecond, p.ask(ctx, api.DefaultTimeout))
	err := sleep(ctx, time.Duration(p.bench.some(30))*time.Second)
	sum := l.end()
	close(end)
	<-counted
	for _, undo := range undos {
		err = errors.Join(err, undo())
	}
	t.add(append(append([]any{name}, sum.cells()...), fmt.Sprintf("%d times down", downs), "")...)
	if why := sum.reasons(); why != "" {
		p.bench.say("%s: failed: %s", name, why)
	}
	_, up := await(ctx, "up", func() bool { return stateOf(p.watcher, "node-a").Condition == peer.Up })
	return errors.Join(err, up)
}
