package actors

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"patina/actors/api"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

func projectsOf(a *api.Answer) []string {
	var out []string
	for _, x := range a.Indexes {
		out = append(out, x.Project)
	}
	return out
}

func TestRequestNamesItsProjects(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "a"), newProject(t, "b")}})
	for _, test := range []struct {
		projects, want []string
	}{
		{nil, []string{"a", "b"}},
		{[]string{"b"}, []string{"b"}},
		{[]string{"id-a"}, []string{"a"}},
		{[]string{"b", "a", "id-b"}, []string{"a", "b"}},
	} {
		a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Projects: test.projects, Timeout: ample})
		if err != nil || a.Partial || !slices.Equal(projectsOf(a), test.want) {
			t.Fatalf("%q: %+v, %v", test.projects, a, err)
		}
		for _, r := range a.Results {
			if !slices.Contains(test.want, r.Key.Project) || r.Summary == "" && r.Kind == doc.Code {
				t.Errorf("%q: %+v", test.projects, r)
			}
		}
	}
	_, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Projects: []string{"a", "c"}})
	if err == nil || !strings.Contains(err.Error(), `no project "c"; there are a, b`) {
		t.Error(err)
	}
}

// The weight of a route counts in the merge: two copies of a project, one at half of it.
func TestWeightOfARoute(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "a"), newProject(t, "b")}})
	a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Weights: map[string]float64{"b": 0.5}, Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]float64{}
	for _, r := range a.Results {
		own[r.Key.Project+" "+r.Title] = r.Own()
	}
	compared := 0
	for k, score := range own {
		if b, ok := own["b"+strings.TrimPrefix(k, "a")]; ok && strings.HasPrefix(k, "a ") {
			compared++
			if b >= score {
				t.Errorf("%s: %v at home, %v abroad", k, score, b)
			}
		}
	}
	if compared == 0 || a.Results[0].Key.Project != "a" {
		t.Errorf("%d compared, %v", compared, own)
	}
}

func TestProjectsJoinAndLeave(t *testing.T) {
	e := newEngine(t, Options{Lazy: true})
	ask := func() (*api.Answer, error) {
		return e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: ample})
	}
	if _, err := ask(); err == nil || !strings.Contains(err.Error(), "no project") {
		t.Errorf("with no project: %v", err)
	}
	if err := e.Remove(t.Context(), "app"); err == nil || !strings.Contains(err.Error(), `no project "app"; there is none`) {
		t.Errorf("remove what is not there: %v", err)
	}
	p := newProject(t, "app")
	for range 3 { // the name is free again at once
		if err := e.Add(p); err != nil {
			t.Fatal(err)
		}
		if err := e.Add(p); err == nil || !strings.Contains(err.Error(), `start project "app"`) {
			t.Errorf("twice: %v", err)
		}
		if a, err := ask(); err != nil || a.Partial || len(a.Results) == 0 {
			t.Errorf("%+v, %v", a, err)
		}
		left := e.members[0].host.index
		if err := e.Remove(t.Context(), "id-app"); err != nil {
			t.Error(err)
		}
		if _, err := left.pin(t.Context(), 0); err == nil {
			t.Error("the index of a project that left is open")
		}
		if _, err := ask(); err == nil {
			t.Error("a project that left was asked")
		}
	}
}

// A running query must finish before its project leaves, and no other may begin meanwhile.
func TestRemoveWaitsForQueries(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Oracles: []oracles.Oracle{
		script{"slow", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
			close(entered)
			<-release
			return finds("net/dial.go")(ctx, q)
		}},
	}})
	answers, removed := make(chan *api.Answer, 1), make(chan error, 1)
	go func() {
		a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	<-entered
	index := e.members[0].host.index
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Remove(gone, "app"); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
	if _, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample}); err == nil {
		t.Error("a project that is leaving was asked")
	}
	go func() { e.leaving.Wait(); removed <- nil }()
	select {
	case <-removed:
		t.Error("gone while a query is under way")
	default:
	}
	close(release)
	if a := <-answers; a == nil || a.Partial || len(a.Results) != 1 || a.Results[0].Symbol != "Dial" {
		t.Errorf("the query under way: %+v", a)
	}
	<-removed
	if _, err := index.pin(t.Context(), 0); err == nil {
		t.Error("the index is open")
	}
}

// A query from another node must hold the project from its Ask to its Describe.
func TestRemoveWaitsForTargets(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	app, err := e.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.Ask(t.Context(), fullAsk("q", "dial")); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Remove(gone, "app"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := app.Ask(t.Context(), fullAsk("other", "dial")); err == nil || !strings.Contains(err.Error(), "no project") {
		t.Errorf("a project that is leaving: %v", err)
	}
	d, err := app.Describe(t.Context(), &api.Describe{Query: "q", Wants: []api.Want{{DocID: "net/dial.go", Kind: doc.Code}}, Budget: ample})
	if err != nil || len(d.Found) != 1 || d.Found[0].Path != "net/dial.go" {
		t.Errorf("%+v, %v", d, err)
	}
	e.leaving.Wait()
}

// While a project joins and leaves, every answer must be complete.
func TestJoinAndLeaveUnderLoad(t *testing.T) {
	stays, comes := newProject(t, "stays"), newProject(t, "comes")
	e := newEngine(t, Options{Projects: []Project{stays}})
	var asking sync.WaitGroup
	var answers, with atomic.Int32
	end := make(chan struct{})
	for range 4 {
		asking.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
				}
				a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: ample})
				if err != nil || a.Partial || len(a.Results) == 0 {
					t.Errorf("%.500s, %v", fmt.Sprintf("%+v", a), err)
					return
				}
				answers.Add(1)
				with.Add(int32(len(a.Indexes) - 1))
			}
		})
	}
	for range 15 {
		if err := e.Add(comes); err != nil {
			t.Fatal(err)
		}
		for until := answers.Load() + 5; answers.Load() < until && !t.Failed(); {
			runtime.Gosched()
		}
		if err := e.Remove(t.Context(), "comes"); err != nil {
			t.Fatal(err)
		}
	}
	close(end)
	asking.Wait()
	if with.Load() == 0 {
		t.Errorf("of %d answers none is of both projects", answers.Load())
	}
}

// An index is opened by the first question that names its project.
func TestLazyOpening(t *testing.T) {
	var mu sync.Mutex
	opened := map[string]int{}
	e := newEngine(t, Options{
		Projects: []Project{newProject(t, "a"), newProject(t, "b"), {Name: "bare", StoreDir: filepath.Join(t.TempDir(), "none")}},
		Lazy:     true,
		load: func(p Project) (*store.Store, error) {
			mu.Lock()
			opened[p.Name]++
			mu.Unlock()
			return loadIndex(p)
		},
	})
	for _, test := range []struct{ project, want string }{{"", "map[]"}, {"b", "map[b:1]"}, {"b", "map[b:1]"}, {"bare", "map[b:1 bare:1]"}} {
		if test.project != "" {
			a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Projects: []string{test.project}, Timeout: ample})
			if err != nil || a.Partial || (len(a.Results) == 0) != (test.project == "bare") {
				t.Fatalf("%+v, %v", a, err)
			}
		}
		mu.Lock()
		if got := fmt.Sprint(opened); got != test.want {
			t.Errorf("after a question to %q: %s, want %s", test.project, got, test.want)
		}
		mu.Unlock()
	}
}

// notes is an oracle with a database of its own: a file beside the index, with a path in each line.
type notes struct {
	mu    sync.Mutex
	calls map[string]int // opened and closed, by project
}

func (*notes) Name() string { return "notes" }

func (n *notes) count(what, project string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls[what+" "+project]++
}

func (n *notes) Open(p oracles.Project) (oracles.Channel, error) {
	f, err := os.Open(filepath.Join(p.StoreDir, "notes"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("no notes: %w", oracles.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	n.count("open", p.Name)
	return &notesOf{notes: n, file: f, project: p.Name}, nil
}

type notesOf struct {
	*notes
	file    *os.File
	project string
}

func (n *notesOf) Query(_ context.Context, r *store.Reader, _ oracles.Question) ([]oracles.List, error) {
	body := make([]byte, 100)
	size, err := n.file.ReadAt(body, 0)
	if size == 0 {
		return nil, err
	}
	path := strings.TrimSpace(string(body[:size]))
	return []oracles.List{{
		// A channel that fusion gives code.
		Channel: "lexical", Kind: doc.Code, Generation: r.Generation().Number,
		Hits: []doc.Ranked{{DocID: path, Path: path, Raw: 1}},
	}}, nil
}

func (n *notesOf) Close() error {
	n.count("close", n.project)
	return n.file.Close()
}

// Each project has its own channel of an oracle. The first question opens it when its file exists,
// and it must be closed once.
func TestOraclesAreOpenedByProject(t *testing.T) {
	a, b := newProject(t, "a"), newProject(t, "b")
	write := func(p Project, path string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(p.StoreDir, "notes"), []byte(path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(a, "net/dial.go")
	own := &notes{calls: map[string]int{}}
	e := newEngine(t, Options{Projects: []Project{a, b}, Oracles: []oracles.Oracle{own}})
	check := func(want string, states ...api.Status) {
		t.Helper()
		got, err := e.Scry(t.Context(), api.Request{Text: "what is noted here", Timeout: ample})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range got.Results {
			found = append(found, r.Key.Project+":"+r.Path)
		}
		slices.Sort(found)
		if strings.Join(found, " ") != want {
			t.Errorf("found %q, want %q", found, want)
		}
		for i, c := range got.Channels {
			if c.Status != states[i] || c.Status == api.Unavailable && c.Detail != "no notes" {
				t.Errorf("%+v, want %s", c, states[i])
			}
		}
	}
	check("a:net/dial.go", api.OK, api.Unavailable)
	write(b, "cache/cache.go")
	check("a:net/dial.go b:cache/cache.go", api.OK, api.OK)
	check("a:net/dial.go b:cache/cache.go", api.OK, api.OK)
	if err := e.Remove(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	check("b:cache/cache.go", api.OK)
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(own.calls); got != "map[close a:1 close b:1 open a:1 open b:1]" {
		t.Error(got)
	}
}

// An oracle that only some projects have is asked there. Other projects name it as empty.
func TestChannelsOfATarget(t *testing.T) {
	there := newEngine(t, Options{Projects: []Project{newProject(t, "far")}, Oracles: []oracles.Oracle{
		script{"lexical", finds("net/dial.go")}, script{"hearsay", finds("net/listen.go")},
	}})
	far, err := there.Target("far")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	if err := e.AddTarget(far); err != nil {
		t.Fatal(err)
	}
	a, err := e.Scry(t.Context(), api.Request{Text: "dial", Oracles: []string{"hearsay"}, Timeout: ample})
	if err != nil || a.Partial {
		t.Fatalf("%+v, %v", a, err)
	}
	var got []string
	for _, c := range a.Channels {
		got = append(got, c.Project+" "+c.Channel+" "+string(c.Status))
	}
	if want := []string{"app hearsay EMPTY", "far hearsay OK"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	_, err = e.Scry(t.Context(), api.Request{Text: "dial", Oracles: []string{"hearsay"}, Projects: []string{"app"}})
	if err == nil || !strings.Contains(err.Error(), `no oracle "hearsay"; there are lexical, semantic, temporal`) {
		t.Error(err)
	}
	if err := e.AddTarget(far); err == nil || !strings.Contains(err.Error(), `start project "far"`) {
		t.Error(err)
	}
	if err := e.Remove(t.Context(), "far"); err != nil {
		t.Error(err)
	}
}

// A target without channels must not delay a question.
func TestTargetWithoutChannels(t *testing.T) {
	e := newEngine(t, Options{Lazy: true})
	if err := e.AddTarget(mute{}); err != nil {
		t.Fatal(err)
	}
	if a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample}); err != nil || a.Partial || len(a.Results) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// mute is a target without channels, which must not be asked.
type mute struct{ api.Target }

func (mute) Name() string       { return "mute" }
func (mute) Channels() []string { return nil }
