package ui

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/memorycmd"
	"patina/memory"
	"patina/store/doc"
)

func init() {
	addRoute("GET /notes", (*view).notesPage)
	addRoute("POST /notes/add", (*view).addNote)
	addRoute("POST /notes/pin", (*view).pinNote)
	addRoute("POST /notes/end", (*view).endNote)
	addMenu(40, "Notes", "/notes")
}

// mostNotes bounds the notes of a page.
const mostNotes = 300

// A keptNote is a note of the project with its state.
type keptNote struct {
	note
	Tags, About, State string
	AboutLink          string
	Pinned, Current    bool
}

// notesPage lists the notes of the project, and has a form for a new one.
func (v *view) notesPage() error {
	f := memory.Filter{All: v.query.Get("all") != "", Limit: mostNotes}
	if kind := v.query.Get("type"); slices.Contains(memory.Types, kind) {
		f.Types = []string{kind}
	}
	list, err := memorycmd.Notes(v.r.Context(), v.app(), v.Place, f)
	if err != nil {
		return err
	}
	var notes []keptNote
	for _, m := range list {
		notes = append(notes, newKeptNote(m))
	}
	return v.page("notes", "notes", "Notes", struct {
		Notes        []keptNote
		All          bool
		Types        []string
		Path, Symbol string // of a new note
		Cut          bool
	}{notes, f.All, memory.Types, v.query.Get("path"), v.query.Get("symbol"), len(list) == mostNotes})
}

func newKeptNote(m memory.Memory) keptNote {
	k := keptNote{
		note: newNote(m, trail{}), Tags: layout.Clip(strings.Join(m.Tags, ", "), 120), Pinned: m.Pinned, Current: m.Current(),
	}
	k.Text = layout.Body(layout.Head(m.Content, 4<<10))
	switch {
	case m.Symbol != "" && m.Path != "":
		k.About, k.AboutLink = m.Path+"::"+m.Symbol, trail{}.link(doc.SymbolID(m.Path, m.Symbol), 0)
	case m.Path != "":
		k.About, k.AboutLink = m.Path, trail{}.link(m.Path, 0)
	case m.Symbol != "":
		k.About, k.AboutLink = m.Symbol, trail{}.link(m.Symbol, 0)
	}
	switch {
	case m.SupersededBy != "":
		k.State = "superseded by " + layout.OneLine(m.SupersededBy)
	case !m.Current():
		k.State = "ended"
	case m.Origin != memory.User:
		k.State = layout.OneLine(m.Origin)
	}
	return k
}

// app returns the streams of one change: warnings go to the page, and the text of the command
// nowhere.
func (v *view) app() *cli.App {
	return &cli.App{In: strings.NewReader(""), Out: io.Discard, Errs: warningWriter{v}, Store: v.App.Store}
}

// A warningWriter turns the lines of standard error into warnings of a page.
type warningWriter struct{ *view }

// Write implements io.Writer.
func (w warningWriter) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		w.warnings = append(w.warnings, layout.OneLine(strings.TrimPrefix(strings.TrimSpace(line), "patina: ")))
	}
	return len(b), nil
}

// addNote keeps a note about the project.
func (v *view) addNote() error {
	form := v.r.PostForm
	before, err := memorycmd.Notes(v.r.Context(), v.app(), v.Place, memory.Filter{})
	if err != nil {
		return err
	}
	err = memorycmd.Remember(v.r.Context(), v.app(), v.Place, false, true, memory.Memory{
		Content: form.Get("text"), Type: form.Get("type"), Tags: strings.Split(form.Get("tags"), ","),
		Path: strings.TrimSpace(form.Get("path")), Symbol: strings.TrimSpace(form.Get("symbol")), Pinned: form.Get("pin") != "",
	})
	if err != nil {
		return err
	}
	after, err := memorycmd.Notes(v.r.Context(), v.app(), v.Place, memory.Filter{})
	if err == nil && len(after) == len(before) {
		return v.redirect("/notes", url.Values{}, "merged")
	}
	return v.redirect("/notes", url.Values{}, "added")
}

// pinNote pins a note, or lets it fade again.
func (v *view) pinNote() error {
	pin, done := v.r.PostForm.Get("pin") != "", "unpinned"
	if pin {
		done = "pinned"
	}
	if _, err := memorycmd.Pin(v.r.Context(), v.app(), v.Place, v.r.PostForm.Get("id"), pin); err != nil {
		return err
	}
	return v.redirect("/notes", url.Values{}, done)
}

// endNote ends a note.
func (v *view) endNote() error {
	if _, err := memorycmd.Forget(v.r.Context(), v.app(), v.Place, v.r.PostForm.Get("id")); err != nil {
		return err
	}
	return v.redirect("/notes", url.Values{}, "ended")
}
