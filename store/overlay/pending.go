package overlay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/vector"
)

// An Amount counts texts of one kind, of which each row of vectors has one.
type Amount struct {
	Texts int   // all
	Left  int   // those that the model has not embedded
	Bytes int64 // of those left
}

// Amounts counts the texts that Update would embed.
type Amounts struct {
	Kinds map[doc.Kind]Amount
	// Scale counts the texts of other kinds that Update embeds besides, for the scale of the
	// model's cosines. They have no rows of their own, so Texts is Left.
	Scale Amount
}

// Pending counts the texts that Update would embed. Without a model yet, model is "". It reads all
// texts that are left, so on a large index it takes seconds. The error is as for Update.
func Pending(ctx context.Context, x Index, model string, kinds []doc.Kind) (Amounts, error) {
	out := Amounts{Kinds: make(map[doc.Kind]Amount, len(kinds))}
	err := pending(ctx, x, model, kinds, &out)
	if err != nil {
		return Amounts{}, fmt.Errorf("count the texts for a model: %w", err)
	}
	return out, nil
}

func pending(
	ctx context.Context, x Index, model string, kinds []doc.Kind, out *Amounts,
) (err error) {
	in, err := folder.Open(x.Dir, x.Seal.Anyone)
	if errors.Is(err, os.ErrNotExist) {
		return store.ErrNoIndex
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	s, err := store.OpenSealed(x.Dir, x.View, x.Seal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	u := &updater{index: x, in: in, store: s, kinds: kinds, state: &state{}, log: &rowLog{at: map[key]int64{}}}
	return u.pinned(ctx, func(r *store.Reader, snap *store.Snapshot) error {
		secret, err := r.Secret(ctx)
		if err != nil {
			return err
		}
		if known, err := readState(in, folder.ModelName(model)); err == nil && known != nil && known.Seal == secret {
			u.state = known
			if missing, _ := u.missing(snap.Segments); len(missing) > 0 || !u.isSampled(snap) {
				path := in.RowsOf(folder.ModelName(model), known.File)
				h := vector.Header{Model: known.Model, Dimension: known.Dimension}
				if l, err := readLog(path, h); err == nil {
					u.log = l
					defer func() { _ = l.closeFiles() }()
				}
			}
		}
		for _, k := range kinds {
			out.Kinds[k] = Amount{}
		}
		texts := 0
		for _, g := range snap.Segments {
			if _, wanted := out.Kinds[doc.Kind(g.Space)]; wanted {
				if err := u.countTexts(ctx, r, g, out.Kinds); err != nil {
					return err
				}
				texts += int(g.VectorRows())
			}
		}
		if texts == 0 || u.isSampled(snap) {
			return nil
		}
		return u.countSample(ctx, r, snap, &out.Scale)
	})
}

// isSampled reports whether the texts that tell the scale were embedded, and are still the same.
func (u *updater) isSampled(snap *store.Snapshot) bool {
	return len(u.state.Sampled) > 0 && slices.Equal(u.state.Sampled, sampleID(snap.Model, chooseSample(snap)))
}

// countSample adds the texts that tell the scale and are not counted yet.
func (u *updater) countSample(ctx context.Context, r *store.Reader, snap *store.Snapshot, a *Amount) error {
	readers := make(map[int64]*passageReader)
	for _, x := range chooseSample(snap) {
		p := readers[x.segment.ID]
		if p == nil {
			p = &passageReader{r: r, g: x.segment}
			readers[x.segment.ID] = p
		}
		text, ok, err := p.passage(ctx, x.row)
		if err != nil {
			return err
		}
		if ok {
			u.countText(text, a)
		}
	}
	a.Texts = a.Left
	return nil
}

// countText adds a text that neither has a row nor was counted before.
func (u *updater) countText(x doc.Passage, a *Amount) {
	k := passageKey(x)
	if _, has := u.log.at[k]; has {
		return
	}
	u.log.at[k] = 0 // an equal text is embedded once
	a.Left++
	a.Bytes += int64(len(x.Path) + len(x.Doc) + len(x.Body))
}

// countTexts adds a segment's texts.
func (u *updater) countTexts(ctx context.Context, r *store.Reader, g *store.Segment, out map[doc.Kind]Amount) error {
	id, ok := identityOf(g)
	if !ok {
		return nil
	}
	a := out[doc.Kind(g.Space)]
	a.Texts += int(g.VectorRows())
	if _, has := u.state.segment(id); !has {
		p := &passageReader{r: r, g: g}
		for row := range g.VectorRows() {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, ok, err := p.passage(ctx, row)
			if err != nil {
				return err
			}
			if ok {
				u.countText(x, &a)
			}
		}
	}
	out[doc.Kind(g.Space)] = a
	return nil
}
