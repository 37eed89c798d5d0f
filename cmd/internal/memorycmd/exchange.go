package memorycmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/memory"
)

func (a *app) memoryExport() *cobra.Command {
	r := &remembering{app: a}
	var salvage bool
	c := &cobra.Command{
		Use: "export", Short: "Write all notes as JSON lines", Args: cobra.NoArgs,
		Long: `Write all notes with their history, one JSON object a line, oldest first. Equal
notes give equal bytes. If the file is damaged, nothing is written, and the
error says so: --damaged writes what can be read, and names what cannot.`,
		Example: "  patina memory export >notes.jsonl",
		RunE: func(c *cobra.Command, _ []string) error {
			if salvage {
				return r.salvage(c.Context())
			}
			return r.look(c.Context(), func(s *memory.Store) error { return s.Export(c.Context(), a.Out) })
		},
	}
	c.Flags().BoolVar(&salvage, "damaged", false, "write what can be read of a damaged file")
	return c
}

// salvage writes all that can be read. It returns an error if that is not everything.
func (r *remembering) salvage(ctx context.Context) error {
	var faults []error
	var out bytes.Buffer
	err := r.look(ctx, func(s *memory.Store) error { // may be called twice
		faults = nil
		out.Reset()
		return s.Salvage(ctx, &out, func(err error) { faults = append(faults, err) })
	})
	if err != nil {
		return err
	}
	for _, fault := range faults {
		r.app.Warn("%v", fault)
	}
	if _, err = out.WriteTo(r.app.Out); err == nil && len(faults) > 0 {
		err = cli.Hint(fmt.Errorf("written as far as it can be read, with %s", cli.Plural(len(faults), "fault")),
			"read what is named, move the file away, and bring the lines back: patina memory import --restore FILE")
	}
	return err
}

func (a *app) memoryImport() *cobra.Command {
	r := &remembering{app: a}
	var restore bool
	c := &cobra.Command{
		Use: "import FILE|-", Short: "Read notes from JSON lines", Args: cobra.ExactArgs(1),
		Long: `Add the notes in a file of JSON lines, all or none (docs/memory.md has the
form). They are marked as imported. With --restore they keep their ids, origins
and history: give it for an export of your own. Notes that are there stay.

Notes marked in a session or its transcript: patina memory ingest --help.`,
		Example: "  patina memory import notes.jsonl\n  patina memory import --restore backup.jsonl",
		RunE: func(c *cobra.Command, args []string) error {
			in := a.In
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }()
				in = f
			}
			return r.keep(c.Context(), func(p project.Place, s *memory.Store) error {
				n, err := s.Import(c.Context(), in, restore, r.allowSecret,
					func(m *memory.Memory) { withGround(c.Context(), p, m) })
				if err != nil || r.asJSON {
					return errors.Join(err, r.tally(n, err))
				}
				_, err = fmt.Fprintf(a.Out, "%s added, %d merged, %d there already\n", cli.Plural(n.Added, "note"),
					n.Merged, n.Kept)
				return err
			})
		},
	}
	c.Flags().BoolVar(&restore, "restore", false, "keep ids, origins and history")
	c.Flags().BoolVar(&r.allowSecret, "allow-secret", false, "keep notes that hold a token or a password")
	r.jsonFlag(c)
	return c
}

// tally prints the counts of an import. If err is not nil, it prints nothing and returns nil.
func (r *remembering) tally(n memory.Tally, err error) error {
	if err != nil {
		return nil
	}
	return writeJSON(r.app.Out, n)
}
