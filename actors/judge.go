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
	"patina/store/lookup"
)

// What follows runs in goroutines of a visit, one at the desk at a time, but for descriptions. It reads only what is fixed once readers
// are pinned.

// weigh finds the documents that the question names, and the evidence of those and of all that was found. of is what the
// semantic channel says of it.
func (v *visit) weigh(ctx context.Context, m *judged, ids map[store.Kind][]string, of meaning) (err error) {
	v.pin.mu.Lock()
	defer v.pin.mu.Unlock()
	q := v.ask.Question
	if m.exact, err = lookup.Exact(ctx, v.pin.desk, q.Parsed); err != nil {
		return err
	}
	m.exact = slices.DeleteFunc(m.exact, func(x store.Ranked) bool { return !admits(q.Filter, ids, x) })
	for _, x := range m.exact {
		kind := store.KindOf(x.DocID)
		if id := kind.Identity(x); !slices.Contains(ids[kind], id) {
			ids[kind] = append(ids[kind], id)
		}
	}
	if m.evidence, err = oracles.Evidence(ctx, v.pin.desk, q.Parsed, ids); err != nil {
		return err
	}
	c, err := v.pin.desk.Calibration(ctx)
	of.add(m.evidence, c)
	return err
}

// compare adds how far the working tree is ahead of the index. What goes wrong with it costs only this.
func (v *visit) compare(m *judged) {
	if v.fresh == nil {
		return
	}
	err := guarded(v.log, func() error {
		m.behind, m.note = v.fresh(v.project, v.seen.Generation)
		return nil
	})
	if err != nil {
		m.note = "freshness of " + v.project.Name + ": " + err.Error()
	}
}

// tell describes each document by itself: one that cannot be described leaves the others whole. The desk takes them in order, and so
// does the reader of an oracle that has nothing more to do, if there is one: the first often costs as much as all the others.
func (v *visit) tell(ctx context.Context, out *descriptions, wants []lookup.Want, idle *store.Reader) error {
	v.pin.mu.Lock()
	defer v.pin.mu.Unlock()
	found, errs := make([][]described, len(wants)), make([]error, len(wants)+1)
	var next atomic.Int64
	work := func(r *store.Reader) error {
		return guarded(v.log, func() error {
			for i := next.Add(1) - 1; i < int64(len(wants)); i = next.Add(1) - 1 {
				found[i], errs[i] = v.described(ctx, r, wants[i])
			}
			return nil
		})
	}
	var group errgroup.Group
	if idle != nil && len(wants) > 1 {
		group.Go(func() error { return work(idle) })
	}
	err := work(v.pin.desk)
	errs[len(wants)] = cmp.Or(err, group.Wait())
	out.Found = slices.Concat(found...)
	return errors.Join(errs...)
}

func (v *visit) described(ctx context.Context, r *store.Reader, w lookup.Want) (out []described, err error) {
	found, err := lookup.Describe(ctx, r, []lookup.Want{w})
	for _, d := range found {
		out = append(out, described{d, changed(v.project.Root, d)})
	}
	return out, err
}

// failure is the status of work that went wrong: late, if its time was up.
func failure(ctx context.Context) Status {
	if ctx.Err() != nil {
		return Deadline
	}
	return Failed
}
