package host

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/actors/api"
	"patina/registry"
	"patina/registry/mother"
	"patina/scrape/scrapetest"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

var dial = map[string]string{"net/dial.go": "package net\n\n// Dial opens a connection with retries.\nfunc Dial() {}\n"}

// A repository is cloned, scraped and answered for. A commit is answered after a hint. While
// nothing can be fetched, the last index answers, and the state says why.
func TestRepositoryIsKept(t *testing.T) {
	c := newCluster(t)
	first := c.commit(t, "app", "net: dial with retries", dial)
	h := c.open(t, c.repositories(t, c.entry("app")))
	await(func() bool { return state(h, "app").Hosted })
	if s := state(h, "app"); s.Head != first || s.ScrapedAt.IsZero() || !s.Own {
		t.Errorf("%+v, want head %s", s, first)
	}
	if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("%v", got)
	}
	if s := h.Sketch("app"); s == nil || s.Frequency("dial") == 0 {
		t.Errorf("sketch %+v", s)
	}
	told := h.Hosted()[0]

	second := c.commit(t, "app", "cache: evict", map[string]string{"cache/evict.go": "package cache\n\n// Evict drops an entry.\nfunc Evict() {}\n"})
	signal(h.findRepository("app").hinted)
	await(func() bool { return state(h, "app").Head == second })
	await(func() bool { return h.Hosted()[0] != told })
	if got := found(t, h, "app", "evict"); got["cache/evict.go"] != "code" {
		t.Errorf("%v", got)
	}
	told = h.Hosted()[0]
	if told.GetHead() != second || len(told.GetSketchHash()) == 0 || !slices.Contains(told.GetKinds(), "code") || told.GetExtractor() == 0 {
		t.Errorf("%v", told)
	}

	source := filepath.Join(c.sources, "app")
	scrapetest.Must(t, os.Rename(source, source+".away"))
	signal(h.findRepository("app").hinted)
	await(func() bool { return state(h, "app").Problem != "" })
	if s := state(h, "app"); !s.Hosted || s.Head != second || !strings.Contains(s.Problem, "fetch") {
		t.Errorf("%+v", s)
	}
	if got := found(t, h, "app", "evict"); got["cache/evict.go"] != "code" {
		t.Errorf("%v", got)
	}
	scrapetest.Must(t, os.Rename(source+".away", source))
	await(func() bool { return state(h, "app").Problem == "" })
	if h.Hosted()[0] != told {
		t.Errorf("watchers are told of what has not changed: %v, before %v", h.Hosted()[0], told)
	}
}

// A host that starts again answers at once for what it has, also if nothing can be fetched.
func TestIndexOutlivesTheProcess(t *testing.T) {
	c := newCluster(t)
	c.commit(t, "app", "net: dial", dial)
	read := c.repositories(t, c.entry("app"))
	h := c.open(t, read)
	await(func() bool { return state(h, "app").Hosted })
	before := h.Hosted()[0]
	scrapetest.Must(t, h.Close(context.Background()))
	scrapetest.Must(t, os.Rename(c.sources, c.sources+".away"))
	h = c.open(t, read)
	await(func() bool { return state(h, "app").Hosted && state(h, "app").Problem != "" })
	if after := h.Hosted()[0]; after.GetHead() != before.GetHead() || after.GetScrapedAtUnix() != before.GetScrapedAtUnix() ||
		string(after.GetSketchHash()) != string(before.GetSketchHash()) {
		t.Errorf("%v, before %v", after, before)
	}
	if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("%v", got)
	}
}

// Documents of kinds that the repository does not share, or that the configuration does not name,
// are in no answer: not among results, not described, and not in look-ups.
func TestKinds(t *testing.T) {
	c := newCluster(t)
	c.commit(t, "app", "net: dial with retries", map[string]string{
		"net/dial.go":                        dial["net/dial.go"],
		"layer/surface/beliefs/dial-once.md": "---\ntype: belief\nid: dial-once\n---\n\n# dial-once\n\nDial once, as `net/dial.go` does.\n",
		"layer/sessions/2026-01-02-dial.md":  "---\ntype: session\nid: 2026-01-02-dial\n---\n\n# Dial\n\nWe made the dial retry.\n",
	})
	h := c.open(t, c.repositories(t, c.entry("app")))
	await(func() bool { return state(h, "app").Hosted })
	kinds := func(text string) (all []string) {
		for _, k := range found(t, h, "app", text) {
			all = append(all, k)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	if got := kinds("dial"); !slices.Equal(got, []string{"belief", "code", "commit"}) {
		t.Errorf("by default %v", got)
	}
	const session = "session:layer/sessions/2026-01-02-dial.md"
	refused := func(r api.Lookup) bool {
		_, err := target(t, h, "app").Read(t.Context(), r)
		f, ok := errors.AsType[*api.Failure](err)
		return ok && f.Status == api.Unavailable && strings.Contains(f.Detail, "app shows no ")
	}
	described := func(id, kind string) int {
		x := target(t, h, "app")
		_, err := x.Ask(t.Context(), &api.Ask{Query: "q", Text: "dial", Limit: 5, Budget: ample})
		scrapetest.Must(t, err)
		d, err := x.Describe(t.Context(), &api.Describe{Query: "q", Budget: ample, Wants: wants(id, kind)})
		scrapetest.Must(t, err)
		return len(d.Found)
	}
	if !refused(api.DetailRequest{DocID: session}) || !refused(api.ResolveRequest{Names: []string{session}}) {
		t.Error("a session is shown")
	}
	if described(session, "session") != 0 || described(session, "code") != 0 ||
		described("layer/sessions/2026-01-02-dial.md", "code") != 0 {
		t.Error("a session is described")
	}
	if described("net/dial.go", "code") != 1 {
		t.Error("code is not described")
	}
	if _, err := target(t, h, "app").Read(t.Context(), api.VerifyRequest{}); err == nil {
		t.Error("checks are run for others")
	}

	if s := h.Sketch("app"); s == nil || s.Frequency("onc") == 0 {
		t.Errorf("words of beliefs are not counted: %+v", s)
	}
	told := h.Hosted()[0]
	scrapetest.Must(t, h.Update(c.repositories(t, c.entry("app", `kinds = ["commits", "sessions"]`))))
	await(func() bool { return h.Hosted()[0] != told })
	if got := kinds("dial"); !slices.Equal(got, []string{"commit"}) {
		t.Errorf("commits alone: %v", got)
	}
	if !refused(api.DetailRequest{DocID: "net/dial.go"}) || !refused(api.TreeRequest{}) || described("net/dial.go", "code") != 0 {
		t.Error("code is shown")
	}
	if got := h.Hosted()[0].GetKinds(); !slices.Equal(got, []string{"commit"}) {
		t.Errorf("hosted kinds %v", got)
	}
	if s := h.Sketch("app"); s != nil || len(h.Hosted()[0].GetSketchHash()) > 0 {
		t.Errorf("words of code are counted: %+v", s)
	}
	told = h.Hosted()[0]
	scrapetest.Must(t, h.Update(c.repositories(t, c.entry("app", `kinds = ["code"]`))))
	await(func() bool { return h.Hosted()[0] != told })
	if s := h.Sketch("app"); s == nil || s.Frequency("dial") == 0 || s.Frequency("onc") != 0 || s.Beliefs != 0 {
		t.Errorf("words of beliefs are counted: %+v", s)
	}
	await(func() bool { return h.engine.Open() == 1 })
}

// A repository that is fetched from elsewhere is answered from the old clone until there is a new
// one, and then the old one is gone. One that is not listed is not answered for, and stays.
func TestAddressChanges(t *testing.T) {
	c := newCluster(t)
	c.commit(t, "app", "net: dial", dial)
	old := c.entry("app")
	h := c.open(t, c.repositories(t, old))
	await(func() bool { return state(h, "app").Hosted })
	before := h.Hosted()[0]
	root := h.findRepository("app").place.Root

	moved := strings.Replace(old, c.sources, c.sources+"/moved", 1)
	scrapetest.Must(t, h.Update(c.repositories(t, moved)))
	await(func() bool { return state(h, "app").Problem != "" })
	if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("while it cannot be cloned: %v", got)
	}
	head := c.commit(t, "moved/app", "net: dial, moved", dial)
	await(func() bool { return state(h, "app").Hosted })
	if now := h.Hosted()[0]; now == before || now.GetHead() != head {
		t.Errorf("%v", now)
	}
	await(func() bool { return isGone(root) && h.engine.Open() == 1 })
	if got := projects(t, h); len(got) != 1 {
		t.Errorf("registered are %v", got)
	}

	root = h.findRepository("app").place.Root
	scrapetest.Must(t, h.Update(c.repositories(t)))
	if _, ok := h.Backend().Target("app"); ok || len(h.States()) != 0 || h.engine.Open() != 0 {
		t.Error("a repository that is not listed is answered for")
	}
	if isGone(root) {
		t.Error("the clone of a repository that is not listed was removed")
	}
	scrapetest.Must(t, h.Update(c.repositories(t, moved)))
	await(func() bool { return state(h, "app").Hosted })
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

func projects(t *testing.T, h *Host) []mother.Repository {
	t.Helper()
	all, err := mother.Repositories(t.Context(), h.home)
	scrapetest.Must(t, err)
	registered, err := registry.Projects(h.home)
	scrapetest.Must(t, err)
	if len(all) != len(registered) {
		t.Errorf("%v in the graph, %v registered", all, registered)
	}
	return all
}

// A repository that has moved to another node is answered for until that node shows it at a commit
// as new, and then it is gone with all that belongs to it.
func TestMovedRepositoryStaysUntilOthersHaveIt(t *testing.T) {
	c := newCluster(t)
	head := c.commit(t, "app", "net: dial", dial)
	c.commit(t, "stays", "net: dial", dial)
	other := newOther(t)
	c.nodes(t, other.address)
	h := c.open(t, c.repositories(t, c.entry("app"), c.entry("stays")))
	await(func() bool { return state(h, "app").Hosted && state(h, "stays").Hosted })
	root := h.findRepository("app").place.Root

	scrapetest.Must(t, h.Update(c.repositories(t, c.entry("app", `nodes = ["node-1"]`), c.entry("stays"))))
	waits := func(why string) {
		t.Helper()
		await(func() bool { return strings.Contains(state(h, "app").Waits, why) })
		if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" || isGone(root) {
			t.Errorf("%s: %v", why, got)
		}
	}
	waits("node-1 does not show it yet")
	other.host(&nodepb.Hosted{Repository: "app", Head: "another", ScrapedAtUnix: 1})
	waits("node-1 has an older index")
	other.host(&nodepb.Hosted{Repository: "app", Head: head, ScrapedAtUnix: 1})
	await(func() bool { return len(h.Hosted()) == 1 })
	if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("who has not heard that it is gone is answered %v", got)
	}
	other.host(&nodepb.Hosted{Repository: "app", Head: "another", ScrapedAtUnix: 1}) // nearly lost
	await(func() bool { return len(h.Hosted()) == 2 })
	other.host(&nodepb.Hosted{Repository: "app", Head: head, ScrapedAtUnix: 1})
	await(func() bool { return state(h, "app").Repository == "" })
	await(func() bool {
		_, answered := h.Backend().Target("app")
		return !answered
	})
	await(func() bool { return isGone(root) })
	if got := projects(t, h); len(got) != 1 || got[0].Name != "stays" {
		t.Errorf("registered are %v", got)
	}
	if got := found(t, h, "stays", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("%v", got)
	}

	scrapetest.Must(t, h.Update(c.repositories(t, c.entry("app"), c.entry("stays"))))
	await(func() bool { return state(h, "app").Hosted })
}

// A repository that moved while the node did not run stays as well. If it comes back, it is fetched
// again.
func TestMoveWhileTheNodeIsAway(t *testing.T) {
	c := newCluster(t)
	c.commit(t, "app", "net: dial", dial)
	h := c.open(t, c.repositories(t, c.entry("app")))
	await(func() bool { return state(h, "app").Hosted })
	scrapetest.Must(t, h.Close(context.Background()))
	h = c.open(t, c.repositories(t, c.entry("app", `nodes = ["node-1"]`)))
	await(func() bool { return state(h, "app").Hosted })
	if s := state(h, "app"); s.Own {
		t.Errorf("%+v", s)
	}
	if got := found(t, h, "app", "dial"); got["net/dial.go"] != "code" {
		t.Errorf("%v", got)
	}
	if n := state(h, "app").Fetches; n != 0 {
		t.Errorf("%d fetches of what is others'", n)
	}
	scrapetest.Must(t, h.Update(c.repositories(t, c.entry("app"))))
	await(func() bool { return state(h, "app").Fetches == 1 })
}

// other is node-1, as others see it.
type other struct {
	address string

	mu     sync.Mutex
	hosted []*nodepb.Hosted
}

func newOther(t *testing.T) *other {
	t.Helper()
	o := &other{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	scrapetest.Must(t, err)
	o.address = l.Addr().String()
	s := serve.New(serve.Options{Backend: o})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Stop()
		scrapetest.Must(t, <-served)
	})
	return o
}

func (o *other) host(h *nodepb.Hosted) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hosted = []*nodepb.Hosted{h}
}

func (o *other) Repositories() []*nodepb.Hosted {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.hosted
}

func (o *other) Target(string) (api.Target, bool) { return nil, false }
func (o *other) Beat(context.Context) error       { return nil }

// Equal seeds give equal times, which lie around the wanted one. Failures double the time, up to a
// bound, and one success forgets them.
func TestSchedule(t *testing.T) {
	a, b, c := newSchedule(time.Minute, 1, "x"), newSchedule(time.Minute, 1, "x"), newSchedule(time.Minute, 1, "y")
	same := true
	for range 1000 {
		d := a.next(false)
		if d < 48*time.Second || d > 72*time.Second || d != b.next(false) {
			t.Fatal(d)
		}
		same = same && d == c.next(false)
	}
	if same {
		t.Error("all repositories are fetched at once")
	}
	last := time.Duration(0)
	for i := range 70 {
		if d, want := a.patience(fetchTime), min(fetchTime<<min(i, 20), longestTime); d != want {
			t.Errorf("failure %d: fetched for %s, want %s", i, d, want)
		}
		d := a.next(true)
		want := min(firstRetry<<min(i, 20), longestRetry)
		if d < want*8/10 || d > want*12/10 {
			t.Errorf("failure %d: %s, want about %s", i, d, want)
		}
		last = d
	}
	if last < 12*time.Minute || a.next(false) > 72*time.Second {
		t.Error(last)
	}
}

// Work that takes too long is ended, and the error says so. The end of the host is no such end.
func TestWithin(t *testing.T) {
	hang := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	if err := runWithin(t.Context(), "fetch", time.Millisecond, hang); err == nil || err.Error() != "fetch: it had not ended after 1ms" {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := runWithin(ended, "fetch", ample, hang); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := runWithin(t.Context(), "fetch", ample, func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}
