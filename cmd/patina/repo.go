package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/mother"
	"patina/registry"
	"patina/store/scrape"
	"patina/workspace"
)

// reposFolder holds the clones that patina has made, in its home.
const reposFolder = "repos"

// A repos is one call about registered repositories, with its flags.
type repos struct {
	*app
	home   string
	asJSON bool
}

// repositories prepares a call.
func (a *app) repositories(asJSON bool) (*repos, error) {
	home, err := registry.Home()
	if err != nil {
		return nil, err
	}
	return &repos{app: a, home: home, asJSON: asJSON}, nil
}

// repo is the command for the repositories that a user has registered.
func (a *app) repo() *cobra.Command {
	c := &cobra.Command{
		Use:   "repo",
		Short: "Register other repositories, to link and ask them",
		Long: `Register repositories beside the one at hand: folders on this machine, or addresses that git clones from, only when you say so. A
registered repository can be linked with others (patina mother link) and asked from them (patina scry --all-repos).`,
		Example: `  patina repo add ../library
  patina repo add https://github.com/spf13/cobra --domains cli,go
  patina repo list
  patina repo update --all`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return hint(errors.New("unknown command repo "+quoted(args[0])), "there are: patina repo add, list, show, update, remove")
		},
	}
	c.AddCommand(a.repoAdd(), a.repoList(), a.repoShow(), a.repoUpdate(), a.repoRemove())
	return c
}

func (a *app) repoAdd() *cobra.Command {
	var r mother.Repository
	var noScrape bool
	c := &cobra.Command{
		Use:   "add PATH|URL",
		Short: "Register a repository, and make its index",
		Long: `Register a repository and make its index. A path is registered where it lies. An address (https, ssh, git@host:path, file) is cloned
by git into the folder repos of PATINA_HOME, without submodules; nothing in it runs.

Adding it again changes its name, domains and packages.`,
		Example: `  patina repo add ../library --package example.org/library
  patina repo add https://github.com/spf13/cobra --name cobra --domains cli,go`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.repositories(false)
			if err != nil {
				return err
			}
			return m.add(c.Context(), args[0], r, noScrape)
		},
	}
	f := c.Flags()
	f.StringVar(&r.Name, "name", "", "the `name` by which you call it; its folder's by default")
	f.StringSliceVar(&r.Domains, "domains", nil, "what it is about: `words`, with commas between")
	f.StringSliceVar(&r.Packages, "package", nil, "a `name` by which others depend on it; may be repeated")
	f.BoolVar(&noScrape, "no-scrape", false, "only register it: patina mother sync makes the index")
	return c
}

func (m *repos) add(ctx context.Context, what string, r mother.Repository, noScrape bool) error {
	root := what
	if _, err := os.Stat(what); err != nil && scrape.IsURL(what) {
		if root, err = m.clone(ctx, what); err != nil {
			return err
		}
		r.URL = what
	} else if err != nil {
		return hint(fmt.Errorf("add repository: %w", err), "name a folder, or an address such as https://example.org/a.git")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	p, err := placed(workspace.At(root, ""))
	if err == nil {
		p, err = p.Claim()
	}
	if err != nil && !workspace.Claimed(err) {
		return unfilled(err)
	}
	r.ID = p.ID
	if err := mother.Put(ctx, m.home, r); err != nil {
		return unlinked(err)
	}
	name := cmp.Or(r.Name, p.Name)
	fmt.Fprintf(m.out, "added %s (%s)\n", deliver.Plain(name), deliver.Plain(p.Root))
	if noScrape {
		return nil
	}
	return m.syncOne(ctx, mother.Repository{ID: p.ID, Name: name, Root: p.Root})
}

// cloneFolder is the folder of patina's that an address is cloned into.
func (m *repos) cloneFolder(url string) string {
	sum := sha256.Sum256([]byte(url))
	base := strings.TrimSuffix(path.Base(strings.TrimRight(strings.ReplaceAll(url, ":", "/"), "/")), ".git")
	base = strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r)) {
			return r
		}
		return -1
	}, base)
	return filepath.Join(m.home, reposFolder, hex.EncodeToString(sum[:4]), cmp.Or(strings.Trim(base, "."), "repository"))
}

// clone fetches an address into a folder of patina's, unless it is there.
func (m *repos) clone(ctx context.Context, url string) (string, error) {
	dir := m.cloneFolder(url)
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "clone-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if terminal(m.errs) {
		fmt.Fprintf(m.errs, "cloning %s\n", deliver.Plain(url))
	}
	if err := scrape.Clone(ctx, url, filepath.Join(temp, "clone")); err != nil {
		return "", hint(fmt.Errorf("clone: %w", err), "try it yourself: git clone")
	}
	return dir, os.Rename(filepath.Join(temp, "clone"), dir)
}

// unlinked adds hints to an error of the registry or the graph.
func unlinked(err error) error {
	switch {
	case errors.Is(err, mother.ErrUnknown):
		return hint(err, "register it: patina repo add PATH")
	case errors.Is(err, registry.ErrUnused):
		return hint(err, "move that file away: patina makes a new one, and links have to be made again")
	}
	return err
}

// state says in a few words what is wrong with a repository, or "".
func state(r mother.Repository) string {
	info, err := os.Stat(r.Root)
	switch {
	case err != nil:
		return "its folder is gone or has moved"
	case !info.IsDir():
		return "it is no folder any more"
	}
	p, err := workspace.At(r.Root, "")
	switch {
	case err != nil:
		return err.Error()
	case p.ID != r.ID:
		return "another repository lies there now"
	case !p.Published():
		return "it has no index"
	case p.Doubt != "":
		return "its index is not believed: " + p.Doubt
	}
	return ""
}

// find returns the registered repository with a name, an id or a path.
func (m *repos) find(ctx context.Context, name string) (mother.Repository, error) {
	all, err := m.known(ctx)
	if err != nil {
		return mother.Repository{}, err
	}
	abs, _ := filepath.Abs(name)
	var found []mother.Repository
	for _, r := range all {
		if r.Name == name || r.ID == name || r.Root == abs {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return mother.Repository{}, hint(fmt.Errorf("no repository %q", name), "for all: patina repo list", "register it: patina repo add PATH")
	case 1:
		return found[0], nil
	}
	var roots []string
	for _, r := range found {
		roots = append(roots, r.Root)
	}
	return mother.Repository{}, hint(fmt.Errorf("several repositories are named %q", name), "name one by its path: "+strings.Join(roots, ", "))
}

// known lists the registered repositories, and all other projects that were ever scraped.
func (m *repos) known(ctx context.Context) ([]mother.Repository, error) {
	all, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return nil, unlinked(err)
	}
	projects, err := registry.Projects(m.home)
	if err != nil {
		return nil, unlinked(err)
	}
	for _, p := range projects {
		if !slices.ContainsFunc(all, func(r mother.Repository) bool { return r.ID == p.ID }) {
			all = append(all, mother.Repository{ID: p.ID, Name: p.Name, Root: p.Root})
		}
	}
	return all, nil
}

// completeRepos completes the names of repositories.
func (a *app) completeRepos(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	m, err := a.repositories(false)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, _ := m.known(c.Context())
	var names []string
	for _, r := range all {
		if strings.HasPrefix(r.Name, begun) && deliver.Plain(r.Name) == r.Name {
			names = append(names, r.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) repoList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the registered repositories, and what is wrong with each",
		Long: `List the registered repositories by name: their languages, when each was last synced, its folder, and what is wrong with it.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina repo list
  patina repo list --json | jq -r '.repositories[].root'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.repositories(asJSON)
			if err != nil {
				return err
			}
			return m.list(c.Context())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (schema: docs/mother.md)")
	return c
}

// A jsonRepository is a repository in JSON: docs/mother.md.
type jsonRepository struct {
	mother.Repository
	State string `json:"state"` // empty: nothing is wrong
}

func (m *repos) list(ctx context.Context) error {
	all, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return unlinked(err)
	}
	if m.asJSON {
		out := []jsonRepository{}
		for _, r := range all {
			out = append(out, jsonRepository{r, state(r)})
		}
		err = deliver.Encode(m.out, struct {
			Schema       int              `json:"schema"`
			Repositories []jsonRepository `json:"repositories"`
		}{deliver.Schema, out})
	} else {
		for _, r := range all {
			fmt.Fprintln(m.out, repositoryLine(r))
		}
	}
	if err == nil && len(all) == 0 {
		if !m.asJSON {
			fmt.Fprintln(m.out, "no repository is registered: patina repo add PATH")
		}
		return exit(exitNothing)
	}
	return err
}

func repositoryLine(r mother.Repository) string {
	parts := []string{deliver.Plain(r.Name)}
	if len(r.Languages) > 0 {
		parts = append(parts, deliver.Plain(strings.Join(r.Languages[:min(3, len(r.Languages))], ", ")))
	}
	synced := "never synced"
	if !r.Synced.IsZero() {
		synced = "synced " + r.Synced.Format(time.DateOnly)
	}
	parts = append(parts, synced, deliver.Plain(r.Root))
	if s := state(r); s != "" {
		parts = append(parts, "! "+deliver.Plain(s))
	}
	return strings.Join(parts, "  ")
}

func (a *app) repoShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a repository and its edges",
		Long: `Show a registered repository: its folder or address, domains, packages, languages, state, and the edges that lead from and to it.

Exit codes: 0 found, 2 error.`,
		Example:           `  patina repo show cobra`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRepos,
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.repositories(asJSON)
			if err != nil {
				return err
			}
			return m.show(c.Context(), args[0])
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (schema: docs/mother.md)")
	return c
}

func (m *repos) show(ctx context.Context, name string) error {
	r, err := m.find(ctx, name)
	if err != nil {
		return err
	}
	edges, err := mother.Edges(ctx, m.home, "")
	if err != nil {
		return unlinked(err)
	}
	edges = slices.DeleteFunc(edges, func(e mother.Edge) bool { return e.From != r.ID && e.To != r.ID })
	if m.asJSON {
		return deliver.Encode(m.out, struct {
			Schema int `json:"schema"`
			jsonRepository
			Edges []mother.Edge `json:"edges"`
		}{deliver.Schema, jsonRepository{r, state(r)}, append([]mother.Edge{}, edges...)})
	}
	fmt.Fprintln(m.out, repositoryLine(r))
	for _, row := range []struct {
		what  string
		words []string
	}{{"id", []string{r.ID}}, {"cloned from", []string{r.URL}}, {"domains", r.Domains}, {"packages", r.Packages}, {"languages", r.Languages}} {
		if text := strings.Join(row.words, ", "); text != "" {
			fmt.Fprintf(m.out, "  %s: %s\n", row.what, deliver.Plain(text))
		}
	}
	names, err := m.names(ctx)
	if err != nil {
		return err
	}
	for _, e := range edges {
		fmt.Fprintln(m.out, "  "+edgeLine(e, names))
	}
	return nil
}

func (a *app) repoUpdate() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "update [NAME…]",
		Short: "Fetch what clones lack, and bring indexes up to date",
		Long: `Bring registered repositories up to date. One that patina has cloned is fetched first: what its origin's HEAD has replaces what is
there. A folder of yours is only read.`,
		Example: `  patina repo update cobra
  patina repo update --all`,
		ValidArgsFunction: a.completeRepos,
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.repositories(false)
			if err != nil {
				return err
			}
			if all == (len(args) > 0) {
				return hint(errors.New("name repositories, or give --all"), "for their names: patina repo list")
			}
			return m.update(c.Context(), args)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "all registered repositories")
	return c
}

func (m *repos) update(ctx context.Context, names []string) error {
	wanted, err := m.wanted(ctx, names)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range wanted {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if m.owns(r) {
			if err := scrape.Fetch(ctx, r.Root); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", r.Name, err))
				continue
			}
		}
		if err := m.syncOne(ctx, r); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return errors.Join(failed...)
}

// owns reports whether a repository is the clone that patina has made of its address.
func (m *repos) owns(r mother.Repository) bool {
	if r.URL == "" {
		return false
	}
	made, err := filepath.EvalSymlinks(m.cloneFolder(r.URL))
	if err != nil {
		return false
	}
	root, err := filepath.EvalSymlinks(r.Root)
	return err == nil && root == made
}

// wanted finds repositories by their names; all registered ones without any.
func (m *repos) wanted(ctx context.Context, names []string) (out []mother.Repository, err error) {
	if len(names) == 0 {
		out, err = mother.Repositories(ctx, m.home)
		return out, unlinked(err)
	}
	for _, name := range names {
		r, err := m.find(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (a *app) repoRemove() *cobra.Command {
	var purge bool
	c := &cobra.Command{
		Use:   "remove NAME",
		Short: "Take a repository out of the graph",
		Long: `Take a repository and its edges out of the graph. Its folder and its index stay as they are. With --purge a clone that patina has
made is deleted as well; a folder of yours never is.`,
		Example: `  patina repo remove cobra
  patina repo remove cobra --purge`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRepos,
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.repositories(false)
			if err != nil {
				return err
			}
			r, err := m.find(c.Context(), args[0])
			if err != nil {
				return err
			}
			if purge && !m.owns(r) {
				return hint(fmt.Errorf("%q is a folder of yours", r.Root), "without --purge it is taken out of the graph, and stays")
			}
			edges, err := mother.Remove(c.Context(), m.home, r.ID)
			if err != nil {
				return unlinked(err)
			}
			fmt.Fprintf(a.out, "removed %s with %s\n", deliver.Plain(r.Name), plural(edges, "edge"))
			if purge {
				err = os.RemoveAll(r.Root)
				_ = os.Remove(filepath.Dir(r.Root)) // unless something else lies there
			}
			return err
		},
	}
	c.Flags().BoolVar(&purge, "purge", false, "delete the clone that patina has made, too")
	return c
}

// syncOne brings a repository's index up to date, and keeps what it is.
func (m *repos) syncOne(ctx context.Context, r mother.Repository) error {
	if _, err := os.Stat(r.Root); err != nil {
		return hint(fmt.Errorf("sync %q: its folder is gone or has moved", r.Root), "register it where it is: patina repo add PATH", "or forget it: patina repo remove NAME")
	}
	p, err := placed(workspace.At(r.Root, ""))
	if err != nil {
		return err
	}
	s, err := m.fill(ctx, p, scrape.Options{})
	if err != nil {
		return err
	}
	p = p.Of(p.Root, p.Store)
	languages, err := languagesOf(ctx, p)
	if err != nil {
		return err
	}
	err = mother.Put(ctx, m.home, mother.Repository{ID: p.ID, Languages: languages, Synced: time.Now()})
	if err != nil {
		return unlinked(err)
	}
	fmt.Fprintf(m.out, "synced %s: %s\n", deliver.Plain(r.Name), strings.TrimPrefix(summaryLine(s), "scraped "))
	return nil
}

// mostLanguages bounds those that are kept of a repository.
const mostLanguages = 8

// languagesOf lists the languages of a project, most files first.
func languagesOf(ctx context.Context, p workspace.Place) (names []string, err error) {
	e, err := workspace.Open(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	defer closing(e)
	v, err := e.Overview(ctx, actors.OverviewRequest{ReadOptions: actors.ReadOptions{Timeout: time.Minute}})
	if err != nil {
		return nil, err
	}
	for _, t := range v.Languages {
		if t.Name != "" && len(names) < mostLanguages {
			names = append(names, strings.ReplaceAll(t.Name, " ", "-"))
		}
	}
	return names, nil
}
