package ui

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/deliver"
	"patina/registry/mother"
	"patina/scrape"
	"patina/scrape/scrapetest"
)

// A slowMother reaches one repository of another machine, behind a gate.
type slowMother struct {
	visit.Mother
	target api.Target
}

func (m slowMother) Target(string) api.Target { return m.target }

// A slowTarget is a repository that answers once its gate is open.
type slowTarget struct {
	api.Target
	name  string
	gate  chan struct{}
	asked *atomic.Int32
	left  chan struct{} // closed when the asker has left
}

func (t slowTarget) Name() string { return t.name }

func (t slowTarget) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	t.asked.Add(1)
	select {
	case <-t.gate:
	case <-ctx.Done():
		close(t.left)
		return nil, ctx.Err()
	}
	l, err := t.Target.Ask(ctx, m)
	if err == nil {
		l.From = t.name
	}
	return l, err
}

func (t slowTarget) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	d, err := t.Target.Describe(ctx, m)
	if d != nil {
		d.From = t.name
	}
	return d, err
}

// slowStove adds a repository of another machine, called stove, to those of a site.
func slowStove(t *testing.T, s *site) slowTarget {
	t.Helper()
	root := filepath.Join(t.TempDir(), "stove")
	must(t, os.Mkdir(root, 0o755))
	scrapetest.Tree(t, root, map[string]string{"stove.go": "package stove\n\n// Glow heats water on the plate.\nfunc Glow() {}\n"})
	scrapetest.Git(t, root, "init", "-q")
	t.Setenv("PATINA_HOME", t.TempDir()) // of the other machine
	place, err := project.At(root, "")
	must(t, err)
	_, err = project.Scrape(t.Context(), place, scrape.Options{}, func(error) {})
	must(t, err)
	place, err = project.At(root, "")
	must(t, err)
	e, err := project.Open(t.Context(), place, time.Minute)
	must(t, err)
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	target, err := e.Target("stove")
	must(t, err)
	t.Setenv("PATINA_HOME", s.home)
	const name = "git.example.com/team/stove"
	_, err = mother.AddFar(t.Context(), s.home, name)
	must(t, err)
	slow := slowTarget{target, name, make(chan struct{}), new(atomic.Int32), make(chan struct{})}
	s.server.mother = slowMother{s.server.mother, slow}
	return slow
}

// firstPart asks, and returns the part of the answer that is shown while the stove alone is asked.
// rest has the parts that follow.
func (s *site) firstPart(ctx context.Context, path string) (part string, rest *bufio.Reader, done func()) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.server.Address+path, nil)
	must(s.t, err)
	a, err := s.client.Do(r)
	must(s.t, err)
	rest = bufio.NewReader(a.Body)
	var b strings.Builder
	for !strings.HasSuffix(b.String(), nextPart) || !strings.Contains(b.String(), "Still asking stove…") {
		if strings.HasSuffix(b.String(), nextPart) { // on a busy machine, channels of home are late, too
			b.Reset()
		}
		c, err := rest.ReadByte()
		if err != nil {
			s.t.Fatalf("it ended without a first part: %v\n%s", err, b.String())
		}
		b.WriteByte(c)
	}
	return b.String(), rest, func() { _ = a.Body.Close() }
}

// What home has found is there while another machine is still asked. The whole answer follows, and
// everybody was asked once.
func TestResultsAsTheyCome(t *testing.T) {
	s := siteOf(t, kettle, true)
	slow := slowStove(t, s)
	const path = "/part/answers?q=what+heats+water&repo=stove"
	first, rest, done := s.firstPart(t.Context(), path)
	defer done()
	for _, want := range []string{"boil.go", "so far. Still asking stove…", `class="wait"`, "heats water"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in the first part:\n%s", want, first)
		}
	}
	if strings.Contains(first, "stove.go") || strings.Contains(first, "intent:") {
		t.Errorf("the first part has what is not there yet:\n%s", first)
	}
	close(slow.gate)
	b, err := io.ReadAll(rest)
	must(t, err)
	for _, want := range []string{"boil.go", "stove.go", "in stove", "The answer is complete", "intent:"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in the last part:\n%s", want, b)
		}
	}
	if strings.Contains(string(b), "Still asking") || strings.Contains(string(b), nextPart) || slow.asked.Load() != 1 {
		t.Errorf("asked %d times:\n%s", slow.asked.Load(), b)
	}
	// An answer that comes at once has one part.
	if text := s.contains("/part/answers?q=what+heats+water", "boil.go", "intent:"); strings.Contains(text, nextPart) {
		t.Logf("home alone was late:\n%s", text)
	}
}

// A reader who leaves ends the question.
func TestLeavingEndsTheQuestion(t *testing.T) {
	s := siteOf(t, kettle, true)
	slow := slowStove(t, s)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	_, _, done := s.firstPart(ctx, "/part/answers?q=what+heats+water&repo=stove")
	leave()
	done()
	select {
	case <-slow.left:
	case <-time.After(time.Minute):
		t.Error("the other machine is still asked")
	}
}

// If the rest of an answer does not come, what is shown stays, and it can be asked for again.
func TestRestThatDoesNotCome(t *testing.T) {
	s := siteOf(t, kettle, true)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/part/answers?q=water", nil)
	w := httptest.NewRecorder()
	v := &view{Server: s.server, w: w, r: r, query: r.URL.Query(), isPart: true}
	first := &answerView{Results: []result{{Part: deliver.Part{Name: "boil.go"}}}, Awaited: []string{"stove"}}
	must(t, v.writeSoFar(first))
	must(t, v.endEarly(first, api.ErrClosed))
	parts := strings.Split(w.Body.String(), nextPart)
	for _, want := range []string{"boil.go", "The rest of the answer did not come.", "engine is closed", `hx-get="/part/answers?q=water"`, `hx-target="closest section"`} {
		if len(parts) != 2 || !strings.Contains(parts[1], want) {
			t.Errorf("no %q in the last of %d parts:\n%s", want, len(parts), w.Body)
		}
	}
}
