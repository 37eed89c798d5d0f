package agentcmd

import (
	"bytes"
	"slices"
)

// A planner makes a plan, file by file.
type planner struct {
	env   Env
	plan  *Plan
	known record
	files map[string]*draft // by their paths after all links
	by    map[string]*draft // by their paths as named by clients

	failed error // the error of reading the record, or nil
}

func (e Env) planner() *planner {
	p := &planner{
		env: e, plan: &Plan{env: e, left: map[*draft]bool{}, notes: map[*draft]written{}},
		files: map[string]*draft{}, by: map[string]*draft{},
	}
	p.known, p.failed = e.record()
	return p
}

func (p *planner) draft(path string, scope Scope) *draft {
	if d := p.by[path]; d != nil {
		return d
	}
	d := loadDraft(path, p.env.base(scope), scope)
	if d.err == nil {
		d.err = p.failed
	}
	if same := p.files[d.real]; same != nil {
		d = same
	} else {
		p.files[d.real] = d
		p.plan.drafts = append(p.plan.drafts, d)
	}
	p.by[path] = d
	return d
}

func (p *planner) addStep(s Step, action Action, why string) {
	s.Action, s.Why = action, why
	p.plan.Steps = append(p.plan.Steps, s)
}

// Install plans to add the missing pieces.
func (e Env) Install(r Request) *Plan {
	p := e.planner()
	p.plan.adds = true
	var all []piece
	for _, c := range r.Clients {
		for _, q := range e.pieces(c, r) {
			if all = append(all, q); q.path != "" {
				p.draft(q.path, q.step.Scope)
			}
		}
	}
	p.attribute(r.Scope)
	for _, q := range all {
		p.install(q)
	}
	return p.plan
}

// attribute determines which pieces in a scope's drafts are ours.
func (p *planner) attribute(scope Scope) {
	in := map[*draft][]piece{}
	for _, c := range clients {
		for _, q := range p.env.pieces(c, requestAll(nil, scope)) {
			if d := p.by[q.path]; d != nil &&
				!slices.ContainsFunc(in[d], func(o piece) bool { return o.step.At == q.step.At }) {
				in[d] = append(in[d], q)
			}
		}
	}
	for _, d := range p.plan.drafts {
		if d.err == nil {
			d.attribute(p.known, in[d])
		}
		p.plan.notes[d] = d.noted()
	}
}

// noted returns the record's entry for the file.
func (d *draft) noted() written {
	if !d.recorded {
		return written{}
	}
	return d.wrote
}

func (p *planner) install(q piece) {
	if q.path == "" {
		p.plan.Steps = append(p.plan.Steps, q.step)
		return
	}
	d := p.draft(q.path, q.step.Scope)
	if d.err != nil {
		p.addStep(q.step, Refuse, d.err.Error())
		return
	}
	after, state, err := putProved(q.edit, d.now)
	switch {
	case err != nil:
		p.addStep(q.step, Refuse, err.Error())
	case state == Intact:
		p.keepIntact(d, q)
	case state == Edited:
		p.addStep(q.step, Leave, "somebody has changed it")
	case d.readOnly():
		p.addStep(q.step, Refuse, "the file is read-only")
	default:
		d.now = after
		p.adopt(d, q)
		p.addStep(q.step, Add, "")
	}
}

// adopt notes that a piece is ours, beside earlier ones.
func (p *planner) adopt(d *draft, q piece) {
	w := p.plan.notes[d]
	if len(w.Places) == 0 { // including pieces of older versions
		w = d.wrote
	}
	if !slices.Contains(w.Places, q.step.At) {
		w.Places = append(slices.Clone(w.Places), q.step.At)
	}
	p.plan.notes[d] = w
}

// keepIntact keeps an intact piece, or renews it.
func (p *planner) keepIntact(d *draft, q piece) {
	if r, ok := q.edit.(renewer); ok && !d.readOnly() {
		if next := r.renew(d.now); !bytes.Equal(next, d.now) {
			d.now = next
			p.addStep(q.step, Renew, "")
			return
		}
	}
	p.addStep(q.step, Keep, "it is there already")
}
