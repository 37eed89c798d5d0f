package agentcmd

import (
	"fmt"
	"path/filepath"
)

// A piece is one thing of ours in one file.
type piece struct {
	step Step
	path string
	edit edit
}

// sameThing reports whether two clients share a thing.
func (q piece) sameThing(other piece) bool {
	return q.path == other.path && q.step.At == other.step.At
}

// pieces returns the pieces of one client that a request wants.
func (e Env) pieces(c Client, r Request) (out []piece) {
	n := r.Scope.index()
	add := func(what What, templates []string, with edit, below ...string) {
		p := piece{step: Step{Client: c.Name, Scope: r.Scope, What: what}, edit: with}
		if p.path = e.choose(templates); p.path == "" {
			p.step.Action, p.step.Why = Nothing,
				fmt.Sprintf("%s has no such file in the scope %q that is known", c.Title, r.Scope)
		} else {
			p.path = filepath.Join(append([]string{p.path}, below...)...)
			p.step.File, p.step.At, p.step.Text = p.path, with.name(), with.entryText()
		}
		out = append(out, p)
	}
	add(Entry, c.entry[n].paths, c.entry[n].edit)
	if r.Instructions {
		add(Instructions, c.instructions[n], blockEdit{instructionLines})
		add(Skill, c.skills[n], wholeEdit{skillText}, "patina", "SKILL.md")
	}
	hooks := c.hooks
	if r.Hooks == NoHooks || r.Hooks == "" {
		return out
	}
	if len(hooks) == 0 {
		add(HookEntry, nil, nil)
		out[len(out)-1].step.Why = c.Title + " has no hooks that are known to add context"
	}
	for _, h := range hooks {
		if !h.act || r.Hooks == ActHooks {
			add(HookEntry, h.paths[n], h.edit)
		}
	}
	return out
}

// requestAll returns a request for all possible pieces.
func requestAll(clients []Client, scope Scope) Request {
	return Request{Clients: clients, Scope: scope, Instructions: true, Hooks: ActHooks}
}

// base returns the folder of a scope's files.
func (e Env) base(s Scope) string {
	if s == Project {
		return e.Root
	}
	return e.Home
}

// Pieces returns all pieces that a request would add, without reading any file.
func (e Env) Pieces(r Request) (out []Step) {
	for _, c := range r.Clients {
		for _, q := range e.pieces(c, r) {
			if q.step.Action == "" {
				q.step.Action = Add
			}
			out = append(out, q.step)
		}
	}
	return out
}
