package agent

import "bytes"

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
