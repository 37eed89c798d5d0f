package memorycmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/memory/persona"
)

// maxNote bounds a note in a list, in bytes.
const maxNote = 2 * layout.MaxLine

// notesOptions control how a list of notes is written.
type notesOptions struct {
	deliver.Options
	More int    // notes already left out
	Call string // the call that shows more; may be empty
	None string // printed if there are no notes
}

// writeUserNotes writes notes, one block each, within the ceiling. scores must have one value for
// each note, or be nil.
func writeUserNotes(w io.Writer, notes []memory.Note, scores []float64, o notesOptions) error {
	const room = layout.MaxCommand + 40
	var lines []layout.Line
	for i, n := range notes {
		next := noteLines(n)
		if scores != nil {
			next[0].Text += fmt.Sprintf("  (%.2f)", scores[i])
		}
		if i > 0 && layout.Size(lines)+layout.Size(next) > o.Ceiling()-room {
			o.More += len(notes) - i
			break
		}
		lines = append(lines, next...)
	}
	if len(notes) == 0 {
		lines = append(lines, layout.Text(o.None))
	}
	if o.More > 0 {
		text := fmt.Sprintf("%d more", o.More)
		if o.Call != "" {
			text += ": " + o.Call
		}
		lines = append(lines, layout.Faint(text))
	}
	return layout.Write(w, lines, o.Colour)
}

// noteLines returns a note's source and text, and the note that superseded it.
func noteLines(n memory.Note) []layout.Line {
	facts := []string{n.Time.UTC().Format(time.DateOnly)}
	if len(n.Domains) > 0 {
		facts = append(facts, "domains: "+strings.Join(n.Domains, ", "))
	}
	if n.HiddenBy != "" {
		facts = append(facts, "superseded by "+n.HiddenBy)
	}
	head := fmt.Sprintf("persona:%s (%s)", layout.Clip(n.Name, layout.MaxName),
		layout.Clip(strings.Join(facts, ", "), layout.MaxLine))
	return []layout.Line{layout.Strong(head), layout.Text(layout.Indent + layout.Clip(n.Content, maxNote))}
}

// A jsonNote is one note.
type jsonNote struct {
	DocID        string    `json:"doc_id"`
	ID           string    `json:"id"`
	Type         string    `json:"event_type"`
	Content      string    `json:"content"`
	Source       string    `json:"source"`
	Domains      []string  `json:"domains"`
	Time         time.Time `json:"timestamp"`
	Project      string    `json:"working_project"`
	Supersedes   string    `json:"supersedes"`
	SupersededBy string    `json:"superseded_by"`
	File         string    `json:"file"`
	Line         int       `json:"line"`
	Score        *float64  `json:"score,omitempty"` // only in answers to a query
}

// writeUserNotesJSON writes notes by the schema in docs/memory.md.
func writeUserNotesJSON(w io.Writer, notes []memory.Note, scores []float64, more int) error {
	out := struct {
		Schema int        `json:"schema"`
		Notes  []jsonNote `json:"notes"`
		More   int        `json:"more"`
	}{layout.Schema, []jsonNote{}, more}
	for i, n := range notes {
		x := jsonNote{
			"persona:" + n.Name, n.ID, n.Type, n.Content, n.Source, layout.NonNil(n.Domains), n.Time, n.Project,
			n.Supersedes, n.HiddenBy, n.File, n.Line, nil,
		}
		if scores != nil {
			score := layout.Round(scores[i])
			x.Score = &score
		}
		out.Notes = append(out.Notes, x)
	}
	return layout.Encode(w, out)
}

// writeUserStatus writes the state of the notes.
func writeUserStatus(w io.Writer, s memory.UserStatus, o deliver.Options) error {
	lines := []layout.Line{
		layout.Strong(fmt.Sprintf("persona:%s  %s, %d superseded", persona.Name, layout.Count(s.Notes, "note"),
			s.Superseded)),
		layout.Text(fmt.Sprintf("%slog: %s in %s, %s, in %s", layout.Indent, layout.Count(s.Events, "event"),
			layout.Count(s.Files, "file"), kilobytes(s.Bytes), layout.Middle(s.Dir, layout.MaxPath))),
		layout.Text(layout.Indent + "database: " + databaseText(s)),
	}
	if n := s.Lost(); n > 0 {
		lines = append(lines,
			layout.Strong(fmt.Sprintf("%s%s cannot be read:", layout.Indent, layout.Count(n, "place"))))
	}
	for _, lost := range []bool{true, false} {
		n := 0
		for _, f := range s.Faults {
			if f.Lost != lost {
				continue
			}
			if n++; n <= maxFaults {
				lines = append(lines, layout.Text(layout.Indent+layout.Indent+layout.Clip(f.String(), layout.MaxLine)))
			}
		}
		if n > maxFaults {
			lines = append(lines, layout.Faint(fmt.Sprintf("%s%s%d more", layout.Indent, layout.Indent, n-maxFaults)))
		}
	}
	return layout.Write(w, lines, o.Colour)
}

func databaseText(s memory.UserStatus) string {
	switch {
	case s.Condition != nil:
		return "of no use, made again at the next question: " + layout.Clip(s.Condition.Error(), layout.MaxLine)
	case s.Size == 0:
		return "none yet, made at the first question"
	}
	text := kilobytes(s.Size) + ", made " + s.Made.UTC().Format("2006-01-02 15:04")
	if s.Model == "" {
		text += ", words alone"
	}
	if !s.UpToDate {
		return text + ", behind the log: read at the next question"
	}
	return text + ", up to date"
}

func kilobytes(n int64) string { return fmt.Sprintf("%.1f kB", float64(n)/1000) }

// writeUserStatusJSON writes the same as writeUserStatus by the schema in docs/memory.md.
func writeUserStatusJSON(w io.Writer, s memory.UserStatus) error {
	condition := ""
	if s.Condition != nil {
		condition = s.Condition.Error()
	}
	return layout.Encode(w, struct {
		Schema     int             `json:"schema"`
		Dir        string          `json:"dir"`
		Notes      int             `json:"notes"`
		Superseded int             `json:"superseded"`
		Events     int             `json:"events"`
		Files      int             `json:"files"`
		Bytes      int64           `json:"bytes"`
		Lost       int             `json:"lost"`
		Faults     []persona.Fault `json:"faults"`
		Size       int64           `json:"database_bytes"`
		Made       time.Time       `json:"materialized"`
		Model      string          `json:"model"`
		UpToDate   bool            `json:"up_to_date"`
		Condition  string          `json:"condition"`
	}{
		layout.Schema, s.Dir, s.Notes, s.Superseded, s.Events, s.Files, s.Bytes, s.Lost(), layout.NonNil(s.Faults),
		s.Size, s.Made, s.Model, s.UpToDate, condition,
	})
}
