package project

import (
	"context"
	"errors"

	"patina/code/lookup"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
)

// Examine reports on a place's store, whatever its state. It returns an error if the index is not
// trusted.
func Examine(ctx context.Context, p Place) (store.Examination, error) {
	seal, err := p.sealed(ctx)
	if err != nil {
		return store.Examination{}, err
	}
	return store.Examine(ctx, p.Store, p.View(), seal), nil
}

// An Inspection reads a whole index, for doctor and for eval's baseline. It has no deadline except
// that of its contexts.
type Inspection struct {
	place  Place
	index  *store.Store
	pin    *store.Pin
	reader *store.Reader
}

// Inspect opens a place's index. The caller must close the inspection.
func Inspect(ctx context.Context, p Place) (*Inspection, error) {
	seal, err := p.sealed(ctx)
	if err != nil {
		return nil, err
	}
	index, err := store.OpenSealed(p.Store, p.View(), seal)
	if err != nil {
		return nil, err
	}
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return nil, errors.Join(err, index.Close())
	}
	return &Inspection{p, index, pin, pin.Readers[0]}, nil
}

// Close ends the inspection.
func (i *Inspection) Close() error {
	i.pin.Close()
	return i.index.Close()
}

// Generation returns the inspected generation.
func (i *Inspection) Generation() doc.Generation { return i.reader.Generation() }

// Verify checks the stored content. If deep is set, it also checks the database's own structures.
func (i *Inspection) Verify(ctx context.Context, deep bool) (store.Verified, error) {
	return i.reader.Verify(ctx, deep)
}

// Behind returns the number of commits that HEAD has and the index lacks, or -1 if it is unknown,
// with a note if that matters.
func (i *Inspection) Behind(ctx context.Context) (int, string) {
	return Behind(ctx, i.place.Root, i.Generation())
}

// Pending compares the index with the files in the working tree.
func (i *Inspection) Pending(ctx context.Context) (scrape.Pending, error) {
	known, err := i.reader.States(ctx)
	if err != nil {
		return scrape.Pending{}, err
	}
	compared, err := i.reader.Listed(ctx)
	if err != nil {
		return scrape.Pending{}, err
	}
	return scrape.Compare(ctx, i.place.Root, i.place.Store, known, compared)
}

// Texts calls f with every text of a file or a commit. It stops and returns the error of f.
func (i *Inspection) Texts(ctx context.Context, f func(lookup.Text) error) error {
	return lookup.Texts(ctx, i.reader, f)
}

// Chunks calls f with every chunk. It stops and returns the error of f.
func (i *Inspection) Chunks(ctx context.Context, f func(lookup.ChunkText) error) error {
	return lookup.Chunks(ctx, i.reader, f)
}
