package callers

import (
	"context"
	"slices"

	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// These bound one search for overridden methods.
const (
	maxGenerations = 5  // of base types
	maxBaseNames   = 48 // names of types that are looked up
)

// findOverridden maps methods of base types to the wanted methods that override them. A call of
// such a method may run the wanted one. The result is nil if there is nothing to search or too
// much.
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

// basesOf returns the names of the base types of a method's type, up to maxGenerations above it.
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
				if t.Entry.Sort != doc.Type || t.Family() != d.Family() ||
					len(next) == 1 && next[0] == d.Owner() && !d.Near(&t) {
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

// callersByType finds the calls of types whose constructors are wanted, because such a call runs
// one of them. It is certain which one if the type has no other.
func callersByType(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, wanted, defs []xref.Definition,
) (out []Called, err error) {
	if len(wanted) > maxNamesake {
		return nil, nil
	}
	isWanted := func(o *xref.Definition) bool {
		return slices.ContainsFunc(
			wanted,
			func(d xref.Definition) bool { return d.File == o.File && d.Ordinal == o.Ordinal },
		)
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
