package doctorcmd

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// The outcomes of a check by doctor.
const (
	fine   = "ok"
	warned = "warn" // questions are answered, but something is amiss
	failed = "fail" // questions are not answered
)

// A Finding is the outcome of one check.
type Finding struct {
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Detail string         `json:"detail"`
	Mend   string         `json:"mend"`   // a command to type, or ""
	Values map[string]any `json:"values"` // the same for programs: docs/doctor.md

	more []string // lines below the detail
}

func Doctor(shared *cli.App) *cobra.Command {
	a := &app{shared}
	var asJSON, deep, tokens bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find what is wrong with the index, and what mends it",
		Long: `Examine what a question needs: git, the repository, the store and its lock, the
index, how far it is behind the tree, whether it is sound, the disk, and where
you have joined a cluster your certificate and your fronts. Each line is ok,
warn or fail, and names the command that mends it. Nothing is changed.

--deep also checks the database's own indexes and the stored texts. --secrets
searches what is indexed for tokens, passwords and keys, by the rules of
gitleaks; each is named by its rule and place, and never shown.

Exit codes: 0 all is well; 1 questions are answered, but something is amiss; 2
questions are not answered.`,
		Example: `  patina doctor
  patina doctor --deep --secrets
  patina doctor --json | jq -r '.checks[] | select(.status != "ok") | .mend'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.Indexed()
			if err != nil {
				return err
			}
			found := a.examine(c.Context(), p, deep, tokens)
			if err := c.Context().Err(); err != nil {
				return err
			}
			if asJSON {
				err = reportJSON(a.Out, p, found)
			} else {
				err = report(a.Out, found)
			}
			if err != nil {
				return err
			}
			return verdict(found)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON (docs/doctor.md)")
	c.Flags().BoolVar(&deep, "deep", false, "check everything that is stored")
	c.Flags().BoolVar(&tokens, "secrets", false, "look for tokens, passwords and keys in what is indexed")
	return c
}

// Examine runs the checks that take no longer than a look: those of "patina doctor" without --deep
// and --secrets. It changes nothing.
func Examine(ctx context.Context, shared *cli.App, p project.Place) []Finding {
	a := &app{shared}
	return a.examine(ctx, p, false, false)
}

// examine runs every check, unless an earlier failure makes it pointless.
func (a *app) examine(ctx context.Context, p project.Place, deep, tokens bool) []Finding {
	e := examination{
		ctx: ctx, place: p, given: a.Store != "", deep: deep, secrets: tokens,
		progress: func(string, int, int) {},
	}
	if cli.Terminal(a.Errs) {
		b := cli.NewBar(a.Errs, time.Now)
		defer b.Clear()
		e.progress = b.Show
	}
	e.programs()
	e.repository()
	e.home()
	e.server()
	e.stored()
	e.models()
	return e.found
}

// verdict turns the worst finding into an exit code.
func verdict(found []Finding) error {
	switch count(found, failed) {
	case 0:
	default:
		return cli.Exit(cli.ExitError)
	}
	if count(found, warned) > 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return nil
}

func count(found []Finding, status string) int {
	n := 0
	for _, f := range found {
		if f.Status == status {
			n++
		}
	}
	return n
}

// report prints one line a finding, with its mend below.
func report(w io.Writer, found []Finding) error {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%-4s  %-10s  %s\n", f.Status, f.Name, layout.Plain(f.Detail))
		for _, line := range f.more {
			fmt.Fprintf(&b, "      %-10s  %s\n", "", layout.Plain(line))
		}
		if f.Mend != "" {
			fmt.Fprintf(&b, "      %-10s  mend: %s\n", "", layout.OneLine(f.Mend))
		}
	}
	bad, odd := count(found, failed), count(found, warned)
	if bad+odd == 0 {
		b.WriteString("all is well\n")
	} else {
		fmt.Fprintf(&b, "%s, %s\n", cli.Plural(bad, "failure"), cli.Plural(odd, "warning"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func reportJSON(w io.Writer, p project.Place, found []Finding) error {
	status := fine
	for _, s := range []string{warned, failed} {
		if count(found, s) > 0 {
			status = s
		}
	}
	return layout.Encode(w, struct {
		Schema int       `json:"schema"`
		Status string    `json:"status"`
		Root   string    `json:"root"`
		Store  string    `json:"store"`
		Checks []Finding `json:"checks"`
	}{layout.Schema, status, p.Root, p.Store, found})
}
