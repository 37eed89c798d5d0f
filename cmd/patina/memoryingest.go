package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"patina/cmd/internal/deliver"
	"patina/memory"
	"patina/memory/marker"
)

// maxTranscript bounds a transcript, in bytes.
const maxTranscript = 64 << 20

// An ingested says what became of a transcript's markers.
type ingested struct {
	Notes  []memory.Added `json:"notes"` // without ids in a dry run
	Faults []marker.Fault `json:"faults"`
}

func (a *app) memoryIngest() *cobra.Command {
	r := &remembering{app: a}
	var dry bool
	c := &cobra.Command{
		Use: "ingest FILE|-", Short: "Keep the notes marked in a text", Args: cobra.ExactArgs(1),
		Long: `Keep the notes in a text that are marked by lines such as

  [MEMORY] type=gotcha tags=a,b: the text of the note

A marker that cannot be read is named, and the rest is kept. The notes are marked as an agent's.

Exit codes: 0 found, 1 no marker, 2 error.`,
		Example: "  patina memory ingest --dry-run session.md\n  patina memory ingest - <session.md",
		RunE: func(c *cobra.Command, args []string) error {
			text, err := transcript(a.in, args[0])
			if err != nil {
				return err
			}
			return r.ingest(c.Context(), text, dry)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "count the notes, and keep none")
	c.Flags().BoolVar(&r.allowSecret, "allow-secret", false, "keep notes that hold a token or a password")
	r.jsonFlag(c)
	return c
}

// transcript reads a file, or standard input for "-".
func transcript(in io.Reader, name string) (string, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, maxTranscript+1))
	if err == nil && len(b) > maxTranscript {
		err = fmt.Errorf("%q has more than %d bytes", name, maxTranscript)
	}
	return string(b), err
}

func (r *remembering) ingest(ctx context.Context, text string, dry bool) error {
	markers, faults := marker.Parse(text, memory.Types)
	done := ingested{Notes: []memory.Added{}, Faults: append([]marker.Fault{}, faults...)}
	if dry {
		done.Notes = make([]memory.Added, len(markers))
	} else if len(markers) > 0 {
		err := r.change(ctx, func(s *memory.Store) error {
			for _, m := range markers {
				added, err := s.Add(ctx, memory.Memory{
					Content: m.Text, Type: m.Type, Tags: m.Tags, Confidence: m.Confidence, Origin: memory.Agent,
				}, r.allowSecret)
				switch {
				case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrSecret):
					done.Faults = append(done.Faults, marker.Fault{Line: m.Line, Text: err.Error()})
				case err != nil:
					return err
				default:
					done.Notes = append(done.Notes, added)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.ingested(done, dry)
}

// maxFaults bounds the faults that are printed as text.
const maxFaults = 20

func (r *remembering) ingested(done ingested, dry bool) (err error) {
	verb := "kept"
	if dry {
		verb = "would be kept"
	}
	if r.asJSON {
		err = deliver.MemoryJSON(r.app.out, done)
	} else {
		for _, f := range done.Faults[:min(maxFaults, len(done.Faults))] {
			r.app.warn("%v", f)
		}
		_, err = fmt.Fprintf(r.app.out, "%s %s, %s not read\n", plural(len(done.Notes), "note"), verb, plural(len(done.Faults), "marker"))
	}
	if err == nil && len(done.Notes)+len(done.Faults) == 0 {
		return exit(exitNothing)
	}
	return err
}
