package agentcmd

import (
	"errors"
	"slices"
)

// A What is a kind of thing that is installed.
type What string

// The kinds, in the order of their steps.
const (
	Entry        What = "server"
	Instructions What = "instructions"
	Skill        What = "skill"
	HookEntry    What = "hook"
	Backup       What = "backup" // a copy of a file that has nothing of ours left
)

// An Action is a plan's decision on one thing.
type Action string

// The actions.
const (
	Add     Action = "add"
	Renew   Action = "renew" // replace ours of another version
	Remove  Action = "remove"
	Keep    Action = "keep"    // already there, or another client still needs it
	Leave   Action = "leave"   // somebody has changed it
	Refuse  Action = "refuse"  // the file cannot be edited
	Nothing Action = "nothing" // no place for it, or not there
)

// A Step is one thing in one file.
type Step struct {
	Client string `json:"client"`
	Scope  Scope  `json:"scope"`
	What   What   `json:"what"`
	File   string `json:"file,omitempty"`
	At     string `json:"at,omitempty"` // place in the file
	Action Action `json:"action"`
	Why    string `json:"why,omitempty"`
	Text   string `json:"text,omitempty"` // as it is in the file, or to copy by hand
}

// Hooks selects the hooks to install.
type Hooks string

// The hooks. ActHooks includes the safe one.
const (
	NoHooks     Hooks = "none"
	SafeHooks   Hooks = "safe"
	ActHooks    Hooks = "act"
	searchHooks Hooks = "search" // of earlier versions: now ActHooks
)

// A Request selects the pieces to install, and the scope.
type Request struct {
	Clients      []Client
	Scope        Scope
	Instructions bool
	Hooks        Hooks
}

// A Plan lists intended changes. Nothing is changed before Apply.
type Plan struct {
	Steps  []Step
	env    Env
	adds   bool // for an installation: backups are made and kept
	drafts []*draft
	left   map[*draft]bool    // files in which something of ours remains
	notes  map[*draft]written // new entries of the record
}

// Changes reports whether anything would be written.
func (p *Plan) Changes() bool {
	return slices.ContainsFunc(p.Steps,
		func(s Step) bool { return s.Action == Add || s.Action == Renew || s.Action == Remove })
}

// Refused reports whether some file cannot be edited.
func (p *Plan) Refused() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Refuse })
}

// Left reports whether something stays because somebody has changed it.
func (p *Plan) Left() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Leave })
}

// Apply writes the plan and updates the record. After an error, files already written stay. Even a
// plan without changes removes stale places from the record. Plans of one user are applied one
// after the other. A file that was changed since the plan was made is an error.
func (p *Plan) Apply() error {
	release, err := p.env.lock(p.Changes())
	if err != nil {
		return err
	}
	defer release()
	// At any time, the record must list at least the written pieces.
	notes, after := map[string]written{}, map[string]written{}
	for _, d := range p.drafts {
		if d.err == nil {
			key := d.key()
			notes[key], after[key] = p.notes[d].with(d.noted()), d.noted()
		}
	}
	if err := p.env.noteWritten(notes); err != nil {
		return err
	}
	for _, d := range p.drafts {
		if d.err != nil {
			continue
		}
		if err := d.writeFile(p.adds, p.left[d]); err != nil {
			return errors.Join(err, p.env.noteWritten(after))
		}
		after[d.key()] = p.notes[d]
	}
	return p.env.noteWritten(after)
}
