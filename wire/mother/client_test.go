package mother

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/registry/route"
	"patina/wire/config"
	"patina/wire/front"
	"patina/wire/nodepb"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newFront starts a front whose nodes are all gone, and makes it that of the user.
func newFront(t *testing.T, repositories ...string) {
	t.Helper()
	c := &config.Config{Nodes: []config.Node{{Name: "node-0", Address: "127.0.0.1:1"}}}
	for _, name := range repositories {
		c.Repositories = append(c.Repositories, config.Repository{URL: "https://" + name, Name: name, Replicas: 1})
	}
	s, err := front.New(front.Options{Config: func() *config.Config { return c }})
	check(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		s.Close()
		check(t, <-served)
	})
	t.Setenv("PATINA_MOTHER", l.Addr().String())
}

// A client that is not asked reads nothing and connects to nobody.
func TestClientThatIsNotAsked(t *testing.T) {
	before := runtime.NumGoroutine()
	c := New(filepath.Join(t.TempDir(), "none"))
	x := c.Target("git.example.com/team/lib")
	if x != c.Target("git.example.com/team/lib") || x.Name() != "git.example.com/team/lib" || len(x.Channels()) == 0 {
		t.Error("targets of one name differ")
	}
	if n := runtime.NumGoroutine(); n != before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	c.Close()
	c.Close()
}

// What is wrong with a setting is said by every call, and names the way out.
func TestFrontsThatMayNotBeAsked(t *testing.T) {
	for addresses, want := range map[string]string{
		"":                            "no front is known: join one",
		"192.0.2.1:7470":              "front 192.0.2.1:7470 is on another machine, and there is no certificate in",
		"127.0.0.1:1,front.test:7470": "front front.test:7470 is on another machine",
		"nonsense":                    `read mother from PATINA_MOTHER: "nonsense"`,
	} {
		t.Setenv("PATINA_MOTHER", addresses)
		c := New(t.TempDir())
		_, err := c.Repositories(t.Context())
		_, read := c.Target("x").Read(t.Context(), api.PackagesRequest{})
		_, counts := c.Counts(t.Context(), []string{"word"}, nil)
		_, asked := c.Target("x").Ask(t.Context(), &api.Ask{Query: "q", Text: "x", Budget: time.Second})
		for _, err := range []error{err, read, counts, asked} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", addresses, err, want)
			}
		}
		if f, ok := errors.AsType[*api.Failure](asked); !ok || f.Status != api.Unreachable {
			t.Errorf("%q: %v", addresses, asked)
		}
		c.Close()
	}
}

// The list of repositories is transferred once, and again after it has changed or when another
// front is asked.
func TestListIsKept(t *testing.T) {
	home := t.TempDir()
	c := New(home)
	defer c.Close()
	names := func() (out []string) {
		t.Helper()
		all, err := c.Repositories(t.Context())
		check(t, err)
		for _, o := range all {
			out = append(out, o.Name)
		}
		return out
	}
	newFront(t, "git.example.com/team/lib", "git.example.com/team/app")
	want := []string{"git.example.com/team/app", "git.example.com/team/lib"}
	file := filepath.Join(home, keptFolder, listFile)
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	// The front finds out meanwhile that its node is down, and then has another list.
	old, end := time.Now().Add(-time.Hour), time.Now().Add(time.Minute)
	for again := true; again; time.Sleep(time.Millisecond) {
		check(t, os.Chtimes(file, old, old))
		if got := names(); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		info, err := os.Stat(file)
		check(t, err)
		if again = info.ModTime().After(old.Add(time.Second)); again && time.Now().After(end) {
			t.Fatal("the list is written again by each call")
		}
	}
	check(t, os.WriteFile(file, []byte("{damaged"), 0o600))
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("damaged: %q", got)
	}
	newFront(t, "git.example.com/team/other")
	if got := names(); !slices.Equal(got, []string{"git.example.com/team/other"}) {
		t.Errorf("of another front: %q", got)
	}
}

// A hundred clients leave nothing behind.
func TestClientsLeaveNothing(t *testing.T) {
	newFront(t, "git.example.com/team/lib")
	one := func() {
		c := New(t.TempDir())
		defer c.Close()
		_, err := c.Repositories(t.Context())
		check(t, err)
		_, err = c.Target("git.example.com/team/lib").Read(t.Context(), api.PackagesRequest{})
		if f, ok := errors.AsType[*api.Failure](err); !ok || f.Status != api.Unreachable || !strings.Contains(f.Detail, "node-0 down") {
			t.Error(err)
		}
	}
	one()
	before := runtime.NumGoroutine()
	for range 100 {
		one()
	}
	for range 5000 {
		if runtime.NumGoroutine() <= before+8 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Connections that nobody uses are closed, and made again when something is asked.
func TestIdleConnectionsAreClosed(t *testing.T) {
	newFront(t, "git.example.com/team/lib")
	c := New(t.TempDir())
	defer c.Close()
	for range 2 {
		_, err := c.Repositories(t.Context())
		check(t, err)
		c.mu.Lock()
		set := c.set
		c.used = time.Now().Add(-idle)
		c.mu.Unlock()
		c.closeIdle()
		c.mu.Lock()
		if set == nil || c.set != nil {
			t.Error("it is kept")
		}
		c.mu.Unlock()
	}
	_, err := c.Repositories(t.Context())
	check(t, err)
	c.closeIdle() // it was used now
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set == nil {
		t.Error("it was closed under its user")
	}
}

// Sketches are kept within bounds, the newest of them. One that is damaged or of another repository
// is left out.
func TestSketchesAreKeptWithinBounds(t *testing.T) {
	c := New(t.TempDir())
	terms := map[string]int{}
	for i := range 2000 {
		terms[fmt.Sprint("word", i)] = i + 2
	}
	sketch := route.New(route.Contents{Chunks: 10_000, Counted: 10_000, Terms: terms}).Bytes()
	for i := range 2 * mostSketches {
		name := fmt.Sprint("git.example.com/team/r", i)
		check(t, c.keepSketch(head{name, "h"}, sketch))
		at := time.Now().Add(time.Duration(i-1000) * time.Second)
		check(t, os.Chtimes(c.sketchFile(name), at, at))
	}
	check(t, dropOldest(filepath.Dir(c.sketchFile(""))))
	entries, err := os.ReadDir(filepath.Dir(c.sketchFile("")))
	check(t, err)
	size := 0
	for _, e := range entries {
		info, err := e.Info()
		check(t, err)
		size += int(info.Size())
	}
	if len(entries) == 0 || len(entries) > mostSketches || size > mostKept {
		t.Errorf("%d sketches, %d bytes", len(entries), size)
	}
	last := fmt.Sprint("git.example.com/team/r", 2*mostSketches-1)
	if k, ok := c.readSketch(last); !ok || k.Hash != "h" || k.sketch.Chunks != 10_000 {
		t.Errorf("the newest: %v", ok)
	}
	if _, ok := c.readSketch("git.example.com/team/r0"); ok {
		t.Error("the oldest is kept")
	}
	check(t, os.Rename(c.sketchFile(last), c.sketchFile("git.example.com/team/r0")))
	if _, ok := c.readSketch("git.example.com/team/r0"); ok {
		t.Error("it is of another repository")
	}
	check(t, os.WriteFile(c.sketchFile(last), []byte(`{"repository":"`+last+`"}`+"\nwords"), 0o600))
	if _, ok := c.readSketch(last); ok {
		t.Error("it is damaged")
	}
	for name, b := range map[string][]byte{"too large": make([]byte, route.MaxBytes+1), "no sketch": []byte("words")} {
		if c.keepSketch(head{name, ""}, b) == nil {
			t.Errorf("%s: it was kept", name)
		}
	}
}

// A sketch is kept with its statements. Earlier versions do not send them, and those of a later
// version are left out.
func TestSketchesOfOtherVersions(t *testing.T) {
	s := route.New(route.Contents{Chunks: 9, Beliefs: 1, Stated: [][]string{{"lock", "row"}}})
	for name, statements := range map[string][]byte{
		"today": s.Statements(), "earlier": nil, "later": []byte("psb9 of another form"),
	} {
		c := New(t.TempDir())
		sent := &nodepb.Sketch{Repository: name, Sketch: s.Words(), Statements: statements}
		check(t, c.keepSketch(head{name, "h"}, sketchOf(sent)))
		k, ok := c.readSketch(name)
		if !ok || k.sketch.Beliefs != 1 || k.sketch.LacksStatements() != (name != "today") {
			t.Errorf("%s: %v, %d statements", name, ok, len(k.sketch.Statements()))
		}
	}
}

// Counts that a front sends are believed within bounds, and never make a count negative.
func TestCountsOfAReply(t *testing.T) {
	terms := []string{"lock", "page", "row"}
	f, err := frequencies(terms, &nodepb.RouteReply{
		Chunks: 100, Documents: []uint64{10, math.MaxUint64, 0},
		Candidates: []*nodepb.Candidate{
			{Repository: "a", Chunks: 30, Documents: []uint64{4, 1, 7, 9}},
			{Repository: "b", Chunks: 90, Documents: []uint64{8}},
		},
	})
	if err != nil || f.Chunks != 0 || f.Terms["lock"] != 0 || f.Terms["page"] != mostCount-1 || len(f.Terms) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	for _, m := range []*nodepb.RouteReply{{}, {Documents: []uint64{1}}, {Documents: make([]uint64, 9)}} {
		if _, err := frequencies(terms, m); err == nil {
			t.Errorf("%v was believed", m)
		}
	}
}

// A front that does not answer costs a question its short wait, and no more.
func TestSilentFrontCostsLittle(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // it accepts, and says nothing
	check(t, err)
	defer func() { _ = l.Close() }()
	t.Setenv("PATINA_MOTHER", l.Addr().String())
	c := New(t.TempDir())
	defer c.Close()
	began := time.Now()
	if _, err := c.Counts(t.Context(), []string{"word"}, nil); err == nil || err.Error() != "no answer within 50 ms" {
		t.Error(err)
	}
	if got := c.Sketches(t.Context(), []string{"git.example.com/team/lib"}); len(got) != 0 {
		t.Error(got)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("%s", took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, err = c.Target("git.example.com/team/lib").Read(ctx, api.PackagesRequest{})
	f, ok := errors.AsType[*api.Failure](err)
	if took := time.Since(began); !ok || f.Status != api.Unreachable || !strings.Contains(f.Detail, "down since") || took > time.Minute {
		t.Errorf("%s: %v", took, err)
	}
	t.Log(f.Detail)
}

// A call that is refused because too many are under way is made again for a while. Any other error
// is the outcome at once.
func TestCallsArePatient(t *testing.T) {
	full := error(&api.Failure{Status: api.Overloaded, Detail: "8 questions are under way"})
	n := 0
	got, err := patiently(t.Context(), func() (int, error) {
		if n++; n < 5 {
			return 0, full
		}
		return n, nil
	})
	if err != nil || got != 5 {
		t.Errorf("%d, %v", got, err)
	}
	n = 0
	other := &api.Failure{Status: api.Failed}
	if _, err = patiently(t.Context(), func() (int, error) { n++; return 0, other }); err != error(other) || n != 1 {
		t.Errorf("%v after %d calls", err, n)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err = patiently(ctx, func() (int, error) { return 0, full }); err != full {
		t.Error(err)
	}
}
