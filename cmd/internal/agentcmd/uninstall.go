package agentcmd

import (
	"bytes"
	"slices"
)

// Uninstall plans to remove all intact pieces of ours. With unrecorded, it also takes out pieces
// that look like ours in files whose entries have no known author: files from other machines, and
// some from older versions.
func (e Env) Uninstall(list []Client, scope Scope, unrecorded bool) *Plan {
	p := e.planner()
	shared := e.needed(list, scope)
	var out []piece
	for _, c := range list {
		for _, q := range e.pieces(c, requestAll(nil, scope)) {
			if q.path != "" && !slices.ContainsFunc(out, q.sameThing) {
				out = append(out, q)
				p.draft(q.path, scope)
			}
		}
	}
	p.attribute(scope)
	for _, d := range p.plan.drafts {
		if d.unknown && unrecorded {
			d.unknown, d.wrote.Places = false, placesOf(out)
			if d.backed {
				d.origin = nil // it is the same
			}
		}
	}
	restored := map[*draft]bool{}
	for _, d := range p.plan.drafts {
		restored[d] = d.restorable(out, p.by, shared[d.real] != "")
	}
	for _, q := range slices.Backward(out) { // in reverse order of adding
		p.uninstall(q, restored[p.by[q.path]], shared[p.by[q.path].real])
	}
	slices.Reverse(p.plan.Steps)
	for _, d := range p.plan.drafts {
		switch changed := !bytes.Equal(d.now, d.before); {
		case d.err != nil:
		case restored[d]:
			d.now = d.origin
		case changed && d.origin == nil && isBlank(d.now) && (d.wrote.Created || !d.recorded):
			d.now = nil // all ours
		case !changed && d.backed && !p.plan.left[d]: // somebody has removed ours by hand
			d.stale = true
			p.addStep(Step{Client: "-", Scope: scope, What: Backup, File: d.real + backupSuffix}, Remove, "")
		}
	}
	return p.plan
}

// isBlank reports whether a file has only white space.
func isBlank(file []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(file, byteOrderMark(file)))) == 0
}

// needed returns the files, after all links, whose lines and skills are also used by other clients
// with an entry. The value names one such client.
func (e Env) needed(list []Client, scope Scope) map[string]string {
	out := map[string]string{}
	for _, c := range clients {
		if slices.ContainsFunc(list, func(l Client) bool { return l.Name == c.Name }) {
			continue
		}
		all := e.pieces(c, requestAll(nil, scope))
		if all[0].path == "" {
			continue
		}
		d := loadDraft(all[0].path, e.base(scope), scope)
		if _, state, err := all[0].edit.putInto(d.now); d.err != nil || err != nil || state == Missing {
			continue
		}
		for _, q := range all[1:] {
			if q.path != "" && (q.step.What == Instructions || q.step.What == Skill) {
				out[loadDraft(q.path, e.base(scope), scope).real] = c.Name
			}
		}
	}
	return out
}

// restorable reports whether a file is its original plus our pieces and nothing else.
func (d *draft) restorable(all []piece, by map[string]*draft, shared bool) bool {
	if d.err != nil || d.origin == nil || shared {
		return false
	}
	again := d.origin
	for _, q := range all {
		if by[q.path] != d || !d.ours(q) {
			continue
		}
		if _, state, err := q.edit.putInto(d.before); err != nil || state != Intact {
			continue
		}
		next, _, err := q.edit.putInto(again)
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
		p.addStep(q.step, Refuse, d.err.Error())
		return
	}
	if other != "" {
		p.plan.left[d] = true
		if _, state, err := q.edit.putInto(d.now); err == nil && state != Missing {
			p.addStep(q.step, Keep, other+" uses it, too")
		}
		return
	}
	if !d.ours(q) {
		p.spare(d, q)
		return
	}
	after, state, err := q.edit.cutFrom(d.now, d.origin)
	switch {
	case state == Missing && err == nil:
		p.disown(d, q)
		p.addStep(q.step, Nothing, "it is not there")
	case err != nil && restored: // the original can be restored
		p.disown(d, q)
		p.addStep(q.step, Remove, "")
	case err != nil:
		p.plan.left[d] = true
		p.addStep(q.step, Refuse, err.Error())
	case state == Edited:
		p.plan.left[d] = true
		p.addStep(q.step, Leave, "somebody has changed it")
	case d.readOnly():
		p.plan.left[d] = true
		p.addStep(q.step, Refuse, "the file is read-only")
	default:
		d.now = after
		p.disown(d, q)
		p.addStep(q.step, Remove, "")
	}
}

// spare keeps a piece that is not known to be ours.
func (p *planner) spare(d *draft, q piece) {
	_, state, err := q.edit.putInto(d.now)
	switch {
	case err != nil:
		p.plan.left[d] = true
		p.addStep(q.step, Refuse, err.Error())
	case state == Missing:
		p.addStep(q.step, Nothing, "it is not there")
	case !d.unknown:
		p.addStep(q.step, Keep, "patina has not written it")
	case state == Edited:
		p.plan.left[d] = true
		p.addStep(q.step, Leave, "somebody has changed it")
	default:
		p.plan.left[d] = true
		p.addStep(q.step, Leave, "nothing tells that patina has written it; --unrecorded takes it out")
	}
}

// disown notes that a piece is no longer in its file.
func (p *planner) disown(d *draft, q piece) {
	w := p.plan.notes[d]
	w.Places = slices.DeleteFunc(slices.Clone(w.Places), func(at string) bool { return at == q.step.At })
	p.plan.notes[d] = w
}
