package eval

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"patina/actors"
	"patina/store"
	"patina/store/belief"
	"patina/store/reach"
	"patina/store/verification"
)

// believer finds the belief "b" first where beliefs are asked for, then x.go; the belief "c" is
// about x.go.
type believer struct{}

func (believer) Scry(_ context.Context, r actors.Request) (*actors.Answer, error) {
	var a actors.Answer
	if len(r.Filter.Kinds) == 0 {
		a.Results = append(a.Results, actors.Result{Description: store.Description{Path: "b.md", Belief: &belief.Note{Belief: belief.Belief{ID: "b"}}}})
	}
	a.Results = append(a.Results, actors.Result{Description: store.Description{Path: "x.go"}})
	return &a, nil
}

func (believer) Reach(context.Context, actors.ReachRequest) (*actors.ReachAnswer, error) {
	about := func(id string, score float64) verification.BeliefReach {
		return verification.BeliefReach{ID: id, Reached: []reach.Reached{{Path: "x.go", Score: score}}}
	}
	return &actors.ReachAnswer{Beliefs: []verification.BeliefReach{about("weak", 0.1), about("c", 0.9), about("d", 0.8)}}, nil
}

// By hand: the file is first without beliefs and second behind one. Of the beliefs b and c the
// channel shows b, the notes c (and d, but no third one), and both both.
func TestAnnotate(t *testing.T) {
	qs := []Question{{ID: "1", Query: "q", Expect: []string{"x.go", "y.go"}, Beliefs: []string{"b", "c"}}, {ID: "2", Query: "no beliefs", Expect: []string{"x.go"}}}
	a, err := Annotate(t.Context(), believer{}, qs)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][4]float64{
		"without": {a.Without.Code.Mean - 1, a.Without.Found.Mean - 0.5, a.Without.Knowledge.Mean},
		"notes":   {a.Notes.Code.Mean - 1, a.Notes.Found.Mean - 0.5, a.Notes.Knowledge.Mean - 0.5},
		"channel": {a.Channel.Code.Mean - 0.5, a.Channel.Found.Mean - 0.5, a.Channel.Knowledge.Mean - 0.5},
		"both":    {a.Both.Code.Mean - 0.5, a.Both.Found.Mean - 0.5, a.Both.Knowledge.Mean - 1, a.Code.Mean + 0.5},
		"differs": {a.Knowledge.Mean - 0.5, float64(a.Questions) - 1},
	} {
		if got != [4]float64{} {
			t.Errorf("%s is off by %v", name, got)
		}
	}
	var b bytes.Buffer
	if err := a.Text(&b); err != nil || !strings.Contains(b.String(), "both − annotations: code -0.500 [-0.500, -0.500], beliefs +0.500 [+0.500, +0.500]") {
		t.Errorf("%v\n%s", err, &b)
	}
	if _, err := Annotate(t.Context(), believer{}, qs[1:]); err == nil {
		t.Error("no question needs a belief, and no error")
	}
}
