package metrics

import (
	"context"
	"log/slog"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"google.golang.org/grpc"

	"patina/wire/config"
)

// Options say which process is seen.
type Options struct {
	Role    string // "node" or "front"
	Name    string // in nodes.toml
	Version string // of patina
	Log     *slog.Logger
}

// A Recorder keeps the metrics of one process. It is safe for concurrent use. Close ends it.
type Recorder struct {
	options  Options
	registry *prometheus.Registry
	server   *families
	peers    *families
	traces   *traces // nil: nobody wants them
}

// Open returns a recorder with the metrics that every process has. It sends traces if the
// environment names a receiver, and returns an error if it says so in a way that is not understood.
func Open(ctx context.Context, o Options) (*Recorder, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t, err := openTraces(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &Recorder{options: o, registry: prometheus.NewRegistry(), traces: t}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "patina_build_info", Help: "The program and its part in the cluster; always 1.",
		ConstLabels: prometheus.Labels{"version": o.Version, "goversion": runtime.Version(), "role": o.Role, "name": o.Name},
	})
	build.Set(1)
	r.registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	r.server = newFamilies(r.registry, "patina_node", "to this process")
	r.peers = newFamilies(r.registry, "patina_peer", "to a node", "node")
	return r, nil
}

// ServerOptions returns the options by which the calls of a server of grpc are counted.
func (r *Recorder) ServerOptions() []grpc.ServerOption {
	all := []grpc.ServerOption{grpc.StatsHandler(r.server.handler())}
	if r.traces != nil {
		all = append(all, grpc.StatsHandler(r.traces.server()))
	}
	return all
}

// DialOptions returns the options by which the calls of a client to a node are counted.
func (r *Recorder) DialOptions(n config.Node) []grpc.DialOption {
	all := []grpc.DialOption{grpc.WithStatsHandler(r.peers.handler(n.Name))}
	if r.traces != nil {
		all = append(all, grpc.WithStatsHandler(r.traces.client()))
	}
	return all
}

// Close sends the traces that were not sent yet, until ctx ends at the latest.
func (r *Recorder) Close(ctx context.Context) error {
	if r.traces == nil {
		return nil
	}
	return r.traces.flush(ctx)
}
