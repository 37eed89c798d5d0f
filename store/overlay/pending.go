package overlay

import (
	"context"
	"errors"
	"fmt"
	"os"

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

// Pending counts the texts that Update would embed, by kind. Without a model yet, model is "". For
// its scale Update embeds some 256 texts more, also of other kinds. Pending reads all texts that
// are left, so on a large index it takes seconds. The error is as for Update.
func Pending(ctx context.Context, x Index, model string, kinds []doc.Kind) (map[doc.Kind]Amount, error) {
	out := make(map[doc.Kind]Amount, len(kinds))
	err := pending(ctx, x, model, kinds, out)
	if err != nil {
		return nil, fmt.Errorf("count the texts for a model: %w", err)
	}
	return out, nil
}

func pending(
	ctx context.Context, x Index, model string, kinds []doc.Kind, out map[doc.Kind]Amount,
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
			if missing, _ := u.missing(snap.Segments); len(missing) > 0 {
				path := in.RowsOf(folder.ModelName(model), known.File)
				h := vector.Header{Model: known.Model, Dimension: known.Dimension}
				if l, err := readLog(path, h); err == nil {
					u.log = l
					defer func() { _ = l.closeFiles() }()
				}
			}
		}
		for _, k := range kinds {
			out[k] = Amount{}
		}
		for _, g := range snap.Segments {
			if _, wanted := out[doc.Kind(g.Space)]; wanted {
				if err := u.countTexts(ctx, r, g, out); err != nil {
					return err
				}
			}
		}
		return nil
	})
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
			k := passageKey(x)
			if _, has := u.log.at[k]; !ok || has {
				continue
			}
			u.log.at[k] = 0 // an equal text is embedded once
			a.Left++
			a.Bytes += int64(len(x.Path) + len(x.Doc) + len(x.Body))
		}
	}
	out[doc.Kind(g.Space)] = a
	return nil
}
