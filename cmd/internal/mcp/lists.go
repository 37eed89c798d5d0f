package mcp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// lists counts the bytes that clients were sent before any answer, for tools and instructions, by
// session. The zero value is ready to use. It is safe for concurrent use.
type lists struct {
	mu   sync.Mutex
	sent map[string]int
}

// hooks returns hooks that count each list of tools sent.
func (l *lists) hooks() *server.Hooks {
	h := &server.Hooks{}
	h.AddAfterListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest, r *mcp.ListToolsResult) {
		if tools, err := json.Marshal(r.Tools); err == nil {
			l.addBytes(sessionID(ctx), len(tools))
		}
	})
	return h
}

// addBytes counts bytes for a session. The first list also counts the instructions sent before it.
func (l *lists) addBytes(session string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sent == nil || len(l.sent) >= mostSessions {
		l.sent = map[string]int{} // long-lived servers start counting again
	}
	if l.sent[session] == 0 {
		n += len(Instructions)
	}
	l.sent[session] += n
}

// bytesSent returns the bytes sent to the session of a call.
func (l *lists) bytesSent(ctx context.Context) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent[sessionID(ctx)]
}

// sessionID returns the id of a call's session, or "" without one.
func sessionID(ctx context.Context) string {
	if session := server.ClientSessionFromContext(ctx); session != nil {
		return session.SessionID()
	}
	return ""
}
