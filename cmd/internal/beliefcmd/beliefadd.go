package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask"
	"patina/belief"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// add is the command that writes a belief.
func add(a *cli.App) *cobra.Command {
	s := &command{App: a}
	d, from := belief.Draft{}, ""
	c := &cobra.Command{
		Use:   "add ID|--from SOURCE",
		Short: "Write a belief: from flags, an editor, or a proposal",
		Long: `Write a belief into a file of its own, where the project keeps its beliefs. With
--statement it is written at once; without, a draft is opened in $VISUAL or
$EDITOR. With --from it is the sentence at a place that patina belief proposed,
or an answer, has offered, with that place as evidence. Nothing is overwritten,
the next question finds it, and it is for you to commit.

Evidence is a session, commit, belief or path, with words behind ": " at will.
Exit codes: 0 written, 1 the draft was left as it was, 2 error.`,
		Example: `  patina belief add no-mocks --statement "Tests run the real server."
  patina belief add sync-first --statement "Prefer blocking code." \
      --evidence "commit-0dd3b9ca: async infected the code"
  patina belief add --from src/lock.go:120
  EDITOR=vim patina belief add one-writer`,
		Args: func(c *cobra.Command, args []string) error {
			if from != "" {
				return cobra.MaximumNArgs(1)(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if from != "" {
				if len(args) > 0 {
					d.ID = strings.TrimPrefix(args[0], ask.BeliefPrefix)
				}
				return s.acceptAt(c, d, from)
			}
			d.ID, d.Day = strings.TrimPrefix(args[0], ask.BeliefPrefix), time.Now()
			if err := belief.CheckID(d.ID); err != nil {
				return cli.Hint(err, "say it in words: the id is the file's name")
			}
			if err := s.prepare(c); err != nil {
				return err
			}
			folder, err := s.beliefFolder(c.Context(), d.ID)
			if err != nil {
				return err
			}
			if c.Flags().Changed("statement") {
				if err := d.Check(); err != nil {
					return err
				}
				return s.writeBelief(folder, d.ID, d.Text())
			}
			return s.editBelief(c.Context(), folder, d)
		},
	}
	f := c.Flags()
	f.StringVar(&d.Statement, "statement", "", "the belief in one `sentence`")
	f.StringArrayVar(&d.Facets, "facet", nil, "a `word` to find it by")
	f.StringVar(&d.Entrenchment, "entrenchment", "", "how firmly: low, medium, high, very-high, or a `number` to 1")
	f.StringArrayVar(&d.Evidence, "evidence", nil, "what shows it, as `NAME: words`")
	f.StringArrayVar(&d.Supports, "supports", nil, "the `id` of a belief that it supports")
	f.StringArrayVar(&d.Attacks, "attacks", nil, "the `id` of a belief that it attacks")
	f.StringVar(&from, "from", "", "make it of the sentence at this `source`")
	f.Duration("timeout", time.Minute, "how long to wait for the index")
	for _, name := range []string{"evidence", "supports", "attacks"} {
		c.MarkFlagsMutuallyExclusive("from", name)
	}
	for _, name := range []string{"supports", "attacks"} {
		_ = c.RegisterFlagCompletionFunc(name, complete(a))
	}
	return c
}

// beliefFolder is Folder for the command.
func (s *command) beliefFolder(ctx context.Context, id string) (folder string, err error) {
	folder, err = Folder(ctx, s.Call, id)
	return folder, s.Finish(err)
}

// Folder returns the folder with most of the project's beliefs. It returns an error if a belief
// with the id exists.
func Folder(ctx context.Context, c *ask.Call, id string) (folder string, err error) {
	folder = belief.DefaultFolder
	err = c.Read(ctx, func(e api.Service) error {
		all, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: c.Within()})
		if err != nil {
			return err
		}
		in, most := map[string]int{}, 0
		for _, b := range all.Beliefs {
			if strings.EqualFold(b.ID, id) {
				return cli.Hint(fmt.Errorf("there is a belief %q in %q", b.ID, b.Path),
					"show it: patina belief show "+b.ID)
			}
			if dir := path.Dir(b.Path); b.Source == belief.OwnFile {
				if in[dir]++; in[dir] > most {
					folder, most = dir, in[dir]
				}
			}
		}
		return nil
	})
	return folder, err
}

// writeBelief writes the file below the root, and says so.
func (s *command) writeBelief(folder, id, text string) error {
	name, err := WriteFile(s.Call.Place.Root, folder, id, text)
	if err == nil {
		fmt.Fprintf(s.Out, "wrote %s\n", layout.Plain(name))
	}
	return err
}

// WriteFile writes a belief into a file of its own below the root, and returns its path. It returns
// an error if the file exists, or if the text would not be read as a belief.
func WriteFile(top, folder, id, text string) (name string, err error) {
	if err := belief.CheckFile(text); err != nil {
		return "", fmt.Errorf("the belief would not be read: %w", err)
	}
	name = folder + "/" + id + ".md"
	root, err := os.OpenRoot(top)
	if err != nil {
		return "", fmt.Errorf("write %q: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	err = placeFile(root, name, text)
	if errors.Is(err, fs.ErrExist) {
		return "", cli.Hint(fmt.Errorf("%q exists", name), "edit it, or choose another id")
	}
	if err != nil {
		return "", fmt.Errorf("write %q: %w", name, err)
	}
	return name, nil
}

// promptOfDraft is in place of the statement in a new draft.
const promptOfDraft = "<!-- One sentence here: what is so, or how it is done. Then what shows it, below. -->"

// editBelief opens a draft in an editor. The user's text is kept even after an error.
func (s *command) editBelief(ctx context.Context, folder string, d belief.Draft) error {
	blank := d
	blank.Statement, blank.Whole = "STATEMENT", true
	if err := blank.Check(); err != nil {
		return err
	}
	draft := strings.Replace(blank.Text(), "\nSTATEMENT\n", "\n"+promptOfDraft+"\n", 1)
	f, err := os.CreateTemp("", "belief-"+d.ID+"-*.md")
	if err != nil {
		return fmt.Errorf("make a draft: %w", err)
	}
	_, err = f.WriteString(draft)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("make a draft: %w", err)
	}
	kept := "your text is kept in " + cli.Quoted(f.Name())
	err = openEditor(ctx, f.Name())
	if errors.Is(err, errNoEditor) {
		_ = os.Remove(f.Name())
		return cli.Hint(errors.New("no statement, and no editor to write one in"),
			`give it: --statement "…"`, "or set EDITOR")
	}
	if err != nil {
		return cli.Hint(err, kept)
	}
	text, err := os.ReadFile(f.Name())
	if err != nil {
		return fmt.Errorf("read the draft: %w", err)
	}
	if string(text) == draft || len(strings.TrimSpace(string(text))) == 0 {
		_ = os.Remove(f.Name())
		fmt.Fprintln(s.Errs, "patina: nothing written: the draft was left as it was")
		return cli.Exit(cli.ExitNothing)
	}
	if err := belief.CheckFile(string(text)); err != nil {
		return cli.Hint(fmt.Errorf("the belief would not be read: %w", err), kept)
	}
	if id := belief.Parse(d.ID+".md", string(text)).ID; id != d.ID {
		return cli.Hint(fmt.Errorf("the draft's id is %q now", id),
			kept, "write it under that id: patina belief add "+d.ID)
	}
	if err := s.writeBelief(folder, d.ID, string(text)); err != nil {
		return cli.Hint(err, kept)
	}
	return os.Remove(f.Name())
}
