package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	health1 "google.golang.org/grpc/health/grpc_health_v1"

	"patina/wire/nodepb"
)

const (
	headerTime  = 5 * time.Second
	metricsTime = 10 * time.Second
	// healthTime bounds one look whether the process is at work, and healthEvery is the time
	// between two for whoever watches.
	healthTime  = time.Second
	healthEvery = time.Second
)

// A Health says how a process is.
type Health struct {
	// Live returns an error if the process hangs, and must be started anew. It must return soon
	// after ctx has ended.
	Live func(ctx context.Context) error
	// Ready returns an error if the process should not be asked now.
	Ready func() error
}

// CheckAddress returns an error for an address that others could reach: whoever may connect sees
// everything.
func CheckAddress(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %.80q: it must be host:port, such as 127.0.0.1:7471", address)
	}
	if !isLoopback(host) {
		return fmt.Errorf("address %.80s: metrics and health are for this machine, so it must be a loopback address "+
			"such as 127.0.0.1:7471; in a container, ask from inside of it", address)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Serve answers /metrics, /healthz, /readyz and grpc.health.v1 on l until ctx ends, and closes l.
// The address of l must be one that CheckAddress allows.
func (r *Recorder) Serve(ctx context.Context, l net.Listener, h Health) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r.registry, promhttp.HandlerOpts{Timeout: metricsTime, MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, q *http.Request) { say(w, h.live(q.Context())) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, q *http.Request) { say(w, h.ready(q.Context())) })
	g := grpc.NewServer()
	defer g.Stop()
	checks := &checker{Server: health.NewServer(), of: h}
	defer checks.Shutdown()
	health1.RegisterHealthServer(g, checks)
	follow, stop := context.WithCancel(ctx)
	defer stop()
	go checks.checkUntil(follow)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Protocols: protocols, ReadHeaderTimeout: headerTime,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			host, _, err := net.SplitHostPort(q.Host)
			switch {
			case err != nil && !isLoopback(q.Host), err == nil && !isLoopback(host):
				// A page in a browser here may have another name for this address.
				http.Error(w, "this port is for this machine", http.StatusForbidden)
			case q.ProtoMajor == 2 && strings.HasPrefix(q.Header.Get("Content-Type"), "application/grpc"):
				g.ServeHTTP(w, q)
			default:
				mux.ServeHTTP(w, q)
			}
		}),
	}
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer ended()
	if err := server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics on %s: %w", l.Addr(), err)
	}
	return nil
}

// say writes one line: ok, or the fault.
func say(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, "ok")
}

func (h Health) live(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	return h.Live(ctx)
}

func (h Health) ready(ctx context.Context) error {
	if err := h.live(ctx); err != nil {
		return err
	}
	return h.Ready()
}

// A checker is the health service of grpc. It looks at each Check, and every second for whoever
// watches.
type checker struct {
	*health.Server
	of Health
}

// services are the names that may be asked for. The empty one means the whole process.
var services = []string{"", nodepb.Node_ServiceDesc.ServiceName}

func (c *checker) checkOnce(ctx context.Context) {
	is := health1.HealthCheckResponse_SERVING
	if c.of.ready(ctx) != nil {
		is = health1.HealthCheckResponse_NOT_SERVING
	}
	for _, name := range services {
		c.SetServingStatus(name, is)
	}
}

// Check implements health1.HealthServer.
func (c *checker) Check(ctx context.Context, m *health1.HealthCheckRequest) (*health1.HealthCheckResponse, error) {
	c.checkOnce(ctx)
	return c.Server.Check(ctx, m)
}

func (c *checker) checkUntil(ctx context.Context) {
	t := time.NewTicker(healthEvery)
	defer t.Stop()
	for {
		c.checkOnce(ctx)
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}
