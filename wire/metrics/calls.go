package metrics

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"patina/wire/nodepb"
)

// buckets are the bounds of the times of replies, in seconds: from what a warm look-up takes to
// wire.MaxBudget.
var buckets = []float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30}

// otherCall is the name of all calls that are not of the protocol. A caller chooses the name of a
// call, and must not make a metric with it.
const otherCall = "other"

// names are the calls of the protocol, by their full names.
var names = func() map[string]string {
	all := map[string]string{}
	for _, service := range []grpc.ServiceDesc{nodepb.Node_ServiceDesc, nodepb.Front_ServiceDesc} {
		for _, m := range service.Methods {
			all["/"+service.ServiceName+"/"+m.MethodName] = m.MethodName
		}
		for _, m := range service.Streams {
			all["/"+service.ServiceName+"/"+m.StreamName] = m.StreamName
		}
	}
	return all
}()

// nameOf returns the name of a call in metrics.
func callName(method string) string {
	return cmp.Or(names[method], otherCall)
}

// families are the metrics of calls to a server, or to several.
type families struct {
	total    *prometheus.CounterVec   // by rpc and code
	seconds  *prometheus.HistogramVec // by rpc
	received *prometheus.CounterVec   // bytes
	sent     *prometheus.CounterVec   // bytes
	open     *prometheus.GaugeVec     // connections
}

// newFamilies registers metrics whose names begin with a prefix. of says in a few words which calls
// they are of, and labels are those that all of them have.
func newFamilies(r prometheus.Registerer, prefix, of string, labels ...string) *families {
	more := func(others ...string) []string { return slices.Concat(labels, others) }
	f := &families{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "_calls_total", Help: "Calls " + of + " that have ended, by the code of grpc.",
		}, more("rpc", "code")),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: prefix + "_reply_seconds", Buckets: buckets,
			Help: "Time from the beginning of a call " + of + " to its first reply, if there was one.",
		}, more("rpc")),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "_received_bytes_total", Help: "Bytes of messages received in calls " + of + ".",
		}, labels),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "_sent_bytes_total", Help: "Bytes of messages sent in calls " + of + ".",
		}, labels),
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: prefix + "_connections", Help: "Open connections for calls " + of + ".",
		}, labels),
	}
	r.MustRegister(f.total, f.seconds, f.received, f.sent, f.open)
	return f
}

// handler returns what counts the calls with some values of the labels.
func (f *families) handler(values ...string) *calls {
	return &calls{
		of: f, labels: values, received: f.received.WithLabelValues(values...), sent: f.sent.WithLabelValues(values...),
		open: f.open.WithLabelValues(values...),
	}
}

// calls are the metrics of calls to one server.
type calls struct {
	of             *families
	labels         []string
	received, sent prometheus.Counter
	open           prometheus.Gauge
}

// A call is one call under way.
type call struct {
	name    string
	began   time.Time
	replied atomic.Bool
}

type callKey struct{}

// TagRPC implements stats.Handler.
func (c *calls) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, callKey{}, &call{name: callName(info.FullMethodName), began: time.Now()})
}

// HandleRPC implements stats.Handler.
func (c *calls) HandleRPC(ctx context.Context, s stats.RPCStats) {
	of, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return
	}
	switch s := s.(type) {
	case *stats.InPayload:
		c.received.Add(float64(s.WireLength))
		if s.Client {
			c.reply(of)
		}
	case *stats.OutPayload:
		c.sent.Add(float64(s.WireLength))
		if !s.Client {
			c.reply(of)
		}
	case *stats.End:
		code := status.Code(s.Error)
		if s.Client && code == codes.Canceled && of.replied.Load() {
			code = codes.OK // the stream of a question ends so, because its asker has what it wants
		}
		c.of.total.WithLabelValues(slices.Concat(c.labels, []string{of.name, code.String()})...).Inc()
	}
}

// reply notes the first reply of a call.
func (c *calls) reply(of *call) {
	if of.replied.CompareAndSwap(false, true) {
		c.of.seconds.WithLabelValues(slices.Concat(c.labels, []string{of.name})...).Observe(time.Since(of.began).Seconds())
	}
}

// TagConn implements stats.Handler.
func (c *calls) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn implements stats.Handler.
func (c *calls) HandleConn(_ context.Context, s stats.ConnStats) {
	switch s.(type) {
	case *stats.ConnBegin:
		c.open.Inc()
	case *stats.ConnEnd:
		c.open.Dec()
	}
}
