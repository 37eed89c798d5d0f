package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A session is one client on a pair of streams. It is safe for concurrent use.
type session struct {
	id       string
	notes    chan mcp.JSONRPCNotification
	send     func(any) error
	ready    atomic.Bool
	info     atomic.Value // mcp.Implementation
	can      atomic.Value // mcp.ClientCapabilities
	protocol atomic.Value // string
	level    atomic.Value // mcp.LoggingLevel

	mu      sync.Mutex
	last    int
	pending map[string]chan response // requests to the client, by id
}

var _ interface {
	server.SessionWithClientInfo
	server.SessionWithRoots
	server.SessionWithLogging
} = (*session)(nil)

// sessions counts the sessions of this process.
var sessions atomic.Int64

func newSession(send func(any) error) *session {
	return &session{
		id: fmt.Sprintf("stdio-%d", sessions.Add(1)), send: send,
		notes: make(chan mcp.JSONRPCNotification, 100), pending: map[string]chan response{},
	}
}

// Initialize implements server.ClientSession.
func (s *session) Initialize() { s.ready.Store(true) }

// Initialized implements server.ClientSession.
func (s *session) Initialized() bool { return s.ready.Load() }

// NotificationChannel implements server.ClientSession.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }

// SessionID implements server.ClientSession.
func (s *session) SessionID() string { return s.id }

// GetClientInfo implements server.SessionWithClientInfo.
func (s *session) GetClientInfo() mcp.Implementation {
	info, _ := s.info.Load().(mcp.Implementation)
	return info
}

// SetClientInfo implements server.SessionWithClientInfo.
func (s *session) SetClientInfo(info mcp.Implementation) { s.info.Store(info) }

// GetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	can, _ := s.can.Load().(mcp.ClientCapabilities)
	return can
}

// SetClientCapabilities implements server.SessionWithClientInfo.
func (s *session) SetClientCapabilities(can mcp.ClientCapabilities) { s.can.Store(can) }

// SetLogLevel implements server.SessionWithLogging.
func (s *session) SetLogLevel(level mcp.LoggingLevel) { s.level.Store(level) }

// GetLogLevel implements server.SessionWithLogging.
func (s *session) GetLogLevel() mcp.LoggingLevel {
	if level, ok := s.level.Load().(mcp.LoggingLevel); ok {
		return level
	}
	return mcp.LoggingLevelInfo
}

// ProtocolVersion returns the agreed version.
func (s *session) ProtocolVersion() string {
	version, _ := s.protocol.Load().(string)
	return version
}

// SetProtocolVersion stores the agreed version.
func (s *session) SetProtocolVersion(version string) { s.protocol.Store(version) }

// A response is a client's answer to a request of ours.
type response struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// ListRoots implements server.SessionWithRoots.
func (s *session) ListRoots(ctx context.Context, _ mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	var found mcp.ListRootsResult
	if err := s.request(ctx, string(mcp.MethodListRoots), &found); err != nil {
		return nil, err
	}
	return &found, nil
}

// request sends a request to the client and waits for its answer.
func (s *session) request(ctx context.Context, method string, result any) error {
	answer := make(chan response, 1)
	s.mu.Lock()
	s.last++
	id := "patina-" + strconv.Itoa(s.last)
	s.pending[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.pending, id)
		s.mu.Unlock()
	}()
	if err := s.send(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "method": method}); err != nil {
		return err
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			return errors.New(r.Error.Message)
		}
		return json.Unmarshal(r.Result, result)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answered passes on the answer to a request of ours. An answer to an unknown id is dropped.
func (s *session) answered(id, message json.RawMessage) {
	var name string
	var r response
	if json.Unmarshal(id, &name) != nil || json.Unmarshal(message, &r) != nil {
		return
	}
	s.mu.Lock()
	answer := s.pending[name]
	delete(s.pending, name)
	s.mu.Unlock()
	if answer != nil {
		answer <- r
	}
}
