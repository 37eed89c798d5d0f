package memorycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/memory"
	"patina/memory/transcript"
)

// maxTranscript bounds a transcript, in bytes.
const maxTranscript = 64 << 20

// An ingested is the outcome of reading markers in a text.
type ingested struct {
	Notes  []memory.Added     `json:"notes"` // without ids in a dry run
	Faults []transcript.Fault `json:"faults"`
	Form   string             `json:"form,omitempty"`   // the form of a transcript: "Codex"
	Broken int                `json:"broken,omitempty"` // lines of a transcript that are not JSON
}

// marked holds the notes in a text.
type marked struct {
	form   string
	broken int
	notes  []transcript.Note
	faults []transcript.Fault
}

func markedIn(text string) marked {
	if transcript.Is(text) {
		if t := transcript.Read(text, memory.Types); t.Form != "" {
			return marked{t.Form, t.Broken, t.Notes, t.Faults}
		}
	}
	var m marked
	found, faults := transcript.ParseMarkers(text, memory.Types)
	for _, f := range found {
		m.notes = append(m.notes, transcript.Note{Marker: f})
	}
	m.faults = faults
	return m
}

func (a *app) memoryIngest() *cobra.Command {
	r := &remembering{app: a}
	var dry, apply, all bool
	c := &cobra.Command{
		Use: "ingest [FILE|FOLDER|-]", Short: "Keep the notes marked in a text", Args: cobra.MaximumNArgs(1),
		Long: `Keep the notes in a text that are marked by lines such as

  [MEMORY] type=gotcha tags=a,b: the text of the note

A marker that cannot be read is named, and the rest is kept. A file may be a
transcript by Claude Code, Codex or OpenCode (docs/memory.md): then what was
said counts, also "remember: ..." by a person, and never the output of tools.
Without --apply a transcript's notes are only shown. Without a file, the
transcripts of sessions in this project are listed.

--all keeps the turns of all these transcripts, without secrets, for "patina
memory recall". Later calls read only what is new. "patina memory forget
--transcripts" removes them.

Exit codes: 0 found, 1 no marker or no transcript, 2 error.`,
		Example: `  patina memory ingest
  patina memory ingest --all
  patina memory ingest --dry-run session.md
  patina memory ingest --apply ~/.codex/sessions/2026/01/18/rollout-1.jsonl`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case all && len(args) > 0:
				return cli.Hint(errors.New("--all beside a file"), "--all finds the transcripts itself")
			case all:
				return r.ingestAll(c)
			case len(args) == 0:
				return r.transcripts()
			}
			m, err := r.marked(args[0])
			if err != nil {
				return err
			}
			return r.ingest(c.Context(), m, dry || m.form != "" && !apply)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "keep none (the default for transcripts)")
	c.Flags().BoolVar(&apply, "apply", false, "keep a transcript's notes")
	c.Flags().BoolVar(&all, "all", false, "keep the turns of all transcripts of this project")
	c.MarkFlagsMutuallyExclusive("apply", "dry-run", "all")
	c.Flags().BoolVar(&r.allowSecret, "allow-secret", false, "keep notes that hold a token or a password")
	c.MarkFlagsMutuallyExclusive("all", "allow-secret")
	r.jsonFlag(c)
	return c
}

// marked reads a file, or the folder of a session's messages. More than transcript.MaxMarkers
// markers are an error.
func (r *remembering) marked(name string) (marked, error) {
	var m marked
	var err error
	if info, statErr := os.Stat(name); statErr == nil && info.IsDir() {
		m, err = markedInFolder(name)
	} else {
		var text string
		text, err = readText(r.app.In, name)
		m = markedIn(text)
	}
	if err == nil && len(m.notes)+len(m.faults) > transcript.MaxMarkers {
		err = fmt.Errorf("%q has more than %d markers: ingest it in parts; nothing is kept", name,
			transcript.MaxMarkers)
	}
	return m, err
}

// readText reads a file, or standard input for "-".
func readText(in io.Reader, name string) (string, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var b strings.Builder
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			b.Grow(int(max(0, min(info.Size(), maxTranscript)) + 1))
		}
	}
	n, err := io.Copy(&b, io.LimitReader(in, maxTranscript+1))
	if err == nil && n > maxTranscript {
		err = fmt.Errorf("%q has more than %d bytes", name, maxTranscript)
	}
	return b.String(), err
}

func (r *remembering) ingest(ctx context.Context, m marked, dry bool) error {
	done := ingested{Notes: []memory.Added{}, Form: m.form, Broken: m.broken}
	m.notes, done.Faults = r.keepable(m)
	if dry {
		done.Notes = make([]memory.Added, len(m.notes))
		if m.form != "" && !r.asJSON {
			if err := writeMarked(r.app.Out, m.notes); err != nil {
				return err
			}
		}
	} else if len(m.notes) > 0 {
		err := r.keep(ctx, func(_ project.Place, s *memory.Store) error {
			for _, n := range m.notes {
				added, err := s.Add(ctx, r.noted(n, m.form), r.allowSecret)
				if errors.Is(err, memory.ErrInvalid) { // merged with an earlier note, it has too many tags
					done.Faults = append(done.Faults, transcript.Fault{Line: n.Line, Text: err.Error()})
					continue
				}
				if err != nil {
					return err
				}
				done.Notes = append(done.Notes, added)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.ingested(done, dry)
}

// keepable returns the notes that can be kept, and all faults by line. The texts of other notes
// must not be printed.
func (r *remembering) keepable(m marked) (notes []transcript.Note, faults []transcript.Fault) {
	faults = append([]transcript.Fault{}, m.faults...)
	for _, n := range m.notes {
		if err := r.noted(n, m.form).Valid(r.allowSecret); err != nil {
			faults = append(faults, transcript.Fault{Line: n.Line, Text: err.Error()})
			continue
		}
		notes = append(notes, n)
	}
	slices.SortStableFunc(faults, func(a, b transcript.Fault) int { return cmp.Compare(a.Line, b.Line) })
	return notes, faults
}

// noted returns a note as a memory.
func (r *remembering) noted(n transcript.Note, form string) memory.Memory {
	m := memory.Memory{
		Content: n.Text, Type: n.Type, Tags: n.Tags, Confidence: n.Confidence, Origin: memory.Agent, Source: form,
		Session: n.Session,
	}
	if n.User {
		m.Origin = memory.User
	}
	return m
}

// maxFaults bounds the printed faults of a text, or of the log of notes.
const maxFaults = 20

func (r *remembering) ingested(done ingested, dry bool) (err error) {
	verb := "kept"
	if dry {
		verb = "would be kept"
	}
	if r.asJSON {
		err = writeJSON(r.app.Out, done)
	} else {
		for _, f := range done.Faults[:min(maxFaults, len(done.Faults))] {
			r.app.Warn("%v", f)
		}
		if done.Broken > 0 {
			r.app.Warn("%s not read: no JSON", cli.Plural(done.Broken, "line"))
		}
		_, err = fmt.Fprintf(r.app.Out, "%s %s, %s not read\n", cli.Plural(len(done.Notes), "note"), verb,
			cli.Plural(len(done.Faults), "marker"))
	}
	if err == nil && len(done.Notes)+len(done.Faults) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}
