package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store"
)

// On a busy machine words may take as long as they need, and other channels end with their share of
// the time. An answer without words is incomplete, but never irrelevant.
func TestWordsFinish(t *testing.T) {
	p := newProject(t, "app")
	for text, found := range map[string]struct {
		paths []string
		want  fusion.Relevance
	}{"dial": {[]string{"net/dial.go"}, fusion.Relevant}, "how are zebras fed": {nil, fusion.Unjudged}} {
		bubble(t, text, func(t *testing.T) {
			e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
				script{"semantic", sleeps},
				script{"lexical", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
					select {
					case <-time.After(wordsLeast - time.Millisecond):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					return finds(found.paths...)(ctx, q)
				}},
			}})
			a, err := e.Scry(t.Context(), api.Request{Text: text, Timeout: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "lexical"); s.Status != api.OK && s.Status != api.Empty {
				t.Errorf("words: %+v", s)
			}
			if s := stateOf(t, a, "semantic"); s.Status != api.Deadline || s.Detail != "deadline 54 ms" {
				t.Errorf("meaning: %+v", s)
			}
			if len(a.Results) != len(found.paths) || !a.Partial || a.Relevance != found.want {
				t.Errorf("partial %v, %s, %d results", a.Partial, a.Relevance, len(a.Results))
			}
			for _, r := range a.Results {
				if r.Bare || r.Symbol != "Dial" {
					t.Errorf("not described: %+v", r)
				}
			}
		})
	}
}

// Words that never come must not delay an answer beyond their time.
func TestWordsThatHang(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{script{"lexical", sleeps}, script{"semantic", finds("net/dial.go")}}})
		const asked = 100 * time.Millisecond
		a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: asked})
		if err != nil || !a.Partial || a.Took > longestQuestion(asked) || stateOf(t, a, "lexical").Status != api.Deadline {
			t.Fatalf("%+v, %v", a, err)
		}
	})
}

// Other channels end when their question has used its processor time, even before the ceiling. Two
// running questions have twice the time, because they share the process.
func TestProcessorTimeEndsChannels(t *testing.T) {
	p := newProject(t, "app")
	for name, running := range map[string]int64{"alone": 0, "beside another": 1} {
		bubble(t, name, func(t *testing.T) {
			began := time.Now()
			e := inBubble(t, Options{
				Projects:  []Project{p},
				Oracles:   []oracles.Oracle{script{"semantic", sleeps}, script{"lexical", finds("net/dial.go")}},
				processor: func() time.Duration { return 10 * time.Since(began) }, // ten processors
			})
			e.queries.count.Add(running)
			const asked = 100 * time.Second
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: asked})
			if err != nil {
				t.Fatal(err)
			}
			spent := percentOf(askBudget(asked), processorTime) / 10 * time.Duration(running+1)
			if s := stateOf(t, a, "semantic"); s.Status != api.Deadline || s.Elapsed < spent || s.Elapsed > spent+meterTick || s.Detail != "after 45000 ms of processor time" {
				t.Errorf("meaning: %+v, want the end after %s", s, spent)
			}
			if s := stateOf(t, a, "lexical"); s.Status != api.OK || len(a.Results) != 1 {
				t.Errorf("words: %+v", s)
			}
		})
	}
}

// Stalls must not count as a question's time: a slow channel answers, up to the second ceiling, and
// one that hangs does not.
func TestStallsAreNotCounted(t *testing.T) {
	p := newProject(t, "app")
	const asked = time.Second
	for name, test := range map[string]struct {
		takes time.Duration
		whole bool
	}{"within the second ceiling": {5 * asked, true}, "beyond it": {time.Hour, false}} {
		bubble(t, name, func(t *testing.T) {
			began := time.Now()
			slow := func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
				select {
				case <-time.After(test.takes):
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				return finds("net/dial.go")(ctx, q)
			}
			e := inBubble(t, Options{
				Projects: []Project{p},
				Oracles:  []oracles.Oracle{script{"lexical", slow}, script{"semantic", slow}},
				stalled:  func() time.Duration { return time.Since(began) }, // it never runs
			})
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: asked})
			if err != nil {
				t.Fatal(err)
			}
			if a.Partial == test.whole || len(a.Results) != 1 || a.Took > MostStalled(asked)+longestQuestion(asked) {
				t.Errorf("after %s: partial %v, %d results, %+v", a.Took, a.Partial, len(a.Results), a.Channels)
			}
			for _, s := range a.Channels {
				if s.Status == api.Deadline && !test.whole && s.Channel == "semantic" && s.Detail != "deadline 540 ms, and 4500 ms without a processor" {
					t.Errorf("%s: %q", s.Channel, s.Detail)
				}
			}
		})
	}
}

// They must not count for a look-up either.
func TestStallsOfLookUps(t *testing.T) {
	p := newProject(t, "app")
	const asked = time.Second
	for takes, want := range map[time.Duration]bool{5 * asked: true, time.Hour: false} {
		bubble(t, takes.String(), func(t *testing.T) {
			began := time.Now()
			e := inBubble(t, Options{
				Projects: []Project{p}, Oracles: []oracles.Oracle{script{"lexical", sleeps}},
				stalled: func() time.Duration { return time.Since(began) },
				load: func(p Project) (*store.Store, error) {
					time.Sleep(takes)
					return loadIndex(p)
				},
				Lazy: true,
			})
			d, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: api.ReadOptions{Timeout: asked}, DocID: "net/dial.go"})
			if (err == nil) != want || d != nil != want {
				t.Errorf("%v, %v", d, err)
			}
			if took := time.Since(began); took > MostStalled(asked)+asked {
				t.Errorf("after %s", took)
			}
			time.Sleep(takes) // until the index is open, too late
		})
	}
}

// If the index opens when only the time for words is left, only words answer.
func TestWordsAfterALateIndex(t *testing.T) {
	p := newProject(t, "app")
	const asked = 100 * time.Second
	for name, test := range map[string]struct {
		at      int // hundredths of the time for lists
		results int
	}{"in time": {othersEnd - 1, 1}, "late": {othersEnd + 1, 1}, "too late": {wordsEnd + 1, 0}} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{
				Projects: []Project{p}, Lazy: true,
				Oracles: []oracles.Oracle{script{"semantic", finds("net/listen.go")}, script{"lexical", finds("net/dial.go")}},
				load: func(p Project) (*store.Store, error) {
					time.Sleep(percentOf(askBudget(asked), test.at))
					return loadIndex(p)
				},
			})
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: asked})
			if err != nil {
				t.Fatal(err)
			}
			late := test.at > othersEnd
			if n := len(a.Results); late && n != test.results || a.Partial != late {
				t.Errorf("partial %v, %d results, %+v", a.Partial, n, a.Channels)
			}
			words, meaning := stateOf(t, a, "lexical").Status, stateOf(t, a, "semantic").Status
			if (words == api.OK) != (test.results > 0) || (meaning == api.OK) == late {
				t.Errorf("words %s, meaning %s", words, meaning)
			}
			time.Sleep(asked) // until the index is open, too late
		})
	}
}
