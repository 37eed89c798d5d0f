package ui

import (
	"context"
	"errors"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/serve"
	"patina/scrape"
	"patina/wire/local"
)

// The bounds of a connection. An answer may take as long as its call (callTime), and an impact
// longer.
const (
	headerWithin = 5 * time.Second
	readWithin   = 15 * time.Second
	writeWithin  = 90 * time.Second
	idleWithin   = time.Minute
	headerBytes  = 32 << 10
	endWithin    = 500 * time.Millisecond // for running answers at the end; their calls are cancelled
)

// Options are the needs of a server. None may be zero but Lends.
type Options struct {
	App     *cli.App
	Place   project.Place
	Address string // host:port, as listened at
	Secret  []byte // as newSecret returns it
	Pool    *serve.Pool
	Lends   bool // this is the process that lends engines
}

// A Server answers requests for pages. It is safe for concurrent use.
type Server struct {
	Options
	guard     *guard
	lender    *local.Client
	mother    visit.Mother
	templates *template.Template
	static    map[string]asset
}

// NewServer returns a server. The error wraps web.ErrNotBuilt if this build has no pages.
func NewServer(o Options) (*Server, error) {
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, err
	}
	s := &Server{Options: o, mother: o.App.Mother(o.Place.Home), lender: &local.Client{}}
	if !o.Lends {
		s.lender = &local.Client{Home: o.Place.Home, Version: cli.Version}
	}
	if s.guard, err = newGuard(host, port, o.Secret); err != nil {
		return nil, err
	}
	if s.static, err = readStatic(); err != nil {
		return nil, cli.Hint(err, "build it by make build")
	}
	if s.templates, err = s.parseTemplates(); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for pattern, show := range routes {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.showPage(w, r, show) })
	}
	mux.HandleFunc("GET /static/{name}", s.serveStatic)
	s.guard.next = mux
	return s, nil
}

// routes are the pages, by the pattern of their address. The files of the pages add them.
var routes = map[string]func(*view) error{}

// addRoute adds a page. A function that changes something must have a pattern with POST.
func addRoute(pattern string, show func(*view) error) { routes[pattern] = show }

// Link returns the address of the first page, with the token.
func (s *Server) Link() string { return linkOf(s.Address, s.Secret) }

func linkOf(address string, secret []byte) string {
	return "http://" + address + "/?token=" + url.QueryEscape(tokenOf(secret))
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.guard.ServeHTTP(w, r) }

// Serve answers requests until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin,
		IdleTimeout: idleWithin, MaxHeaderBytes: headerBytes, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connection{}, c) },
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := h.Shutdown(end); errors.Is(err, context.DeadlineExceeded) {
		_ = h.Close()
	}
	return nil
}

// engines returns those of the user's server where it runs ("patina serve"), and those of this
// process where it does not.
func (s *Server) engines() ask.Engines {
	return local.Engines{
		Engines: viewing{serve.Client{Pool: s.Pool, Tell: func(scrape.Progress) {}}, s.Lends}, Client: s.lender, Resident: true,
		Lent: s.Pool.Borrowed,
	}
}

// A viewing is engines for somebody who looks: a missing index is not made.
type viewing struct {
	serve.Client
	lends bool // the pool is for other processes, and completes no draft by itself
}

// Open implements ask.Engines.
func (x viewing) Open(ctx context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	e, done, err := x.Client.Open(ctx, p, within)
	if err == nil && x.lends {
		x.Borrowed(p, e)
	}
	return e, done, err
}

// Mend implements ask.Engines.
func (viewing) Mend(context.Context, project.Place, ask.Missing) (bool, error) { return false, nil }
