package project

import (
	"context"
	"errors"
	"fmt"

	"patina/ask/embedders"
	"patina/memory"
	"patina/oracles/embed"
	"patina/store/doc"
)

// NotesModel returns the model of the notes about a place: the one that the user has chosen for
// notes, else that of Model. The error is that of reading the choice.
func NotesModel(ctx context.Context, p Place) (doc.BatchEmbedder, error) {
	chosen, err := embedders.Process().Chosen(p.Home, p.ID)
	if err != nil {
		return nil, err
	}
	if m := chosen[doc.Memory]; m != nil {
		return m, nil
	}
	return doc.Batched(Model(ctx, p)), nil
}

// WithNotesModel calls f with the model of the notes about a place. If the model fails, it warns,
// and calls f with nil, so that the notes are compared by their words alone.
func WithNotesModel(
	ctx context.Context, p Place, warn func(format string, args ...any), f func(doc.BatchEmbedder) error,
) error {
	m, err := NotesModel(ctx, p)
	if err != nil {
		err = fmt.Errorf("%w: %w", memory.ErrModel, err)
	} else {
		err = f(m)
	}
	if !errors.Is(err, memory.ErrModel) {
		return err
	}
	warn("notes are compared by their words alone: %v", err)
	return f(nil)
}

// UserNotesModel returns the model of the notes that a user keeps for all projects: the chosen one,
// else the built-in one. The error is that of reading the choice.
func UserNotesModel(home string) (doc.BatchEmbedder, error) {
	chosen, err := embedders.Process().Chosen(home, "")
	if err != nil {
		return nil, err
	}
	if m := chosen[doc.Persona]; m != nil {
		return m, nil
	}
	return memory.NoteModel(), nil
}

// Model returns the model of a place's vectors: the table adapted to it, or the built-in one if the
// index cannot be read. It never returns nil.
func Model(ctx context.Context, p Place) doc.Embedder {
	i, err := Inspect(ctx, p)
	if err != nil {
		return embed.Base()
	}
	defer func() { _ = i.Close() }()
	if table, err := i.reader.Table(ctx); err == nil && len(table) > 0 {
		if m, err := embed.Load(table); err == nil {
			return m
		}
	}
	return embed.Base()
}
