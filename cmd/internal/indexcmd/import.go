package indexcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/teamindex"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/scrape"
)

// importIndex is the command that takes over an archive.
func importIndex(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Take over an index that others have exported",
		Long: `Take over an index that others have exported, in place of your own, then scrape
what differs. It must be signed by a key that you trust (--trust: an
allowed_signers file of SSH, or a file of public keys), or have the SHA-256 that
you give. Whatever is wrong with it, your own index stays as it was.`,
		Example: `  patina index import app.tar --trust allowed_signers
  patina index import app.tar --digest 9f86d081884c7d65…`,
		Args: cobra.ExactArgs(1),
		RunE: s.runWith(s.importFile),
	}
	s.trustFlags(c)
	return c
}

func (s *command) importFile(ctx context.Context, name string, done func()) error {
	if err := s.trust.Check(); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe is not waited for
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("read %q: it is no regular file", name)
	}
	if err != nil {
		return err
	}
	return s.takeOver(ctx, f, done)
}

// An importJSON describes an index that was taken over, as JSON.
type importJSON struct {
	Schema    int      `json:"schema"`
	Reference string   `json:"reference,omitempty"`
	Commit    string   `json:"commit"`
	Files     int      `json:"files"`
	Commits   int      `json:"commits"`
	Bytes     int64    `json:"bytes"`
	SHA256    string   `json:"sha256"`
	SignedBy  string   `json:"signed_by,omitempty"`
	ImportMS  int64    `json:"import_ms"`
	Added     int      `json:"added"`
	Changed   int      `json:"changed"`
	Removed   int      `json:"removed"`
	Unchanged int      `json:"unchanged"`
	Read      int      `json:"commits_read"`
	Rebuilt   bool     `json:"rebuilt"`
	Notes     []string `json:"notes"`
	ScrapeMS  int64    `json:"scrape_ms"`
}

// takeOver imports an archive and scrapes the difference.
func (s *command) takeOver(ctx context.Context, r io.Reader, done func()) error {
	started := time.Now()
	x, err := teamindex.Import(ctx, s.place, r, s.trust, s.NotNoted)
	if err != nil {
		return err
	}
	took := time.Since(started)
	done()
	if !s.asJSON {
		by := "the SHA-256 given"
		if x.SignedBy != "" {
			by = "the signature of " + x.SignedBy
		}
		fmt.Fprintf(s.Out, "imported the %s; %s in %s, trusted by %s\n", holdingsOf(x.Manifest), megabytes(x.Bytes),
			took.Round(time.Millisecond), layout.Plain(by))
	}
	sum, err := s.Fill(ctx, s.place.Of(s.place.Root, s.place.Store), scrape.Options{})
	if err != nil {
		return err
	}
	if s.asJSON {
		m := x.Manifest
		return layout.Encode(s.Out, importJSON{
			layout.Schema, s.reference, m.Commit, m.Files, m.Commits, x.Bytes, x.SHA256, x.SignedBy, took.Milliseconds(),
			sum.Added, sum.Changed, sum.Removed, sum.Unchanged, sum.Commits, sum.Rebuilt,
			append([]string{}, sum.Notes...), sum.Took.Milliseconds(),
		})
	}
	fmt.Fprintln(s.Out, cli.SummaryLine(sum))
	for _, n := range sum.Notes {
		fmt.Fprintln(s.Out, "note: "+layout.Plain(n))
	}
	return nil
}
