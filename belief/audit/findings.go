package audit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"patina/belief"
	"patina/belief/verify"
	"patina/store"
)

// A Flaw is a kind of fault in a belief.
type Flaw string

// The flaws, the gravest first. The last three are hints, which people may ignore.
const (
	NoBelief     Flaw = "not read"     // a file in a folder of beliefs that breaks the format
	Misread      Flaw = "misread"      // a value without meaning, which is ignored
	Twice        Flaw = "twice"        // another belief has its id
	BrokenLink   Flaw = "broken link"  // a link to something that this index does not have
	SelfAttack   Flaw = "self attack"  // it attacks or supports itself
	Cycle        Flaw = "cycle"        // its supports, or its attacks, form a cycle
	Contradicted Flaw = "contradicted" // an active belief of at least the same standing attacks it
	Stale        Flaw = "stale"        // a file of its evidence has changed since
	Unverifiable Flaw = "unverifiable" // no evidence with an existing target, and no check
	Unused       Flaw = "unused"       // nothing names it, and it is about no code
)

// flaws are all flaws, in order.
var flaws = []Flaw{NoBelief, Misread, Twice, BrokenLink, SelfAttack, Cycle, Contradicted, Stale, Unverifiable, Unused}

// Hint reports whether people may ignore a flaw. Stale evidence may still hold, and a belief may be
// new.
func (f Flaw) Hint() bool { return f == Stale || f == Unverifiable || f == Unused }

// A Finding is one flaw of one belief.
type Finding struct {
	Flaw Flaw
	ID   string // of the belief; empty for a file that is not a belief
	Path string
	Line int    // from 1; 0 for the whole file
	Text string // the fault, with words from the repository
	Fix  string // the way to mend it
}

// Audit examines all beliefs with files of their own, and files that should be beliefs. For a
// belief that does not hold, it reports only broken links, misread values and a double id. The
// gravest findings come first. beliefs is the number of beliefs examined.
func Audit(ctx context.Context, r *store.Reader) (found []Finding, beliefs int, err error) {
	entries, _, err := Read(ctx, r, nil)
	if err != nil {
		return nil, 0, err
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Source != belief.OwnFile })
	found, folders, err := findUnread(ctx, r)
	if err != nil {
		return nil, 0, store.Damaged(err)
	}
	by := map[string]*Entry{}
	for i := range entries {
		if id := strings.ToLower(entries[i].ID); by[id] == nil {
			by[id] = &entries[i]
		} else {
			found = append(found, entries[i].finding(Twice, 0, "its id is that of "+by[id].Path,
				"give it another id: by this one the other is found"))
		}
	}
	supports := loopsOf(by, func(e *Entry) []belief.Edge { return e.Supports })
	attacks := loopsOf(by, func(e *Entry) []belief.Edge { return e.Attacks })
	attackers := attackersOf(entries)
	var idle []*Entry
	for i := range entries {
		e := &entries[i]
		found = append(found, linksOf(e, folders)...)
		text, err := r.Text(ctx, e.Key)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, 0, store.Damaged(err)
		}
		for _, f := range belief.Misread(text) {
			found = append(found, e.finding(Misread, f.Line, f.What, "correct it: it is read as if it were not there"))
		}
		if !e.isHeld() {
			continue
		}
		if loop := supports[strings.ToLower(e.ID)]; loop != "" {
			found = append(found, e.finding(Cycle, 0, "its supports lead back to it: "+loop,
				"let the more basic one stand without the other's support"))
		}
		if loop := attacks[strings.ToLower(e.ID)]; loop != "" {
			found = append(found, e.finding(Cycle, 0, "its attacks lead back to it: "+loop,
				"decide which of them holds, and set the status of the others"))
		}
		found = append(found, findContradictions(e, by, attackers)...)
		checks, _ := verify.Blocks(text)
		found = append(found, findUnverified(e, len(checks) > 0)...)
		if e.Status == belief.Active && e.Beliefs+e.Sessions == 0 && len(checks) == 0 {
			idle = append(idle, e)
		}
	}
	unused, err := unusedOf(ctx, r, idle, by)
	if err != nil {
		return nil, 0, err
	}
	found = append(found, unused...)
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(flaws, a.Flaw), slices.Index(flaws, b.Flaw)),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return found, len(entries), nil
}

// isHeld reports whether a belief holds, in all cases or in some.
func (e *Entry) isHeld() bool { return e.Status == belief.Active || e.Status == belief.Scoped }

func (e *Entry) finding(f Flaw, line int, text, fix string) Finding {
	return Finding{f, e.ID, e.Path, cmp.Or(line, e.Line), text, fix}
}

// findUnread returns findings for the files in folders of beliefs that are not beliefs. It also
// returns all folders of the project.
func findUnread(ctx context.Context, r *store.Reader) (found []Finding, folders map[string]bool, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	folders = map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
		if !belief.IsPath(f.Path) {
			continue
		}
		text, err := r.Text(ctx, f.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if why := belief.Broken(text); why != "" {
			found = append(found, Finding{
				NoBelief, "", f.Path, 0, why,
				"write it in the form of docs/knowledge.md, or move it out of the folder",
			})
		}
	}
	return found, folders, nil
}

var repository = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[\w-]+$`)

// leadsElsewhere reports whether a link leads out of the index: to a page, to a folder, or to
// another repository ("owner/name").
func leadsElsewhere(target string, folders map[string]bool) bool {
	target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
	first, _, _ := strings.Cut(target, "/")
	return strings.Contains(target, "://") || folders[target] || !folders[first] && repository.MatchString(target)
}

// linksOf finds broken links and links to the belief itself. The targets of attacks are not
// checked, because they are often positions that nobody holds.
func linksOf(e *Entry, folders map[string]bool) (found []Finding) {
	seen := map[string]bool{}
	for _, t := range e.Edges {
		switch {
		case strings.EqualFold(strings.TrimPrefix(t.Name, "belief:"), e.ID):
			found = append(found, e.finding(SelfAttack, t.Line, t.Relation+" itself", "take the line out"))
		case t.DocID == "" && t.Name != "" && t.Relation == "supports" && !seen[t.Name]:
			seen[t.Name] = true
			found = append(found,
				e.finding(BrokenLink, t.Line, fmt.Sprintf("%s %q, which is no belief", t.Relation, t.Name),
					"write that belief, or take the line out"))
		}
	}
	for _, v := range e.Sources {
		if v.DocID == "" && v.Name != "" && !seen[v.Name] && !leadsElsewhere(v.Name, folders) {
			seen[v.Name] = true
			found = append(found,
				e.finding(BrokenLink, v.Line, fmt.Sprintf("evidence %q leads to nothing in the index", v.Name),
					"name a session, a commit, a belief or a path that is there"))
		}
	}
	return found
}

// attackersOf returns the attackers of each belief, as named by either of the two. An attack that
// its target calls defeated does not count, as in package standing.
func attackersOf(entries []Entry) map[string][]string {
	out, refuted := map[string][]string{}, map[[2]string]bool{}
	for _, e := range entries {
		for _, x := range e.AttackedBy {
			if x.Status == "defeated" {
				refuted[[2]string{strings.ToLower(x.Target), strings.ToLower(e.ID)}] = true
			}
		}
	}
	add := func(target, by string) {
		target, by = strings.ToLower(target), strings.ToLower(by)
		if target != by && !refuted[[2]string{by, target}] && !slices.Contains(out[target], by) {
			out[target] = append(out[target], by)
		}
	}
	for _, e := range entries {
		for _, x := range e.AttackedBy {
			if x.Status == "" || x.Status == belief.Active {
				add(e.ID, x.Target)
			}
		}
		for _, x := range e.Attacks {
			if x.Status != belief.Scoped {
				add(x.Target, e.ID)
			}
		}
	}
	return out
}

// findContradictions finds active attackers of a belief with at least its standing.
func findContradictions(e *Entry, by map[string]*Entry, attackers map[string][]string) (found []Finding) {
	for _, id := range slices.Sorted(slices.Values(attackers[strings.ToLower(e.ID)])) {
		other := by[id]
		if other == nil || other.Status != belief.Active || other.Standing < e.Standing {
			continue
		}
		text := fmt.Sprintf("%s attacks it and stands at %.2f, it at %.2f", other.ID, other.Standing, e.Standing)
		found = append(found,
			e.finding(Contradicted, 0, text, "let one of them be defeated or scoped, or give this one evidence"))
	}
	return found
}

// findUnverified finds stale evidence, and beliefs without any evidence or check.
func findUnverified(e *Entry, checked bool) (found []Finding) {
	if changed, line := changedEvidence(e); len(changed) > 0 {
		found = append(found,
			e.finding(Stale, line, "changed since "+e.Dated.Format(time.DateOnly)+": "+strings.Join(changed, ", "),
				"read it again, and set \"revised\" if the belief holds"))
	}
	if e.Resolved() == 0 && !checked {
		found = append(found, e.finding(Unverifiable, 0, "no evidence that leads to something, and no check",
			"name its evidence, or add a check (docs/knowledge.md)"))
	}
	return found
}

// changedEvidence returns the names of changed evidence, and the line of the first.
func changedEvidence(e *Entry) (names []string, line int) {
	for _, v := range e.Sources {
		if v.Commits == 0 {
			continue
		}
		line = cmp.Or(line, v.Line)
		times := "once"
		if v.Commits > 1 {
			times = fmt.Sprintf("%d times", v.Commits)
		}
		names = append(names, fmt.Sprintf("%s (%s, last on %s)", v.Name, times, v.Changed.Format(time.DateOnly)))
	}
	return names, line
}

// loopsOf finds the beliefs in a cycle of links, each with one such cycle. Links of beliefs that do
// not hold are skipped.
func loopsOf(by map[string]*Entry, links func(*Entry) []belief.Edge) map[string]string {
	loops := map[string]string{}
	const onPath, done = 1, 2
	state := map[string]int{}
	var path []string
	type frame struct {
		id   string
		next int
	}
	ids := make([]string, 0, len(by))
	for id := range by {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, start := range ids {
		if state[start] != 0 || !by[start].isHeld() {
			continue
		}
		stack := []frame{{start, 0}}
		state[start], path = onPath, append(path[:0], start)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			edges := links(by[top.id])
			if top.next == len(edges) {
				state[top.id], stack, path = done, stack[:len(stack)-1], path[:len(path)-1]
				continue
			}
			to := strings.ToLower(edges[top.next].Target)
			top.next++
			switch {
			case by[to] == nil || !by[to].isHeld() || to == top.id:
			case state[to] == 0:
				state[to] = onPath
				stack, path = append(stack, frame{to, 0}), append(path, to)
			case state[to] == onPath:
				loop := path[slices.Index(path, to):]
				shown := strings.Join(loop[:min(len(loop), maxLoop)], " → ")
				if len(loop) > maxLoop {
					shown += fmt.Sprintf(" → … (%d beliefs)", len(loop))
				}
				loops[to] = shown + " → " + to
			}
		}
	}
	return loops
}

// maxLoop bounds the named beliefs of a cycle.
const maxLoop = 6
