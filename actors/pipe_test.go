package actors

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"sync"
	"testing"

	"patina/actors/api"
)

// frame is one message on a connection. Each is encoded separately, with its length first.
type frame struct {
	ID           uint64 // of the call
	Cancel       bool   // nobody waits for it any more
	Ask          *api.Ask
	Describe     *api.Describe
	Read         api.Lookup
	Lists        *api.Lists
	Descriptions *api.Descriptions
	Answer       any // to Read
	Failure      *api.Failure
	Error        string
}

// mostBytes bounds a frame.
const mostBytes = 1 << 20

func init() {
	for _, m := range messages() { // as a frame holds them
		if answer := reflect.New(reflect.TypeOf(m)).Interface(); api.IndexOf(answer) != nil {
			m = answer
		}
		gob.Register(m)
	}
}

func writeFrame(w io.Writer, f *frame) error {
	var b bytes.Buffer
	b.Write(make([]byte, 4))
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		return err
	}
	if b.Len() > mostBytes {
		return fmt.Errorf("frame of %d bytes", b.Len())
	}
	binary.BigEndian.PutUint32(b.Bytes(), uint32(b.Len()-4))
	_, err := w.Write(b.Bytes())
	return err
}

func readFrame(r io.Reader) (*frame, error) {
	var n uint32
	if err := binary.Read(r, binary.BigEndian, &n); err != nil {
		return nil, err
	}
	if n > mostBytes {
		return nil, fmt.Errorf("frame of %d bytes", n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	var f frame
	return &f, gob.NewDecoder(bytes.NewReader(body)).Decode(&f)
}

// remote is a Target at the other end of a connection.
type remote struct {
	name     string
	channels []string
	conn     net.Conn
	out      chan *frame // to be written
	closed   chan struct{}

	mu      sync.Mutex
	last    uint64
	pending map[uint64]chan *frame
	broken  error
}

func dial(conn net.Conn, name string, channels ...string) *remote {
	r := &remote{
		name: name, channels: channels, conn: conn, pending: map[uint64]chan *frame{},
		out: make(chan *frame, 256), closed: make(chan struct{}),
	}
	go r.read()
	go r.write()
	return r
}

func (r *remote) Name() string       { return r.name }
func (r *remote) Channels() []string { return r.channels }

func (r *remote) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	f, err := r.call(ctx, &frame{Ask: m})
	if err != nil {
		return nil, err
	}
	return f.Lists, nil
}

func (r *remote) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	f, err := r.call(ctx, &frame{Describe: m})
	if err != nil {
		return nil, err
	}
	return f.Descriptions, nil
}

func (r *remote) Read(ctx context.Context, m api.Lookup) (any, error) {
	f, err := r.call(ctx, &frame{Read: m})
	if err != nil {
		return nil, err
	}
	if f.Failure != nil {
		return nil, f.Failure
	}
	return f.Answer, nil
}

// call sends a frame and waits for its answer.
func (r *remote) call(ctx context.Context, f *frame) (*frame, error) {
	answer := make(chan *frame, 1)
	r.mu.Lock()
	r.last++
	f.ID = r.last
	broken := r.broken
	if broken == nil {
		r.pending[f.ID] = answer
	}
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.pending, f.ID)
	}()
	if broken != nil {
		return nil, broken
	}
	select {
	case r.out <- f:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.closed:
	}
	select {
	case got := <-answer:
		if got == nil {
			return nil, fmt.Errorf("connection: %w", r.why())
		}
		if got.Error != "" {
			return nil, errors.New(got.Error)
		}
		return got, nil
	case <-ctx.Done():
		select {
		case r.out <- &frame{ID: f.ID, Cancel: true}:
		default: // the other end does not read
		}
		return nil, ctx.Err()
	}
}

// write writes whole frames until the connection breaks, because half a frame would corrupt all
// later ones.
func (r *remote) write() {
	for {
		select {
		case f := <-r.out:
			if writeFrame(r.conn, f) != nil {
				_ = r.conn.Close()
				return
			}
		case <-r.closed:
			return
		}
	}
}

func (r *remote) why() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// read delivers answers until the connection breaks.
func (r *remote) read() {
	for {
		f, err := readFrame(r.conn)
		r.mu.Lock()
		if err != nil {
			r.broken = err
			_ = r.conn.Close()
			close(r.closed)
			for _, waits := range r.pending {
				close(waits)
			}
			r.pending = map[uint64]chan *frame{}
			r.mu.Unlock()
			return
		}
		if waits := r.pending[f.ID]; waits != nil {
			waits <- f
			delete(r.pending, f.ID)
		}
		r.mu.Unlock()
	}
}

// serve answers frames from a target, each in a goroutine of its own, until the connection breaks.
func serve(conn net.Conn, to api.Target) {
	var all sync.WaitGroup
	var mu, writing sync.Mutex
	running := map[uint64]context.CancelFunc{}
	life, end := context.WithCancel(context.Background())
	defer all.Wait()
	defer func() { _ = conn.Close() }()
	defer end()
	for {
		f, err := readFrame(conn)
		if err != nil {
			return
		}
		mu.Lock()
		if f.Cancel {
			if cancel := running[f.ID]; cancel != nil {
				cancel()
			}
			mu.Unlock()
			continue
		}
		ctx, cancel := context.WithCancel(life)
		running[f.ID] = cancel
		mu.Unlock()
		all.Go(func() {
			defer cancel()
			out := answered(ctx, f, to)
			mu.Lock()
			delete(running, f.ID)
			mu.Unlock()
			writing.Lock()
			defer writing.Unlock()
			_ = writeFrame(conn, out)
		})
	}
}

func answered(ctx context.Context, f *frame, to api.Target) *frame {
	out := &frame{ID: f.ID}
	var err error
	switch {
	case f.Ask != nil:
		out.Lists, err = to.Ask(ctx, f.Ask)
	case f.Describe != nil:
		out.Descriptions, err = to.Describe(ctx, f.Describe)
	case f.Read != nil:
		out.Answer, err = to.Read(ctx, f.Read)
	}
	if out.Failure, _ = errors.AsType[*api.Failure](err); out.Failure != nil {
		return out
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// pipe connects a target to its server, and ends both with the test.
func pipe(t *testing.T, name string, channels []string, end func(net.Conn)) *remote {
	t.Helper()
	here, there := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		end(there)
	}()
	r := dial(here, name, channels...)
	t.Cleanup(func() {
		_, _ = here.Close(), there.Close()
		<-done
	})
	return r
}
