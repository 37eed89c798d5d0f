package indexcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/teamindex"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/store/archive"
)

// exportIndex is the command that writes an archive.
func exportIndex(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the index into a file for others",
		Long: `Write the index into a file for others, by default
patina-index-COMMIT.tar in this folder. It holds the texts of all indexed files
and of the history, and nothing of you: no notes, no questions, no paths. The
index must be of HEAD, without uncommitted changes, and up to date.`,
		Example: `  patina index export
  patina index export --sign ~/.ssh/id_ed25519 app.tar`,
		Args: cobra.MaximumNArgs(1),
		RunE: s.runWith(s.export),
	}
	s.packFlags(c)
	return c
}

// An archiveJSON describes an archive, as JSON.
type archiveJSON struct {
	Schema      int    `json:"schema"`
	File        string `json:"file,omitempty"`
	Reference   string `json:"reference,omitempty"`
	Digest      string `json:"digest,omitempty"` // of the artifact
	Commit      string `json:"commit"`
	Format      int    `json:"format"`
	Extractor   string `json:"extractor"`
	Model       string `json:"model"`
	Files       int    `json:"files"`
	Commits     int    `json:"commits"`
	Uncommitted int    `json:"uncommitted"`
	Signed      bool   `json:"signed"`
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`
	TookMS      int64  `json:"took_ms"`
}

func archiveOf(k *teamindex.Packed, bytes int64, sum string, since time.Time) archiveJSON {
	m := k.Manifest
	return archiveJSON{
		Schema: layout.Schema, Commit: m.Commit, Format: m.Format, Extractor: m.Extractor, Model: m.Model, Files: m.Files,
		Commits: m.Commits, Uncommitted: k.Changed, Signed: k.Signature != nil, Bytes: bytes, SHA256: sum,
		TookMS: time.Since(since).Milliseconds(),
	}
}

func (s *command) export(ctx context.Context, name string, done func()) error {
	started := time.Now()
	k, err := teamindex.Pack(ctx, s.place, s.pack)
	if err != nil {
		return err
	}
	defer func() { _ = k.Close() }()
	if name == "" {
		name = "patina-index-" + short(k.Manifest.Commit) + ".tar"
	}
	var n int64
	var sum string
	err = writeWhole(name, func(w io.Writer) (err error) {
		n, sum, err = k.Write(ctx, w)
		return err
	})
	if err != nil {
		return err
	}
	done()
	x := archiveOf(k, n, sum, started)
	x.File = name
	if s.asJSON {
		return layout.Encode(s.Out, x)
	}
	fmt.Fprintf(s.Out, "wrote %s: %s\n", layout.Plain(name), s.summary(k.Manifest, n, started))
	s.showTrust(x)
	return nil
}

func (s *command) summary(m archive.Manifest, bytes int64, since time.Time) string {
	return fmt.Sprintf("%s; %s in %s", holdingsOf(m), megabytes(bytes), time.Since(since).Round(time.Millisecond))
}

// showTrust says how others can trust an archive.
func (s *command) showTrust(x archiveJSON) {
	fmt.Fprintf(s.Out, "sha256 %s\n", x.SHA256)
	if !x.Signed {
		fmt.Fprintln(s.Out, "not signed: others need this SHA-256 from you (--digest), or sign it: --sign KEY")
	}
}

// writeWhole writes a file beside the one to replace and renames it, so that no half of it is ever
// seen under the name. What is there and no regular file is left alone.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return cli.Hint(fmt.Errorf("write %q: it is there, and no regular file", name), "give another name")
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".patina-index-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
