package metrics

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	health1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/serve"
)

// repository is the name of these tests' project on the wire.
const repository = "git.example.com/team/app"

// question is what these tests ask. None of its words may be seen from outside.
const question = "dial zebrafish retries"

// ample is enough time for any answer, on a machine as busy as may be.
const ample = time.Hour

// newEngine scrapes a project and opens an engine on it.
func newEngine(t *testing.T) *actors.Engine {
	t.Helper()
	p := actors.Project{ID: "id", Name: repository, Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "store")}
	scrapetest.Tree(t, p.Root, map[string]string{"net/dial.go": "package net\n\n// Dial connects with retries.\nfunc Dial() {}\n"})
	o := scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}
	if _, err := scrape.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	e, err := actors.Open(actors.Options{Projects: []actors.Project{p}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

func openRecorder(t *testing.T, o Options) *Recorder {
	t.Helper()
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// startNode serves the project of an engine and returns its address.
func startNode(t *testing.T, e *actors.Engine, r *Recorder, slots int) (*serve.Server, string) {
	t.Helper()
	b := serve.NewEngine(e)
	x, err := e.Target(repository)
	if err != nil {
		t.Fatal(err)
	}
	h := &nodepb.Hosted{Repository: repository, Head: "1", ScrapedAtUnix: 1_700_000_000, Channels: x.Channels()}
	if err := b.Host(h, repository); err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Options{Backend: b, Slots: slots, GRPC: r.ServerOptions(), Expires: func() time.Time { return time.Unix(2_000_000_000, 0) }})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// show serves a recorder and returns the address.
func show(t *testing.T, r *Recorder, h Health) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, l, h) }()
	t.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// get returns the status and the body of a page.
func get(t *testing.T, address, path string) (int, string) {
	t.Helper()
	reply, err := http.Get("http://" + address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	b, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(b)
}

// scraped is what Prometheus reads of a process.
type scraped map[string]*dto.MetricFamily

// scrapeAll reads the metrics of an address as Prometheus does. Its linter must have no complaint.
func scrapeAll(t *testing.T, address string) (scraped, string) {
	t.Helper()
	code, text := get(t, address, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, text)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	all, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	return all, text
}

// value returns a value with some labels, "name", "value" and so on. It is -1 if there is none.
func (s scraped) value(name string, labels ...string) float64 {
	for _, m := range s[name].GetMetric() {
		got := map[string]string{}
		for _, l := range m.GetLabel() {
			got[l.GetName()] = l.GetValue()
		}
		is := true
		for i := 0; i+1 < len(labels); i += 2 {
			is = is && got[labels[i]] == labels[i+1]
		}
		if !is {
			continue
		}
		switch {
		case m.Counter != nil:
			return m.Counter.GetValue()
		case m.Gauge != nil:
			return m.Gauge.GetValue()
		case m.Histogram != nil:
			return float64(m.Histogram.GetSampleCount())
		}
	}
	return -1
}

// The metrics of a node and of one who asks it are those of the calls that were made, and hold
// no word of a question.
func TestMetrics(t *testing.T) {
	node := openRecorder(t, Options{Role: "node", Name: "node-a", Version: "v1"})
	server, address := startNode(t, newEngine(t), node, 0)
	node.AddServer(server.Base)
	scraped := time.Unix(1_700_000_000, 0)
	node.AddRepositories(func() []Repository {
		return []Repository{{Name: repository, Hosted: true, ScrapedAt: scraped, Fetches: 5, FetchErrors: 2, Scrapes: 1}}
	})
	node.AddCertificate(func() time.Time { return time.Unix(1_900_000_000, 0) })
	front := openRecorder(t, Options{Role: "front", Name: "front-a", Version: "v1"})
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	set, err := peer.New(peer.Options{
		Nodes: []config.Node{{Name: "node-a", Address: address}, {Name: "node-b", Address: nobody.Addr().String()}},
		Dial:  front.DialOptions,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	front.AddNodes(set)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	asking, err := actors.Open(actors.Options{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = asking.Close(context.Background()) })
	x, err := set.Target(repository)
	if err != nil {
		t.Fatal(err)
	}
	if err := asking.AddTarget(x); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		a, err := asking.Scry(t.Context(), api.Request{Text: question, Timeout: ample})
		if err != nil || a.Partial {
			t.Fatal(a, err)
		}
	}
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, method := range []string{"/patina.node.v1.Node/Zebrafish", "/zebrafish/Zebrafish"} {
		var none nodepb.ReadReply
		if err := conn.Invoke(t.Context(), method, &nodepb.ReadRequest{}, &none); status.Code(err) != codes.Unimplemented {
			t.Error(err)
		}
	}
	well := Health{Live: func(context.Context) error { return nil }, Ready: func() error { return nil }}
	nodeAt, frontAt := show(t, node, well), show(t, front, well)
	var of both
	for { // the last calls are counted just after they are answered
		of.node, of.nodeText = scrapeAll(t, nodeAt)
		of.front, of.frontText = scrapeAll(t, frontAt)
		if of.node.value("patina_node_calls_total", "rpc", "Query", "code", "OK") >= 3 &&
			of.front.value("patina_peer_calls_total", "rpc", "Query") >= 3 {
			break
		}
	}
	for _, test := range []struct {
		name   string
		labels []string
		want   float64
	}{
		{"patina_build_info", []string{"version", "v1", "role", "node", "name", "node-a"}, 1},
		{"patina_node_calls_total", []string{"rpc", "Query", "code", "OK"}, 3},
		{"patina_node_reply_seconds", []string{"rpc", "Query"}, 3},
		{"patina_node_in_flight", nil, 0},
		{"patina_node_slots", nil, 256},
		{"patina_node_draining", nil, 0},
		{"patina_node_refused_total", []string{"reason", "rate"}, 0},
		{"patina_repository_hosted", []string{"repository", repository}, 1},
		{"patina_repository_index_timestamp_seconds", nil, 1_700_000_000},
		{"patina_repository_fetches_total", nil, 5},
		{"patina_repository_fetch_errors_total", nil, 2},
		{"patina_certificate_expiry_timestamp_seconds", nil, 1_900_000_000},
	} {
		if got := of.node.value(test.name, test.labels...); got != test.want {
			t.Errorf("node: %s%q is %v, want %v", test.name, test.labels, got, test.want)
		}
	}
	for _, test := range []struct {
		name   string
		labels []string
		want   float64
	}{
		{"patina_peer_state", []string{"node", "node-a", "state", "up"}, 1},
		{"patina_peer_state", []string{"node", "node-a", "state", "down"}, 0},
		{"patina_peer_state", []string{"node", "node-b", "state", "down"}, 1},
		{"patina_peer_repositories", []string{"node", "node-a"}, 1},
		{"patina_peer_certificate_expiry_timestamp_seconds", []string{"node", "node-a"}, 2_000_000_000},
		{"patina_peer_certificate_expiry_timestamp_seconds", []string{"node", "node-b"}, -1},
		{"patina_peer_oldest_index_timestamp_seconds", []string{"node", "node-a"}, 1_700_000_000},
		{"patina_peer_hedges_total", []string{"node", "node-a"}, 0},
		{"patina_peer_calls_total", []string{"node", "node-a", "rpc", "Query", "code", "OK"}, 3},
		{"patina_peer_reply_seconds", []string{"node", "node-a", "rpc", "Query"}, 3},
		{"patina_repositories", nil, 1},
		{"patina_repositories_unreachable", nil, 0},
	} {
		if got := of.front.value(test.name, test.labels...); got != test.want {
			t.Errorf("front: %s%q is %v, want %v", test.name, test.labels, got, test.want)
		}
	}
	for _, name := range []string{"process_resident_memory_bytes", "go_goroutines", "patina_node_received_bytes_total", "patina_node_connections"} {
		if of.node.value(name) <= 0 {
			t.Errorf("%s is %v", name, of.node.value(name))
		}
	}
	for _, text := range []string{of.nodeText, of.frontText} {
		if strings.Contains(strings.ToLower(text), "zebrafish") {
			t.Errorf("what was asked is seen from outside:\n%s", text)
		}
	}
}

// both is what Prometheus reads of a node and of a front.
type both struct {
	node, front         scraped
	nodeText, frontText string
}

// Health is the same by HTTP and by grpc, and changes with the process.
func TestHealth(t *testing.T) {
	var hangs, drains atomic.Bool
	r := openRecorder(t, Options{Role: "node", Name: "node-a"})
	address := show(t, r, Health{
		Live: func(ctx context.Context) error {
			if hangs.Load() {
				<-ctx.Done()
				return errors.New("the repositories hang")
			}
			return nil
		},
		Ready: func() error {
			if drains.Load() {
				return errors.New("the node is draining")
			}
			return nil
		},
	})
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	client := health1.NewHealthClient(conn)
	want := func(live, ready int, text string, is health1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		if code, said := get(t, address, "/healthz"); code != live || live != 200 && said != text {
			t.Errorf("healthz: %d %q", code, said)
		}
		if code, said := get(t, address, "/readyz"); code != ready || said != text {
			t.Errorf("readyz: %d %q", code, said)
		}
		for _, name := range []string{"", "patina.node.v1.Node"} {
			got, err := client.Check(t.Context(), &health1.HealthCheckRequest{Service: name})
			if err != nil || got.GetStatus() != is {
				t.Errorf("%q: %v, %v", name, got, err)
			}
		}
	}
	watch, err := client.Watch(t.Context(), &health1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	hears := func(is health1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		for {
			m, err := watch.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if m.GetStatus() == is {
				return
			}
		}
	}
	want(200, 200, "ok\n", health1.HealthCheckResponse_SERVING)
	hears(health1.HealthCheckResponse_SERVING)
	drains.Store(true)
	want(200, 503, "the node is draining\n", health1.HealthCheckResponse_NOT_SERVING)
	hears(health1.HealthCheckResponse_NOT_SERVING)
	hangs.Store(true)
	want(503, 503, "the repositories hang\n", health1.HealthCheckResponse_NOT_SERVING)
	if _, err := client.Check(t.Context(), &health1.HealthCheckRequest{Service: "other"}); status.Code(err) != codes.NotFound {
		t.Error(err)
	}
	if code, _ := get(t, address, "/other"); code != http.StatusNotFound {
		t.Error(code)
	}
	m, err := http.NewRequest(http.MethodGet, "http://"+address+"/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	m.Host = "rebound.example.com:80"
	reply, err := http.DefaultClient.Do(m)
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusForbidden {
		t.Error(reply.Status)
	}
}

func TestNameOf(t *testing.T) {
	for method, want := range map[string]string{
		"/patina.node.v1.Node/Query": "Query", "/patina.node.v1.Front/Renew": "Renew",
		"/patina.node.v1.Node/Renew": otherCall, "/zebrafish/Query": otherCall, "": otherCall,
	} {
		if got := callName(method); got != want {
			t.Errorf("%q: %q", method, got)
		}
	}
}

func TestCheckAddress(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:7471": true, "localhost:0": true, "[::1]:7471": true,
		":7471": false, "0.0.0.0:7471": false, "10.0.0.1:7471": false, "example.com:1": false, "7471": false, "": false,
	} {
		if err := CheckAddress(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}
