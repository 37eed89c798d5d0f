package actors

import (
	"context"
	"errors"
	"slices"

	"patina/store"
)

// What follows runs in goroutines of a visit, one at the desk at a time. It reads only what is fixed once readers are pinned.

// weigh finds the documents that the question names, and the evidence of those and of all that was found. of is what the
// semantic channel says of it.
func (v *visit) weigh(ctx context.Context, m *judged, ids map[store.Kind][]string, of meaning) (err error) {
	v.pin.mu.Lock()
	defer v.pin.mu.Unlock()
	q := v.ask.Question
	if m.exact, err = v.pin.desk.Exact(ctx, q.Parsed); err != nil {
		return err
	}
	m.exact = slices.DeleteFunc(m.exact, func(x store.Ranked) bool { return !admits(q.Filter, ids, x) })
	for _, x := range m.exact {
		if kind, id := kindOf(x.DocID), idOf(kindOf(x.DocID), x); !slices.Contains(ids[kind], id) {
			ids[kind] = append(ids[kind], id)
		}
	}
	if m.evidence, err = v.pin.desk.Evidence(ctx, q.Parsed, ids); err != nil {
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

// tell describes one document after the other: one that cannot be described leaves the others whole.
func (v *visit) tell(ctx context.Context, out *descriptions, wants []store.Want) error {
	v.pin.mu.Lock()
	defer v.pin.mu.Unlock()
	var errs []error
	for _, w := range wants {
		found, err := v.pin.desk.Describe(ctx, []store.Want{w})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, d := range found {
			out.Found = append(out.Found, described{d, changed(v.project.Root, d)})
		}
	}
	return errors.Join(errs...)
}

// failure is the status of work that went wrong: late, if its time was up.
func failure(ctx context.Context) Status {
	if ctx.Err() != nil {
		return Deadline
	}
	return Failed
}
