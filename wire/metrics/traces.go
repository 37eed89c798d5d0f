package metrics

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc/stats"
)

// traces sends spans of calls to a receiver. It reads the standard variables of OpenTelemetry, most
// of them by its SDK: the endpoint, headers and certificates of the receiver, the sampler, the name
// of the service.
type traces struct{ provider *trace.TracerProvider }

// wantsTraces reports whether the environment names a receiver of traces.
func wantsTraces() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// openTraces returns nil if nobody wants traces.
func openTraces(ctx context.Context, o Options) (*traces, error) {
	if !wantsTraces() {
		return nil, nil
	}
	to, err := newExporter(ctx)
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	of, err := resource.New(ctx,
		resource.WithAttributes(
			attribute.String("service.name", "patina-"+o.Role),
			attribute.String("service.instance.id", o.Name),
			attribute.String("service.version", o.Version),
		),
		resource.WithTelemetrySDK(),
		resource.WithFromEnv(), // what it says is in force
	)
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("traces", "why", err.Error()) }))
	return &traces{trace.NewTracerProvider(trace.WithBatcher(discreet{to}), trace.WithResource(of))}, nil
}

// newExporter returns the exporter for the protocol that the environment names.
func newExporter(ctx context.Context) (trace.SpanExporter, error) {
	variable := "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	if os.Getenv(variable) == "" {
		variable = "OTEL_EXPORTER_OTLP_PROTOCOL"
	}
	if e := os.Getenv("OTEL_TRACES_EXPORTER"); e != "" && e != "otlp" {
		return nil, fmt.Errorf("OTEL_TRACES_EXPORTER is %q: only otlp and none are known", e)
	}
	switch p := cmp.Or(os.Getenv(variable), "http/protobuf"); p {
	case "grpc":
		return otlptracegrpc.New(ctx)
	case "http/protobuf":
		return otlptracehttp.New(ctx)
	default:
		return nil, fmt.Errorf("%s is %q: only grpc and http/protobuf are known", variable, p)
	}
}

// discreet exports spans without the texts of errors, which may quote a question.
type discreet struct{ trace.SpanExporter }

// ExportSpans implements trace.SpanExporter.
func (d discreet) ExportSpans(ctx context.Context, all []trace.ReadOnlySpan) error {
	out := make([]trace.ReadOnlySpan, len(all))
	for i, s := range all {
		out[i] = codeOnly{s}
	}
	return d.SpanExporter.ExportSpans(ctx, out)
}

// A codeOnly is a span whose status has no text.
type codeOnly struct{ trace.ReadOnlySpan }

// Status implements trace.ReadOnlySpan.
func (s codeOnly) Status() trace.Status { return trace.Status{Code: s.ReadOnlySpan.Status().Code} }

// options are those of both ends of a call. A Watch lasts for minutes, and a call that is not of
// the protocol has a name that its caller chose, so neither has a span.
func (t *traces) spanOptions() []otelgrpc.Option {
	return []otelgrpc.Option{
		otelgrpc.WithTracerProvider(t.provider),
		otelgrpc.WithPropagators(propagation.TraceContext{}),
		otelgrpc.WithFilter(func(info *stats.RPCTagInfo) bool {
			name := callName(info.FullMethodName)
			return name != otherCall && name != "Watch"
		}),
	}
}

func (t *traces) server() stats.Handler { return otelgrpc.NewServerHandler(t.spanOptions()...) }

func (t *traces) client() stats.Handler { return otelgrpc.NewClientHandler(t.spanOptions()...) }

// flushTime bounds the last sending of spans at the end of a process.
const flushTime = 2 * time.Second

// close sends the spans that were not sent yet.
func (t *traces) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}
