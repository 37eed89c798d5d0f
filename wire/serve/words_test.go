package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/registry/route"
	"patina/wire/nodepb"
)

// sketchesOf returns sketches that know "dial", and one word that only the repository has.
func sketchesOf(names ...string) map[string]*route.Sketch {
	out := map[string]*route.Sketch{}
	for i, name := range names {
		s := route.New(route.Contents{
			Chunks: 100 * (i + 1), Terms: map[string]int{"dial": 4 << i, "only" + name: 8},
			Beliefs: 1, Stated: [][]string{{"retri", "states" + name}},
		})
		out[name] = &s
	}
	return out
}

func hashes(words ...string) (all []uint64) {
	for _, w := range words {
		all = append(all, uint64(route.HashOf(w)))
	}
	return all
}

// startWithWords is start with a sketch of each repository.
func startWithWords(t *testing.T) *rig {
	t.Helper()
	r := start(t)
	all := sketchesOf("open", "hidden")
	r.options.Sketch = func(repository string) *route.Sketch { return all[repository] }
	for _, name := range []string{"open", "hidden"} {
		h := &nodepb.Hosted{Repository: name, Head: "1", SketchHash: all[name].Bytes()[:20]}
		if err := r.hosts.Host(h, "app"); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Sums leave out what the asker may not see. A word that only a hidden repository has counts as
// unknown, and so does a hidden candidate.
func TestRouteCountsWhatMayBeSeen(t *testing.T) {
	r := startWithWords(t)
	stems := hashes("dial", "onlyopen", "onlyhidden", "nowhere")
	stems = append(stems, 1<<40|stems[0])
	for _, test := range []struct {
		ctx        context.Context
		want       []uint64
		chunks     uint64
		candidates string
	}{
		{as(t, "user/anna"), []uint64{12, 8, 8, 0, 0}, 300, "hidden open"},
		{as(t, "user/ben"), []uint64{4, 8, 0, 0, 0}, 100, "open"},
		{as(t, "user/carl"), []uint64{0, 0, 0, 0, 0}, 0, ""},
		{as(t, "front/f", ForUser, "ben"), []uint64{4, 8, 0, 0, 0}, 100, "open"},
		{as(t, "front/f"), []uint64{0, 0, 0, 0, 0}, 0, ""},
	} {
		m := &nodepb.RouteRequest{Stems: stems, Candidates: []string{"hidden", "open", "other"}}
		got, err := r.client.Route(test.ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range got.GetCandidates() {
			names = append(names, c.GetRepository())
			if c.GetRepository() == "open" && (c.GetChunks() != 100 || !slices.Equal(c.GetDocuments(), []uint64{4, 8, 0, 0, 0})) {
				t.Errorf("open: %v", c)
			}
		}
		if !slices.Equal(got.GetDocuments(), test.want) || got.GetChunks() != test.chunks || strings.Join(names, " ") != test.candidates {
			t.Errorf("%v, want %v", got, test)
		}
	}
	_, err := r.client.Route(as(t, "user/anna"), &nodepb.RouteRequest{Stems: make([]uint64, mostStems+1)})
	if status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
}

func TestSketchesAreOfWhatMayBeSeen(t *testing.T) {
	r := startWithWords(t)
	for _, test := range []struct {
		ctx  context.Context
		want string
	}{
		{as(t, "user/anna"), "open hidden"},
		{as(t, "user/ben"), "open"},
		{as(t, "front/f", ForUser, "ben"), "open"},
		{as(t, "front/f"), ""},
		{as(t, "node/n"), ""},
		{as(t, "admin/n"), ""},
	} {
		got, err := r.client.Sketches(test.ctx, &nodepb.SketchesRequest{Repositories: []string{"other", "open", "hidden"}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range got.GetSketches() {
			names = append(names, x.GetRepository())
			s, err := route.Parse(x.GetSketch()) // as versions before statements do
			if err != nil || s.Frequency("only"+x.GetRepository()) != 8 || !s.LacksStatements() {
				t.Errorf("%s: %v, %v", x.GetRepository(), s, err)
			}
			s, err = route.Parse(append(x.GetSketch(), x.GetStatements()...))
			if err != nil || s.LacksStatements() {
				t.Errorf("%s: %v, %v", x.GetRepository(), s, err)
			}
		}
		if strings.Join(names, " ") != test.want {
			t.Errorf("%v, want %q", names, test.want)
		}
	}
	_, err := r.client.Sketches(as(t, "user/anna"), &nodepb.SketchesRequest{Repositories: make([]string, mostSketches+1)})
	if status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
}

// Counts are for fronts, by the rights of those who will be told, and only when they have
// changed.
func TestCounts(t *testing.T) {
	r := startWithWords(t)
	for _, who := range []string{"user/anna", "node/n", "admin/x"} {
		if _, err := r.client.Counts(as(t, who), &nodepb.CountsRequest{Rights: "anna"}); status.Code(err) != codes.PermissionDenied {
			t.Errorf("%s: %v", who, err)
		}
	}
	counts := func(rights, etag string, only ...string) *nodepb.CountsReply {
		t.Helper()
		got, err := r.client.Counts(as(t, "front/f"), &nodepb.CountsRequest{Rights: rights, Etag: etag, Repositories: only})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(got.GetTerms()) {
			t.Error("the terms are not sorted")
		}
		return got
	}
	of := func(c *nodepb.CountsReply, word string) uint64 {
		i := slices.Index(c.GetTerms(), uint64(route.HashOf(word)))
		if i < 0 {
			return 0
		}
		return c.GetDocuments()[i]
	}
	for _, test := range []struct {
		rights string
		only   []string
		want   string // chunks, and how often "dial", "onlyopen" and "onlyhidden" occur
	}{
		{"anna", nil, "300 12 8 8"},
		{"ben", nil, "100 4 8 0"},
		{"carl", nil, "0 0 0 0"},
		{"anna", []string{"hidden", "other"}, "200 8 0 8"},
		{"ben", []string{"hidden", "other"}, "0 0 0 0"},
	} {
		c := counts(test.rights, "", test.only...)
		if got := fmt.Sprint(c.GetChunks(), of(c, "dial"), of(c, "onlyopen"), of(c, "onlyhidden")); got != test.want {
			t.Errorf("%v: %s", test, got)
		}
		if again := counts(test.rights, c.GetEtag(), test.only...); !again.GetUnchanged() || len(again.GetTerms()) > 0 || again.GetEtag() != c.GetEtag() {
			t.Errorf("%v: again %v", test, again)
		}
	}
	before := counts("ben", "")
	r.rights.change(func() { r.rights.may["ben hidden"] = true })
	if now := counts("ben", before.GetEtag()); now.GetUnchanged() || now.GetChunks() != 300 {
		t.Errorf("other rights: %v", now)
	}
	before = counts("ben", "")
	all := sketchesOf("hidden", "open")
	r.options.Sketch = func(repository string) *route.Sketch { return all[repository] }
	if err := r.hosts.Host(&nodepb.Hosted{Repository: "open", SketchHash: []byte("new")}, "app"); err != nil {
		t.Fatal(err)
	}
	if now := counts("ben", before.GetEtag()); now.GetUnchanged() || of(now, "dial") != 12 {
		t.Errorf("other words: %v", now)
	}
}

// Counts say of all words what Count says of those of a question.
func TestCountsAsOneMachineCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var all []route.Sketch
	var words []string
	for i := range 300 {
		words = append(words, fmt.Sprint("w", i))
	}
	for range 20 {
		c := route.Contents{Chunks: random.IntN(900), Terms: map[string]int{}}
		for range 250 {
			c.Terms[words[random.IntN(len(words))]] = 1 + random.IntN(400)
		}
		all = append(all, route.New(c))
	}
	want, got := route.Count(words, all), countsReply(route.Sum(all))
	if got.GetChunks() != uint64(want.Chunks) || len(got.GetTerms()) != len(want.Terms) {
		t.Errorf("%d chunks, %d terms", got.GetChunks(), len(got.GetTerms()))
	}
	for word, n := range want.Terms {
		i := slices.Index(got.GetTerms(), uint64(route.HashOf(word)))
		if i < 0 || got.GetDocuments()[i] != uint64(n) {
			t.Errorf("%s: not %d", word, n)
		}
	}
}

// A server that has no sketches does not know the calls.
func TestServerWithoutSketches(t *testing.T) {
	r := start(t)
	ctx := as(t, "front/f")
	_, routed := r.client.Route(ctx, &nodepb.RouteRequest{})
	_, sketched := r.client.Sketches(ctx, &nodepb.SketchesRequest{})
	_, counted := r.client.Counts(ctx, &nodepb.CountsRequest{})
	for _, err := range []error{routed, sketched, counted} {
		if status.Code(err) != codes.Unimplemented {
			t.Error(err)
		}
	}
}

// A watcher that names repositories hears of no others, also later.
func TestWatchOfNamedRepositories(t *testing.T) {
	r := start(t)
	st, err := r.client.Watch(as(t, "user/anna"), &nodepb.WatchRequest{Repositories: []string{"open", "later"}})
	if err != nil {
		t.Fatal(err)
	}
	next := func() string {
		t.Helper()
		for {
			m, err := st.Recv()
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, h := range m.GetHosted() {
				names = append(names, h.GetRepository())
			}
			names = append(names, m.GetGone()...)
			if m.GetSnapshot() || len(names) > 0 {
				return strings.Join(names, " ")
			}
		}
	}
	if got := next(); got != "open" {
		t.Errorf("snapshot of %q", got)
	}
	r.rights.change(func() { r.rights.may["anna later"], r.rights.may["anna other"] = true, true })
	for _, name := range []string{"other", "hidden", "later"} {
		if err := r.hosts.Host(&nodepb.Hosted{Repository: name}, "app"); err != nil {
			t.Fatal(err)
		}
	}
	if got := next(); got != "later" {
		t.Errorf("then %q", got)
	}
	r.hosts.Drop("hidden")
	r.hosts.Drop("open")
	if got := next(); got != "open" {
		t.Errorf("gone is %q", got)
	}
}
