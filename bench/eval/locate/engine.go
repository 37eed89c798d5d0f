package locate

import (
	"context"
	"fmt"
	"time"

	"patina/actors"
	"patina/oracles"
	"patina/store"
)

// An Asker answers one question; *actors.Engine does.
type Asker interface {
	Scry(ctx context.Context, r actors.Request) (*actors.Answer, error)
}

const patience = 30 * time.Second // a question; quality is measured, so a slow machine must not cost a channel

// engineSystems are the ways to ask the engine: each oracle alone, and all, as users do.
func engineSystems() []system {
	var list []system
	for _, o := range oracles.Default() {
		list = append(list, system{"engine " + o.Name(), []string{o.Name()}})
	}
	return append(list, system{name: "engine"})
}

// A system is what the engine is asked for; without oracles, all of them.
type system struct {
	name string
	only []string
}

// ask returns the files of an answer. An answer that lacks a channel, and so measures something else, is told of by late.
func (t *Tree) ask(ctx context.Context, a Asker, s system, kinds []store.Kind, query string, late func(*actors.Answer)) (ranking, error) {
	answer, err := a.Scry(ctx, actors.Request{
		Text: query, Filter: store.Filter{Kinds: kinds}, Limit: places, Oracles: s.only, Timeout: patience,
	})
	if err != nil {
		return nil, fmt.Errorf("ask %q: %w", query, err)
	}
	if answer.Partial {
		late(answer)
	}
	var r ranking
	seen := map[int]bool{}
	for _, x := range answer.Results {
		if n, ok := t.numbers[x.Path]; ok && !seen[n] {
			seen[n] = true
			r = append(r, n)
		}
	}
	return r, nil
}

// lacking says which channels an answer lacks.
func lacking(a *actors.Answer) string {
	out := fmt.Sprintf("%q:", a.Query)
	for _, c := range a.Channels {
		if c.Status.Partial() {
			out += fmt.Sprintf(" %s %s (%s)", c.Channel, c.Status, c.Detail)
		}
	}
	return out
}
