package agent

import (
	"bytes"
	"slices"
)

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
