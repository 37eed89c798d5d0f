package agentcmd

import (
	"errors"
	"slices"
)

// A What is a sort of thing that is installed.
type What string

// The sorts, in the order of their steps.
const (
	Entry        What = "server"
	Instructions What = "instructions"
	Skill        What = "skill"
	HookEntry    What = "hook"
	Backup       What = "backup" // a copy of a file in which nothing of ours is left
)

// An Action is what a plan does about one thing.
type Action string

// The actions.
const (
	Add     Action = "add"
	Renew   Action = "renew" // ours of another version
	Remove  Action = "remove"
	Keep    Action = "keep"    // it is there already, or another client needs it still
	Leave   Action = "leave"   // somebody has changed it
	Refuse  Action = "refuse"  // the file cannot be edited
	Nothing Action = "nothing" // there is no place for it, or it is not there
)

// A Step is one thing in one file.
type Step struct {
	Client string `json:"client"`
	Scope  Scope  `json:"scope"`
	What   What   `json:"what"`
	File   string `json:"file,omitempty"`
	At     string `json:"at,omitempty"` // in the file
	Action Action `json:"action"`
	Why    string `json:"why,omitempty"`
	Text   string `json:"text,omitempty"` // as it stands there, or to copy by hand
}

// Hooks says which hooks are installed.
type Hooks string

// The hooks. Search comes with the safe one.
const (
	NoHooks     Hooks = "none"
	SafeHooks   Hooks = "safe"
	SearchHooks Hooks = "search"
)

// A Request says what to install, and where.
type Request struct {
	Clients      []Client
	Scope        Scope
	Instructions bool
	Hooks        Hooks
}

// A Plan is what would be done. Nothing is, before Apply.
type Plan struct {
	Steps  []Step
	env    Env
	adds   bool // it is for an installation: backups are made and stay
	drafts []*draft
	left   map[*draft]bool    // something of ours stays in it
	notes  map[*draft]written // what the record is to say of it
}

// Changes reports whether anything would be written.
func (p *Plan) Changes() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Add || s.Action == Renew || s.Action == Remove })
}

// Refused reports whether some file cannot be edited.
func (p *Plan) Refused() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Refuse })
}

// Left reports whether something stays because somebody has changed it.
func (p *Plan) Left() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Leave })
}

// Apply writes the plan, and what it has written to the record. What it has written before an error
// stays. A plan without changes still takes out of the record what is no longer in its file. Plans
// of one user are applied one after the other: a file that another one has changed since this plan
// was made is an error.
func (p *Plan) Apply() error {
	release, err := p.env.lock(p.Changes())
	if err != nil {
		return err
	}
	defer release()
	// The record says at any time at least what is written.
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
