package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// A server is a running "patina mcp" on the tree, with its index in the usual place. Its methods
// may be called concurrently.
type server struct {
	process *exec.Cmd
	in      io.WriteCloser
	errs    tail

	mu      sync.Mutex // guards the fields below, and writes
	id      int
	waiting map[int]chan reply
	ended   error // why there are no more replies; nil while it runs
}

// A reply is the result of a tool.
type reply struct {
	Result struct {
		Content []struct{ Text string }
		IsError bool
	}
	Error *struct{ Message string }
	lost  error
}

// serve starts a server and completes the handshake with it. The caller must close it.
func (t *torture) serve(ctx context.Context) (*server, error) {
	c := exec.CommandContext(ctx, t.patina, "mcp")
	c.Dir, c.Env = t.tree, append(t.home("home"), "PATINA_TIMEOUT=1m") // enough for a busy machine
	s := &server{process: c, waiting: map[int]chan reply{}}
	c.Stderr = &s.errs
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	s.in = in
	go s.read(out)
	hello := map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "torture", "version": "1"},
	}
	if _, err := s.request(ctx, "initialize", hello); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// home returns the environment of a command with a PATINA_HOME of its own.
func (t *torture) home(name string) []string {
	return append(os.Environ(), "PATINA_HOME="+filepath.Join(t.work, name), "GIT_CEILING_DIRECTORIES="+t.work)
}

// read delivers replies until the server ends.
func (s *server) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			s.end(err)
			return
		}
		var m struct {
			ID int
			reply
		}
		if err := json.Unmarshal(line, &m); err != nil {
			s.end(fmt.Errorf("no message: %w: %.200s", err, line))
			return
		}
		s.mu.Lock()
		if c := s.waiting[m.ID]; c != nil { // nil for a notification
			delete(s.waiting, m.ID)
			c <- m.reply
		}
		s.mu.Unlock()
	}
}

// end delivers an error to everybody who waits for a reply.
func (s *server) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = fmt.Errorf("the server ended: %w: %s", err, s.errs.String())
	for id, c := range s.waiting {
		delete(s.waiting, id)
		c <- reply{lost: s.ended}
	}
}

func (s *server) write(message any) error {
	b, err := json.Marshal(message)
	if err == nil {
		_, err = s.in.Write(append(b, '\n'))
	}
	return err
}

// request sends a request and waits for its reply.
func (s *server) request(ctx context.Context, method string, params any) (reply, error) {
	got := make(chan reply, 1)
	s.mu.Lock()
	if s.ended != nil {
		s.mu.Unlock()
		return reply{}, s.ended
	}
	s.id++
	id := s.id
	s.waiting[id] = got
	err := s.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	s.mu.Unlock()
	if err != nil {
		return reply{}, err
	}
	select {
	case r := <-got:
		if r.Error != nil {
			return r, errors.New(r.Error.Message)
		}
		return r, r.lost
	case <-ctx.Done():
		return reply{}, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// call calls a tool and returns its text. The error is the tool's, if it reports one.
func (s *server) call(ctx context.Context, tool string, args map[string]any) (string, error) {
	r, err := s.request(ctx, "tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return "", err
	}
	if len(r.Result.Content) != 1 {
		return "", fmt.Errorf("%s: %d blocks", tool, len(r.Result.Content))
	}
	text := r.Result.Content[0].Text
	if r.Result.IsError {
		return "", fmt.Errorf("%s: %s", tool, text)
	}
	return text, nil
}

// close ends the server by closing its input.
func (s *server) close() error {
	err := s.in.Close()
	if waited := s.process.Wait(); waited != nil {
		err = errors.Join(err, fmt.Errorf("%w: %s", waited, s.errs.String()))
	}
	return err
}

// A footprint is a process's own memory and the number of its open descriptors.
type footprint struct{ kilobytes, descriptors int }

// footprint measures the server. It needs Linux.
func (s *server) footprint() (f footprint, err error) {
	dir := filepath.Join("/proc", strconv.Itoa(s.process.Process.Pid))
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return f, err
	}
	_, after, _ := strings.Cut(string(status), "RssAnon:")
	if _, err := fmt.Sscan(after, &f.kilobytes); err != nil {
		return f, fmt.Errorf("read a process's memory: %w", err)
	}
	open, err := os.ReadDir(filepath.Join(dir, "fd"))
	f.descriptors = len(open)
	return f, err
}

// A tail keeps the end of a stream. It may be used concurrently.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text); n > tailBytes {
		t.text = append([]byte(nil), t.text[n-tailBytes:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
