package oracles

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patina/code/lookup"
	"patina/memory"
	"patina/memory/persona"
	"patina/store"
	"patina/store/doc"
)

// Persona ranks the notes that a user keeps for all projects.
//
// They are in one store of the user and in no index. Most are about other subjects, so an answer
// has a place for at most one, below the code (fusion.Guest).
type Persona struct {
	notes   memory.UserNotes
	project Project
}

// NewPersona returns the oracle of the notes in a home folder.
func NewPersona(home string) Persona { return Persona{notes: memory.UserNotesIn(home)} }

// Name implements Oracle.
func (Persona) Name() string { return "persona" }

// Open implements Oracle.
func (p Persona) Open(x Project) (Channel, error) {
	p.project = x
	return p, nil
}

// Close implements Channel.
func (Persona) Close() error { return nil }

// Needed implements Sparing, because most users have no notes. A filter of files or languages
// excludes notes, because they have neither.
func (p Persona) Needed(_ doc.Generation, f doc.Filter) bool {
	return doc.Wants(f, doc.Persona) && !f.Narrow() && p.notes.Exists()
}

// mostNotes bounds the notes in a list. An answer shows one, unless the user asks only for notes.
const mostNotes = 50

// withModel returns the notes with the chosen model, or the built-in one. failed is the error of a
// chosen model.
func (p Persona) withModel(ctx context.Context) (notes memory.UserNotes, failed error) {
	notes = p.notes
	chosen, failed := p.project.chosen(ctx, doc.Persona)
	switch {
	case failed != nil:
		return notes, failed
	case chosen == nil:
		notes.Model = memory.NoteModel()
		return notes, nil
	}
	notes.Model, notes.Most = chosen, renewedChosen
	if err := notes.Embed(ctx); errors.Is(err, memory.ErrModel) {
		failed = err
	}
	return notes, failed
}

// Query implements Channel. Its list may come with an error that wraps ErrUnavailable, if the
// newest notes could not be read, or if a chosen model failed.
func (p Persona) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	if !doc.Wants(q.Filter, doc.Persona) || q.Filter.Narrow() || !p.notes.Exists() {
		return nil, nil
	}
	notes, failed := p.withModel(ctx)
	var found []memory.FoundNote
	stale, err := notes.Read(ctx, func(s *memory.Store) (err error) {
		found, err = s.SearchNotes(ctx, memory.NoteSearch{Question: q.Parsed, Limit: mostNotes, Model: notes.Model})
		return err
	})
	if errors.Is(err, memory.ErrModel) {
		failed, err = err, nil
	}
	if err != nil {
		return nil, err
	}
	list := List{Channel: p.Name(), Kind: doc.Persona, Generation: r.Generation().Number, Stems: map[string]string{}}
	for _, x := range found {
		if x.Share == 0 { // near only in meaning, which says little of a short text
			continue
		}
		id := doc.Persona.FileID(x.Name)
		list.Hits = append(list.Hits, doc.Ranked{DocID: id, Raw: x.Raw})
		list.Stems[id] = x.Stems()
	}
	if stale != nil {
		return []List{list}, fmt.Errorf("without the newest notes: %w: %w", stale, ErrUnavailable)
	}
	return []List{list}, byWordsAlone(failed)
}

// Describe implements Keeper. The error wraps lookup.ErrNoDocument if there is no such note.
func (p Persona) Describe(ctx context.Context, docID string) (d doc.Description, body string, err error) {
	var n memory.Note
	_, err = p.notes.Read(ctx, func(s *memory.Store) (err error) {
		n, err = s.Note(ctx, strings.TrimPrefix(docID, doc.Persona.FileID("")))
		return err
	})
	if errors.Is(err, memory.ErrNone) {
		err = fmt.Errorf("find %q: %w", docID, lookup.ErrNoDocument)
	}
	if err != nil {
		return d, "", err
	}
	return describeNote(n), n.Content, nil
}

// describeNote returns the description of a note.
func describeNote(n memory.Note) doc.Description {
	id := doc.Persona.FileID(n.Name)
	title, _, _ := strings.Cut(n.Content, "\n")
	d := doc.Description{
		DocID: id, Shown: id, Kind: doc.Persona, Title: title, Summary: n.Content, Time: n.Time, Author: n.Source,
	}
	of := doc.External{Of: doc.Persona.FileID(persona.Name)}
	add := func(name, value string, brief bool) {
		if value != "" {
			of.Facts = append(of.Facts, doc.ExternalFact{Name: name, Value: value, Brief: brief})
		}
	}
	add("date", n.Time.UTC().Format(time.DateOnly), true)
	add("domains", strings.Join(n.Domains, ", "), true)
	add("source", n.Source, false)
	add("project", n.Project, false)
	d.Outside = &of
	if n.Replaces != "" {
		d.Links = append(d.Links, doc.Link{Relation: "supersedes", Target: doc.Persona.FileID(n.Replaces)})
	}
	if n.HiddenBy != "" {
		d.Links = append(d.Links, doc.Link{Relation: "superseded by", Target: doc.Persona.FileID(n.HiddenBy)})
	}
	return d
}
