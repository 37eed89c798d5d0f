package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask"
	"patina/belief"
	"patina/belief/mine"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/layout"
	"patina/code/lookup"
	"patina/internal/printable"
	"patina/store/text"
)

// listProposed is the command that lists sentences that may be beliefs.
func listProposed(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var limit int
	var gone, undo bool
	var unwanted []string
	c := &cobra.Command{
		Use:   "proposed",
		Short: "List sentences that may be beliefs, or dismiss some",
		Long: `List sentences in which people said why, in commits and comments, and that may
be beliefs: those first that have stood longest and reach furthest. None is one
until you accept it (patina belief add --from SOURCE).

--dismiss takes a sentence from the list for good, by its words, wherever it
stands; --undo beside it takes that back. The note lies in your home folder.

Exit codes: 0 found or noted, 1 none, 2 error.`,
		Example: `  patina belief proposed -n 5
  patina belief proposed --dismiss src/lock.go:120
  patina belief proposed --dismissed`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			if len(unwanted) > 0 {
				return s.dismissAll(c.Context(), unwanted, undo)
			}
			if undo {
				return cli.Hint(errors.New("--undo without --dismiss"),
					"name the sentence: patina belief proposed --dismiss SOURCE --undo")
			}
			if limit < 1 || limit > api.MaxProposals {
				return cli.Hint(fmt.Errorf("--limit %d", limit), fmt.Sprintf("want 1 to %d", api.MaxProposals))
			}
			if gone {
				return s.listDismissed()
			}
			return s.propose(c.Context(), limit)
		},
	}
	s.beliefFlags(c)
	c.Flags().IntVarP(&limit, "limit", "n", api.MaxProposals, "the most `sentences`")
	c.Flags().BoolVar(&gone, "dismissed", false, "list what was dismissed instead")
	c.Flags().StringArrayVar(&unwanted, "dismiss", nil, "propose the sentence at this `source` no more")
	c.Flags().BoolVar(&undo, "undo", false, "with --dismiss: propose it again")
	return c
}

func (s *command) propose(ctx context.Context, limit int) error {
	skip, err := s.Call.Dismissed()
	if err != nil {
		return err
	}
	return s.ask(ctx, func(e api.Service) error {
		a, err := e.Proposals(ctx, api.ProposalsRequest{ReadOptions: s.Call.Within(), Limit: limit, Skip: skip})
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
		if s.asJSON {
			err = beliefs.ProposalsJSON(s.Out, a)
		} else {
			err = beliefs.Proposals(s.Out, a, s.Options(false))
		}
		if err == nil && len(a.Proposals) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}

func (s *command) listDismissed() error {
	all, broken, err := mine.ReadDismissals(s.Call.Place.Home, s.Call.Place.ID)
	if err != nil {
		return err
	}
	if s.asJSON {
		err = beliefs.DismissedJSON(s.Out, all, broken)
	} else {
		err = beliefs.DismissedList(s.Out, all, broken, cli.Coloured(s.Out))
	}
	if err == nil && len(all) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

// ProposalAt returns the sentence at a source.
func ProposalAt(ctx context.Context, c *ask.Call, source string) (p mine.Proposal, err error) {
	err = c.Read(ctx, func(e api.Service) error {
		a, err := e.Proposals(ctx, api.ProposalsRequest{ReadOptions: c.Within(), Source: source})
		if errors.Is(err, lookup.ErrNoDocument) {
			return cli.Hint(fmt.Errorf("no sentence that says why at %q", source),
				"want a commit or PATH:LINE, as in: patina belief proposed")
		}
		if err == nil {
			p = a.Proposals[0]
		}
		return err
	})
	return p, err
}

// accept is the command that makes a belief of a proposed sentence.
func accept(a *cli.App) *cobra.Command {
	s := &command{App: a}
	d := belief.Draft{}
	c := &cobra.Command{
		Use:   "accept SOURCE",
		Short: "Make a belief of a proposed sentence",
		Long: `Write a belief from a sentence that patina belief proposed, or an answer, has
offered: SOURCE is the commit or PATH:LINE behind it. This is an earlier name of
"patina belief add --from SOURCE".

Exit codes: 0 written, 2 error.`,
		Example: `  patina belief add --from commit:0dd3b9ca8f21
  patina belief add one-writer --from src/lock.go:120`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return s.acceptAt(c, d, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&d.ID, "id", "", "the `id` of the belief; by default its first words")
	f.StringVar(&d.Statement, "statement", "", "the belief in a better `sentence`")
	f.StringArrayVar(&d.Facets, "facet", nil, "a `word` to find it by")
	f.StringVar(&d.Entrenchment, "entrenchment", "", "how firmly: low, medium, high, very-high, or a `number` to 1")
	f.Duration("timeout", time.Minute, "how long to wait for the index")
	return c
}

// acceptAt makes a belief of the sentence at a source.
func (s *command) acceptAt(c *cobra.Command, d belief.Draft, source string) error {
	if err := s.prepare(c); err != nil {
		return err
	}
	p, err := ProposalAt(c.Context(), s.Call, source)
	if err = s.Finish(err); err != nil {
		return err
	}
	if d, err = DraftOf(d, p); err != nil {
		return err
	}
	folder, err := s.beliefFolder(c.Context(), d.ID)
	if err != nil {
		return err
	}
	return s.writeBelief(folder, d.ID, d.Text())
}

// DraftOf completes a draft with a proposed sentence: as its statement, if it has none, and as its
// evidence. It returns an error if that is no belief.
func DraftOf(d belief.Draft, p mine.Proposal) (belief.Draft, error) {
	seen := func(r rune) rune {
		if printable.IsHidden(r) {
			return ' '
		}
		return r
	}
	sentence := strings.Join(strings.Fields(strings.Map(seen, p.Text)), " ")
	if d.Statement == "" {
		d.Statement = sentence
	}
	if d.ID == "" {
		d.ID = slug(d.Statement)
	}
	name := strings.Replace(p.Source, "commit:", "commit-", 1)
	name, _, _ = strings.Cut(name, "#")
	if i := strings.LastIndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	d.Evidence, d.Day = []string{name + `: "` + sentence + `"`}, time.Now()
	if err := d.Check(); err != nil {
		return d, cli.Hint(err, "give another: --id WORD, --statement SENTENCE", "or write it yourself: patina belief add")
	}
	return d, nil
}

// slugWords is the largest number of words in an id.
const slugWords = 6

// openWords lead on to the next word, so an id should not end in one.
var openWords = text.Set(`a an and are as at be because before but by can for from has have if in into is it its no not
	of on or our so than that the their then they this to until was we when where which while will with without`)

// slug returns an id made of the first words of a sentence.
func slug(sentence string) string {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = words[:min(len(words), slugWords)]
	for len(words) > 1 && openWords.Has(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	id := strings.Join(words, "-")
	return strings.Trim(id[:min(len(id), 60)], "-")
}

// dismiss is the command that removes sentences from the proposals for good.
func dismiss(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var undo bool
	c := &cobra.Command{
		Use:   "dismiss SOURCE...",
		Short: "Propose a sentence no more",
		Long: `Propose a sentence as a belief no more, wherever it stands. This is an earlier
name of "patina belief proposed --dismiss SOURCE".

Exit codes: 0 noted, 2 error.`,
		Example: `  patina belief proposed --dismiss src/lock.go:120
  patina belief proposed --dismiss src/lock.go:120 --undo`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.dismissAll(c.Context(), args, undo)
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "propose it again")
	c.Flags().Duration("timeout", time.Minute, "how long to wait for the index")
	return c
}

// dismissAll dismisses the sentences at some sources, or with undo proposes them again.
func (s *command) dismissAll(ctx context.Context, sources []string, undo bool) error {
	for _, source := range sources {
		if err := s.dismiss(ctx, source, undo); err != nil {
			return err
		}
	}
	return nil
}

func (s *command) dismiss(ctx context.Context, source string, undo bool) error {
	p, err := Dismiss(ctx, s.Call, source, undo)
	if err = s.Finish(err); err != nil {
		return err
	}
	verb := "dismissed"
	if undo {
		verb = "proposed again"
	}
	fmt.Fprintf(s.Out, "%s: %s\n", verb, layout.Plain(p.Source))
	return nil
}

// Dismiss notes that the sentence at a source should not be proposed, or with undo that it should.
func Dismiss(ctx context.Context, c *ask.Call, source string, undo bool) (p mine.Proposal, err error) {
	if p, err = ProposalAt(ctx, c, source); err != nil {
		return p, err
	}
	x := mine.Dismissal{
		Key: p.Key(), Text: p.Text, Source: p.Source, Time: time.Now().UTC().Truncate(time.Second),
		Undone: undo,
	}
	if err := mine.AppendDismissal(c.Place.Home, c.Place.ID, x); err != nil {
		return p, cli.Hint(err, "nothing was noted: can the home folder be written? (PATINA_HOME)")
	}
	return p, nil
}
