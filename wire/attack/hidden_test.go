package attack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"patina/wire"
	"patina/wire/nodepb"
)

// Checks of beliefs run commands. None is run for others.
func (c *cluster) runChecks(t *testing.T) {
	folder := c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		for _, verb := range []string{"verify", "Verify", "", "scry"} {
			_, err := nodepb.NewNodeClient(p.connect(t, folder)).Read(t.Context(), &nodepb.ReadRequest{
				Repository: open, Verb: verb, Request: []byte("{}"),
			})
			if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "no look-up") {
				t.Errorf("%s: %q: %v", name, verb, err)
			}
		}
	})
}

// Sessions leave only where their project shares them, and memories nowhere by default, whatever
// the filter asks for.
func (c *cluster) unshared(t *testing.T) {
	const session, memory = "layer/sessions/20240101-120000.md", "zeppelin"
	clones, err := filepath.Glob(c.path("home", "node-0", "repos", "*", shared))
	check(t, err)
	if len(clones) != 1 {
		t.Fatalf("%q", clones)
	}
	for _, args := range [][]string{{"memory", "add", "the zeppelin is in the hangar"}, {"memory", "recall", "zeppelin"}} {
		cmd := c.command("node-0", args...)
		cmd.Dir = clones[0]
		if out, err := cmd.CombinedOutput(); err != nil || args[1] == "recall" && !strings.Contains(string(out), memory) {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	folder := c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		conn := p.connect(t, folder)
		ask := func(repository, text, filter string) string {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, lists, err := query(ctx, conn, &nodepb.AskRequest{
				Repository: repository, Text: text, Filter: []byte(filter), Limit: 20,
			})
			if code := status.Code(err); code != codes.OK && code != codes.FailedPrecondition {
				t.Errorf("%s: %s with filter %s: %v", name, repository, filter, err)
			}
			time.Sleep(time.Second / wire.MaxRate)
			return lists.String() + textOf(err)
		}
		for repository, shares := range map[string]bool{open: false, shared: true} {
			for _, filter := range []string{``, `{"Kinds":["session"]}`, `{"Kinds":["session","memory","code"]}`} {
				said := ask(repository, "where is the walrus", filter)
				if found := strings.Contains(said, session); found && !shares || !found && shares && filter == `{"Kinds":["session"]}` {
					t.Errorf("%s: %s with filter %s: found is %v: %s", name, repository, filter, found, said)
				}
			}
			m := &nodepb.ReadRequest{Repository: repository, Verb: "detail", Request: []byte(`{"DocID":"` + session + `"}`)}
			reply, err := nodepb.NewNodeClient(conn).Read(t.Context(), m)
			if told := bytes.Contains(reply.GetAnswer(), []byte("walrus moved")); told != shares {
				t.Errorf("%s: %s: its text is told: %v; %v, %v", name, repository, told, reply, err)
			}
			for _, filter := range []string{``, `{"Kinds":["memory"]}`, `{"Kinds":["persona"]}`} {
				if said := ask(repository, "zeppelin", filter); strings.Contains(said, memory) {
					t.Errorf("%s: %s with filter %s: %s", name, repository, filter, said)
				}
			}
		}
	})
}

func said(m proto.Message, err error) string {
	b, _ := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return hex.EncodeToString(b) + textOf(err)
}

// What is hidden from a caller is as what there is not: in every call, to the byte, and in time.
func (c *cluster) probeHidden(t *testing.T) {
	folder := c.certificates("user", "emil")
	known := c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		conn, seen := p.connect(t, folder), p.connect(t, known)
		for call, probe := range probes {
			if a, b := probe(t.Context(), conn, hidden), probe(t.Context(), conn, none); a != b {
				t.Errorf("%s: %s of a hidden repository: %s\nof none: %s", name, call, a, b)
			}
			time.Sleep(time.Second / wire.MaxRate * 3)
		}
		// Nor is it in a list of all.
		for call, all := range map[string]func() (proto.Message, error){
			"Watch": func() (proto.Message, error) {
				st, err := nodepb.NewNodeClient(conn).Watch(t.Context(), &nodepb.WatchRequest{})
				check(t, err)
				return st.Recv()
			},
			"Repositories": func() (proto.Message, error) {
				return nodepb.NewFrontClient(conn).Repositories(t.Context(), &nodepb.RepositoriesRequest{})
			},
		} {
			m, err := all()
			if text := fmt.Sprint(m); strings.Contains(text, hidden) || err == nil && !strings.Contains(text, shared) {
				t.Errorf("%s: %s of all: %v, %v", name, call, m, err)
			}
		}
		// The probes can tell what there is from what there is not.
		for _, call := range []string{"Read", "Query", "Sketches", "Watch"} {
			if a, b := probes[call](t.Context(), seen, hidden), probes[call](t.Context(), seen, none); a == b {
				t.Errorf("%s: %s tells anna nothing: %s", name, call, a)
			}
			time.Sleep(time.Second / wire.MaxRate * 3)
		}
		for _, call := range []string{"Read", "Query"} {
			c.compareTimes(t, name+": "+call, conn, probes[call])
		}
	})
}

// compareTimes measures whether a probe takes another time for a hidden repository than for none.
// The pairs are asked in random order. Without a difference one is slower in half of them, give or
// take.
func (c *cluster) compareTimes(
	t *testing.T, name string, conn *grpc.ClientConn, probe func(context.Context, *grpc.ClientConn, string) string,
) {
	t.Helper()
	const pairs = 400
	slower := 0
	var took [2][]time.Duration
	for range pairs {
		var d [2]time.Duration
		first := rand.IntN(2)
		for _, i := range []int{first, 1 - first} {
			began := time.Now()
			probe(t.Context(), conn, []string{hidden, none}[i])
			d[i] = time.Since(began)
			took[i] = append(took[i], d[i])
		}
		if d[0] > d[1] {
			slower++
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	t.Logf("%s: hidden %v, none %v at the median; hidden is slower in %d of %d pairs",
		name, took[0][pairs/2], took[1][pairs/2], slower, pairs)
	if slower < pairs*2/5 || slower > pairs*3/5 { // four standard deviations
		t.Errorf("%s: hidden is slower in %d of %d pairs", name, slower, pairs)
	}
}

// A word that comes into a hidden repository changes nothing that others are told. Those who may
// see the repository are told.
func (c *cluster) plantWord(t *testing.T) {
	who := map[string]string{"ben": c.certificates("user", "ben"), "anna": c.certificates("user", "anna")}
	// All 32-bit hashes cannot be asked for, so the sums of many are, and the chunks, which change
	// with any word.
	tell := func(user string) map[string]string {
		told := map[string]string{}
		c.both(t, func(t *testing.T, name string, p *process) {
			conn := p.connect(t, who[user])
			client := nodepb.NewNodeClient(conn)
			r, err := client.Sketches(t.Context(), &nodepb.SketchesRequest{Repositories: []string{open, hidden, shared}})
			check(t, err)
			told[name+" Sketches"] = said(r, nil)
			var stems []uint64
			for h := range uint64(400) {
				stems = append(stems, h*10_737_418)
			}
			var route *nodepb.RouteReply
			for range 100 { // a front counts beside the question, and says what its answer lacks
				route, err = client.Route(t.Context(), &nodepb.RouteRequest{Stems: stems, Candidates: []string{open, hidden}})
				check(t, err)
				if route.GetNote() == "" && route.GetChunks() > 0 {
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			told[name+" Route"] = said(route, nil)
			if route.GetChunks() == 0 {
				t.Errorf("%s: nothing is counted for %s: %v", name, user, route)
			}
		})
		return told
	}
	before := map[string]map[string]string{"ben": tell("ben"), "anna": tell("anna")}
	var text strings.Builder
	text.WriteString("package cache\n\n// Zanzibar is where")
	for i := range 400 {
		text.WriteString(" planted" + strings.Repeat("x", i%7) + string(rune('a'+i%26)))
	}
	text.WriteString("\nfunc Zanzibar() {}\n")
	c.commit(hidden, "zanzibar.go", text.String())
	c.hint(t, hidden)
	c.awaitHead(hidden, c.head(hidden))
	time.Sleep(2 * time.Second) // fronts count in rounds
	for name, want := range before["ben"] {
		if got := tell("ben")[name]; got != want {
			t.Errorf("%s: ben was told %s before, and %s since", name, want, got)
		}
	}
	for name, was := range before["anna"] {
		changed := false
		for range 100 {
			if changed = tell("anna")[name] != was; changed {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if !changed {
			t.Errorf("%s: anna is not told of a new word", name)
		}
	}
}

// hint says that a repository has something new. A hint without the secret is refused.
func (c *cluster) hint(t *testing.T, repository string) {
	t.Helper()
	body := []byte(`{"repository":"` + repository + `"}`)
	for secret, want := range map[string]int{"guessed": http.StatusForbidden, "known to the forge": http.StatusAccepted} {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.hints+"/hint", bytes.NewReader(body))
		check(t, err)
		r.Header.Set("X-Patina-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		reply, err := http.DefaultClient.Do(r)
		check(t, err)
		_ = reply.Body.Close()
		if reply.StatusCode != want {
			t.Errorf("a hint signed with %q: %s", secret, reply.Status)
		}
	}
}
