package project

import (
	"context"
	"errors"

	"patina/store"
)

// Glance calls read with a reader of the place's index, for one look without an engine. It compares
// nothing with the working tree. The error wraps store.ErrForeign if the index is not trusted, and
// store.ErrNoIndex if there is no index.
func Glance(ctx context.Context, p Place, read func(*store.Reader) error) error {
	i, err := Inspect(ctx, p)
	if err != nil {
		return err
	}
	return errors.Join(read(i.reader), i.Close())
}
