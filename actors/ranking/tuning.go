package ranking

import (
	"fmt"
	"slices"

	"patina/actors/api"
	"patina/fusion"
	"patina/oracles"
	"patina/store/doc"
)

// checkTuning returns an error for unknown names and for factors out of range.
func checkTuning(t fusion.Tuning) error {
	for name, f := range t.Channels {
		if !slices.Contains(api.Channels(), name) {
			return fmt.Errorf("read request: no channel %q to weigh", name)
		}
		if err := checkFactor(name, f); err != nil {
			return err
		}
	}
	for name, f := range t.Kinds {
		if !slices.Contains(doc.Kinds(), doc.Kind(name)) {
			return fmt.Errorf("read request: no kind %q to weigh", name)
		}
		if err := checkFactor(name, f); err != nil {
			return err
		}
	}
	for name, p := range t.Places {
		if !slices.Contains(doc.Kinds(), doc.Kind(name)) || p < 0 {
			return fmt.Errorf("read request: place %d of %q: want a kind, and 0 or more", p, name)
		}
		if p == 0 && doc.Kind(name).Traits().Shape == doc.Outside {
			return fmt.Errorf("read request: %q has one place in an answer; a weight of 0 leaves it out", name)
		}
	}
	return nil
}

func checkFactor(name string, f float64) error {
	if !(f >= 0 && f <= fusion.MostFactor) { // also refuses NaN
		return fmt.Errorf("read request: weight %g of %q: want 0 to %d", f, name, fusion.MostFactor)
	}
	return nil
}

// ApplyTuning leaves out the hits that a tuning does not keep, as if no channel had found them. It
// copies messages instead of changing them.
func ApplyTuning(got []*api.Lists, t fusion.Tuning) []*api.Lists {
	if len(t.Channels)+len(t.Kinds) == 0 {
		return got
	}
	out := make([]*api.Lists, len(got))
	for i, m := range got {
		kept := *m
		kept.Lists = slices.DeleteFunc(slices.Clone(m.Lists), func(l oracles.List) bool {
			return !t.Keeps(l.Channel, string(l.Kind))
		})
		kept.Exact = slices.DeleteFunc(slices.Clone(m.Exact), func(x doc.Ranked) bool {
			return !t.Keeps("", string(doc.KindOf(x.DocID)))
		})
		out[i] = &kept
	}
	return out
}
