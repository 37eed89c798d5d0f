package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"patina/cmd/internal/loopback"
)

// Endpoint is the path of the only HTTP endpoint.
const Endpoint = "/mcp"

const (
	headerWithin = 10 * time.Second // for the header of a request
	bodyWithin   = 30 * time.Second // for the body of a request
	largeBody    = 64 << 10         // bytes; few longer bodies are read at the same time
	largeAtOnce  = 4                // each may take maxMessage bytes
	idleWithin   = 2 * time.Minute  // between two requests on a connection
	sessionIdle  = time.Hour        // a session without a request for so long is forgotten
	endWithin    = 5 * time.Second  // for running calls at the end
)

// HTTPOptions are the address to listen at, and the token of clients.
type HTTPOptions struct {
	Address string // host:port
	Token   string // required of each request; empty: none, and the address must be a loopback one
}

// ErrNoToken means that other machines may reach an address without a token.
var ErrNoToken = errors.New("other machines may reach this address, and no token is asked for")

// Listen opens the address for ServeHTTP. It returns ErrNoToken unless there is a token or the
// address is a loopback one.
func (o HTTPOptions) Listen() (net.Listener, error) {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("read address %q: %w", o.Address, err)
	}
	if o.Token == "" && !loopback.Names(host) {
		return nil, fmt.Errorf("listen at %q: %w", o.Address, ErrNoToken)
	}
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	// Only now is it known where a name such as localhost leads.
	if at, ok := l.Addr().(*net.TCPAddr); o.Token == "" && (!ok || !at.IP.IsLoopback()) {
		return nil, errors.Join(fmt.Errorf("listen at %q: %w", o.Address, ErrNoToken), l.Close())
	}
	return l, nil
}

// ServeHTTP answers clients by streamable HTTP until ctx ends. The listener should come from
// Listen.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, o HTTPOptions) error {
	stream, guarded := s.handler(o)
	l = loopback.Limit(l, mostConnections)
	h := &http.Server{
		Handler:           guarded,
		ReadHeaderTimeout: headerWithin, IdleTimeout: idleWithin, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	stream.CloseSessions(end)
	if h.Shutdown(end) != nil {
		_ = h.Close()
	}
	_ = stream.Shutdown(end)
	return nil
}

// handler returns the handler of requests, and the guard before it.
func (s *Server) handler(o HTTPOptions) (*server.StreamableHTTPServer, http.Handler) {
	ids := &sessionIDs{most: mostHTTPSessions}
	// The library's protection is off. guard is stricter.
	stream := server.NewStreamableHTTPServer(s.mcp, server.WithStreamableHTTPLogger(s.log),
		server.WithSessionIdleTTL(sessionIdle), server.WithDisableLocalhostProtection(true),
		server.WithSessionIdManager(ids))
	return stream, guard{o, stream, ids, bodyWithin, make(chan struct{}, largeAtOnce)}
}

// A guard refuses requests from other sites. A browser makes requests on behalf of any site. Such a
// request names the site as its origin. If the site's name leads to this machine (DNS rebinding),
// it names the site as its host.
type guard struct {
	HTTPOptions
	next   http.Handler
	ids    *sessionIDs
	within time.Duration // for a body
	large  chan struct{} // holds one value for each large body being read
}

// ServeHTTP implements http.Handler.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.mine(r.Host):
		http.Error(w, "the request is for another host", http.StatusForbidden)
	case !g.fromHere(r.Header) || !sameSite(r.Header):
		http.Error(w, "the request comes from another site", http.StatusForbidden)
	case !g.bears(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "want the token: Authorization: Bearer TOKEN", http.StatusUnauthorized)
	case r.URL.Path != Endpoint:
		http.Error(w, "nothing is here: the endpoint is "+Endpoint, http.StatusNotFound)
	default:
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if g.takeBody(w, r) && g.hasSession(w, r) {
			g.next.ServeHTTP(withNumber(w, r), r)
		}
	}
}

// takeBody reads the body and reports whether it may be one message. The library would report a
// long body or a batch as bad JSON. So that clients cannot hold memory or connections with half a
// body, few large bodies are read at the same time, and each has a deadline.
func (g guard) takeBody(w http.ResponseWriter, r *http.Request) bool {
	if r.ContentLength < 0 || r.ContentLength > largeBody {
		select {
		case g.large <- struct{}{}:
			defer func() { <-g.large }()
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many large messages at once: send it again", http.StatusServiceUnavailable)
			return false
		}
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(g.within)) // fails for a connection in a test
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	_ = connection.SetReadDeadline(time.Time{})
	status, code, text := 0, 0, ""
	switch _, long := errors.AsType[*http.MaxBytesError](err); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		status, code, text = http.StatusRequestTimeout, mcp.PARSE_ERROR, "the rest of the request did not come"
	case long:
		status, code, text = http.StatusRequestEntityTooLarge, mcp.INVALID_REQUEST, tooLong
	case err != nil: // the client has gone
		status, code, text = http.StatusBadRequest, mcp.PARSE_ERROR, "the request broke off"
	case bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")):
		status, code, text = http.StatusBadRequest, mcp.INVALID_REQUEST,
			"no batches: send each message as a request of its own"
	default:
		r.Body = io.NopCloser(bytes.NewReader(b))
		if r.Method == http.MethodPost && initializes(b) && !g.ids.room() {
			return g.full(w, b)
		}
		return true
	}
	reject(w, status, errorResponse(nil, code, text))
	return false
}

// reject answers a request with an error of the protocol.
func reject(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// mine reports whether a Host header names this machine. If other machines may reach the address,
// any name passes, and the token is the guard.
func (g guard) mine(host string) bool {
	listening, _, _ := net.SplitHostPort(g.Address)
	return loopback.Names(loopback.Host(host)) || !loopback.Names(listening)
}

// fromHere reports whether a request has no origin, or only a page of this machine as its origin.
func (g guard) fromHere(h http.Header) bool {
	for _, origin := range h.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" || !g.mine(u.Host) {
			return false
		}
	}
	return true
}

// sameSite reports whether a request without an origin, such as one for an image, does not come
// from a page of another site. Browsers send the site in Sec-Fetch-Site.
func sameSite(h http.Header) bool {
	site := h.Get("Sec-Fetch-Site")
	return h.Get("Origin") != "" || site != "cross-site" && site != "same-site"
}

// bears reports whether a request has the token. The time of the comparison does not depend on the
// token.
func (g guard) bears(authorization string) bool {
	if g.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(g.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
