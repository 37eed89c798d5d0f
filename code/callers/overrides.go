package callers

import (
	"context"
	"slices"

	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// Bounds of one look for what a method overrides.
const (
	maxGenerations = 5  // of base types
	maxBaseNames   = 48 // names of types that are looked up
)

// findOverridden finds the methods of base types that the wanted ones override, each with the one
// that does. A call of such a method may run the wanted one.
func findOverridden(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, wanted, defs []xref.Definition,
) (map[*xref.Definition]*xref.Definition, error) {
	if len(wanted) > maxNamesake || len(defs) < 2 {
		return nil, nil
	}
	out := make(map[*xref.Definition]*xref.Definition)
	for i := range wanted {
		d := &wanted[i]
		var above []string
		for j := range defs {
			b := &defs[j]
			if b.File == d.File && b.Ordinal == d.Ordinal || !d.CanOverride(b) {
				continue
			}
			if above == nil {
				var err error
				if above, err = basesOf(ctx, r, snap, d); err != nil {
					return nil, err
				}
			}
			if d.Owner() == "" || d.StandsFor(b) || slices.Contains(above, b.Owner()) {
				out[b] = d
			}
		}
	}
	return out, nil
}

// basesOf lists the names of the types above a method's own, at most five generations of them.
func basesOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, d *xref.Definition,
) ([]string, error) {
	names, next := []string{}, []string{d.Owner()}
	for range maxGenerations {
		var found []string
		for _, name := range next {
			types, err := lookup.Defined(ctx, r, snap, name)
			if err != nil {
				return nil, err
			}
			for _, t := range types {
				if t.Entry.Sort != doc.Type || t.Family() != d.Family() || len(next) == 1 && next[0] == d.Owner() && !d.Near(&t) {
					continue
				}
				for _, base := range t.Bases() {
					if !slices.Contains(names, base) && len(names) < maxBaseNames {
						names, found = append(names, base), append(found, base)
					}
				}
			}
		}
		next = found
	}
	return names, nil
}

// callersByType finds the calls of the types whose constructors are wanted: a call of a type runs
// one of them. It is certain which if the type has no other.
func callersByType(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, wanted, defs []xref.Definition,
) (out []Called, err error) {
	if len(wanted) > maxNamesake {
		return nil, nil
	}
	isWanted := func(o *xref.Definition) bool {
		return slices.ContainsFunc(wanted, func(d xref.Definition) bool { return d.File == o.File && d.Ordinal == o.Ordinal })
	}
	var done []int64
	for i := range wanted {
		d := &wanted[i]
		name := d.Constructs()
		if name == "" {
			continue
		}
		types, err := lookup.Defined(ctx, r, snap, name)
		if err != nil {
			return nil, err
		}
		t := d.TypeAmong(types)
		if t == nil || isWanted(t) || slices.Contains(done, t.File<<20|int64(t.Ordinal)) {
			continue
		}
		done = append(done, t.File<<20|int64(t.Ordinal))
		several := 0
		for j := range defs {
			if o := &defs[j]; o.Constructs() == name && o.TypeAmong(types) == t && !o.Entry.Declares && !isWanted(o) {
				several++
			}
		}
		calls, _, err := CallersOf(ctx, r, snap, name, []xref.Definition{*t}, types, AllFiles)
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			c.Edge = c.Edge.Constructing(d, several)
			out = append(out, c)
		}
	}
	return out, nil
}
