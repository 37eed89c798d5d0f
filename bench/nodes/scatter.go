package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
)

const (
	scattered  = 20     // nodes
	replyBytes = 30_000 // of each
	hopped     = 4      // repositories of a question through a front
)

// scatter measures the processor time of questions to twenty nodes that reply with 30 kB each,
// without the work of finding these, beside that of the simplest program that sends the same over
// TLS. Then it measures what a front adds.
func scatter(ctx context.Context, b *bench) error {
	c, err := newCluster(b, "scatter")
	if err != nil {
		return err
	}
	defer c.down()
	var servers, frames []*helper
	var names []string
	for i := range scattered {
		name := fmt.Sprintf("node-%d", i)
		o := childOptions{Name: name, Prepared: []string{"prepared/" + name}, Bytes: replyBytes}
		if o.Certificates, err = c.certifyChild(name); err != nil {
			return err
		}
		names = append(names, o.Prepared[0])
		h, err := b.startChild("server", o)
		if err != nil {
			return err
		}
		defer h.end()
		servers = append(servers, h)
		c.others = append(c.others, config.Node{Name: name, Address: h.address})
		c.list += fmt.Sprintf("[[repo]]\nurl = \"file:///%s\"\nname = %q\nnodes = [%q]\n", name, o.Prepared[0], name)
		f, err := b.startChild("frames", o)
		if err != nil {
			return err
		}
		defer f.end()
		frames = append(frames, f)
	}
	dir, err := c.user("anna")
	if err != nil {
		return err
	}
	t := newTable(fmt.Sprintf("one question to %d nodes, %d kB each", scattered, replyBytes/1000),
		"processor time", "p50", "raw frames over TLS: processor time", "p50", "ratio", "to frames of bytes that nobody reads")
	for _, clients := range []int{1, 8, 32} {
		n := b.some(600)
		raw := &frameClient{}
		if err := raw.dial(dir, frames, clients); err != nil {
			return err
		}
		set, err := c.direct("anna", 2*time.Second)
		if err != nil {
			return err
		}
		// By turns, so that both see the same machine.
		var theirs, bare, ours spent
		for range 3 {
			if err := theirs.add(n/3, clients, frames, nil, raw.question); err != nil {
				return err
			}
			if err := bare.add(n/3, clients, frames, nil, raw.bytes); err != nil {
				return err
			}
			if err := ours.add(n/3, clients, servers, nil, asking(ctx, []*peer.Set{set}, names)); err != nil {
				return err
			}
		}
		raw.close()
		set.Close()
		ratio := float64(ours.processor) / float64(theirs.processor)
		t.add(fmt.Sprintf("%d clients", clients), ours.each(), percentile(ours.times, .5), theirs.each(), percentile(theirs.times, .5),
			mark(ratio <= 1.6, digits(ratio)), float64(ours.processor)/float64(bare.processor))
	}
	t.print(b.out)
	return c.hop(ctx, servers, names[:hopped])
}

// hop compares questions through a front with those to the nodes.
func (c *cluster) hop(ctx context.Context, servers []*helper, names []string) error {
	b := c.bench
	front, err := c.add(pki.Front, "front")
	if err != nil {
		return err
	}
	if err := c.up(ctx); err != nil {
		return err
	}
	const many = 48 // users, because each may ask 50 repositories a second
	var through []*peer.Set
	for i := range many {
		s, err := c.throughFront(fmt.Sprintf("user-%d", i), 5*time.Second)
		if err != nil {
			return err
		}
		defer s.Close()
		through = append(through, s)
	}
	direct, err := c.direct("anna", 5*time.Second)
	if err != nil {
		return err
	}
	defer direct.Close()
	t := newTable(fmt.Sprintf("one question to %d repositories, %d kB each", len(names), replyBytes/1000),
		"through a front: processor time", "p50", "to the nodes: processor time", "p50", "ratio")
	for _, clients := range []int{1, 8, 32} {
		var hop, straight spent
		for range 3 {
			if err := straight.add(b.some(300), clients, servers[:len(names)], nil, asking(ctx, []*peer.Set{direct}, names)); err != nil {
				return err
			}
			if err := hop.add(b.some(300), clients, servers[:len(names)], front, asking(ctx, through, names)); err != nil {
				return err
			}
		}
		ratio := float64(hop.each()) / float64(straight.each())
		t.add(fmt.Sprintf("%d clients", clients), hop.each(), percentile(hop.times, .5), straight.each(), percentile(straight.times, .5),
			mark(ratio <= 1.6, digits(ratio)))
	}
	t.print(b.out)
	return nil
}

// A spent is what questions cost this program, helpers and a front together.
type spent struct {
	n         int
	processor time.Duration
	times     []time.Duration
}

func (s *spent) each() time.Duration { return s.processor / time.Duration(max(1, s.n)) }

// add asks n questions by some clients, each one after the other.
func (s *spent) add(n, clients int, servers []*helper, front *process, ask func(client, i int) error) error {
	total := func() (time.Duration, error) {
		sum := ownTime()
		for _, h := range servers {
			x, err := h.stats()
			if err != nil {
				return 0, err
			}
			sum += x.Processor
		}
		if front != nil {
			x, err := used(front.pid())
			if err != nil {
				return 0, err
			}
			sum += x
		}
		return sum, nil
	}
	before, err := total()
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for g := range clients {
		all.Go(func() {
			for i := g; i < n; i += clients {
				began := time.Now()
				err := ask(g, i)
				took := time.Since(began)
				mu.Lock()
				s.times = append(s.times, took)
				if err != nil {
					failed = err
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	after, err := total()
	s.processor += after - before
	s.n += n
	if failed != nil {
		return failed
	}
	return err
}

// asking returns a question to repositories at once, by sets in turn.
func asking(ctx context.Context, sets []*peer.Set, names []string) func(client, i int) error {
	targets := make([][]api.Target, len(sets))
	for i, s := range sets {
		for _, name := range names {
			t, err := s.Target(name)
			if err != nil {
				return func(int, int) error { return err }
			}
			targets[i] = append(targets[i], t)
		}
	}
	return func(client, i int) error {
		return eachAtOnce(len(names), func(k int) error {
			t := targets[i%len(targets)][k]
			m := &api.Ask{Query: fmt.Sprintf("q%d.%d", client, i), Text: "where are connections closed", Limit: 10, Budget: 10 * time.Second}
			ctx, cancel := context.WithTimeout(ctx, m.Budget)
			defer cancel()
			if _, err := t.Ask(ctx, m); err != nil {
				return err
			}
			_, err := t.Describe(ctx, &api.Describe{Query: m.Query})
			return err
		})
	}
}

func eachAtOnce(n int, do func(k int) error) error {
	errs := make(chan error, n)
	for k := range n {
		go func() { errs <- do(k) }()
	}
	var failed error
	for range n {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	return failed
}

// A frameClient has a connection to each server for each client.
type frameClient struct {
	conns [][]net.Conn // by client
}

func (f *frameClient) dial(certificates string, servers []*helper, clients int) error {
	folder, err := pki.OpenFolder(certificates)
	if err != nil {
		return err
	}
	for range clients {
		var conns []net.Conn
		for i, s := range servers {
			settings, err := folder.ClientTLS(pki.Expected{Role: pki.Node, Name: fmt.Sprintf("node-%d", i)})
			if err != nil {
				return err
			}
			conn, err := tls.Dial("tcp", s.address, settings)
			if err != nil {
				return err
			}
			conns = append(conns, conn)
		}
		f.conns = append(f.conns, conns)
	}
	return nil
}

func (f *frameClient) close() {
	for _, conns := range f.conns {
		for _, c := range conns {
			_ = c.Close()
		}
	}
}

// question sends the same messages as a question of the command, and reads them to the end.
func (f *frameClient) question(client, i int) error {
	conns := f.conns[client]
	return eachAtOnce(len(conns), func(k int) error {
		m := &api.Ask{Text: "where are connections closed", Limit: 10, Budget: 10 * time.Second}
		ask, err := wire.EncodeAsk("prepared", m, m.Budget)
		if err != nil {
			return err
		}
		out, err := proto.Marshal(ask)
		if err != nil {
			return err
		}
		if err := writeFrame(conns[k], out); err != nil {
			return err
		}
		in, err := readFrame(conns[k])
		if err != nil {
			return err
		}
		var reply nodepb.Lists
		if err := proto.Unmarshal(in, &reply); err != nil {
			return err
		}
		_, err = wire.DecodeLists(&reply, "q", "prepared")
		return err
	})
}

// bytes sends one byte and drops what comes back, which the server has prepared.
func (f *frameClient) bytes(client, _ int) error {
	conns := f.conns[client]
	return eachAtOnce(len(conns), func(k int) error {
		if err := writeFrame(conns[k], []byte{0}); err != nil {
			return err
		}
		_, err := readFrame(conns[k])
		return err
	})
}

// A frame is its length in four bytes, and its bytes.
func writeFrame(w io.Writer, b []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(b)), uint32(len(b))), b...))
	return err
}

func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > wire.MaxReply {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// frameChild answers frames over TLS with the prepared reply of a server.
func frameChild(o childOptions) error {
	folder, err := pki.OpenFolder(o.Certificates)
	if err != nil {
		return err
	}
	settings, err := folder.ServerTLS()
	if err != nil {
		return err
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", settings)
	if err != nil {
		return err
	}
	lists := preparedLists(o.Prepared[0], o.Bytes)
	prepared, err := encodedLists(lists)
	if err != nil {
		return err
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				for answerFrame(conn, lists, prepared) == nil { // until the client closes
				}
			}()
		}
	}()
	fmt.Println("listening", l.Addr())
	reportStats(func() stats { return stats{} })
	return nil
}

// answerFrame answers a question with its lists, and a byte with the same bytes as they are.
func answerFrame(conn net.Conn, lists *api.Lists, prepared []byte) error {
	in, err := readFrame(conn)
	if err != nil {
		return err
	}
	if len(in) == 1 {
		return writeFrame(conn, prepared)
	}
	var ask nodepb.AskRequest
	if err := proto.Unmarshal(in, &ask); err != nil {
		return err
	}
	m, err := wire.DecodeAsk(&ask, "q")
	if err != nil {
		return err
	}
	l := *lists
	l.Query = m.Query
	out, err := encodedLists(&l)
	if err != nil {
		return err
	}
	return writeFrame(conn, out)
}

func encodedLists(l *api.Lists) ([]byte, error) {
	m, err := wire.EncodeLists(l)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(m)
}
