package peer

import (
	"strings"
	"testing"
	"time"
)

// Who is asked first: whoever takes questions, is heard, is new and has little to do, in this
// order.
func TestOrder(t *testing.T) {
	two := func(head string, minutes int64) []candidate {
		return []candidate{{node: "a", head: "1"}, {node: "b", head: head, scrapedAt: minutes * 60, calls: 9}}
	}
	for name, test := range map[string]struct {
		all  []candidate
		want string
	}{
		"nobody":             {nil, ""},
		"down and unknown":   {[]candidate{{node: "a", condition: Down}, {node: "b", condition: Unknown}}, ""},
		"up before suspect":  {[]candidate{{node: "a", condition: Suspect}, {node: "b", calls: 60}}, "b a"},
		"draining last":      {[]candidate{{node: "a", draining: true}, {node: "b", condition: Suspect}}, "b a"},
		"few calls":          {[]candidate{{node: "a", calls: 2}, {node: "b", calls: 1}, {node: "c"}}, "c b a"},
		"new before few":     {two("2", 11), "b a"},
		"equal within 10":    {two("2", 10), "a b"},
		"same head is equal": {two("1", 99), "a b"},
		"as they were":       {[]candidate{{node: "b"}, {node: "a"}}, "b a"},
		"a down one is not the newest": {[]candidate{
			{node: "a", head: "1", calls: 1},
			{node: "b", head: "2", scrapedAt: 99 * 60, condition: Down},
			{node: "c", head: "1"},
		}, "c a"},
	} {
		var got []string
		for _, c := range order(test.all) {
			got = append(got, c.node)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %q, want %q", name, s, test.want)
		}
	}
}

// Another replica is asked after an error that is the node's, while there is time, and each once.
func TestFailover(t *testing.T) {
	two := []candidate{{node: "a"}, {node: "b"}}
	second := time.Second
	r := newRace(two, true)
	if c, attempt := r.take(); c.node != "a" || attempt != 0 {
		t.Fatal(c, attempt)
	}
	if got := r.onError(true, second); got != start {
		t.Error(got)
	}
	if c, attempt := r.take(); c.node != "b" || attempt != 1 {
		t.Fatal(c, attempt)
	}
	if got := r.onError(true, second); got != stop {
		t.Error("no replica is left:", got)
	}
	for name, test := range map[string]struct {
		retryable bool
		left      time.Duration
		want      step
	}{
		"of the question": {false, second, stop},
		"20 ms left":      {true, 20 * time.Millisecond, start},
		"19 ms left":      {true, 19 * time.Millisecond, stop},
	} {
		r := newRace(two, true)
		r.take()
		if got := r.onError(test.retryable, test.left); got != test.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// A second replica is asked once, if it is up and has a free slot, and only while there are tokens.
func TestHedge(t *testing.T) {
	for name, test := range map[string]struct {
		second candidate
		hedge  bool
		want   step
	}{
		"up":       {candidate{}, true, start},
		"suspect":  {candidate{condition: Suspect}, true, wait},
		"draining": {candidate{draining: true}, true, wait},
		"full":     {candidate{full: true}, true, wait},
		"not now":  {candidate{}, false, wait},
	} {
		var full tokens
		r := newRace([]candidate{{}, test.second, {}}, test.hedge)
		r.take()
		if got := r.onSlow(&full); got != test.want {
			t.Errorf("%s: %d", name, got)
		} else if got == start {
			r.take()
			if r.onSlow(&full) != wait {
				t.Errorf("%s: twice", name)
			}
			if r.onError(true, 0) != wait || r.onError(true, 0) != stop {
				t.Errorf("%s: the other one is not waited for", name)
			}
		}
	}
	alone := newRace([]candidate{{}}, true)
	alone.take()
	if alone.onSlow(&tokens{}) != wait {
		t.Error("hedged without a second replica")
	}
}

// Ten hedges are saved at most, and then each twentieth question has one.
func TestTokens(t *testing.T) {
	var b tokens
	paid := func(questions int) (n int) {
		for range questions {
			b.earn()
			if b.pay() {
				n++
			}
		}
		return n
	}
	if n := paid(200); n < 19 || n > 20 {
		t.Errorf("%d hedges among the first 200 questions", n)
	}
	if n := paid(2000); n < 99 || n > 101 {
		t.Errorf("%d hedges among 2000 questions", n)
	}
	for range 10_000 {
		b.earn()
	}
	if n := paid(10); n != 10 {
		t.Errorf("%d saved", n)
	}
	if n := paid(10); n > 1 {
		t.Errorf("%d beyond what may be saved", n)
	}
}

// The wait for a hedge grows as tokens are spent, up to four times.
func TestHedgeAfterWithFewTokens(t *testing.T) {
	var b tokens
	last := b.stretch(time.Second)
	if last != time.Second {
		t.Error(last)
	}
	for b.pay() {
		d := b.stretch(time.Second)
		if d <= last || d > hedgeStretch*time.Second {
			t.Errorf("%s after %s", d, last)
		}
		last = d
	}
	if last != hedgeStretch*time.Second {
		t.Error(last)
	}
}

// The wait for a hedge is the 95th percentile of the last answers, and never short.
func TestHedgeAfter(t *testing.T) {
	var l *latencies
	if d := l.hedgeAfter(); d != hedgeUnmeasured {
		t.Error(d)
	}
	l = newLatencies(keptOfRepository)
	for range fewest - 1 {
		l.observe(time.Millisecond)
	}
	if d := l.hedgeAfter(); d != hedgeUnmeasured {
		t.Error(d)
	}
	l.observe(time.Millisecond)
	if d := l.hedgeAfter(); d != hedgeFloor {
		t.Error(d)
	}
	for i := range 64 {
		l.observe(time.Duration(i+1) * time.Second)
	}
	if d := l.hedgeAfter(); d != 61*time.Second {
		t.Error(d)
	}
}
