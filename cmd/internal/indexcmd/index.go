// Package indexcmd is "patina index": it gives the index of a project to other machines of a team,
// and takes one from there.
package indexcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/ask/teamindex"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/internal/sshsig"
	"patina/store/archive"
	"patina/store/build"
)

// A command is one call of a command about a team's index.
type command struct {
	*cli.App
	place  project.Place
	asJSON bool
	pack   teamindex.Options
	trust  teamindex.Trust
	plain  bool

	reference string // of the registry; empty for a file
}

// Index is the group of commands about a team's index.
func Index(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "index",
		Short: "Take the index of your team over, or give yours",
		Long: `Take the index of your team over, or give yours, as a file or by a registry of
containers. Then only what differs is scraped. An index is for one commit and
one version of patina. It is taken only if a key that you trust has signed it,
or if you give its SHA-256 (docs/teamindex.md).`,
		Example: `  patina index export --sign ~/.ssh/id_ed25519
  patina index import patina-index-4a13b52e41d1.tar --trust allowed_signers
  patina index push ghcr.io/acme/app-index --sign ci_key
  patina index pull ghcr.io/acme/app-index --trust allowed_signers`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command index "+cli.Quoted(args[0])),
				"there are: patina index export, import, push, pull", "to make an index: patina scrape")
		},
	}
	c.AddCommand(exportIndex(a), importIndex(a), pushIndex(a), pullIndex(a))
	return c
}

func (s *command) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&s.asJSON, "json", false, "print JSON (docs/teamindex.md)")
}

func (s *command) packFlags(c *cobra.Command) {
	c.Flags().StringVar(&s.pack.Key, "sign", "", "sign with the SSH key in this `file`; a .pub file by your SSH agent")
	c.Flags().BoolVar(&s.pack.Uncommitted, "uncommitted", false, "files that no commit has may come along")
	s.jsonFlag(c)
}

func (s *command) trustFlags(c *cobra.Command) {
	c.Flags().StringVar(&s.trust.Keys, "trust", "", "`file` of the keys that may have signed it (allowed_signers)")
	c.Flags().StringVar(&s.trust.Digest, "digest", "", "the `SHA256` that the archive must have")
	s.jsonFlag(c)
}

func (s *command) registryFlags(c *cobra.Command) {
	c.Flags().BoolVar(&s.plain, "plain-http", false, "speak with the registry without TLS")
}

// runWith returns the function of a command that takes one argument at most. It finds the project,
// and passes do the argument, or "", and a function that ends the progress.
func (s *command) runWith(do func(ctx context.Context, arg string, done func()) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		done, err := s.findProject()
		if err != nil {
			return err
		}
		defer done()
		return s.addHints(do(c.Context(), strings.Join(args, ""), done))
	}
}

// findProject finds the project, with progress on a terminal. The caller must call done.
func (s *command) findProject() (done func(), err error) {
	if s.place, err = s.Here(); err != nil {
		return nil, err
	}
	if !cli.Terminal(s.Errs) {
		return func() {}, nil
	}
	bar := cli.NewBar(s.Errs, time.Now)
	s.pack.Progress = func(step string, done, total int64) {
		const mb = 1e6
		bar.Show(step+" MB", int(done/mb), int(total/mb))
	}
	return bar.Clear, nil
}

// addHints adds hints to an error about a team's index.
func (s *command) addHints(err error) error {
	switch unreached := teamindex.IsUnreached(err); {
	case unreached:
		return cli.Hint(err, cli.ProxyHint())
	case errors.Is(err, teamindex.ErrNoTrust):
		return cli.Hint(err, "by a signature: --trust FILE, with the keys of those who may sign",
			"or by its SHA-256, from whoever made it: --digest SHA256")
	case errors.Is(err, teamindex.ErrUnsigned):
		return cli.Hint(err, "have it signed: patina index export --sign KEY", "or trust this one: --digest SHA256")
	case errors.Is(err, sshsig.ErrUntrusted):
		return cli.Hint(err, "if you trust that key, add it to "+cli.Quoted(s.trust.Keys))
	case errors.Is(err, teamindex.ErrDigest), errors.Is(err, archive.ErrDamaged), errors.Is(err, sshsig.ErrSignature),
		errors.Is(err, build.ErrOther):
		return cli.Hint(err, "nothing of it is used, and your index is as it was", "get it again from whoever made it")
	case errors.Is(err, teamindex.ErrCommit):
		return cli.Hint(err, "if it is of this project: git fetch")
	case errors.Is(err, teamindex.ErrVersion), errors.Is(err, archive.ErrNewer):
		return cli.Hint(err, "use the same version of patina on both sides", "or build your own: patina scrape")
	case errors.Is(err, build.ErrRebuild):
		return cli.Hint(err, "build your own: patina scrape")
	case errors.Is(err, project.ErrBehind), errors.Is(err, build.ErrUnfinished):
		return cli.Hint(err, "bring it up to date: patina scrape")
	case errors.Is(err, project.ErrSecrets):
		return cli.Hint(err, "leave them out: patina scrape --full")
	case errors.Is(err, build.ErrSeveralViews):
		return cli.Hint(err, "make one of this tree alone: "+
			dialect.Command("scrape", "--store", "DIR"), "then give the same --store to patina index")
	case errors.Is(err, sshsig.ErrPassphrase):
		return cli.Hint(err, "let your SSH agent sign: ssh-add "+s.pack.Key, "then give the public key: --sign "+s.pack.Key+".pub")
	case errors.Is(err, sshsig.ErrNoAgent):
		return cli.Hint(err, "start one and add the key: ssh-add")
	case errors.Is(err, teamindex.ErrNotThere):
		s.Complain(cli.Hint(err, "build your own, and give it to the others: patina scrape && patina index push REF"))
		return cli.Exit(cli.ExitNothing)
	case errors.Is(err, teamindex.ErrReference):
		return cli.Hint(err, "want REGISTRY/REPOSITORY, such as ghcr.io/acme/app-index, with :TAG or @DIGEST if you like")
	}
	if changed, ok := errors.AsType[*project.ChangedError](err); ok {
		return cli.Hint(changed, "commit or ignore them, or scrape a fresh clone",
			"or let them come along: --uncommitted")
	}
	return cli.Unfilled(cli.Explained(err, s.place))
}

// short returns the beginning of a commit's id.
func short(commit string) string { return commit[:min(12, len(commit))] }

// megabytes writes a number of bytes for people.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// holdingsOf names the content of an archive.
func holdingsOf(m archive.Manifest) string {
	parts := []string{"index of " + short(m.Commit), cli.Plural(m.Files, "file"), cli.Plural(m.Commits, "commit")}
	if m.Uncommitted {
		parts = append(parts, "with changes that no commit has")
	}
	return strings.Join(parts, ", ")
}
