package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxMessage = 16 << 20 // bytes of a message; longer ones are refused
	mostAtOnce = 64       // requests; further ones are refused
)

// drain bounds the time of running calls after the input has ended.
const drain = 30 * time.Second

// A connection serves one client on a pair of streams, with one message a line.
type connection struct {
	*Server
	*session
	ctx     context.Context // cancelled when the client is gone
	cancel  context.CancelCauseFunc
	slots   chan struct{}
	running sync.WaitGroup

	out      io.Writer
	outgoing chan []byte   // lines for the writer
	quit     chan struct{} // closed after the last line
	wrote    chan struct{} // closed by the writer at its end
}

// Serve answers a client until its input ends, and then finishes the running calls. It returns
// early if ctx ends or the output breaks. Then a pending read is left behind, because a read has no
// deadline.
//
// The library also has a server for streams. It is not used because it drops running calls when the
// input ends, reads lines of any length, and starts as many requests as a client sends.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &connection{
		Server: s, ctx: ctx, cancel: cancel, slots: make(chan struct{}, mostAtOnce),
		out: out, outgoing: make(chan []byte), quit: make(chan struct{}), wrote: make(chan struct{}),
	}
	c.session = newSession(c.write)
	if err := s.mcp.RegisterSession(ctx, c.session); err != nil {
		return err
	}
	defer s.mcp.UnregisterSession(ctx, c.id)
	go c.pump()
	ended := make(chan error, 1)
	go func() { ended <- c.read(s.mcp.WithContext(ctx, c.session), in) }()
	select {
	case err := <-ended:
		return errors.Join(err, c.finish())
	case <-ctx.Done():
		return c.failure()
	}
}

// finish waits until the running calls have ended and their answers are written. It returns an
// error if that takes longer than drain.
func (c *connection) finish() error {
	go func() {
		c.running.Wait()
		close(c.quit)
	}()
	late := time.NewTimer(drain)
	defer late.Stop()
	select {
	case <-c.wrote:
		return c.failure()
	case <-c.ctx.Done():
		return c.failure()
	case <-late.C:
		return fmt.Errorf("calls were still under way %s after the input had ended", drain)
	}
}

// failure returns the error of the output, or nil if the connection ended without one.
func (c *connection) failure() error {
	if err := context.Cause(c.ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// read handles messages one after the other.
func (c *connection) read(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for ctx.Err() == nil {
		message, err := readLine(r)
		switch {
		case errors.Is(err, errLong):
			_ = c.write(errorResponse(nil, mcp.INVALID_REQUEST, tooLong))
		case len(message) > 0:
			c.handle(ctx, message)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errLong) {
			return fmt.Errorf("read input: %w", err)
		}
	}
	return nil
}

var (
	errLong = errors.New("the message is too long")
	tooLong = fmt.Sprintf("a message has at most %d bytes", maxMessage)
)

// byteOrderMark begins the output of some clients.
var byteOrderMark = []byte("\ufeff")

// readLine reads one line, without its end and a byte order mark. A line over maxMessage is
// skipped, and the error is errLong.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == nil && long:
			return nil, errLong
		}
		return bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark)), err
	}
}

// handle starts the request of a message. Messages that must be handled in order are done at once.
func (c *connection) handle(ctx context.Context, message []byte) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if message[0] == '[' {
		_ = c.write(errorResponse(nil, mcp.INVALID_REQUEST, "no batches: send each message on a line of its own"))
		return
	}
	if err := json.Unmarshal(message, &m); err != nil {
		_ = c.write(errorResponse(nil, mcp.PARSE_ERROR, "the message is no JSON object of a request"))
		return
	}
	id := m.ID
	if string(id) == "null" {
		id = nil
	}
	switch {
	case m.Method == "" && id != nil:
		c.answered(id, message)
	case id == nil && m.Method != "":
		c.answer(ctx, nil, message)
	case id == nil:
		_ = c.write(errorResponse(nil, mcp.INVALID_REQUEST, "the message has neither a method nor an id"))
	case m.Method == string(mcp.MethodInitialize), m.Method == string(mcp.MethodPing):
		c.answer(ctx, id, message)
	default:
		select {
		case c.slots <- struct{}{}:
		default:
			_ = c.write(errorResponse(id, mcp.INTERNAL_ERROR,
				fmt.Sprintf("more than %d requests at once: wait for some of them", mostAtOnce)))
			return
		}
		c.running.Go(func() {
			defer func() { <-c.slots }()
			c.answer(ctx, id, message)
		})
	}
}

// answer handles one message and writes the response. A notification has no id and gets no
// response.
func (c *connection) answer(ctx context.Context, id json.RawMessage, message []byte) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("panic", "value", r, "stack", string(debug.Stack()))
			if id != nil {
				_ = c.write(errorResponse(id, mcp.INTERNAL_ERROR, fmt.Sprintf("internal error: %v", r)))
			}
		}
	}()
	if response := c.mcp.HandleMessage(ctx, message); response != nil && id != nil {
		_ = c.write(withID(response, id))
	}
}

// withID sets the id of a response to that of its request, as it was sent. The library reads
// numbers as float64, which cannot hold every integer above 2^53.
func withID(response mcp.JSONRPCMessage, id json.RawMessage) mcp.JSONRPCMessage {
	sent := mcp.NewRequestId(id)
	switch r := response.(type) {
	case mcp.JSONRPCResponse:
		r.ID = sent
		return r
	case mcp.JSONRPCError:
		r.ID = sent
		return r
	}
	return response
}

// errorResponse returns the response to a request that cannot be answered. A nil id is written as
// null.
func errorResponse(id json.RawMessage, code int, text string) any {
	if id == nil {
		id = json.RawMessage("null")
	}
	return map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "id": id,
		"error": map[string]any{"code": code, "message": text},
	}
}

// write passes one message to the writer.
func (c *connection) write(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		c.log.Error("write a message", "error", err)
		return err
	}
	select {
	case c.outgoing <- line:
		return nil
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
}

// pump writes the messages of other goroutines, until the end. Notifications sent before an answer
// are written before it.
func (c *connection) pump() {
	defer close(c.wrote)
	for {
		select {
		case n := <-c.notes:
			c.note(n)
		case line := <-c.outgoing:
			c.waiting()
			c.putLine(line)
		case <-c.quit:
			c.waiting()
			return
		case <-c.ctx.Done():
			return
		}
	}
}

// waiting writes the pending notifications.
func (c *connection) waiting() {
	for {
		select {
		case n := <-c.notes:
			c.note(n)
		default:
			return
		}
	}
}

func (c *connection) note(n mcp.JSONRPCNotification) {
	if line, err := json.Marshal(n); err == nil {
		c.putLine(line)
	}
}

// putLine writes one line. An error means that the client is gone and ends the connection.
func (c *connection) putLine(line []byte) {
	if c.ctx.Err() != nil {
		return
	}
	if _, err := c.out.Write(append(line, '\n')); err != nil {
		c.cancel(fmt.Errorf("write output: %w", err))
	}
}
