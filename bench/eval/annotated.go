package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"patina/actors"
	"patina/store"
)

// An Annotated compares two ways to show what a project believes: beliefs as results of their own
// (a channel), and beliefs as notes at the code that they are about (annotations).
type Annotated struct {
	Questions int       `json:"questions"`
	Without   Treatment `json:"without"` // no beliefs at all
	Channel   Treatment `json:"channel"`
	Notes     Treatment `json:"notes"`
	Both      Treatment `json:"both"` // as answers are
	// Code and Knowledge are the differences of both to the notes alone, question by question.
	Code      Estimate `json:"code"`
	Knowledge Estimate `json:"knowledge"`
}

// A Treatment is one way's figures, over questions of which each needs code and beliefs.
type Treatment struct {
	Code  Estimate `json:"code"`  // MRR@10 of the first needed file
	Found Estimate `json:"found"` // needed files among the first ten results
	// Knowledge is the part of the needed beliefs that the first ten results show.
	Knowledge Estimate `json:"knowledge"`
}

// notesAResult is how many beliefs a result of code names.
const notesAResult = 2

// A Believer answers questions, and says what beliefs are about.
type Believer interface {
	Asker
	Reach(ctx context.Context, r actors.ReachRequest) (*actors.ReachAnswer, error)
}

// Annotate asks the questions that need beliefs (Question.Beliefs) in each way.
func Annotate(ctx context.Context, a Believer, qs []Question) (*Annotated, error) {
	qs = slices.DeleteFunc(slices.Clone(qs), func(q Question) bool { return len(q.Beliefs) == 0 })
	if len(qs) == 0 {
		return nil, fmt.Errorf("compare: no question has \"beliefs\"")
	}
	about, err := aboutFiles(ctx, a)
	if err != nil {
		return nil, err
	}
	var channel, notes, both, without tally
	for _, q := range qs {
		with, err := ask(ctx, a, q, nil)
		if err != nil {
			return nil, err
		}
		code, err := ask(ctx, a, q, unbelieving())
		if err != nil {
			return nil, err
		}
		channel.add(q, with, nil)
		both.add(q, with, about)
		notes.add(q, code, about)
		without.add(q, code, nil)
	}
	return &Annotated{
		len(qs), without.treatment(), channel.treatment(), notes.treatment(), both.treatment(),
		estimate(differences(both.code, notes.code)), estimate(differences(both.knowledge, notes.knowledge)),
	}, nil
}

// unbelieving are the kinds without beliefs.
func unbelieving() []store.Kind {
	return slices.DeleteFunc(store.Kinds(), func(k store.Kind) bool { return k == store.Belief })
}

func ask(ctx context.Context, a Asker, q Question, kinds []store.Kind) ([]actors.Result, error) {
	got, err := a.Scry(ctx, actors.Request{Text: q.Query, Filter: store.Filter{Kinds: kinds}, Limit: depth, Timeout: patience})
	if err != nil {
		return nil, fmt.Errorf("question %q: %w", q.ID, err)
	}
	return got.Results, nil
}

// aboutFiles lists the beliefs about each file, surest first.
func aboutFiles(ctx context.Context, a Believer) (map[string][]string, error) {
	got, err := a.Reach(ctx, actors.ReachRequest{ReadOptions: actors.ReadOptions{Timeout: patience}})
	if err != nil {
		return nil, err
	}
	type about struct {
		id    string
		score float64
	}
	all := map[string][]about{}
	for _, b := range got.Beliefs {
		for _, r := range b.Reached {
			all[r.Path] = append(all[r.Path], about{b.ID, r.Score})
		}
	}
	out := make(map[string][]string, len(all))
	for path, list := range all {
		slices.SortFunc(list, func(a, b about) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
		for _, x := range list[:min(len(list), notesAResult)] {
			out[path] = append(out[path], x.id)
		}
	}
	return out, nil
}

// A tally holds one treatment's figures, by question.
type tally struct{ code, found, knowledge []float64 }

// add rates one answer. about names the beliefs shown at a file; nil for none.
func (t *tally) add(q Question, results []actors.Result, about map[string][]string) {
	first, found := 0.0, map[string]bool{}
	shown := map[string]bool{}
	for i, r := range results[:min(len(results), depth)] {
		if slices.Contains(q.Expect, r.Path) {
			first, found[r.Path] = max(first, 1/float64(i+1)), true
		}
		if r.Description.Belief != nil {
			shown[r.Description.Belief.ID] = true
		}
		for _, id := range about[r.Path] {
			shown[id] = true
		}
	}
	known := 0
	for _, id := range q.Beliefs {
		if shown[id] {
			known++
		}
	}
	t.code = append(t.code, first)
	t.found = append(t.found, float64(len(found))/float64(max(1, len(q.Expect))))
	t.knowledge = append(t.knowledge, float64(known)/float64(len(q.Beliefs)))
}

func (t *tally) treatment() Treatment {
	return Treatment{estimate(t.code), estimate(t.found), estimate(t.knowledge)}
}

func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// Text writes the figures as a table.
func (x *Annotated) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%d questions
                     first needed file     needed files       needed beliefs
no beliefs           %-21s %-21s %s
annotations only     %-21s %-21s %s
a channel            %-21s %-21s %s
both                 %-21s %-21s %s
both − annotations: code %s, beliefs %s
`, x.Questions, x.Without.Code.text(), x.Without.Found.text(), x.Without.Knowledge.text(),
		x.Notes.Code.text(), x.Notes.Found.text(), x.Notes.Knowledge.text(),
		x.Channel.Code.text(), x.Channel.Found.text(), x.Channel.Knowledge.text(),
		x.Both.Code.text(), x.Both.Found.text(), x.Both.Knowledge.text(), x.Code.signed(), x.Knowledge.signed())
	return err
}
