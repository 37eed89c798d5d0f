package actors

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/store/doc"
)

func listsOf(query, from string, generation int64) *api.Lists {
	return &api.Lists{
		Query: query, From: from,
		Lists:    []oracles.List{{Channel: from, Kind: doc.Code, Generation: generation, Hits: []doc.Ranked{{DocID: "a", Path: "a"}}}},
		Channels: []api.ChannelState{{Project: "p", Channel: from, Status: api.OK, Hits: 1}},
	}
}

func TestGathering(t *testing.T) {
	g := newGathering("q", []awaited{{"x", "p", []string{"x"}}, {"y", "p", []string{"y"}}, {"z", "p", []string{"z"}}})
	g.generation = 4
	for _, step := range []struct {
		name string
		m    *api.Lists
		last bool
		left int
	}{
		{"late reply of another query", listsOf("older", "x", 4), false, 3},
		{"one that was not asked", listsOf("q", "w", 4), false, 3},
		{"first", listsOf("q", "y", 4), false, 2},
		{"the same again", listsOf("q", "y", 4), false, 2},
		{"another generation", listsOf("q", "x", 3), false, 1},
	} {
		if last := g.addAnswer(step.m); last != step.last || g.missing != step.left {
			t.Errorf("%s: last %v, missing %d", step.name, last, g.missing)
		}
	}
	g.silence(g.silent(""), api.Deadline, "deadline 5 ms", time.Second)
	var got []string
	for _, c := range g.channels() {
		got = append(got, c.Channel+" "+string(c.Status)+" "+c.Detail)
	}
	want := []string{"x FAILED list of generation 3, asked for 4", "y OK ", "z DEADLINE deadline 5 ms"}
	if !slices.Equal(got, want) {
		t.Errorf("channels %q, want %q", got, want)
	}
	if g.addAnswer(listsOf("q", "z", 4)) || len(g.got[0].Lists) != 0 || len(g.got[2].Lists) != 0 {
		t.Error("a late or a refused list was kept")
	}
}

func TestGatheringEndsWithTheLast(t *testing.T) {
	g := newGathering("q", []awaited{{"x", "p", []string{"x"}}, {"y", "p", []string{"y"}}})
	g.generation = 1
	if g.addAnswer(listsOf("q", "x", 1)) || !g.addAnswer(listsOf("q", "y", 1)) {
		t.Error("not ended by the last answer alone")
	}
}

// The words of the project and those of the model count the same. Without a semantic channel only
// the first count.
func TestMeaningOfEvidence(t *testing.T) {
	calibration := make(doc.Calibration, 101) // 0 throughout: a cosine counts with its square
	found := &api.Lists{Lists: []oracles.List{
		{Channel: "lexical", Kind: doc.Code, Hits: []doc.Ranked{{DocID: "b", Path: "b", Raw: 9}}},
		{Channel: semantic, Kind: doc.Code, Words: 4, Known: 3, Hits: []doc.Ranked{{DocID: "a", Path: "a", Raw: 0.5}}},
	}}
	for _, test := range []struct {
		of            []*api.Lists
		known, cosine float64
	}{
		{[]*api.Lists{found}, 0.625, 0.25},
		{[]*api.Lists{{Lists: found.Lists[:1]}}, 0.5, 0},
		{nil, 0.5, 0},
	} {
		evidence := map[string]doc.Evidence{"a": {Share: 0.2, Known: 0.5}, "b": {Known: 0.5}}
		meaningOf(test.of).addTo(evidence, calibration)
		if want := (doc.Evidence{Share: 0.2, Known: test.known, Cosine: test.cosine}); evidence["a"] != want {
			t.Errorf("a has %+v, want %+v", evidence["a"], want)
		}
		if want := (doc.Evidence{Known: test.known}); evidence["b"] != want {
			t.Errorf("b has %+v, want %+v", evidence["b"], want)
		}
	}
}

// limiter must agree with a slow version.
func TestLimiter(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 50 {
		gone := map[int]bool{}
		size := 1 + r.Intn(4)
		s := limiter[int]{free: size, over: func(x int) bool { return gone[x] }}
		var queue []int
		held := 0
		for x := range 2 * waiting {
			switch live := slices.DeleteFunc(slices.Clone(queue), func(x int) bool { return gone[x] }); {
			case r.Intn(4) > 0:
				want := later
				if held < size {
					want = now
					held++
				} else if len(queue) >= waiting && len(live) >= waiting {
					want = refuse
				} else {
					if len(queue) >= waiting {
						queue = live
					}
					queue = append(queue, x)
				}
				if got := s.takeSlot(x); got != want {
					t.Fatalf("take: %d, want %d", got, want)
				}
			case held > 0:
				next, ok := s.done()
				if ok != (len(live) > 0) || ok && next != live[0] {
					t.Fatalf("done: %d %v, waiting %v", next, ok, live)
				}
				if !ok {
					held, queue = held-1, nil
				} else {
					queue = queue[slices.Index(queue, next)+1:]
				}
			}
			if len(queue) > 0 && r.Intn(10) == 0 {
				gone[queue[r.Intn(len(queue))]] = true
			}
		}
	}
}

func TestLimiterRefuseOnlyWhenFull(t *testing.T) {
	gone := -1
	s := limiter[int]{free: 1, over: func(x int) bool { return x == gone }}
	for x := range waiting + 1 {
		if s.takeSlot(x) == refuse {
			t.Fatalf("refused %d", x)
		}
	}
	if s.takeSlot(1000) != refuse {
		t.Error("took one too many")
	}
	gone = 7
	if s.takeSlot(1001) != later {
		t.Error("refused although one waits in vain")
	}
}

func TestBreaker(t *testing.T) {
	at := time.Unix(1000, 0)
	r := breaker{slots: 2}
	for range failuresInARow - 1 {
		r.failed(at, "x")
	}
	r.succeeded()
	r.failed(at, "x")
	if why := r.reason(at); why != "" {
		t.Errorf("rests after one failure: %s", why)
	}
	for range failuresInARow - 1 {
		r.failed(at, "disk on fire")
	}
	if why := r.reason(at.Add(time.Second)); !strings.Contains(why, "29s") || !strings.Contains(why, "disk on fire") {
		t.Errorf("reason %q", why)
	}
	if why := r.reason(at.Add(coolDown)); why != "" {
		t.Errorf("still rests: %s", why)
	}
	if r.failed(at.Add(coolDown), "x"); r.reason(at.Add(coolDown)) == "" {
		t.Error("one more failure does not begin the next rest")
	}
	if r := (breaker{slots: 2, lost: 1}); r.reason(at) != "" {
		t.Error("unavailable with a slot left")
	}
	if r := (breaker{slots: 2, lost: 2}); r.reason(at) == "" {
		t.Error("asked with no slot left")
	}
}

func TestLease(t *testing.T) {
	freed := 0
	l := &lease{free: func() { freed++ }}
	if !l.admit() || !l.acquire() || !l.acquire() {
		t.Fatal("a living lease refused")
	}
	l.releaseUse()
	l.endQuery()
	l.endQuery()
	if freed != 0 || l.acquire() || !l.isOver() {
		t.Errorf("freed %d times while in use, or acquired after its end", freed)
	}
	l.releaseUse()
	l.endQuery()
	if freed != 1 {
		t.Errorf("freed %d times", freed)
	}
	never := &lease{free: func() { t.Error("gave back a slot that it never had") }}
	never.endQuery()
	if never.admit() {
		t.Error("admitted after its end")
	}
}

func TestFreshIDs(t *testing.T) {
	names := []string{"q_1_aaa", "q_1_aaa", "q_1_aab", "q_1_aab", "q_2_aaa"}
	i := 0
	give := func(time.Time) string { i++; return names[i-1] }
	var q queries
	for _, want := range []string{"q_1_aaa", "q_1_aab", "q_2_aaa"} {
		if got := q.fresh(give); got != want {
			t.Errorf("id %s, want %s", got, want)
		}
	}
}
