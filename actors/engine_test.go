package actors

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/store"
	"patina/store/lookup"
	"patina/store/scrape"
)

// corpus is the content of these tests' project.
var corpus = map[string]string{
	"cache/cache.go":                     "package cache\n\n// Evict drops the least recently used entry of the cache.\nfunc Evict() {}\n",
	"net/dial.go":                        "package net\n\n// Dial opens a connection with retries.\nfunc Dial() {}\n",
	"net/listen.go":                      "package net\n\n// Listen accepts a connection.\nfunc Listen() {}\n",
	"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
	"GUIDE.md":                           "# Guide\n\n## Cache\n\nThe cache evicts entries when memory runs short.\n",
}

// newProject writes the corpus into a fresh repository and scrapes it.
func newProject(t testing.TB, name string) Project {
	t.Helper()
	p := Project{ID: "id-" + name, Name: name, Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "store")}
	for path, body := range corpus {
		full := filepath.Join(p.Root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "cache: evict entries"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.Root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if _, err := scrape.Run(t.Context(), scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}); err != nil {
		t.Fatal(err)
	}
	once.Do(func() { askOnce(t, p) })
	return p
}

var once sync.Once

// askOnce asks outside of all bubbles: what a process makes with its first question and keeps, such
// as a decoder with its channels, must not belong to one of them.
func askOnce(t testing.TB, p Project) {
	t.Helper()
	e, err := Open(Options{Projects: []Project{p}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Scry(context.Background(), Request{Text: "dial a connection", Timeout: ample}); err != nil {
		t.Error(err)
	}
	if _, err := e.Detail(context.Background(), DetailRequest{ReadOptions: patient, DocID: "net/dial.go"}); err != nil {
		t.Error(err)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// ample is enough time for any answer, on a machine as busy as may be. A test whose question hangs
// ends with go test's own timeout, which prints what every goroutine waits for.
const ample = time.Hour

// Tests of deadlines run in a bubble of testing/synctest: its clock goes on only while everybody
// there waits. So whoever has work to do is in time, on any machine, and whoever waits is late.

// newEngine opens an engine that the test closes, and checks that closing it leaves no goroutine.
func newEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() { awaitGoroutines(t, before) })
	return inBubble(t, o)
}

// inBubble opens an engine that the test closes. A bubble finds goroutines that are left by itself.
func inBubble(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
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

// awaitGoroutines waits for goroutines that are on their last instructions, and fails if more than
// n remain. Of the time between two looks little counts: this process may not have run meanwhile.
func awaitGoroutines(t testing.TB, n int) {
	t.Helper()
	const patience, counts = 30 * time.Second, 10 * time.Millisecond
	waited, last := time.Duration(0), time.Now()
	for ; runtime.NumGoroutine() > n; runtime.Gosched() {
		waited += min(time.Since(last), counts)
		last = time.Now()
		if waited > patience {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), n, stacks[:runtime.Stack(stacks, true)])
			return
		}
	}
}

// A script is an oracle that does as the test says.
type script struct {
	name string
	does func(ctx context.Context, q oracles.Question) ([]oracles.List, error)
}

func (s script) Name() string { return s.name }

func (s script) Open(oracles.Project) (oracles.Channel, error) { return s, nil }

func (s script) Close() error { return nil }

func (s script) Query(ctx context.Context, r *store.Reader, q oracles.Question) ([]oracles.List, error) {
	ls, err := s.does(ctx, q)
	for i := range ls {
		ls[i].Channel = s.name
		ls[i].Generation += r.Generation().Number // a test may ask for a wrong one
	}
	return ls, err
}

// finds answers with files.
func finds(paths ...string) func(context.Context, oracles.Question) ([]oracles.List, error) {
	return func(context.Context, oracles.Question) ([]oracles.List, error) {
		l := oracles.List{Kind: store.Code}
		for i, p := range paths {
			l.Hits = append(l.Hits, store.Ranked{DocID: p, Path: p, Raw: float64(len(paths) - i)})
		}
		return []oracles.List{l}, nil
	}
}

// sleeps until the end of its context.
func sleeps(ctx context.Context, _ oracles.Question) ([]oracles.List, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func stateOf(t testing.TB, a *Answer, channel string) ChannelState {
	t.Helper()
	for _, c := range a.Channels {
		if c.Channel == channel {
			return c
		}
	}
	t.Fatalf("channel %q has no status: %+v", channel, a.Channels)
	return ChannelState{}
}

func TestScry(t *testing.T) {
	p := newProject(t, "app")
	e := newEngine(t, Options{Projects: []Project{p}, Fresh: func(Project, store.Generation) (int, string) { return 2, "a note" }})
	a, err := e.Scry(t.Context(), Request{Text: "where is the cache evicted", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Results) == 0 || a.Results[0].Path != "cache/cache.go" || a.Results[0].Symbol != "Evict" || a.Results[0].Rank != 1 {
		t.Errorf("results %+v", a.Results)
	}
	for _, c := range a.Channels {
		if c.Status != OK || c.Project != "app" {
			t.Errorf("%+v", c)
		}
	}
	if a.Partial || len(a.Channels) != 4 || a.Indexes[0].Behind != 2 || a.Indexes[0].Generation.Number == 0 || len(a.Notes) != 1 {
		t.Errorf("partial %v, channels %v, indexes %+v, notes %q", a.Partial, a.Channels, a.Indexes, a.Notes)
	}
}

func TestChangedFileIsMarked(t *testing.T) {
	p := newProject(t, "app")
	e := newEngine(t, Options{Projects: []Project{p}})
	if err := os.WriteFile(filepath.Join(p.Root, "cache/cache.go"), []byte("package cache // rewritten\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := e.Scry(t.Context(), Request{Text: "evict cache connection", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		if r.Changed != (r.Path == "cache/cache.go") {
			t.Errorf("%s: changed %v", r.DocID, r.Changed)
		}
	}
	if a.Indexes[0].ChangedFiles != 1 {
		t.Errorf("%d changed files", a.Indexes[0].ChangedFiles)
	}
}

func TestExactSymbolIsShown(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	a, err := e.Scry(t.Context(), Request{Text: "net/dial.go::Dial", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	r := a.Results[0]
	if !r.Exact || r.DocID != "net/dial.go::Dial" || r.Key.ID != "net/dial.go" || r.Symbol != "Dial" {
		t.Errorf("%+v", r)
	}
	a, err = e.Scry(t.Context(), Request{Text: "net/dial.go::Dial", Filter: store.Filter{Kinds: []store.Kind{store.Commit}}, Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		if r.Kind != store.Commit {
			t.Errorf("filter let %s through", r.DocID)
		}
	}
}

// One oracle sleeps past the deadline, one panics, one is unavailable, one is of another
// generation: the last one answers.
func TestTroubleCostsOnlyItself(t *testing.T) {
	trouble := []oracles.Oracle{
		script{"late", sleeps},
		script{"broken", func(context.Context, oracles.Question) ([]oracles.List, error) { panic("index out of range") }},
		script{"absent", func(context.Context, oracles.Question) ([]oracles.List, error) {
			return nil, fmt.Errorf("no git history: %w", oracles.ErrUnavailable)
		}},
		script{"other", func(context.Context, oracles.Question) ([]oracles.List, error) {
			return []oracles.List{{Kind: store.Code, Generation: 7, Hits: []store.Ranked{{DocID: "x", Path: "x"}}}}, nil
		}},
		script{"empty", func(context.Context, oracles.Question) ([]oracles.List, error) { return nil, nil }},
		script{"lexical", finds("net/dial.go")},
	}
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: trouble})
		for range 2 { // the mailboxes go on answering
			a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Results) != 1 || a.Results[0].Symbol != "Dial" || !a.Partial {
				t.Errorf("partial %v, results %+v", a.Partial, a.Results)
			}
			for channel, want := range map[string]struct {
				status Status
				detail string
			}{
				"late":    {Deadline, "deadline 750 ms"},
				"broken":  {Failed, "panic: index out of range"},
				"absent":  {Unavailable, "no git history"},
				"other":   {Failed, "list of generation 8, asked for 1"},
				"empty":   {Empty, ""},
				"lexical": {OK, ""},
			} {
				if got := stateOf(t, a, channel); got.Status != want.status || got.Detail != want.detail {
					t.Errorf("%s: %s %q, want %s %q", channel, got.Status, got.Detail, want.status, want.detail)
				}
			}
		}
	})
}

func TestRepeatedFailureRestsTheChannel(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
			script{"broken", func(context.Context, oracles.Question) ([]oracles.List, error) {
				calls.Add(1)
				return nil, errors.New("disk on fire")
			}},
			script{"lexical", finds("net/dial.go")},
		}})
		ask := func(want Status) {
			t.Helper()
			a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: ample})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "broken"); s.Status != want || !strings.Contains(s.Detail, "disk on fire") {
				t.Errorf("%+v, want %s", s, want)
			}
			if len(a.Results) != 1 {
				t.Errorf("the project did not go on: %+v", a.Results)
			}
		}
		for range failuresInARow {
			ask(Failed)
		}
		for range 3 {
			ask(Unavailable)
		}
		time.Sleep(coolDown) // of the bubble's clock
		ask(Failed)
		ask(Unavailable)
		if n := calls.Load(); n != failuresInARow+1 {
			t.Errorf("asked %d times, want %d", n, failuresInARow+1)
		}
	})
}

// Calls that ignore their context hold their slots and readers. The channel is named, and the
// others still get readers.
func TestCallsThatNeverReturn(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := inBubble(t, Options{Projects: []Project{p}, Slots: 3, Oracles: []oracles.Oracle{
			script{"stuck", func(context.Context, oracles.Question) ([]oracles.List, error) {
				<-release
				return nil, nil
			}},
			script{"lexical", finds("net/dial.go")},
		}})
		// The channel has two slots, one less than there are. Calls are given up once they are long
		// overdue.
		for i, want := range []Status{Deadline, Deadline, Deadline, Deadline, Unavailable} {
			a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "stuck"); s.Status != want {
				t.Errorf("question %d: %+v, want %s", i, s, want)
			}
			if s := stateOf(t, a, "lexical"); s.Status != OK || len(a.Results) != 1 {
				t.Errorf("question %d: %+v, %d results", i, s, len(a.Results))
			}
		}
		close(release)
	})
}

func TestOverload(t *testing.T) {
	entered, release := make(chan struct{}, 1000), make(chan struct{})
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Slots: 2, Oracles: []oracles.Oracle{
		script{"slow", func(ctx context.Context, _ oracles.Question) ([]oracles.List, error) {
			entered <- struct{}{}
			<-release
			return nil, nil
		}},
	}})
	answers := make(chan *Answer, waiting+3)
	scry := func() {
		a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}
	for range waiting + 3 { // 2 slots, the queue, and one too many
		go scry()
	}
	a := <-answers // only the one that was turned away can answer before the release
	if s := stateOf(t, a, "slow"); s.Status != Overloaded || !a.Partial {
		t.Errorf("%+v", s)
	}
	<-entered
	close(release)
	for range waiting + 2 {
		if s := stateOf(t, <-answers, "slow"); s.Status != Empty {
			t.Errorf("%+v", s)
		}
	}
}

func TestThousandAtOnce(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "a"), newProject(t, "b")}})
	var answered, shed atomic.Int32
	ids := sync.Map{}
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			a, err := e.Scry(t.Context(), Request{Text: "evict the cache", Timeout: ample})
			if err != nil {
				t.Error(err)
				return
			}
			if _, twice := ids.LoadOrStore(a.QueryID, true); twice {
				t.Errorf("id %s given twice", a.QueryID)
			}
			if len(a.Channels) != 8 {
				t.Errorf("channels %+v", a.Channels)
			}
			for _, c := range a.Channels {
				switch c.Status {
				case OK:
					answered.Add(1)
				case Overloaded:
					shed.Add(1)
				default:
					t.Errorf("%+v", c)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d channels answered, %d overloaded", answered.Load(), shed.Load())
	if answered.Load() < 2*waiting {
		t.Errorf("only %d channels answered", answered.Load())
	}
}

func TestCancelledCallerFreesEverything(t *testing.T) {
	entered := make(chan struct{}, 1)
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Oracles: []oracles.Oracle{
		script{"lexical", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
			if q.Text == "quick" {
				return finds("net/dial.go")(ctx, q)
			}
			entered <- struct{}{}
			return sleeps(ctx, q)
		}},
	}})
	for range 2 * defaultSlots { // more than there are slots: each must come back
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := e.Scry(ctx, Request{Text: "dial", Timeout: ample})
			done <- err
		}()
		<-entered
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if a, err := e.Scry(t.Context(), Request{Text: "quick", Timeout: ample}); err != nil || len(a.Results) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestCloseWaitsForQueriesAndRefusesNew(t *testing.T) {
	p := newProject(t, "app")
	before := runtime.NumGoroutine()
	entered, release := make(chan struct{}), make(chan struct{})
	e, err := Open(Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
		script{"slow", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
			close(entered)
			<-release
			return finds("net/dial.go")(ctx, q)
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	answers, closed := make(chan *Answer, 1), make(chan error, 1)
	go func() {
		a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	<-entered
	go func() { closed <- e.Close(t.Context()) }()
	for { // until Close has begun
		if _, err := e.Scry(t.Context(), Request{Text: "dial", Oracles: []string{"none"}}); err == nil {
			t.Fatal("no error")
		}
		e.queries.mu.Lock()
		begun := e.queries.closed
		e.queries.mu.Unlock()
		if begun {
			break
		}
		runtime.Gosched()
	}
	if _, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: ample}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := e.Detail(t.Context(), DetailRequest{DocID: "net/dial.go"}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	close(release)
	if a := <-answers; a == nil || len(a.Results) != 1 {
		t.Errorf("the query under way: %+v", a)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	awaitGoroutines(t, before)
}

func TestDetailAndWhy(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	d, err := e.Detail(t.Context(), DetailRequest{ReadOptions: patient, DocID: "net/dial.go::Dial"})
	if err != nil || d.Symbol != "Dial" || !strings.Contains(d.Body, "func Dial") {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := e.Detail(t.Context(), DetailRequest{ReadOptions: ReadOptions{Project: "id-app", Timeout: ample}, DocID: "net/none.go"}); !errors.Is(err, lookup.ErrNoDocument) {
		t.Error(err)
	}
	if _, err := e.Detail(t.Context(), DetailRequest{ReadOptions: ReadOptions{Project: "other"}, DocID: "net/dial.go"}); err == nil || !strings.Contains(err.Error(), `no project "other"; there are app`) {
		t.Error(err)
	}
	x, err := e.Why(t.Context(), WhyRequest{Request{Text: "accepts a connection", Timeout: ample}, "net/dial.go::Dial"})
	if err != nil || len(x.Results) != 1 || x.Results[0].Rank != 2 || x.Ranked < 2 || len(x.Results[0].Contributions) == 0 {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err = e.Why(t.Context(), WhyRequest{Request{Text: "accepts a connection", Timeout: ample}, "cache/none.go"}); err != nil || len(x.Results) != 0 {
		t.Errorf("%+v, %v", x, err)
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	for _, test := range []struct {
		r    Request
		want string
	}{
		{Request{Text: " "}, "empty"},
		{Request{Text: "x", Oracles: []string{"lexikal"}}, `no oracle "lexikal"; there are lexical, semantic, temporal`},
		{Request{Text: "x", Limit: -1}, "negative"},
		{Request{Text: "x", Rule: "sum"}, `no rule "sum"`},
		{Request{Text: "x", Filter: store.Filter{Paths: []string{"[a"}}}, `"[a"`},
	} {
		if _, err := e.Scry(t.Context(), test.r); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.r, err, test.want)
		}
	}
	a, err := e.Scry(t.Context(), Request{Text: "cache", Oracles: []string{"lexical", "lexical"}, Timeout: ample})
	if err != nil || len(a.Channels) != 1 || a.Channels[0].Channel != "lexical" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestProjectWithoutIndex(t *testing.T) {
	bare := Project{Name: "bare", Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "none")}
	if _, err := Open(Options{Projects: []Project{bare}}); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("alone: %v", err)
	}
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app"), bare}})
	a, err := e.Scry(t.Context(), Request{Text: "evict the cache", Timeout: ample})
	if err != nil || len(a.Results) == 0 || a.Partial {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, c := range a.Channels {
		if want := map[string]Status{"app": OK, "bare": Unavailable}[c.Project]; c.Status != want {
			t.Errorf("%+v, want %s", c, want)
		}
	}
	// A scrape while the engine runs is seen.
	scraped := newProject(t, "bare")
	if err := os.Rename(scraped.StoreDir, bare.StoreDir); err != nil {
		t.Fatal(err)
	}
	if a, err = e.Scry(t.Context(), Request{Text: "evict the cache", Timeout: ample}); err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Channels {
		if c.Status != OK {
			t.Errorf("after a scrape: %+v", c)
		}
	}
}

func TestSameNameTwiceIsRefused(t *testing.T) {
	p := newProject(t, "app")
	before := runtime.NumGoroutine()
	if _, err := Open(Options{Projects: []Project{p, p}}); err == nil || !strings.Contains(err.Error(), `start project "app"`) {
		t.Error(err)
	}
	awaitGoroutines(t, before)
}

// BenchmarkScatter measures a query without its oracles: actors, the pin, evidence about nothing,
// fusion.
func BenchmarkScatter(b *testing.B) {
	p := newProject(b, "app")
	nothing := func(context.Context, oracles.Question) ([]oracles.List, error) { return nil, nil }
	var os []oracles.Oracle
	for i := range 6 {
		os = append(os, script{fmt.Sprint("oracle", i), nothing})
	}
	e := newEngine(b, Options{Projects: []Project{p}, Oracles: os, Slots: 2})
	b.Run("scry", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Scry(b.Context(), Request{Text: "nothing"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pin", func(b *testing.B) { // the store's part
		for b.Loop() {
			pin, err := e.members[0].host.index.pin(b.Context(), len(os))
			if err != nil {
				b.Fatal(err)
			}
			pin.Close()
		}
	})
}
