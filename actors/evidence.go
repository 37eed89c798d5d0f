package actors

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"patina/oracles"
	"patina/store"
	"patina/store/excerpt"
	"patina/store/lookup"
)

// The functions below run in goroutines of a fanout, one at the desk at a time, except
// descriptions. They read only fields fixed since readers were pinned.

// evidence finds the documents named by the question, and evidence for them and for every hit. of
// comes from the semantic channel.
func (f *fanout) evidence(ctx context.Context, m *weighed, ids map[store.Kind][]string, of meaning) (err error) {
	f.pin.mu.Lock()
	defer f.pin.mu.Unlock()
	q := f.question
	if m.exact, err = lookup.Exact(ctx, f.pin.desk, q.Parsed); err != nil {
		return err
	}
	m.exact = slices.DeleteFunc(m.exact, func(x store.Ranked) bool { return !admits(q.Filter, ids, x) })
	for _, x := range m.exact {
		kind := store.KindOf(x.DocID)
		if id := kind.Identity(x); !slices.Contains(ids[kind], id) {
			ids[kind] = append(ids[kind], id)
		}
	}
	if m.nowhere, err = lookup.Unmatched(ctx, f.pin.desk, q.Filter.Paths); err != nil {
		return err
	}
	if m.evidence, err = oracles.Evidence(ctx, f.pin.desk, q.Parsed, ids); err != nil {
		return err
	}
	c, err := f.pin.desk.Calibration(ctx)
	of.add(m.evidence, c)
	return err
}

// compare adds how far the working tree is ahead of the index. An error costs only this.
func (f *fanout) compare(m *weighed) {
	if f.fresh == nil {
		return
	}
	err := guarded(f.log, func() error {
		m.behind, m.note = f.fresh(f.project, f.seen.Generation)
		return nil
	})
	if err != nil {
		m.note = "freshness of " + f.project.Name + ": " + err.Error()
	}
}

// tell describes each document by itself, so an error leaves the others whole. The desk takes them
// in order, and so does an idle oracle's reader, if there is one. The first often costs as much as
// all the others.
func (f *fanout) tell(ctx context.Context, out *Descriptions, wants []Want, idle *store.Reader) error {
	f.pin.mu.Lock()
	defer f.pin.mu.Unlock()
	found, errs := make([][]Described, len(wants)), make([]error, len(wants)+1)
	weights, err := oracles.TermWeights(ctx, f.pin.desk, f.question.Parsed)
	if err != nil {
		return err
	}
	var next atomic.Int64
	work := func(r *store.Reader) error {
		return guarded(f.log, func() error {
			words := excerpt.NewWords(weights)
			words.Reason = slices.Contains(f.question.Parsed.Words, "why")
			for i := next.Add(1) - 1; i < int64(len(wants)); i = next.Add(1) - 1 {
				found[i], errs[i] = f.described(ctx, r, wants[i], words)
			}
			return nil
		})
	}
	var group errgroup.Group
	if idle != nil && len(wants) > 1 {
		group.Go(func() error { return work(idle) })
	}
	err = work(f.pin.desk)
	errs[len(wants)] = cmp.Or(err, group.Wait())
	out.Found = slices.Concat(found...)
	return errors.Join(errs...)
}

func (f *fanout) described(
	ctx context.Context, r *store.Reader, w Want, words *excerpt.Words,
) (out []Described, err error) {
	want := lookup.Want{
		DocID: w.DocID, Kind: w.Kind, Chunks: w.Chunks, Usage: w.Usage, Question: f.question.Parsed,
		Words: words, Places: w.Places,
	}
	found, err := lookup.Describe(ctx, r, []lookup.Want{want})
	for _, d := range found {
		out = append(out, Described{d, changed(f.project.Root, d)})
	}
	return out, err
}

// failure is the status after an error: late, if the time was up.
func failure(ctx context.Context) Status {
	if ctx.Err() != nil {
		return Deadline
	}
	return Failed
}
