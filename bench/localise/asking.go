package main

import (
	"context"
	"errors"
	"regexp"
	"slices"
)

// mostCalls bounds the work of an agent on one task.
const mostCalls = 12

// A play is one agent's work on one task.
type play struct {
	calls, tokens int
	found         bool // whether it has opened a right file
}

// tokens estimates the tokens of a text: bytes / 4, as everywhere in patina.
func tokens(text string) int { return (len(text) + 3) / 4 }

// ask plays a task with the tools of patina, in a session of its own:
//
//  1. scry of the task's text
//  2. scry in mode detail of its code results in order, each file once
//  3. scry of the same text with twenty results of code only
//  4. their details, in order
//
// list is the number of tokens of the tools and instructions.
func (b *bench) ask(ctx context.Context, tree, home string, t task) (p play, list int, err error) {
	c, sent, err := b.connect(ctx, tree, home)
	if err != nil {
		return p, 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	a := asking{c: c, t: t, p: &p}
	for _, more := range []map[string]any{nil, {"content_type": "code", "limit": 20}} {
		if err := a.round(more); err != nil {
			return p, 0, err
		}
	}
	return p, tokens(sent), nil
}

// An asking is the state of the agent that asks patina.
type asking struct {
	c      *client
	t      task
	p      *play
	opened []string
}

var (
	queryID = regexp.MustCompile(`^q_\w+`)
	result  = regexp.MustCompile(`(?m)^(\d+)\. \[code\] (.+?):\d`)
)

// round asks once and opens the files in the answer that were not opened before.
func (a *asking) round(more map[string]any) error {
	if a.p.found {
		return nil
	}
	args := map[string]any{"query": a.t.Text}
	for k, v := range more {
		args[k] = v
	}
	answer, err := a.call(args)
	if err != nil {
		return err
	}
	for _, m := range result.FindAllStringSubmatch(answer, -1) {
		if a.p.found || a.p.calls == mostCalls {
			return nil
		}
		if slices.Contains(a.opened, m[2]) {
			continue
		}
		a.opened = append(a.opened, m[2])
		if _, err := a.call(map[string]any{
			"mode": "detail", "query_id": queryID.FindString(answer),
			"rank": m[1],
		}); err != nil {
			return err
		}
		a.p.found = slices.Contains(a.t.Files, m[2])
	}
	return nil
}

func (a *asking) call(args map[string]any) (string, error) {
	text, err := a.c.scry(args)
	if err == nil {
		a.p.count(text)
	}
	return text, err
}
