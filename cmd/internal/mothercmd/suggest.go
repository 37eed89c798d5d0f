package mothercmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/mother"
)

// classWords returns the classes as they are typed.
func classWords() (words []string) {
	for _, c := range mother.Classes() {
		words = append(words, strings.ReplaceAll(string(c), " ", "-"))
	}
	return words
}

func (a *app) motherSuggest() *cobra.Command {
	var asJSON, accept bool
	var classes []string
	c := &cobra.Command{
		Use:   "suggest [NAME…]",
		Short: "Suggest links from manifests and imports",
		Long: `Suggest links between the repositories, or from those named, from what their
manifests declare (go.mod, package.json, Cargo.toml, ...) and what their files
import. Each comes with its evidence and class; none is made without --accept.

  declared-and-imported  declared, and imported outside of tests
  declared               declared, and no such import is known
  imported               imported, and declared by no manifest
  for-tests              for development, or in tests alone: TESTS_WITH

Exit codes: 0 suggested, 1 nothing to suggest, 2 error.`,
		Example: `  patina repo suggest
  patina repo suggest app --class declared-and-imported --accept`,
		ValidArgsFunction: a.completeRepos,
		RunE: a.run(&asJSON, func(c *cobra.Command, m *repos, args []string) error {
			for _, name := range classes {
				if !slices.Contains(classWords(), name) {
					return cli.Hint(fmt.Errorf("no such class %q", name),
						"there are: "+strings.Join(classWords(), ", "))
				}
			}
			return m.suggest(c.Context(), args, classes, accept)
		}),
	}
	f := c.Flags()
	f.BoolVar(&accept, "accept", false, "make the edges that are listed")
	f.StringSliceVar(&classes, "class", nil, "only this `class`, as listed above")
	f.BoolVar(&asJSON, "json", false, "print JSON (docs/repositories.md)")
	_ = c.RegisterFlagCompletionFunc("class", cobra.FixedCompletions(classWords(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// A jsonSuggestion is a suggested edge in JSON: docs/repositories.md.
type jsonSuggestion struct {
	mother.Suggestion
	FromName string `json:"from_name"`
	ToName   string `json:"to_name"`
	Evidence string `json:"evidence"`
	Accepted bool   `json:"accepted"`
}

// An unread is a repository whose declarations could not be read.
type unread struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

func (m *repos) suggest(ctx context.Context, names, classes []string, accept bool) error {
	from, err := m.wantedRepositories(ctx, names)
	if err != nil {
		return err
	}
	out, linked, silent, err := m.suggestions(ctx, func(s mother.Suggestion) bool {
		return slices.ContainsFunc(from, func(r mother.Repository) bool { return r.ID == s.From })
	}, classes)
	if err != nil {
		return err
	}
	if accept {
		for i, s := range out {
			// Each edge is its own transaction. After an interrupt, the next call makes the rest.
			err := mother.Link(ctx, m.home,
				mother.Edge{From: s.From, To: s.To, Relation: s.Relation, Evidence: clipEvidence(s.Evidence)})
			if err != nil {
				return Unlinked(fmt.Errorf("made %d of %d edges: %w", i, len(out), err))
			}
			out[i].Accepted = true
		}
	}
	return m.suggested(out, linked, silent, accept)
}

// suggestions returns the suggested edges that wanted accepts, of some classes or of all. linked
// counts those left out because their repositories are linked already. silent names repositories
// that cannot be read.
func (m *repos) suggestions(
	ctx context.Context, wanted func(mother.Suggestion) bool, classes []string,
) (out []jsonSuggestion, linked int, silent []unread, err error) {
	all, silent, err := m.declared(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	edges, err := mother.Edges(ctx, m.home, "")
	if err != nil {
		return nil, 0, nil, Unlinked(err)
	}
	called, err := m.names(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	out = []jsonSuggestion{}
	for _, s := range mother.Suggest(all) {
		switch {
		case !wanted(s):
		case slices.ContainsFunc(edges, func(e mother.Edge) bool { return e.From == s.From && e.To == s.To }):
			linked++
		case len(classes) == 0 || slices.Contains(classes, strings.ReplaceAll(string(s.Class), " ", "-")):
			out = append(out,
				jsonSuggestion{Suggestion: s, FromName: called[s.From], ToName: called[s.To], Evidence: s.Evidence()})
		}
	}
	return out, linked, silent, nil
}

// line returns a suggestion as a line of text.
func (s jsonSuggestion) line() string {
	return fmt.Sprintf("%s %s %s  %s (%s)", layout.Plain(s.FromName), s.Relation, layout.Plain(s.ToName),
		s.Class, layout.Plain(s.Evidence))
}

// clipEvidence cuts evidence to the length that an edge can keep.
func clipEvidence(evidence string) string {
	if len(evidence) <= mother.MaxEvidence {
		return evidence
	}
	return strings.ToValidUTF8(evidence[:mother.MaxEvidence-len("…")], "") + "…"
}

// suggested prints suggestions, and the number of edges and repositories left out.
func (m *repos) suggested(out []jsonSuggestion, linked int, silent []unread, accepted bool) (err error) {
	if m.asJSON {
		err = layout.Encode(m.Out, struct {
			Schema      int              `json:"schema"`
			Suggestions []jsonSuggestion `json:"suggestions"`
			Linked      int              `json:"linked"`
			Unread      []unread         `json:"unread"`
		}{layout.Schema, out, linked, append([]unread{}, silent...)})
		return m.endList(err, len(out), "")
	}
	done := ""
	if accepted {
		done = "linked: "
	}
	for _, s := range out {
		fmt.Fprintln(m.Out, done+s.line())
	}
	for _, u := range silent {
		fmt.Fprintf(m.Out, "not read: %s (%s)\n", layout.Plain(u.Name), layout.Plain(u.Why))
	}
	if linked > 0 {
		fmt.Fprintf(m.Out, "linked already: %s\n", cli.Plural(linked, "pair"))
	}
	if len(out) > 0 && !accepted {
		fmt.Fprintln(m.Out, "none is made yet: patina mother suggest --accept")
	}
	none := "nothing to suggest"
	if linked+len(silent) == 0 {
		none += ": no registered repository declares or imports another one"
	}
	return m.endList(nil, len(out), none)
}

// declared reads the declarations of each registered repository, and names the repositories that
// cannot be read.
func (m *repos) declared(ctx context.Context) (all []mother.SuggestRepository, silent []unread, err error) {
	registered, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return nil, nil, Unlinked(err)
	}
	if len(registered) == 0 {
		return nil, nil, cli.Hint(errors.New("no repository is registered"),
			"register the ones to link: patina repo add PATH")
	}
	bar := m.bar()
	defer bar.Clear()
	for i, r := range registered {
		bar.Show("reading manifests and imports", i, len(registered))
		if r.Far != "" { // others may depend on it, by the names that its user gives
			all = append(all, mother.SuggestRepository{ID: r.ID, Packages: r.Packages})
			continue
		}
		if why := state(r); why != "" {
			silent = append(silent, unread{r.Name, why})
			continue
		}
		p, err := project.At(r.Root, "")
		var files []mother.File
		if err == nil {
			files, err = p.Declared(ctx)
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			silent = append(silent, unread{r.Name, err.Error()})
			continue
		}
		all = append(all, mother.SuggestRepository{ID: r.ID, Packages: r.Packages, Files: files})
	}
	return all, silent, nil
}

// bar returns a bar that draws progress after one second, on a terminal only.
func (m *repos) bar() interface {
	Show(what string, done, total int)
	Clear()
} {
	if !cli.Terminal(m.Errs) {
		return noBar{}
	}
	return cli.NewBar(m.Errs, time.Now)
}

type noBar struct{}

func (noBar) Show(string, int, int) {}
func (noBar) Clear()                {}
