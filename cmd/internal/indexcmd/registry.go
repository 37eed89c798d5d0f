package indexcmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/teamindex"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// ancestors is how many commits before HEAD may have the index that is pulled.
const ancestors = 1000

// pushIndex is the command that gives an index to a registry.
func pushIndex(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "push REF",
		Short: "Put the index into a registry of containers",
		Long: `Put the index into a registry of containers, as an artifact whose tag says its
commit and its versions, unless REF has a tag. It is what "patina index export"
writes. Names and passwords are those of "docker login". Without TLS only
registries on this machine are used (or --plain-http).`,
		Example: `  patina index push ghcr.io/acme/app-index --sign ci_key
  patina index push localhost:5000/app`,
		Args: cobra.ExactArgs(1),
		RunE: s.runWith(s.pushTo),
	}
	s.packFlags(c)
	s.registryFlags(c)
	return c
}

func (s *command) pushTo(ctx context.Context, reference string, done func()) error {
	started := time.Now()
	r, err := teamindex.Dial(reference, s.plain)
	if err != nil {
		return err
	}
	k, err := teamindex.Pack(ctx, s.place, s.pack)
	if err != nil {
		return err
	}
	defer func() { _ = k.Close() }()
	p, err := r.Push(ctx, k, s.pack.Progress)
	if err != nil {
		return err
	}
	done()
	x := archiveOf(k, p.Bytes, p.SHA256, started)
	x.Reference, x.Digest = p.Reference, p.Digest
	if s.asJSON {
		return layout.Encode(s.Out, x)
	}
	fmt.Fprintf(s.Out, "pushed %s@%s\n%s\n", layout.Plain(p.Reference), p.Digest, s.summary(k.Manifest, p.Bytes, started))
	if p.Known {
		fmt.Fprintln(s.Out, "the registry had this archive already")
	}
	s.showTrust(x)
	return nil
}

// pullIndex is the command that takes an index over from a registry.
func pullIndex(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "pull REF",
		Short: "Take over an index from a registry of containers",
		Long: `Take over an index from a registry of containers, then scrape what differs. If
REF has no tag it is the index of HEAD, or of the last commit before it that has
one for this version of patina. It is trusted as for "patina index import"; a
digest in REF (@sha256:…) counts as one that you have given.

Exit codes: 0 taken over, 1 the registry has none that fits, 2 error.`,
		Example: `  patina index pull ghcr.io/acme/app-index --trust allowed_signers
  patina index pull localhost:5000/app@sha256:9f86d081884c7d65…`,
		Args: cobra.ExactArgs(1),
		RunE: s.runWith(s.pullFrom),
	}
	s.trustFlags(c)
	s.registryFlags(c)
	return c
}

func (s *command) pullFrom(ctx context.Context, reference string, done func()) error {
	r, err := teamindex.Dial(reference, s.plain)
	if err != nil {
		return err
	}
	if r.Digest() == "" {
		if err := s.trust.Check(); err != nil {
			return err
		}
	}
	before, err := s.place.Ancestors(ctx, ancestors+1)
	if err != nil {
		return err
	}
	a, err := r.Pull(ctx, before, s.pack.Progress)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	s.reference = reference
	if s.trust.Digest == "" && r.Digest() != "" {
		s.trust.Digest = a.SHA256
	}
	return s.takeOver(ctx, a, done)
}
