package overlay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/store"
	"patina/store/doc"
)

// Sample returns at most so many texts of some kinds, spread over all of them, as Update would give
// them to a model. The error is as for Update.
func Sample(ctx context.Context, x Index, kinds []doc.Kind, most int) (out []doc.Passage, err error) {
	s, err := store.OpenSealed(x.Dir, x.View, x.Seal)
	if err != nil {
		return nil, fmt.Errorf("take texts for a model: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	u := &updater{store: s}
	err = u.pinned(ctx, func(r *store.Reader, snap *store.Snapshot) error {
		var segments []*store.Segment
		rows := int64(0)
		for _, g := range snap.Segments {
			if _, ok := identityOf(g); ok && slices.Contains(kinds, doc.Kind(g.Space)) {
				segments = append(segments, g)
				rows += g.VectorRows()
			}
		}
		n := min(int64(most), rows)
		first := int64(0) // of the segment, among all rows
		for _, g := range segments {
			p := &passageReader{r: r, g: g}
			for i := int64(0); i < n; i++ {
				row := rows*i/n - first
				if row < 0 || row >= g.VectorRows() {
					continue
				}
				text, ok, err := p.passage(ctx, row)
				if err != nil {
					return fmt.Errorf("read the texts of segment %d: %w", g.ID, err)
				}
				if ok {
					out = append(out, text)
				}
			}
			first += g.VectorRows()
		}
		return ctx.Err()
	})
	return out, err
}
