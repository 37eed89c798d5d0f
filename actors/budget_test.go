package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"patina/fusion"
	"patina/oracles"
)

// Words take as long as they need where the machine is busy, and the channels beside them end with
// their share of the time. An answer without them is incomplete, never irrelevant.
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
			a, err := e.Scry(t.Context(), Request{Text: text, Timeout: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "lexical"); s.Status != OK && s.Status != Empty {
				t.Errorf("words: %+v", s)
			}
			if s := stateOf(t, a, "semantic"); s.Status != Deadline || s.Detail != "deadline 54 ms" {
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

// Words that never come hold no answer beyond their time.
func TestWordsThatHang(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{script{"lexical", sleeps}, script{"semantic", finds("net/dial.go")}}})
		const asked = 100 * time.Millisecond
		a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: asked})
		if err != nil || !a.Partial || a.Took > longestQuestion(asked) || stateOf(t, a, "lexical").Status != Deadline {
			t.Fatalf("%+v, %v", a, err)
		}
	})
}

// The channels beside words end once their question has used its processor time, whatever is left
// of the ceiling. Another running question doubles it: they share what the process uses.
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
			a, err := e.Scry(t.Context(), Request{Text: "dial", Timeout: asked})
			if err != nil {
				t.Fatal(err)
			}
			spent := percent(askBudget(asked), processorTime) / 10 * time.Duration(running+1)
			if s := stateOf(t, a, "semantic"); s.Status != Deadline || s.Elapsed < spent || s.Elapsed > spent+meterTick || s.Detail != "after 45000 ms of processor time" {
				t.Errorf("meaning: %+v, want the end after %s", s, spent)
			}
			if s := stateOf(t, a, "lexical"); s.Status != OK || len(a.Results) != 1 {
				t.Errorf("words: %+v", s)
			}
		})
	}
}
