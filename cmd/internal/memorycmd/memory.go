package memorycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/store/doc"
	"patina/store/sqlite"
)

// A remembering is one run of a command about memories.
type remembering struct {
	app         *app
	place       *project.Place // nil: the project around the working folder
	asJSON      bool
	allowSecret bool
	discreet    bool          // do not name other memories
	sessions    string        // the value of --sessions
	supersedes  string        // the id of the memory that the new one replaces, or empty
	memory      memory.Memory // as described by the flags
}

// Memory is the group of commands about notes.
func Memory(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "memory",
		Short: "Keep notes: lessons, decisions, preferences; find them again",
		Long: `Keep notes about this project that a scrape never touches: lessons, decisions,
preferences. A question finds them (patina scry), and an agent keeps its own.

With --everywhere they are yours, for all projects: what you prefer, what you
have decided, what you have learnt. They lie in PATINA_HOME, and one that says
the same as one before is merged into it (docs/memory.md).`,
		Example: `  patina memory add "the pool size is 8 in production" --tags db
  patina memory add --everywhere "I write table tests"
  patina memory recall "how large is the pool"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command memory "+cli.Quoted(args[0])),
				`run "patina memory --help" for the commands`)
		},
	}
	c.AddCommand(a.memoryAdd(), a.memoryList(), a.memoryRecall(), a.showTurns(a.memoryShow()), a.memoryEdit(),
		a.forgetTurns(a.memoryForget()),
		a.memoryExport(), a.memoryImport())
	for _, hidden := range []*cobra.Command{
		a.memoryInject(), a.memoryPin(true), a.memoryPin(false), a.memorySupersede(), // earlier names
		a.memoryIngest(), a.memoryConsolidate(), a.memoryStats(),
	} {
		hidden.Hidden = true
		c.AddCommand(hidden)
	}
	acceptEverywhere(c)
	return c
}

// flags adds the flags that describe a memory.
func (r *remembering) flags(c *cobra.Command) {
	f, m := c.Flags(), &r.memory
	f.StringVar(&m.Type, "type", "", "the `kind`: "+strings.Join(memory.Types, ", ")+" (default lesson)")
	f.StringSliceVar(&m.Tags, "tags", nil, "`words` to find it by, with commas between")
	f.StringSliceVar(&m.Aliases, "alias", nil, "other `words` for it, found as tags are")
	f.Float64Var(&m.Confidence, "confidence", 0, "above 0, at most 1 (default 0.8, or 0.95 by type)")
	f.StringVar(&m.Path, "path", "", "the `file` it is about")
	f.StringVar(&m.Symbol, "symbol", "", "the `symbol` it is about")
	f.StringVar(&m.Commit, "commit", "", "the `commit` it is about")
	f.StringVar(&m.Source, "source", "", "where it comes from, in a `word`")
	f.StringVar(&m.Session, "session", "", "the `session` it was learned in")
	f.BoolVar(&r.allowSecret, "allow-secret", false, "keep it even if it holds a token or a password")
	_ = c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(memory.Types, cobra.ShellCompDirectiveNoFileComp))
	r.jsonFlag(c)
}

func (r *remembering) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&r.asJSON, "json", false, "print JSON (docs/memory.md)")
}

// placeMeant returns the project of the command.
func (r *remembering) placeMeant() (project.Place, error) {
	if r.place != nil {
		return *r.place, nil
	}
	return r.app.Here()
}

// change calls do with the project's memories, and creates their store if it is missing.
func (r *remembering) change(ctx context.Context, do func(*memory.Store) error) error {
	p, err := r.placeMeant()
	if err != nil {
		return err
	}
	if p.ID == "" {
		if p, err = r.app.Claim(p); err != nil {
			return err
		}
	}
	file := memory.File(p.Home, p.ID)
	s, err := memory.Open(ctx, file)
	if err == nil {
		err = errors.Join(do(s), s.Close())
	}
	return taughtMemory(err, file)
}

// keep is change for new and edited memories: it then links them to similar ones. If linking fails,
// the next call does it.
func (r *remembering) keep(ctx context.Context, do func(project.Place, *memory.Store) error) error {
	return r.change(ctx, func(s *memory.Store) error {
		p, err := r.placeMeant()
		if err == nil {
			err = do(p, s)
		}
		if err == nil {
			model, failed := project.NotesModel(ctx, p)
			if failed == nil {
				failed = s.Link(ctx, model)
			}
			if failed != nil {
				r.app.Warn("not linked to similar notes yet: %v", failed)
			}
		}
		return err
	})
}

// look calls read with the project's memories. Without memories it returns nil and does not call
// read.
func (r *remembering) look(ctx context.Context, read func(*memory.Store) error) error {
	p, err := r.placeMeant()
	if err != nil || p.ID == "" {
		return err
	}
	file := memory.File(p.Home, p.ID)
	err = memory.Look(ctx, file, read)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return taughtMemory(err, file)
}

// taughtMemory adds the file and a hint to an error.
func taughtMemory(err error, file string) error {
	damaged, newer := errors.Is(err, sqlite.ErrDamaged), errors.Is(err, sqlite.ErrNewer)
	if (damaged || newer) && !strings.Contains(err.Error(), file) {
		err = fmt.Errorf("open %s: %w", layout.OneLine(file), err)
	}
	switch {
	case damaged:
		return cli.Hint(err, "move the file away, and bring an export back: patina memory import --restore FILE",
			"without one, save what can be read: patina memory export --damaged >notes.jsonl")
	case newer:
		return cli.Hint(err, "use the newer patina; the file is left as it is")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Hint(err, "make the home writable, or name another one with PATINA_HOME")
	case errors.Is(err, sqlite.ErrBusy):
		return cli.Hint(fmt.Errorf("nothing was changed: others write the notes all the time: %w", err),
			"try again once they have ended")
	case errors.Is(err, memory.ErrSecret):
		return cli.Hint(err, "give --allow-secret to keep it all the same")
	case errors.Is(err, memory.ErrNoRun):
		return cli.Hint(err, `run "patina memory consolidate --runs" for the ids`)
	case errors.Is(err, memory.ErrNone), errors.Is(err, memory.ErrAmbiguous):
		return cli.Hint(err, `run "patina memory list --all" for the ids`)
	}
	return err
}

func (a *app) memoryAdd() *cobra.Command {
	r := &remembering{app: a}
	var pin, everywhere bool
	supersedes := ""
	c := &cobra.Command{
		Use:   "add TEXT|-",
		Short: "Keep a note: remember something",
		Long: `Keep a note about this project, or with --everywhere one for all projects. The
words are its text; "-" reads it from standard input. If it says the same as one
before, the two are merged, and the higher confidence counts.

For agents: ` + dialect.InLines(dialect.RememberTool, len("For agents: ")),
		Example: `  patina memory add "the pool size is 8 in production" --tags db
  patina memory add --type decision --pin - <note.txt
  patina memory add --everywhere "I write table tests" --tags go`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if everywhere {
				return r.addEverywhere(c, args, supersedes)
			}
			r.supersedes = supersedes
			text, err := r.readArguments(args)
			if err != nil {
				return err
			}
			r.memory.Content, r.memory.Pinned = text, pin
			if c.Flags().Changed("confidence") && r.memory.Confidence == 0 {
				return errors.New("confidence 0 is not above 0 and at most 1")
			}
			return r.addMemory(c.Context())
		},
	}
	r.flags(c)
	c.Flags().BoolVar(&pin, "pin", false, "never let it fade")
	everywhereFlag(c, &everywhere)
	c.Flags().StringVar(&supersedes, "supersedes", "", "let it take the place of the note with this `id`")
	return c
}

// addMemory adds the memory, and prints its id and the memories that it contradicts.
func (r *remembering) addMemory(ctx context.Context) error {
	return r.keep(ctx, func(p project.Place, s *memory.Store) error {
		withGround(ctx, p, &r.memory)
		chosen, _, err := p.Settings(nil)
		if err != nil {
			return err
		}
		var added memory.Added
		switch {
		case r.supersedes != "":
			added, err = s.AddInstead(ctx, r.memory, r.allowSecret, r.supersedes)
		case chosen.Dedup == "specification":
			err = project.WithNotesModel(ctx, p, r.app.Warn, func(m doc.BatchEmbedder) (err error) {
				added, err = s.AddDeduplicated(ctx, r.memory, r.allowSecret, m)
				return err
			})
		default:
			added, err = s.Add(ctx, r.memory, r.allowSecret)
		}
		if err == nil && !added.Merged && !r.discreet {
			m := r.memory
			m.ID = added.ID
			added.Conflicts, err = s.Conflicting(ctx, m)
		}
		switch {
		case err != nil:
			return err
		case r.asJSON:
			return writeJSON(r.app.Out, added)
		}
		return writeAdded(r.app.Out, added)
	})
}

// readArguments returns the arguments as one text, or standard input for "-".
func (r *remembering) readArguments(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(r.app.In, memory.MaxContent+2))
	return string(b), err
}

func (a *app) memoryList() *cobra.Command {
	r := &remembering{app: a}
	var f memory.Filter
	var moved, everywhere bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the notes, newest first",
		Long:  "List the notes about this project, newest first, or with --everywhere yours for\nall projects.\n\nExit codes: 0 found, 1 none, 2 error.",
		Example: `  patina memory list --type gotcha --tags db
  patina memory list --moved     # what they are about has changed since
  patina memory list --everywhere`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if everywhere {
				return r.listEverywhere(c, f)
			}
			found := []memory.Memory{}
			err := r.look(c.Context(), func(s *memory.Store) error {
				list, err := r.listMemories(c.Context(), s, f, moved)
				found = append([]memory.Memory{}, list...)
				return err
			})
			switch {
			case err != nil:
				return err
			case r.asJSON:
				err = writeJSON(a.Out, found)
			default:
				err = writeNotes(a.Out, found)
			}
			if err == nil && len(found) == 0 {
				return cli.Exit(cli.ExitNothing)
			}
			return err
		},
	}
	c.Flags().StringSliceVar(&f.Types, "type", nil, "only these types")
	c.Flags().StringSliceVar(&f.Tags, "tags", nil, "only with any of these tags")
	c.Flags().StringVar(&f.Path, "path", "", "only about this `file`")
	c.Flags().BoolVar(&moved, "moved", false, "only where what they are about has changed since")
	c.Flags().BoolVar(&f.All, "all", false, "also those forgotten or superseded")
	c.Flags().IntVar(&f.Limit, "limit", 100, "how many at most; 0 means all")
	everywhereFlag(c, &everywhere)
	r.jsonFlag(c)
	return c
}

// listMemories returns the memories that pass a filter, with their changed grounds. With moved, it
// returns only memories whose ground has changed.
func (r *remembering) listMemories(ctx context.Context, s *memory.Store, f memory.Filter, moved bool) ([]memory.Memory,
	error,
) {
	limit := f.Limit
	if moved {
		f.Grounded, f.Limit = true, 0
	}
	p, err := r.placeMeant()
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, f)
	movedGrounds(ctx, p, list)
	if moved {
		list = slices.DeleteFunc(list, func(m memory.Memory) bool { return m.Moved == "" })
		if limit > 0 {
			list = list[:min(limit, len(list))]
		}
	}
	return list, err
}

func (a *app) memoryShow() *cobra.Command {
	r := &remembering{app: a}
	c := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a note and its history",
		Long:    "Show a note about this project: its text, what it is about and whether that has\nchanged since, notes like it, and its history. The beginning of an id will do.",
		Example: "  patina memory show m-1f6e",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var m memory.Memory
			err := r.look(c.Context(), func(s *memory.Store) (err error) {
				if m, err = s.Get(c.Context(), args[0]); err != nil {
					return err
				}
				p, err := r.app.Here()
				one := []memory.Memory{m}
				movedGrounds(c.Context(), p, one)
				if m = one[0]; err == nil {
					err = project.WithNotesModel(c.Context(), p, r.app.Warn, func(model doc.BatchEmbedder) (err error) {
						m.Similar, err = s.Similar(c.Context(), model, m)
						return err
					})
				}
				return err
			})
			if err == nil && m.ID == "" {
				err = taughtMemory(fmt.Errorf("%w: %q", memory.ErrNone, args[0]), "")
			}
			return r.done(m, err)
		},
	}
	r.jsonFlag(c)
	return c
}

// Notes returns the notes of a project that pass a filter, newest first, as "memory list" does.
func Notes(ctx context.Context, shared *cli.App, p project.Place, f memory.Filter) (list []memory.Memory, err error) {
	r := &remembering{app: &app{shared}, place: &p}
	err = r.look(ctx, func(s *memory.Store) (err error) {
		list, err = r.listMemories(ctx, s, f, false)
		return err
	})
	return list, err
}

// Pin pins a note of a project, or lets it fade again.
func Pin(ctx context.Context, shared *cli.App, p project.Place, id string, pin bool) (m memory.Memory, err error) {
	r := &remembering{app: &app{shared}, place: &p}
	err = r.keep(ctx, func(_ project.Place, s *memory.Store) (err error) {
		m, err = s.Edit(ctx, id, true, func(m *memory.Memory) { m.Pinned = pin })
		return err
	})
	return m, err
}

// Forget ends a note of a project. It stays in its history.
func Forget(ctx context.Context, shared *cli.App, p project.Place, id string) (m memory.Memory, err error) {
	r := &remembering{app: &app{shared}, place: &p}
	err = r.change(ctx, func(s *memory.Store) (err error) {
		m, err = s.Forget(ctx, id)
		return err
	})
	return m, err
}

// Remember adds a memory to a project and prints its id, like "memory add". With discreet, it does
// not name memories that the new one may contradict, because the caller may not read them.
func Remember(ctx context.Context, shared *cli.App, p project.Place, asJSON, discreet bool, m memory.Memory) error {
	return (&remembering{app: &app{shared}, place: &p, asJSON: asJSON, discreet: discreet, memory: m}).addMemory(ctx)
}
