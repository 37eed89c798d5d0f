package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	mostConnections  = 256  // at the same time, over HTTP
	mostHTTPSessions = 1000 // sessions that are not yet forgotten
)

// sessionIDs holds the ids of open sessions. It implements server.SessionIdManager. An unknown id,
// such as one from an earlier server, is accepted while there is room.
type sessionIDs struct {
	most int
	ids  server.StatelessGeneratingSessionIdManager // makes and checks ids
	mu   sync.Mutex
	open map[string]bool
}

var _ server.SessionIdManager = (*sessionIDs)(nil)

var errManySessions = errors.New("too many sessions")

// Generate returns a new id, or "" if there is no room. Then the client gets no session.
func (s *sessionIDs) Generate() string {
	id := s.ids.Generate()
	if s.take(id) != nil {
		return ""
	}
	return id
}

// Validate implements server.SessionIdManager.
func (s *sessionIDs) Validate(id string) (isTerminated bool, err error) {
	if isTerminated, err = s.ids.Validate(id); isTerminated || err != nil {
		return isTerminated, err
	}
	return false, s.take(id)
}

// Terminate implements server.SessionIdManager.
func (s *sessionIDs) Terminate(id string) (isNotAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
	return false, nil
}

// room reports whether one more session may be opened.
func (s *sessionIDs) room() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) < s.most
}

// take records an id. It returns errManySessions if there is no room.
func (s *sessionIDs) take(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id] {
		return nil
	}
	if len(s.open) >= s.most {
		return errManySessions
	}
	if s.open == nil {
		s.open = map[string]bool{}
	}
	s.open[id] = true
	return nil
}

// initializes reports whether a message begins a session.
func initializes(message []byte) bool {
	var m struct {
		Method string `json:"method"`
	}
	return json.Unmarshal(message, &m) == nil && m.Method == string(mcp.MethodInitialize)
}

// full refuses a message because there are too many sessions. It returns false.
func (g guard) full(w http.ResponseWriter, message []byte) bool {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(message, &m)
	w.Header().Set("Retry-After", "60")
	reject(w, http.StatusServiceUnavailable, errorResponse(m.ID, mcp.INTERNAL_ERROR,
		fmt.Sprintf("too many sessions: %d are open; end some (DELETE), or wait: one without a request for an hour is forgotten", g.ids.most)))
	return false
}

// hasSession reports whether a request names a session if it must. Otherwise it refuses the
// request, because the library would open a session that nothing ends.
func (g guard) hasSession(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodPost || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return true
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	if r.Method == http.MethodGet && id == "" {
		reject(w, http.StatusBadRequest,
			errorResponse(nil, mcp.INVALID_REQUEST, "want the id of a session: send initialize first"))
		return false
	}
	if r.Method != http.MethodGet {
		return true
	}
	switch _, err := g.ids.Validate(id); {
	case errors.Is(err, errManySessions):
		return g.full(w, nil)
	case err != nil:
		http.Error(w, "Invalid session ID", http.StatusNotFound)
		return false
	}
	return true
}
