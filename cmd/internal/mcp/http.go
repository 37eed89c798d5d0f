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
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Endpoint is the path at which HTTP is answered.
const Endpoint = "/mcp"

const (
	headerWithin = 10 * time.Second // a client that sends no header is hung up on
	bodyWithin   = 30 * time.Second // nor one that sends half a message
	largeBody    = 64 << 10         // bytes; of longer bodies few are read at once
	largeAtOnce  = 4                // each may take maxMessage bytes
	idleWithin   = 2 * time.Minute  // between two requests on a connection
	sessionIdle  = time.Hour        // without a request, a session is forgotten
	endWithin    = 5 * time.Second  // for the calls under way
)

// HTTPOptions say where to listen, and who may ask.
type HTTPOptions struct {
	Address string // host:port
	Token   string // which each request must bear; empty: none, for loopback alone
}

// ErrNoToken refuses an address that other machines may reach, without a token.
var ErrNoToken = errors.New("other machines may reach this address, and no token is asked for")

// Listen opens the address for ServeHTTP. Without a token that must be a loopback address.
func (o HTTPOptions) Listen() (net.Listener, error) {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("read address %q: %w", o.Address, err)
	}
	if o.Token == "" && !loopback(host) {
		return nil, fmt.Errorf("listen at %q: %w", o.Address, ErrNoToken)
	}
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	// What a name such as localhost leads to is known only now.
	if at, ok := l.Addr().(*net.TCPAddr); o.Token == "" && (!ok || !at.IP.IsLoopback()) {
		return nil, errors.Join(fmt.Errorf("listen at %q: %w", o.Address, ErrNoToken), l.Close())
	}
	return l, nil
}

// ServeHTTP answers clients by streamable HTTP until ctx ends.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, o HTTPOptions) error {
	stream, guarded := s.handler(o)
	l = &limitedListener{Listener: l, places: make(chan struct{}, mostConnections), refusing: make(chan struct{}, mostRefusing)}
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

// handler makes what answers requests, and its guard.
func (s *Server) handler(o HTTPOptions) (*server.StreamableHTTPServer, http.Handler) {
	ids := &sessionIDs{most: mostHTTPSessions}
	// The library's protection is left out: guard is stricter.
	stream := server.NewStreamableHTTPServer(s.mcp, server.WithStreamableHTTPLogger(s.log),
		server.WithSessionIdleTTL(sessionIdle), server.WithDisableLocalhostProtection(true), server.WithSessionIdManager(ids))
	return stream, guard{o, stream, ids, bodyWithin, make(chan struct{}, largeAtOnce)}
}

// A guard lets requests pass that come from where they may. A browser asks on behalf of any site:
// such a request names the site as its origin, or, if the site's name leads to this machine by
// DNS rebinding, as its host.
type guard struct {
	HTTPOptions
	next   http.Handler
	ids    *sessionIDs
	within time.Duration // for a body
	large  chan struct{} // holds one for each large body that is being read
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

// takeBody reads a body and reports whether it may be one message. The library would say of a long
// one and of a batch that they are no JSON. Clients that send half a body take neither memory nor
// a connection for long: large bodies are few at once, and each has a deadline.
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
	_ = connection.SetReadDeadline(time.Now().Add(g.within)) // a connection in a test has none
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
		status, code, text = http.StatusBadRequest, mcp.INVALID_REQUEST, "no batches: send each message as a request of its own"
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

// mine reports whether a Host header names this machine. An address for other machines has names
// that are not known here: its token is what guards it.
func (g guard) mine(host string) bool {
	listening, _, _ := net.SplitHostPort(g.Address)
	return loopback(hostname(host)) || !loopback(listening)
}

// fromHere reports whether a request comes from no browser, or from a page of this machine.
func (g guard) fromHere(h http.Header) bool {
	for _, origin := range h.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" || !g.mine(u.Host) {
			return false
		}
	}
	return true
}

// sameSite reports whether a request without an origin, as of an image, comes from no page of
// another site: a browser says where it comes from.
func sameSite(h http.Header) bool {
	site := h.Get("Sec-Fetch-Site")
	return h.Get("Origin") != "" || site != "cross-site" && site != "same-site"
}

// bears reports whether a request bears the token. The comparison takes as long for any other.
func (g guard) bears(authorization string) bool {
	if g.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(g.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// hostname cuts the port off a host.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// loopback reports whether a host is this machine, to itself.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
