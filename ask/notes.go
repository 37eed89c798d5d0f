package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/memory"
	"patina/memory/ground"
	"patina/store/doc"
)

// Bounds of the notes that are shown with what they are about.
const (
	besideDocument = 3 // notes with a document
	notedResults   = 3 // results of an answer that name a note
	notedText      = 48
	notedScore     = .1 // below it, the result itself is only the nearest
)

// NoteRelation is the relation of a result to a note about it.
const NoteRelation = "note"

// A Noted holds the notes about a document.
type Noted struct {
	Notes []memory.Memory // with their changed grounds; pinned ones first
	More  int             // number of notes left out
}

// notesFile returns the path of the notes that a call may show, or "" if it may show nothing.
func (c *Call) notesFile() string {
	if c.Place.ID == "" || c.Place.Far != "" || c.guests != nil && !slices.Contains(c.guests, doc.Memory) {
		return ""
	}
	path := memory.File(c.Place.Home, c.Place.ID)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return path
}

// lookAtNotes calls read with the notes that a call may show, if there are any. Notes that cannot
// be read are a warning, because the answer is of use without them.
func (c *Call) lookAtNotes(ctx context.Context, read func(*memory.Store) error) {
	path := c.notesFile()
	if path == "" {
		return
	}
	if err := memory.Look(ctx, path, read); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Warn("notes about it are not shown: %v", err)
	}
}

// notesAbout returns the current notes whose path or symbol names a document.
func (c *Call) notesAbout(ctx context.Context, d doc.Description) (n Noted) {
	if d.Path == "" {
		return n
	}
	c.lookAtNotes(ctx, func(s *memory.Store) (err error) {
		n.Notes, err = s.About(ctx, d.Path, d.Symbol)
		return err
	})
	n.More = max(0, len(n.Notes)-besideDocument)
	n.Notes = n.Notes[:len(n.Notes)-n.More]
	tree, err := ground.Open(c.Place.Root)
	if err != nil {
		return n
	}
	defer tree.Close()
	for i, m := range n.Notes {
		if m.Ground == "" || m.Path == "" {
			continue
		}
		if move := tree.Moved(ctx, m.Path, m.Symbol, m.Ground, m.Created); move != nil {
			n.Notes[i].Moved = move.Said(time.Now())
		}
	}
	return n
}

// addNotes links the first results of the project to the first note about each, unless the note is
// a result itself.
func (c *Call) addNotes(ctx context.Context, a *api.Answer) {
	var at []int
	listed := map[string]bool{}
	for i, r := range a.Results {
		listed[r.DocID] = true
		if _, visited := c.visitTo(r.Key.Project); !visited && r.Path != "" && r.Score >= notedScore && len(at) < notedResults {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return
	}
	links := map[int]doc.Link{}
	c.lookAtNotes(ctx, func(s *memory.Store) error {
		for _, i := range at {
			found, err := s.About(ctx, a.Results[i].Path, a.Results[i].Symbol)
			if err != nil {
				return err
			}
			for _, m := range found {
				if id := doc.Memory.FileID(m.ID); !listed[id] {
					links[i] = doc.Link{Relation: NoteRelation, Target: id, Note: briefNote(m)}
					break
				}
			}
		}
		return nil
	})
	for i, l := range links {
		a.Results[i].Links = append([]doc.Link{l}, a.Results[i].Links...)
	}
}

// briefNote returns the type of a note and the beginning of its text in quotes, because it is data.
func briefNote(m memory.Memory) string {
	text := strings.Join(strings.Fields(m.Content), " ")
	if len(text) > notedText {
		text = strings.ToValidUTF8(text[:notedText], "") + "…"
	}
	brief := fmt.Sprintf("[%s] %q", m.Type, text)
	if m.Origin == memory.Untrusted {
		brief += " untrusted"
	}
	return brief
}
