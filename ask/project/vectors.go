package project

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"patina/memory"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
)

// overlaid returns the place's index, for the vectors of models beside it. The error wraps
// store.ErrNoIndex if there is no index, and store.ErrForeign if it is not trusted.
func (p Place) overlaid(ctx context.Context) (overlay.Index, error) {
	if !p.Published() {
		return overlay.Index{}, store.ErrNoIndex
	}
	seal, err := p.sealed(ctx)
	return overlay.Index{Dir: p.Store, View: p.View(), Seal: seal}, err
}

// Unembedded counts the texts of some kinds for which a model, given by its id, has yet to make
// vectors. Without an index, or in one without vectors, only notes are counted.
func Unembedded(ctx context.Context, p Place, model string, kinds []doc.Kind) (overlay.Amounts, error) {
	out := overlay.Amounts{Kinds: map[doc.Kind]overlay.Amount{}}
	var stored []doc.Kind
	for _, k := range kinds {
		if k.Traits().Shape != doc.Outside {
			stored = append(stored, k)
			continue
		}
		var n memory.Amount
		err := withNotes(ctx, p, k, func(s *memory.Store) (err error) {
			n, err = s.Unembedded(ctx, model)
			return err
		})
		if err != nil {
			return overlay.Amounts{}, err
		}
		out.Kinds[k] = overlay.Amount{Texts: n.Texts, Left: n.Left, Bytes: n.Bytes}
	}
	if len(stored) == 0 {
		return out, nil
	}
	x, err := p.overlaid(ctx)
	if err != nil {
		return out, unlessAbsent(err)
	}
	found, err := overlay.Pending(ctx, x, model, stored)
	maps.Copy(out.Kinds, found.Kinds)
	out.Scale = found.Scale
	return out, unlessAbsent(err)
}

// unlessAbsent returns an error, but nil for an index or vectors that do not exist.
func unlessAbsent(err error) error {
	if errors.Is(err, store.ErrNoIndex) || errors.Is(err, store.ErrNoVectors) {
		return nil
	}
	return err
}

// SomeTexts returns at most so many texts of some kinds, spread over all of them, as a model reads
// them.
func SomeTexts(ctx context.Context, p Place, kinds []doc.Kind, most int) (out []doc.Passage, err error) {
	var stored []doc.Kind
	for _, k := range kinds {
		if k.Traits().Shape != doc.Outside {
			stored = append(stored, k)
			continue
		}
		err := withNotes(ctx, p, k, func(s *memory.Store) error {
			notes, err := s.List(ctx, memory.Filter{Limit: most - len(out)})
			for _, m := range notes {
				out = append(out, doc.Passage{Body: m.Content})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(stored) == 0 {
		return out, nil
	}
	x, err := p.overlaid(ctx)
	if err != nil {
		return out, unlessAbsent(err)
	}
	found, err := overlay.Sample(ctx, x, stored, most)
	out = slices.Concat(found, out)
	return out[:min(len(out), most)], unlessAbsent(err)
}

// withNotes calls read with the notes of a kind. It does not call it without notes.
func withNotes(ctx context.Context, p Place, k doc.Kind, read func(*memory.Store) error) error {
	var err error
	if user := memory.UserNotesIn(p.Home); k == doc.Persona {
		if user.Exists() {
			_, err = user.Read(ctx, read)
		}
	} else if p.ID != "" {
		err = memory.Look(ctx, memory.File(p.Home, p.ID), read)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveVectors removes the vectors of a model, given by its id, from a place's index, and reports
// whether there were some. The error wraps store.ErrLocked if some are being made.
func RemoveVectors(ctx context.Context, p Place, model string) (bool, error) {
	x, err := p.overlaid(ctx)
	if err != nil {
		return false, err
	}
	return overlay.Remove(ctx, x, model)
}
