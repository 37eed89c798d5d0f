package mcp

import (
	"context"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	rootsWithin  = 2 * time.Second // how long to wait for a client's answer
	mostRoots    = 32              // of one client
	mostSessions = 256             // whose roots are kept
)

// roots keeps the folders of clients, by session. The zero value is ready to use. It is safe for
// concurrent use.
type roots struct {
	mu   sync.Mutex
	held map[string]*asked
}

// asked holds the roots of one client, once it has answered.
type asked struct {
	once    sync.Once
	done    chan struct{}
	folders []string
}

// rootsOf returns the entry for a call's session, or nil without a session.
func (r *roots) rootsOf(ctx context.Context) *asked {
	session := server.ClientSessionFromContext(ctx)
	if session == nil || session.SessionID() == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.held[session.SessionID()]
	if a == nil {
		if r.held == nil || len(r.held) >= mostSessions {
			r.held = map[string]*asked{} // clients are asked again
		}
		a = &asked{done: make(chan struct{})}
		r.held[session.SessionID()] = a
	}
	return a
}

// forget drops the roots of a call's client, which is then asked again.
func (r *roots) forget(ctx context.Context) {
	if session := server.ClientSessionFromContext(ctx); session != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.held, session.SessionID())
	}
}

// countKnown returns the number of roots that a client has named so far.
func (r *roots) countKnown(ctx context.Context) int {
	a := r.rootsOf(ctx)
	if a == nil {
		return 0
	}
	select {
	case <-a.done:
		return len(a.folders)
	default:
		return 0
	}
}

// rootsOf returns the folders that a client works in, or nil if they are not known. The client is
// asked once.
func (s *Server) rootsOf(ctx context.Context) []string {
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !ok || session.GetClientCapabilities().Roots == nil {
		return nil
	}
	a := s.roots.rootsOf(ctx)
	if a == nil {
		return nil
	}
	if server.IsModernRequest(ctx) {
		if s.roots.countKnown(ctx) > 0 {
			return a.folders
		}
		return nil
	}
	a.once.Do(func() {
		go func() {
			defer close(a.done)
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rootsWithin)
			defer cancel()
			found, err := s.mcp.RequestRoots(ctx, mcp.ListRootsRequest{})
			if err != nil {
				s.log.Warn("the client was asked for its roots", "error", err)
				return
			}
			a.folders = foldersOf(found.Roots)
			if len(a.folders) > 1 { // the tools have one more argument now
				_ = s.mcp.SendNotificationToClient(ctx, mcp.MethodNotificationToolsListChanged, nil)
			}
		}()
	})
	select {
	case <-a.done:
		return a.folders
	case <-ctx.Done():
		return nil
	}
}

// rootsInput is the name of the question for roots.
const rootsInput = "roots"

// rootsFor is rootsOf for a call of a tool. Since the protocol of 2026-07-28 a server cannot ask:
// it answers the call with a question, and the client repeats the call with its answer. So if
// question is not nil, the caller must return it as the result.
func (s *Server) rootsFor(ctx context.Context, p mcp.MultiRoundTripParams) (folders []string,
	question *mcp.CallToolResult,
) {
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !server.IsModernRequest(ctx) || !ok || session.GetClientCapabilities().Roots == nil {
		return s.rootsOf(ctx), nil
	}
	a := s.roots.rootsOf(ctx)
	if answer, ok := p.InputResponses[rootsInput]; ok {
		return a.take(answer), nil
	}
	if a != nil {
		select {
		case <-a.done:
			return a.folders, nil
		default:
		}
	}
	question = &mcp.CallToolResult{Content: []mcp.Content{}}
	question.ResultType = mcp.ResultTypeInputRequired
	question.InputRequests = mcp.InputRequests{rootsInput: mcp.NewRootsInputRequest()}
	return nil, question
}

// take returns the folders in a client's answer. It also keeps them if a is not nil.
func (a *asked) take(answer mcp.InputResponse) (named []string) {
	if err := answer.DecodeFor(mcp.MethodListRoots); err == nil && answer.Roots != nil {
		named = foldersOf(answer.Roots.Roots)
	}
	if a != nil {
		a.once.Do(func() {
			a.folders = named
			close(a.done)
		})
	}
	return named
}

// foldersOf returns the paths of roots that are folders on this machine.
func foldersOf(roots []mcp.Root) (out []string) {
	for _, r := range roots[:min(len(roots), mostRoots)] {
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
			continue
		}
		out = append(out, filepath.Clean(u.Path))
	}
	return out
}
