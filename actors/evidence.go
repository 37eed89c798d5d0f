package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"patina/actors/api"
	"patina/code/callers"
	"patina/code/describe"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
)

// The functions below run in goroutines of a fanout. Except for descriptions, only one at a time
// uses the desk. They must only read fields that do not change after readers were pinned.

// nearNames is the number of names that are suggested for an unknown one.
const nearNames = 3

// named are the documents that a question names or quotes. They depend on no list, so they are
// looked up while slower oracles still work.
type named struct {
	done  chan struct{} // closed when the other fields are set
	exact []doc.Ranked
	calls []doc.Ranked // calls of a symbol, if the question asks for them
	cited oracles.Cited
	err   error
}

// seek starts looking up what the question names, once. It must be called after an oracle has
// answered, when all readers know the question's words.
func (f *fanout) seek() {
	if f.named != nil || f.pin == nil || !f.lease.acquire() {
		return
	}
	n := &named{done: make(chan struct{})}
	f.named = n
	f.work.Go(func() {
		defer close(n.done)
		defer f.lease.releaseUse()
		ctx, cancel := f.until(longestAsk(f.ask.Budget))
		defer cancel()
		n.err = recoverPanic(f.log, func() (err error) {
			f.pin.mu.Lock()
			defer f.pin.mu.Unlock()
			q := f.question
			if n.exact, err = lookup.Exact(ctx, f.pin.desk, q.Parsed); err != nil {
				return err
			}
			if !q.Visit {
				if n.calls, err = callers.Answer(ctx, f.pin.desk, q.Parsed.Raw); err != nil {
					return err
				}
			}
			literals := oracles.Literals
			if q.Visit {
				literals = oracles.CitedElsewhere
			}
			n.cited, err = literals(ctx, f.pin.desk, q.Parsed, q.Filter)
			return err
		})
	})
}

// evidence fills in the named documents, and evidence for them and for every hit in got. idle may
// be nil.
func (f *fanout) evidence(ctx context.Context, m *weighed, got []*api.Lists, idle *store.Reader) (err error) {
	n := f.named
	if n == nil {
		return context.Canceled // the query is over
	}
	<-n.done
	if n.err != nil {
		return n.err
	}
	f.pin.mu.Lock()
	defer f.pin.mu.Unlock()
	q, ids, stems, of := f.question, listedDocuments(got), stemsOf(got), meaningOf(got)
	m.exact = slices.Concat(n.calls, n.exact)
	m.exact = slices.DeleteFunc(m.exact, func(x doc.Ranked) bool { return !passesFilter(q.Filter, ids, x) })
	if err := f.literals(ctx, m, n); err != nil {
		return err
	}
	for _, x := range m.exact {
		kind := doc.KindOf(x.DocID)
		if id := kind.Identity(x); !slices.Contains(ids[kind], id) {
			ids[kind] = append(ids[kind], id)
		}
	}
	if err := f.unmatched(ctx, m); err != nil {
		return err
	}
	if m.evidence, err = oracles.Evidence(ctx, f.pin.desk, q.Parsed, ids); err != nil {
		return err
	}
	if err := oracles.AddOutside(ctx, f.pin.desk, q.Parsed, stems, m.evidence); err != nil {
		return err
	}
	c, err := f.pin.desk.Calibration(ctx)
	of.addTo(m.evidence, c)
	if err != nil {
		return err
	}
	return f.passages(ctx, m, got, idle)
}

// unmatched adds notes about path globs of the question that match no file.
func (f *fanout) unmatched(ctx context.Context, m *weighed) error {
	globs, err := lookup.Unmatched(ctx, f.pin.desk, f.question.Filter.Paths)
	for _, glob := range globs {
		m.notes = append(m.notes, fmt.Sprintf("no file matches the path %q", glob))
	}
	return err
}

// literals puts documents that the question quotes before those that it names, and adds notes about
// unknown names.
func (f *fanout) literals(ctx context.Context, m *weighed, n *named) error {
	first, then := n.cited.Found, m.exact
	_, isPath := lookup.WrittenPath(f.question.Text)
	places := len(f.question.Parsed.Mentions.Places) > 0
	// A place matters more than its message.
	if f.question.Parsed.Traced || places || isPath || len(n.calls) > 0 {
		first, then = m.exact, n.cited.Found
	}
	before := first
	for _, x := range then {
		isSame := func(o doc.Ranked) bool { return o.Path == x.Path && o.Path != "" || o.DocID == x.DocID }
		if !slices.ContainsFunc(before, isSame) {
			first = append(first, x)
		}
	}
	m.exact = first
	m.more = n.cited.More
	for _, a := range n.cited.Absent {
		m.notes = append(m.notes, fmt.Sprintf("%q occurs nowhere in the index", a))
	}
	if len(m.exact) > 0 {
		return nil
	}
	return f.unknownNames(ctx, m)
}

// unknownNames adds notes about names in the question that occur nowhere, with similar names.
func (f *fanout) unknownNames(ctx context.Context, m *weighed) error {
	names, err := oracles.UnknownNames(ctx, f.pin.desk, f.question.Parsed)
	if err != nil {
		return err
	}
	for _, n := range names {
		note := fmt.Sprintf("`%s` is not in the index", n.Name)
		near, err := lookup.NearNames(ctx, f.pin.desk, n.Part, nearNames)
		if err != nil {
			return err
		}
		if len(near) > 0 {
			note += "; did you mean " + strings.Join(near, ", ")
		}
		m.notes = append(m.notes, note)
		m.unknown = m.unknown || n.Whole && len(near) == 0
	}
	return nil
}

// compareTree adds the distance of the working tree from the index. An error only becomes a note.
func (f *fanout) compareTree(m *weighed) {
	if f.fresh == nil {
		return
	}
	err := recoverPanic(f.log, func() error {
		m.behind, m.note = f.fresh(f.project, f.seen.Generation)
		return nil
	})
	if err != nil {
		m.note = "freshness of " + f.project.Name + ": " + err.Error()
	}
}

// tell describes each document separately, so that an error affects only one. The desk takes them
// in order, and so does the reader idle, unless it is nil. The first often costs as much as all
// others. pages are those that are open already.
func (f *fanout) tell(
	ctx context.Context, out *api.Descriptions, wants []api.Want, pages map[string]*describe.Page, idle *store.Reader,
) error {
	f.pin.mu.Lock()
	defer f.pin.mu.Unlock()
	found, errs := make([][]api.Described, len(wants)), make([]error, len(wants)+1)
	errs[len(wants)] = f.eachDocument(ctx, len(wants), idle, func(r *store.Reader, words *excerpt.Words, i int) {
		found[i], errs[i] = f.describeWant(ctx, r, wants[i], words, pages[wants[i].DocID])
	})
	out.Found = slices.Concat(found...)
	return errors.Join(errs...)
}

// eachDocument calls do for each of n documents, concurrently with the desk and with the reader
// idle, unless it is nil.
func (f *fanout) eachDocument(
	ctx context.Context, n int, idle *store.Reader, do func(*store.Reader, *excerpt.Words, int),
) error {
	if f.words[0] == nil {
		weights, err := oracles.TermWeights(ctx, f.pin.desk, f.question.Parsed)
		if err != nil {
			return err
		}
		for i := range f.words {
			f.words[i] = excerpt.NewWords(weights)
			f.words[i].Reason = slices.Contains(f.question.Parsed.Words, "why")
			f.words[i].Tests = oracles.AsksForTests(&f.question.Parsed)
		}
	}
	var next atomic.Int64
	work := func(r *store.Reader, words *excerpt.Words) error {
		return recoverPanic(f.log, func() error {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(r, words, int(i))
			}
			return nil
		})
	}
	var group errgroup.Group
	if idle != nil && n > 1 {
		group.Go(func() error { return work(idle, f.words[1]) })
	}
	return cmp.Or(work(f.pin.desk, f.words[0]), group.Wait())
}

func (f *fanout) describeWant(
	ctx context.Context, r *store.Reader, w api.Want, words *excerpt.Words, page *describe.Page,
) (out []api.Described, err error) {
	if d, _, ok, err := f.describeOutside(ctx, w.DocID); ok {
		if err != nil {
			return nil, err
		}
		return []api.Described{{Description: d}}, nil
	}
	want := describe.Want{
		DocID: w.DocID, Kind: w.Kind, Found: w.Found, Usage: w.Usage, OneLink: w.OneLink, Question: f.question.Parsed,
		Words: words, Line: w.Line, Places: w.Places, Page: page,
	}
	wants := []describe.Want{want}
	for _, id := range w.Also {
		wants = append(wants,
			describe.Want{DocID: id, Kind: w.Kind, Question: want.Question, Words: words, Page: want.Page})
	}
	found, err := describe.Describe(ctx, r, wants)
	for _, d := range found {
		d.DocID = w.DocID // a place of that document
		out = append(out, api.Described{Description: d, Changed: hasChanged(f.project.Root, d)})
	}
	return out, err
}

// failureStatus returns the status after an error, which is Deadline if ctx has ended.
func failureStatus(ctx context.Context) api.Status {
	if ctx.Err() != nil {
		return api.Deadline
	}
	return api.Failed
}
