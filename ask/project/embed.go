package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"patina/ask/embedders"
	"patina/memory"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
)

// An Embedded says what a chosen model did for a project.
type Embedded struct {
	Name  string // in the catalog
	Model string // its id
	Kinds []doc.Kind
	overlay.Report
	Took time.Duration
	// Err is why texts are left, or nil. The built-in vectors answer for their kinds until then.
	Err error
}

// EmbedChosen makes the missing vectors of a project and of the notes about it, by the models that
// are chosen for it. The list is empty without a choice, and nothing is opened where nothing is
// missing. A model that fails leaves its error in the list. progress may be nil.
//
// If ctx ends, EmbedChosen returns its error with what was done, which is kept: the next call goes
// on there. It returns an error that wraps store.ErrNoVectors or store.ErrNoIndex if there is
// nothing yet to go beside.
func EmbedChosen(ctx context.Context, p Place, progress func(model string, done, total int)) ([]Embedded, error) {
	chosen, err := embedders.Process().Chosen(p.Home, p.ID)
	if err != nil || len(chosen) == 0 || !p.IsWritable() {
		return nil, err
	}
	var out []Embedded
	models := map[string]doc.BatchEmbedder{}
	for _, k := range doc.Kinds() {
		m := chosen[k]
		if m == nil {
			continue
		}
		i := slices.IndexFunc(out, func(e Embedded) bool { return e.Model == m.Model() })
		if i < 0 {
			i = len(out)
			out = append(out, Embedded{Name: embedders.NameOf(m), Model: m.Model()})
			models[m.Model()] = m
		}
		out[i].Kinds = append(out[i].Kinds, k)
	}
	slices.SortFunc(out, func(a, b Embedded) int { return strings.Compare(a.Name, b.Name) })
	for i := range out {
		began := time.Now()
		out[i].Err = embedBy(ctx, p, models[out[i].Model], &out[i], progress)
		out[i].Took = time.Since(began)
		switch err := out[i].Err; {
		case ctx.Err() != nil:
			return out[:i+1], ctx.Err()
		case errors.Is(err, store.ErrNoIndex), errors.Is(err, store.ErrNoVectors):
			return nil, err
		}
	}
	return out, nil
}

// embedBy makes the missing vectors of one model.
func embedBy(
	ctx context.Context, p Place, m doc.BatchEmbedder, e *Embedded, progress func(model string, done, total int),
) error {
	failed := embedNotes(ctx, p, m, e.Kinds)
	kinds := slices.DeleteFunc(slices.Clone(e.Kinds), func(k doc.Kind) bool { return k.Traits().Shape == doc.Outside })
	if len(kinds) == 0 {
		return failed
	}
	x, err := p.Answering(ctx)
	if err != nil {
		return err
	}
	var tell func(done, total int)
	if progress != nil {
		tell = func(done, total int) { progress(e.Name, done, total) }
	}
	e.Report, err = overlay.Update(ctx, overlay.Index{Dir: x.StoreDir, View: x.View, Seal: x.Seal}, m, kinds, tell)
	return cmp.Or(err, failed)
}

// embedNotes makes the missing vectors of the notes, if the model is chosen for them.
func embedNotes(ctx context.Context, p Place, m doc.BatchEmbedder, kinds []doc.Kind) error {
	var errs []error
	if slices.Contains(kinds, doc.Memory) && p.ID != "" {
		err := memory.Complete(ctx, memory.File(p.Home, p.ID), m)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("notes: %w", err))
		}
	}
	notes := memory.UserNotesIn(p.Home)
	if slices.Contains(kinds, doc.Persona) && notes.Exists() {
		notes.Model = m
		if err := notes.Embed(ctx); err != nil {
			errs = append(errs, fmt.Errorf("notes for all projects: %w", err))
		}
	}
	return errors.Join(errs...)
}

// KeepChosen removes the vectors of models that are no longer chosen for a project. The error wraps
// store.ErrLocked if another process makes some.
func KeepChosen(ctx context.Context, p Place) error {
	chosen, err := embedders.Process().Chosen(p.Home, p.ID)
	if err != nil || !p.IsWritable() || !p.Published() {
		return err
	}
	var ids []string
	for _, m := range chosen {
		ids = append(ids, m.Model())
	}
	return overlay.Keep(ctx, overlay.Index{Dir: p.Store, Seal: p.Seal()}, ids)
}

// EmbedQuietly is EmbedChosen in the background of a server. An index that has no vectors yet, or
// that another process works on, is no error: it is looked at again after its next change.
func EmbedQuietly(ctx context.Context, p Place) error {
	made, err := EmbedChosen(ctx, p, nil)
	errs := []error{err}
	for _, e := range made {
		errs = append(errs, e.Err)
	}
	for i, err := range errs {
		if errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrNoVectors) || errors.Is(err, store.ErrNoIndex) {
			errs[i] = nil
		}
	}
	return errors.Join(errs...)
}
