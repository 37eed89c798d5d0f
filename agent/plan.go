package agent

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
)

// A What is a sort of thing that is installed.
type What string

// The sorts, in the order of their steps.
const (
	Entry        What = "server"
	Instructions What = "instructions"
	Skill        What = "skill"
	Hook         What = "hook"
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
	drafts []*draft
	left   map[*draft]bool // something of ours stays in it
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

// Apply writes the plan. What it has written before an error stays.
func (p *Plan) Apply() error {
	for _, d := range p.drafts {
		if d.err != nil {
			continue
		}
		if err := d.write(p.left[d]); err != nil {
			return err
		}
	}
	return nil
}

// A piece is one thing of ours in one file.
type piece struct {
	step Step
	path string
	edit edit
}

// same reports whether two clients share a thing.
func (q piece) same(other piece) bool {
	return q.path == other.path && q.step.At == other.step.At
}

// pieces lists what a request asks for of one client.
func (e Env) pieces(c Client, r Request) (out []piece) {
	n := r.Scope.index()
	add := func(what What, templates []string, with edit, below ...string) {
		p := piece{step: Step{Client: c.Name, Scope: r.Scope, What: what}, edit: with}
		if p.path = e.choose(templates); p.path == "" {
			p.step.Action, p.step.Why = Nothing, fmt.Sprintf("%s has no such file in the scope %q that is known", c.Title, r.Scope)
		} else {
			p.path = filepath.Join(append([]string{p.path}, below...)...)
			p.step.File, p.step.At, p.step.Text = p.path, with.name(), with.text()
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
		add(Hook, nil, nil)
		out[len(out)-1].step.Why = c.Title + " has no hooks that are known to add context"
	}
	for _, h := range hooks {
		if !h.search || r.Hooks == SearchHooks {
			add(Hook, h.paths[n], h.edit)
		}
	}
	return out
}

// everything is a request for all that could be there.
func everything(clients []Client, scope Scope) Request {
	return Request{Clients: clients, Scope: scope, Instructions: true, Hooks: SearchHooks}
}

// base is the folder in which a scope's files lie.
func (e Env) base(s Scope) string {
	if s == Project {
		return e.Root
	}
	return e.Home
}

// A planner makes a plan, file by file.
type planner struct {
	env   Env
	plan  *Plan
	files map[string]*draft // by their real paths
	by    map[string]*draft // by the paths that clients name
}

func (e Env) planner() *planner {
	return &planner{env: e, plan: &Plan{left: map[*draft]bool{}}, files: map[string]*draft{}, by: map[string]*draft{}}
}

func (p *planner) draft(path string, scope Scope) *draft {
	if d := p.by[path]; d != nil {
		return d
	}
	d := load(path, p.env.base(scope), scope)
	if same := p.files[d.real]; same != nil {
		d = same
	} else {
		p.files[d.real] = d
		p.plan.drafts = append(p.plan.drafts, d)
	}
	p.by[path] = d
	return d
}

func (p *planner) step(s Step, action Action, why string) {
	s.Action, s.Why = action, why
	p.plan.Steps = append(p.plan.Steps, s)
}

// Install plans to add what is missing.
func (e Env) Install(r Request) *Plan {
	p := e.planner()
	for _, c := range r.Clients {
		for _, piece := range e.pieces(c, r) {
			p.install(piece)
		}
	}
	return p.plan
}

func (p *planner) install(q piece) {
	if q.path == "" {
		p.plan.Steps = append(p.plan.Steps, q.step)
		return
	}
	d := p.draft(q.path, q.step.Scope)
	if d.err != nil {
		p.step(q.step, Refuse, d.err.Error())
		return
	}
	after, state, err := add(q.edit, d.now)
	switch {
	case err != nil:
		p.step(q.step, Refuse, err.Error())
	case state == Intact:
		p.keep(d, q)
	case state == Edited:
		p.step(q.step, Leave, "somebody has changed it")
	case d.readOnly():
		p.step(q.step, Refuse, "the file is read-only")
	default:
		d.now = after
		p.step(q.step, Add, "")
	}
}

// keep leaves what is intact, or brings it up to date.
func (p *planner) keep(d *draft, q piece) {
	if r, ok := q.edit.(renewer); ok && !d.readOnly() {
		if next := r.renew(d.now); !bytes.Equal(next, d.now) {
			d.now = next
			p.step(q.step, Renew, "")
			return
		}
	}
	p.step(q.step, Keep, "it is there already")
}

// Uninstall plans to take out all that is intact.
func (e Env) Uninstall(list []Client, scope Scope) *Plan {
	p := e.planner()
	shared := e.needed(list, scope)
	var out []piece
	for _, c := range list {
		for _, q := range e.pieces(c, everything(nil, scope)) {
			if q.path != "" && !slices.ContainsFunc(out, q.same) {
				out = append(out, q)
				p.draft(q.path, scope)
			}
		}
	}
	restored := map[*draft]bool{}
	for _, d := range p.plan.drafts {
		restored[d] = d.restorable(out, p.by, shared[d.real] != "")
	}
	for _, q := range slices.Backward(out) { // what came last goes first
		p.uninstall(q, restored[p.by[q.path]], shared[p.by[q.path].real])
	}
	slices.Reverse(p.plan.Steps)
	for _, d := range p.plan.drafts {
		switch changed := !bytes.Equal(d.now, d.before); {
		case d.err != nil:
		case restored[d]:
			d.now = d.origin
		case changed && d.origin == nil && blank(d.now):
			d.now = nil // ours alone
		case !changed && d.backed && !p.plan.left[d]: // somebody has taken ours out by hand
			d.stale = true
			p.step(Step{Client: "-", Scope: scope, What: Backup, File: d.real + backupSuffix}, Remove, "")
		}
	}
	return p.plan
}

// blank reports whether a file says nothing.
func blank(file []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(file, bom(file)))) == 0
}

// needed returns the files, behind all links, whose lines and skills other clients with an entry
// use, too. The value names one of them.
func (e Env) needed(list []Client, scope Scope) map[string]string {
	out := map[string]string{}
	for _, c := range clients {
		if slices.ContainsFunc(list, func(l Client) bool { return l.Name == c.Name }) {
			continue
		}
		all := e.pieces(c, everything(nil, scope))
		if all[0].path == "" {
			continue
		}
		d := load(all[0].path, e.base(scope), scope)
		if _, state, err := all[0].edit.put(d.now); d.err != nil || err != nil || state == Missing {
			continue
		}
		for _, q := range all[1:] {
			if q.path != "" && (q.step.What == Instructions || q.step.What == Skill) {
				out[load(q.path, e.base(scope), scope).real] = c.Name
			}
		}
	}
	return out
}

// restorable reports whether a file is its original and what we have added, and nothing else.
func (d *draft) restorable(all []piece, by map[string]*draft, shared bool) bool {
	if d.err != nil || d.origin == nil || shared {
		return false
	}
	again := d.origin
	for _, q := range all {
		if by[q.path] != d {
			continue
		}
		if _, state, err := q.edit.put(d.before); err != nil || state != Intact {
			continue
		}
		next, _, err := q.edit.put(again)
		if err != nil {
			return false
		}
		again = next
	}
	return !bytes.Equal(again, d.origin) && bytes.Equal(again, d.before)
}

func (p *planner) uninstall(q piece, restored bool, other string) {
	d := p.by[q.path]
	if d.err != nil {
		p.step(q.step, Refuse, d.err.Error())
		return
	}
	if other != "" {
		p.plan.left[d] = true
		if _, state, err := q.edit.put(d.now); err == nil && state != Missing {
			p.step(q.step, Keep, other+" uses it, too")
		}
		return
	}
	after, state, err := q.edit.cut(d.now, d.origin)
	switch {
	case state == Missing && err == nil:
		p.step(q.step, Nothing, "it is not there")
	case err != nil && restored: // its original is at hand
		p.step(q.step, Remove, "")
	case err != nil:
		p.plan.left[d] = true
		p.step(q.step, Refuse, err.Error())
	case state == Edited:
		p.plan.left[d] = true
		p.step(q.step, Leave, "somebody has changed it")
	case d.readOnly():
		p.plan.left[d] = true
		p.step(q.step, Refuse, "the file is read-only")
	default:
		d.now = after
		p.step(q.step, Remove, "")
	}
}

// A Standing says how one thing of ours stands.
type Standing struct {
	Client   string `json:"client"`
	Title    string `json:"title"`
	Detected bool   `json:"detected"`
	Scope    Scope  `json:"scope"`
	What     What   `json:"what"`
	File     string `json:"file"`
	At       string `json:"at"`
	State    State  `json:"state"`
	Why      string `json:"why,omitempty"` // it cannot be told
}

// Status looks at all that could be there, in both scopes.
func (e Env) Status() (out []Standing) {
	for _, c := range clients {
		found := e.Detected(c)
		for _, scope := range []Scope{User, Project} {
			for _, q := range e.pieces(c, everything(nil, scope)) {
				if q.path == "" {
					continue
				}
				s := Standing{Client: c.Name, Title: c.Title, Detected: found, Scope: scope, What: q.step.What, File: q.path, At: q.step.At}
				d := load(q.path, e.base(scope), scope)
				_, state, err := q.edit.put(d.now)
				if d.err != nil {
					err = d.err
				}
				if s.State = state; err != nil {
					s.State, s.Why = "", err.Error()
				}
				out = append(out, s)
			}
		}
	}
	return out
}

// Pieces lists what a request would add, file by file, without a look at any.
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
