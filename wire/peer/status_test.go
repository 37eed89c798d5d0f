package peer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/actors/api"
	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// lines is the log of a test, as JSON.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

// with returns the lines with a message, without their times.
func (l *lines) with(message string) []map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []map[string]any
	for line := range strings.Lines(l.all.String()) {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) == nil && fields["msg"] == message {
			out = append(out, fields)
		}
	}
	return out
}

// A set whose nodes end and come back says so, once a change, and which repositories are without a
// node.
func TestStatusAndLog(t *testing.T) {
	p := newProject(t)
	expires := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	f := newFar(t, p, nil)
	f.kill()
	f.expires = func() time.Time { return expires }
	f.start(t)
	hidden := &nodepb.Hosted{Repository: "git.example.com/team/hidden", ScrapedAtUnix: 1}
	if err := f.backend.(*serve.Engine).Host(hidden, repository); err != nil {
		t.Fatal(err)
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close() // its port has no listener
	var log lines
	s, err := New(Options{
		Nodes: []config.Node{{Name: "node-a", Address: f.address}, {Name: "node-b", Address: nobody.Addr().String()}},
		Log:   slog.New(slog.NewJSONHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := asking(t, s)
	for range fewest {
		if _, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: patient}); err != nil {
			t.Fatal(err)
		}
	}
	plan := map[string][]string{repository: {"node-a"}, "git.example.com/team/new": {"node-b"}}
	may := func(name string) bool { return name != hidden.GetRepository() }
	status := func(all bool) *nodepb.StatusReply {
		return s.Status(&nodepb.StatusRequest{Replicas: all}, plan, may)
	}
	got := status(true)
	a, b := got.GetNodes()[0], got.GetNodes()[1]
	if a.GetState() != "up" || a.GetRepositories() != 1 || a.GetP50Us() <= 0 || a.GetP99Us() < a.GetP50Us() ||
		a.GetCertificateUnix() != expires.Unix() || a.GetOldestUnix() != 0 || a.GetVersion() != "test" {
		t.Error(a)
	}
	if b.GetState() != "down" || b.GetWhy() == "" || b.GetCertificateUnix() != 0 {
		t.Error(b)
	}
	if r := got.GetRepositories(); len(r) != 2 || r[0].GetRepository() != repository || !r[0].GetReplicas()[0].GetUp() ||
		len(r[1].GetReplicas()) != 0 || r[1].GetDeclared()[0] != "node-b" {
		t.Error(r)
	}
	if r := status(false).GetRepositories(); len(r) != 1 || r[0].GetRepository() != "git.example.com/team/new" {
		t.Error(r)
	}
	f.kill()
	await(is(s, "node-a", Down))
	if r := status(false).GetRepositories(); len(r) != 2 || r[0].GetReplicas()[0].GetUp() {
		t.Error(r)
	}
	f.start(t)
	await(is(s, "node-a", Up))
	await(func() bool { return len(log.with("repositories are answered for")) == 2 })
	var changes []string
	for _, l := range log.with("node changed") {
		changes = append(changes, fmt.Sprintf("%s %s-%s", l["node"], l["from"], l["to"]))
		if at, err := time.Parse(time.RFC3339Nano, l["since"].(string)); err != nil || time.Since(at) > time.Minute {
			t.Error(l)
		}
		if l["to"] == "down" && (l["why"] == "" || l["level"] != "WARN") {
			t.Error(l)
		}
	}
	for _, want := range []string{"node-a unknown-up", "node-b unknown-down", "node-a up-down", "node-a down-up"} {
		if n := strings.Count(strings.Join(changes, ",")+",", want+","); n != 1 {
			t.Errorf("%s: %d times in %q", want, n, changes)
		}
	}
	lost := log.with("no node answers for repositories")
	if len(lost) != 1 || lost[0]["count"] != 2.0 || lost[0]["repositories"] != repository+", "+hidden.GetRepository() {
		t.Error(lost)
	}
}

func TestNamed(t *testing.T) {
	var many []string
	for i := range mostNamed + 2 {
		many = append(many, fmt.Sprintf("r%02d", i))
	}
	if got := joinNames(many); !strings.HasSuffix(got, "r09 and 2 more") || joinNames(many[:2]) != "r00, r01" {
		t.Error(got)
	}
}
