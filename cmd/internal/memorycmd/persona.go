package memorycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/internal/safeio"
	"patina/internal/secrets"
	"patina/memory"
	"patina/memory/persona"
	"patina/registry"
	"patina/store/text"
)

// A noted is one call about the user's notes, with its flags.
type noted struct {
	*app
	home   string
	user   memory.UserNotes
	wanted wantedNotes
}

// Persona is the command for the notes that a user keeps for all projects.
func Persona(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "persona",
		Short: "Keep notes for all projects: what you prefer, decided, learnt",
		Long: `Keep notes for all projects: what you prefer, what you have decided, what you
have learnt. This is an earlier name of "patina memory --everywhere".

The notes are yours and not a repository's: PATINA_HOME holds them, no command
sends them anywhere, and no scrape reads them. A question in any project finds
the one note that answers it, below the code: marked [persona].`,
		Example: `  patina memory add --everywhere "I write table tests" --tags go
  patina memory recall --everywhere how do I write tests
  patina memory list --everywhere --tags go`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command persona "+cli.Quoted(args[0])),
				"there are: patina persona note, list, query, materialize, status")
		},
	}
	c.AddCommand(a.personaNote(), a.personaList(), a.personaQuery(), a.personaMaterialize(), a.personaStatus())
	return c
}

// notes prepares a call about the user's notes.
func (a *app) notes() (*noted, error) {
	home, err := registry.Home()
	return &noted{app: a, home: home, user: memory.UserNotesIn(home)}, err
}

func (n *noted) options() deliver.Options { return deliver.Options{Colour: cli.Coloured(n.Out)} }

// unwritable adds hints to an error of writing below the home.
func (n *noted) unwritable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return cli.Hint(err, "the disk is full: nothing was noted, and nothing is lost")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Hint(err, "the notes are in "+n.user.Dir+": make it writable, or name another home with PATINA_HOME")
	}
	return err
}

// personaNote is the command that adds a note.
func (a *app) personaNote() *cobra.Command {
	var domains []string
	var supersedes, source string
	var allowSecret, asJSON bool
	c := &cobra.Command{
		Use:   "note TEXT...",
		Short: "Add a note",
		Long: `Add a note and print its id. The words are the text; "-" reads it from standard
input. It is on the disk when the command returns, whatever other processes note
meanwhile. One that supersedes another hides it; the log keeps both. A text with
a token, a password or a key is refused.`,
		Example: `  patina persona note "I prefer sqlite for a single user" --domain storage
  patina persona note --supersedes evt_1b2c "Errors are wrapped with %w"
  git log -1 --format=%B | patina persona note - --source review`,
		RunE: func(c *cobra.Command, args []string) error {
			e := persona.Event{Source: source, Domains: domains, Supersedes: supersedes, Time: time.Now()}
			return addNote(c.Context(), a.App, args, e, allowSecret, asJSON)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&domains, "domain", nil, "what the note is about: `names`, with commas between")
	f.StringVar(&supersedes, "supersedes", "", "hide the note with this `id`")
	f.StringVar(&source, "source", directSource, "where the note comes from, in a `word`")
	f.BoolVar(&allowSecret, "allow-secret", false, "note a text that holds a secret")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// directSource is the source of a note without one.
const directSource = "direct"

// addNote adds a note and prints its id. Its text is words, or standard input for "-". It returns
// an error for a text with a secret unless allowSecret is set.
func addNote(ctx context.Context, shared *cli.App, words []string, e persona.Event, allowSecret, asJSON bool) error {
	n, err := (&app{shared}).notes()
	if err != nil {
		return err
	}
	if e.Content, err = n.readArguments(ctx, words); err != nil {
		return err
	}
	if !allowSecret {
		if err := refuseSecret(strings.Join(slices.Concat([]string{e.Content, e.Source, e.Supersedes}, e.Domains),
			"\n")); err != nil {
			return err
		}
	}
	e.Domains, e.Project = persona.Domains(e.Domains...), n.project()
	return n.note(ctx, e, asJSON)
}

// readArguments returns the words of a note, or standard input for "-". An empty text is an error.
func (n *noted) readArguments(ctx context.Context, args []string) (string, error) {
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := cli.UnlessOver(ctx,
			func() ([]byte, error) { return io.ReadAll(io.LimitReader(n.In, persona.LongestNote+1)) })
		if err != nil {
			return "", fmt.Errorf("read note: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", cli.Hint(persona.ErrEmpty,
			`say what to remember: patina persona note "I prefer short functions" --domain go`)
	}
	return text, nil
}

// refuseSecret returns an error for a text with a secret. The error does not contain the secret.
func refuseSecret(text string) error {
	found := secrets.FindKept(text)
	if len(found) == 0 {
		return nil
	}
	err := fmt.Errorf("the note holds a secret: %s, %s… (%s)", found[0].Rule, found[0].Hint,
		cli.Plural(found[0].Length, "character"))
	return cli.Hint(err, "leave it out: notes come back in answers", "if it is none: --allow-secret")
}

// project returns the name of the project around the working folder.
func (n *noted) project() string {
	if p, err := n.Here(); err == nil && p.Root != "" {
		return filepath.Base(p.Root)
	}
	dir, _ := os.Getwd()
	return filepath.Base(dir)
}

func (n *noted) note(ctx context.Context, e persona.Event, asJSON bool) error {
	if e.Supersedes != "" {
		older, err := n.noteNamed(ctx, e.Supersedes)
		if err != nil {
			return err
		}
		if e.Supersedes = older.ID; e.Supersedes == "" {
			e.Supersedes = older.Name
		}
	}
	id, err := n.user.Append(ctx, e)
	if err != nil {
		return n.unwritable(err)
	}
	if asJSON {
		return layout.Encode(n.Out, struct {
			Schema int    `json:"schema"`
			ID     string `json:"id"`
		}{layout.Schema, id})
	}
	fmt.Fprintln(n.Out, id)
	return nil
}

// personaPrefix begins the doc_id of a note.
const personaPrefix = "persona:"

// noteNamed returns the note with an id or a doc_id, or with the start of one.
func (n *noted) noteNamed(ctx context.Context, id string) (found memory.Note, err error) {
	err = n.reading(ctx, func(s *memory.Store) error {
		found, err = s.Note(ctx, strings.TrimPrefix(id, personaPrefix))
		return err
	})
	if errors.Is(err, memory.ErrNone) {
		err = cli.Hint(fmt.Errorf("no note %q", id), `run "patina persona list" for the ids`)
	}
	return found, err
}

// reading passes the notes to f, up to date with the log. If they cannot be brought up to date, it
// prints a warning. If the user has no notes at all, it makes no database and returns
// memory.ErrNone.
func (n *noted) reading(ctx context.Context, f func(*memory.Store) error) error {
	if !n.user.Exists() {
		return memory.ErrNone
	}
	var failed error
	stale, err := n.user.Read(ctx, func(s *memory.Store) error {
		failed = f(s)
		return failed
	})
	if stale != nil {
		n.Warn("the newest notes are missing: %v", stale)
	}
	if failed != nil || err == nil {
		return failed
	}
	return n.unwritable(err)
}

// noNotes is printed in place of an empty list.
const noNotes = "no notes"

// personaList is the command that lists notes.
func (a *app) personaList() *cobra.Command {
	n := &noted{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the notes, newest first",
		Long: `List the notes that hold, newest first, with their ids, days and domains.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina persona list --domain go,testing --limit 50
  patina persona list --all --json | jq -r '.notes[].content'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return printNotes(c.Context(), a.App, n.wanted)
		},
	}
	n.flags(c, listLimit)
	c.Flags().BoolVar(&n.wanted.All, "all", false, "list superseded notes, too")
	return c
}

// listLimit is the default number of notes in a list.
const listLimit = 20

// wantedNotes selects notes, and the form of printing.
type wantedNotes struct {
	Domains []string // notes about any of them; nil: all notes
	Limit   int
	All     bool // superseded ones too
	JSON    bool
}

// printNotes prints notes, newest first. It returns ExitNothing for an empty list.
func printNotes(ctx context.Context, shared *cli.App, w wantedNotes) error {
	n := &noted{wanted: w}
	if err := n.beginNotes(&app{shared}); err != nil {
		return err
	}
	err := n.reading(ctx, func(s *memory.Store) error {
		notes, more, err := s.Notes(ctx, persona.Domains(w.Domains...), w.Limit, w.All)
		if err != nil {
			return err
		}
		o := notesOptions{
			Options: n.options(), More: more, None: noNotes,
			Call: dialect.Command("persona", "list", "--json", "--limit", fmt.Sprint(more+len(notes))),
		}
		return n.show(notes, nil, o)
	})
	if errors.Is(err, memory.ErrNone) {
		return n.show(nil, nil, notesOptions{Options: n.options(), None: noNotes})
	}
	return err
}

// beginNotes prepares a command that reads notes, and checks the limit.
func (n *noted) beginNotes(a *app) error {
	found, err := a.notes()
	n.app, n.home, n.user = a, found.home, found.user
	if err == nil && n.wanted.Limit < 1 {
		err = cli.Hint(fmt.Errorf("limit %d: want at least 1", n.wanted.Limit), "notes shown: --limit N")
	}
	return err
}

func (n *noted) flags(c *cobra.Command, limit int) {
	f := c.Flags()
	f.StringSliceVar(&n.wanted.Domains, "domain", nil, "only notes about one of these `names`")
	f.IntVarP(&n.wanted.Limit, "limit", "n", limit, "notes")
	f.BoolVar(&n.wanted.JSON, "json", false, "print JSON (docs/memory.md)")
}

// show prints notes. It returns ExitNothing for an empty list.
func (n *noted) show(notes []memory.Note, scores []float64, o notesOptions) (err error) {
	if n.wanted.JSON {
		err = writeUserNotesJSON(n.Out, notes, scores, o.More)
	} else {
		err = writeUserNotes(n.Out, notes, scores, o)
	}
	if err == nil && len(notes) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

// personaQuery is the command that searches notes.
func (a *app) personaQuery() *cobra.Command {
	n := &noted{}
	c := &cobra.Command{
		Use:   "query TEXT...",
		Short: "Search the notes",
		Long: `Search the notes by meaning and words, best first. A note that shares too little
with the question is not shown.

Exit codes: 0 found, 1 nothing relevant, 2 error.`,
		Example: `  patina persona query how do I name errors
  patina persona query --domain go --json retries`,
		RunE: func(c *cobra.Command, args []string) error {
			return printFoundNotes(c.Context(), a.App, args, n.wanted)
		},
	}
	n.flags(c, 10)
	return c
}

// printFoundNotes prints the notes that answer a question, best first. It returns ExitNothing for
// an empty list.
func printFoundNotes(ctx context.Context, shared *cli.App, words []string, w wantedNotes) error {
	n := &noted{wanted: w}
	if err := n.beginNotes(&app{shared}); err != nil {
		return err
	}
	question := strings.Join(words, " ")
	if strings.TrimSpace(question) == "" {
		return cli.Hint(errors.New("no question"), "ask one: patina persona query how do I name errors")
	}
	n.prepareModel(ctx)
	err := n.reading(ctx, func(s *memory.Store) error {
		found, err := s.SearchNotes(ctx, memory.NoteSearch{
			Question: text.ParseQuestion(question), Domains: persona.Domains(w.Domains...), Limit: w.Limit,
			Enough: true, Model: n.user.Model,
		})
		if err != nil && !errors.Is(err, memory.ErrModel) {
			return err
		}
		notes, scores := []memory.Note{}, []float64{}
		for _, f := range found {
			notes, scores = append(notes, f.Note), append(scores, f.Raw)
		}
		return n.show(notes, scores, notesOptions{Options: n.options(), None: "nothing relevant among the notes"})
	})
	if errors.Is(err, memory.ErrNone) {
		return n.show(nil, nil, notesOptions{Options: n.options(), None: noNotes})
	}
	return err
}

// prepareModel sets the model of the notes, and makes missing vectors. If a chosen model fails, it
// warns: notes are then found by their words.
func (n *noted) prepareModel(ctx context.Context) {
	model, err := project.UserNotesModel(n.home)
	if err == nil && n.user.Exists() {
		n.user.Model = model
		if err = n.user.Embed(ctx); !errors.Is(err, memory.ErrModel) {
			err = nil // that of the log is told by who reads it
		}
	}
	if err != nil {
		n.Warn("notes are compared by their words alone: %v", err)
	}
}

// personaMaterialize is the command that updates the database of notes.
func (a *app) personaMaterialize() *cobra.Command {
	var full bool
	c := &cobra.Command{
		Use:   "materialize",
		Short: "Bring the database of notes up to the log",
		Long: `Bring the database of notes up to the log. Questions do it by themselves; this
is for scripts, and after a repair by hand. Only what was appended is read, and
the old database answers until the new one is complete.`,
		Example: `  patina persona materialize
  patina persona materialize --full`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			n, err := a.notes()
			if err != nil {
				return err
			}
			s, err := n.user.Materialize(c.Context(), full)
			if errors.Is(err, safeio.ErrHeld) {
				return cli.Hint(err, "another process does it right now")
			}
			if err != nil {
				return n.unwritable(err)
			}
			fmt.Fprintf(a.Out, "%s of %s, %d read now\n", cli.Plural(s.Notes, "note"), cli.Plural(s.Events, "event"),
				s.Read)
			if s.Faults > 0 {
				a.Warn("%s in the log: patina persona status", cli.Plural(s.Faults, "fault"))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&full, "full", false, "make the database from nothing")
	return c
}

// personaStatus is the command that counts the notes and the faults of their log.
func (a *app) personaStatus() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Count the notes, and name the lines that cannot be read",
		Long: `Count the notes and name the lines of the log that cannot be read, each with its
file, its line and the reason. It reads the whole log and changes nothing.`,
		Example: `  patina persona status
  patina persona status --json | jq -r '.faults[].reason'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return printUserStatus(c.Context(), a.App, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/memory.md)")
	return c
}

// printUserStatus prints the state of the notes and of their log.
func printUserStatus(ctx context.Context, shared *cli.App, asJSON bool) error {
	n, err := (&app{shared}).notes()
	if err != nil {
		return err
	}
	s, err := n.user.Status(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return writeUserStatusJSON(n.Out, s)
	}
	return writeUserStatus(n.Out, s, n.options())
}
