package metrics

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/encoding/prototext"
)

// A receiver is a collector of traces, by the protocol of OpenTelemetry.
type receiver struct {
	collector.UnimplementedTraceServiceServer
	address string

	mu  sync.Mutex
	all []*tracepb.ResourceSpans
}

// Export implements collector.TraceServiceServer.
func (r *receiver) Export(_ context.Context, m *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, m.GetResourceSpans()...)
	return &collector.ExportTraceServiceResponse{}, nil
}

func startReceiver(t *testing.T) *receiver {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r, g := &receiver{address: l.Addr().String()}, grpc.NewServer()
	collector.RegisterTraceServiceServer(g, r)
	served := make(chan error, 1)
	go func() { served <- g.Serve(l) }()
	t.Cleanup(func() {
		g.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return r
}

// A sent is a span with the name of the service that has sent it.
type sent struct {
	*tracepb.Span
	service, instance string
}

// spans returns the spans of a call that have come so far.
func (r *receiver) spans(name string) (out []sent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range r.all {
		s := sent{}
		for _, a := range of.GetResource().GetAttributes() {
			switch a.GetKey() {
			case "service.name":
				s.service = a.GetValue().GetStringValue()
			case "service.instance.id":
				s.instance = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range of.GetScopeSpans() {
			for _, x := range scope.GetSpans() {
				if s.Span = x; strings.HasSuffix(x.GetName(), name) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// text returns all that was received.
func (r *receiver) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, s := range r.all {
		b.WriteString(prototext.Format(s))
	}
	return b.String()
}

// joined returns whether a question went from a front to a node in one trace: the span of the node
// is the child of one of the front, and that of another of the front.
func joined(all []sent) bool {
	byID := map[string]sent{}
	for _, s := range all {
		byID[hex.EncodeToString(s.GetSpanId())] = s
	}
	for _, s := range all {
		asks := byID[hex.EncodeToString(s.GetParentSpanId())]
		if s.service != "patina-node" || s.GetKind() != tracepb.Span_SPAN_KIND_SERVER || asks.service != "kitchen" ||
			asks.GetKind() != tracepb.Span_SPAN_KIND_CLIENT {
			continue
		}
		passes := byID[hex.EncodeToString(asks.GetParentSpanId())]
		if passes.service == "kitchen" && passes.GetKind() == tracepb.Span_SPAN_KIND_SERVER && passes.instance == "front-0" &&
			string(passes.GetTraceId()) == string(s.GetTraceId()) {
			return true
		}
	}
	return false
}

// A cluster is one that "patina node init" has made, with a process for each node and front.
type cluster struct {
	patina, dir string
	env         []string
}

// buildPatina builds the program.
func buildPatina(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "patina")
	c := exec.Command("go", "build", "-tags", "sqlite_fts5,sqlite_omit_load_extension", "-o", out, "patina/cmd/patina")
	if b, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return out
}

// run runs the program with a home, and returns what it printed and how it exited.
func (c *cluster) run(t *testing.T, home string, args ...string) (out string, code int) {
	t.Helper()
	x := exec.Command(c.patina, args...)
	x.Dir = filepath.Join(c.dir, "example", "till")
	if _, err := os.Stat(x.Dir); err != nil {
		x.Dir = filepath.Dir(c.dir)
	}
	x.Env = append(c.env, "PATINA_HOME="+home)
	b, err := x.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(b), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b), 0
}

// do runs the program, which must exit with 0.
func (c *cluster) do(t *testing.T, home string, args ...string) {
	t.Helper()
	if out, code := c.run(t, home, args...); code != 0 {
		t.Fatalf("%q: %d, %s", args, code, out)
	}
}

func (c *cluster) home(name string) string { return filepath.Join(c.dir, name) }

// A member is a process of a cluster.
type member struct {
	*exec.Cmd
	status string // where it answers for metrics and health

	mu  sync.Mutex
	log strings.Builder
}

var addressOf = regexp.MustCompile(`msg="metrics and health".* address=(\S+)`)

// start starts a node or a front, with an address of metrics and health or without, and waits until
// it serves.
func (c *cluster) start(t *testing.T, name string, status bool, env ...string) *member {
	t.Helper()
	args := []string{"node", "serve", "--config", c.home("cluster")}
	if strings.HasPrefix(name, "front") {
		args[1] = "front"
		args = append(args, "--ca", c.home("ca"))
	}
	if status {
		args = append(args, "--status", "127.0.0.1:0")
	}
	m := &member{Cmd: exec.Command(c.patina, args...)}
	m.Env = append(append(c.env, "PATINA_HOME="+c.home(name)), env...)
	errs, err := m.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	serving, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			m.mu.Lock()
			m.log.WriteString(lines.Text() + "\n")
			m.mu.Unlock()
			if found := addressOf.FindStringSubmatch(lines.Text()); found != nil {
				m.status = found[1]
			}
			if strings.Contains(lines.Text(), "msg=serving") {
				close(serving)
			}
		}
		_ = m.Wait()
	}()
	t.Cleanup(func() {
		_ = m.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s:\n%s", name, m.text())
		}
	})
	select {
	case <-serving:
	case <-ended:
		t.Fatalf("%s: %s", name, m.text())
	}
	return m
}

func (m *member) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.log.String()
}

// nodeStatus is what a test reads of "patina node status --json".
type nodeStatus struct {
	Front struct{ Name string }
	Nodes []struct {
		Name, State  string
		Repositories int
		P50          float64    `json:"p50_ms"`
		OldestIndex  *time.Time `json:"oldest_index"`
		Expires      *time.Time `json:"certificate_expires"`
	}
	Unanswered []struct {
		Name     string
		Declared []string
	}
}

func (c *cluster) status(t *testing.T, home string) (s nodeStatus, code int) {
	t.Helper()
	out, code := c.run(t, home, "node", "status", "--json")
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatalf("%d, %v: %s", code, err, out)
	}
	return s, code
}

// await waits until something holds, for as long as go test lets it.
func await(holds func() bool) {
	for !holds() {
		time.Sleep(10 * time.Millisecond)
	}
}

// Three nodes and a front, each a process with a home and a certificate of its own, are seen from
// outside while a user asks: by Prometheus, by the health service of grpc, by a collector of
// traces, by "node status" and by doctor. Nodes are killed, and all of them say so. No word of the
// question is seen.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := &cluster{patina: buildPatina(t), dir: filepath.Join(t.TempDir(), "try"), env: append(os.Environ(), "NO_COLOR=1")}
	if out, code := c.run(t, t.TempDir(), "node", "init", c.dir); code != 0 {
		t.Fatal(out)
	}
	to := startReceiver(t)
	traced := []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + to.address, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_BSP_SCHEDULE_DELAY=50",
	}
	nodes := map[string]*member{}
	for _, name := range []string{"node-0", "node-1", "node-2"} {
		nodes[name] = c.start(t, name, true, traced...)
	}
	front := c.start(t, "front-0", true, append(traced, "OTEL_SERVICE_NAME=kitchen")...)
	user := filepath.Join(c.dir, "user")
	line, code := c.run(t, t.TempDir(), "node", "invite", "anna", "--config", c.home("cluster"), "--ca", c.home("ca"))
	token := regexp.MustCompile(`patina-join-\S+`).FindString(line)
	if code != 0 || token == "" {
		t.Fatal(line)
	}
	c.do(t, user, "node", "join", token)
	await(func() bool { _, code := c.status(t, user); return code == 0 })
	c.do(t, user, "scrape")
	c.do(t, user, "repo", "add", "--from-mother", "example.org/shop/courier")
	await(func() bool {
		out, _ := c.run(t, user, "scry", "--repo", "courier", "how long is the pause between two attempts of a zebrafish")
		return strings.Contains(out, "retry") && joined(to.spans("/Query"))
	})

	for name, m := range nodes {
		all, text := scrapeAll(t, m.status)
		if all.value("patina_build_info", "role", "node", "name", name) != 1 ||
			all.value("patina_repository_hosted") != 1 || all.value("patina_repository_fetches_total") < 1 ||
			all.value("patina_certificate_expiry_timestamp_seconds") < float64(time.Now().Unix()) ||
			all.value("process_resident_memory_bytes") < 1<<20 {
			t.Errorf("%s:\n%s", name, text)
		}
		if code, said := get(t, m.status, "/readyz"); code != 200 {
			t.Errorf("%s: %s", name, said)
		}
		conn, err := grpc.NewClient("passthrough:///"+m.status, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		is, err := health1.NewHealthClient(conn).Check(t.Context(), &health1.HealthCheckRequest{})
		if err != nil || is.GetStatus() != health1.HealthCheckResponse_SERVING {
			t.Errorf("%s: %v, %v", name, is, err)
		}
		_ = conn.Close()
		if out, code := c.run(t, c.home(name), "node", "status", "--self", "--ready"); code != 0 || out != "node "+name+": ok\n" {
			t.Errorf("%s: %d, %s", name, code, out)
		}
	}
	all, text := scrapeAll(t, front.status)
	if all.value("patina_node_calls_total", "rpc", "Query", "code", "OK") < 1 || all.value("patina_repositories") != 3 ||
		all.value("patina_repositories_unreachable") != 0 || all.value("patina_peer_state", "node", "node-1", "state", "up") != 1 ||
		all.value("patina_peer_certificate_expiry_timestamp_seconds", "node", "node-2") < float64(time.Now().Unix()) {
		t.Errorf("front:\n%s", text)
	}
	s, code := c.status(t, user)
	if code != 0 || s.Front.Name != "front-0" || len(s.Nodes) != 3 || len(s.Unanswered) != 0 {
		t.Errorf("%d, %+v", code, s)
	}
	answered := false
	for _, n := range s.Nodes {
		answered = answered || n.P50 > 0
		if n.State != "up" || n.Repositories == 0 || n.OldestIndex == nil || n.Expires == nil || time.Until(*n.Expires) < 24*time.Hour {
			t.Errorf("%+v", n)
		}
	}
	if !answered {
		t.Errorf("no node has answered: %+v", s.Nodes)
	}
	if out, code := c.run(t, user, "doctor"); code != 0 || !strings.Contains(out, ": front-0, version ") ||
		!strings.Contains(out, "user/anna, certificate valid until ") {
		t.Errorf("%d, %s", code, out)
	}

	for _, name := range []string{"node-1", "node-2"} {
		if err := nodes[name].Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	await(func() bool { _, code := c.status(t, user); return code == 1 })
	await(func() bool {
		s, _ = c.status(t, user)
		return s.Nodes[1].State == "down" && s.Nodes[2].State == "down"
	})
	if s.Nodes[0].State != "up" || len(s.Unanswered) != 2 || len(s.Unanswered[0].Declared) != 2 {
		t.Errorf("%+v", s)
	}
	if out, code := c.run(t, user, "node", "status"); code != 1 || !strings.Contains(out, "no node answers for 2 of the repositories:\n") {
		t.Errorf("%d, %s", code, out)
	}
	if out, code := c.run(t, user, "node", "list"); code != 0 || !strings.Contains(out, "node-0, node-1 (down)") &&
		!strings.Contains(out, "node-0, node-2 (down)") {
		t.Errorf("%d, %s", code, out)
	}
	if out, code := c.run(t, c.home("node-1"), "node", "status", "--self"); code != 1 || !strings.HasPrefix(out, "no node or front is at work in ") {
		t.Errorf("%d, %s", code, out)
	}
	if out, code := c.run(t, user, "doctor"); code != 1 || !strings.Contains(out, "no node answers for 2 of your repositories") {
		t.Errorf("%d, %s", code, out)
	}
	all, text = scrapeAll(t, front.status)
	if all.value("patina_repositories_unreachable") != 2 || all.value("patina_peer_state", "node", "node-1", "state", "down") != 1 {
		t.Errorf("front:\n%s", text)
	}
	if err := front.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	await(func() bool { _, code := c.run(t, c.home("front-0"), "node", "status", "--self"); return code == 1 })
	if out, code := c.run(t, user, "node", "status"); code != 2 || !strings.Contains(out, "ask the front: ") {
		t.Errorf("%d, %s", code, out)
	}
	c.start(t, "front-0", false)
	if out, code := c.run(t, c.home("front-0"), "node", "status", "--self", "--ready"); code != 0 || out != "front front-0: ok\n" {
		t.Errorf("%d, %s", code, out)
	}

	seen := to.text() + front.text() + text
	for _, m := range nodes {
		seen += m.text()
	}
	if i := strings.Index(strings.ToLower(seen), "zebrafish"); i >= 0 {
		t.Errorf("what was asked is seen from outside: %s", seen[max(0, i-200):min(len(seen), i+200)])
	}
	if len(to.spans("/Watch")) != 0 {
		t.Error("a Watch has a span")
	}
	for _, want := range []string{"node=node-1 from=unknown to=up", "node=node-1 from=up to=down", "no node answers for repositories", "count=2"} {
		if n := strings.Count(front.text(), want); n != 1 && want != "count=2" {
			t.Errorf("%d lines have %q", n, want)
		}
	}
}

// Whoever sends no traces opens no connection for them, and what is not understood is an error.
func TestTracesByEnvironment(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		sent bool
		err  string
	}{
		{map[string]string{}, false, ""},
		{map[string]string{"OTEL_SERVICE_NAME": "a"}, false, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, true, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1/v1/traces"}, true, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "True"}, false, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"}, false, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "zipkin"}, false, "OTEL_TRACES_EXPORTER"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, false, "OTEL_EXPORTER_OTLP_PROTOCOL"},
	} {
		t.Run("", func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			r, err := Open(t.Context(), Options{Role: "node", Name: "node-a"})
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v: %v", test.env, err)
				}
				return
			}
			if err != nil || (r.traces != nil) != test.sent {
				t.Errorf("%v: %v, %v", test.env, r, err)
			}
		})
	}
}
