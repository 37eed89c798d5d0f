package mothercmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"patina/ask/clones"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/registry/mother"
	"patina/scrape"
	"patina/store/sqlite"
)

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

// run returns a function that prepares a call and makes it. asJSON may be nil.
func (a *app) run(asJSON *bool, do func(*cobra.Command, *repos, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		m, err := a.repositories(asJSON != nil && *asJSON)
		if err != nil {
			return err
		}
		return do(c, m, args)
	}
}

// endList ends a list with n entries. For an empty list it prints none and returns ExitNothing.
func (m *repos) endList(err error, n int, none string) error {
	if err != nil || n > 0 {
		return err
	}
	if none != "" && !m.asJSON {
		fmt.Fprintln(m.Out, none)
	}
	return cli.Exit(cli.ExitNothing)
}

// noRepository is printed if no repository is registered.
const noRepository = "no repository is registered: patina repo add PATH"

// Repo is the command for the repositories that a user has registered, and the links between them.
func Repo(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "repo",
		Short: "Add other repositories, link them, and ask them too",
		Long: `Add other repositories beside this one, so that a question finds what they know:
folders on this machine, or addresses that git clones, only when you say so.

Ask one with patina scry --repo NAME, or all that this one is linked with by
patina scry --all-repos. Nothing is linked unasked, and nothing is sent but to a
front that you have joined.`,
		Example: `  patina repo add ../library
  patina repo add https://github.com/spf13/cobra --domains cli,go
  patina repo link app library USES
  patina repo sync --fetch`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command repo "+cli.Quoted(args[0])),
				"there are: patina repo add, list, show, sync, link, suggest, remove")
		},
	}
	c.AddCommand(a.commands()...)
	return c
}

// commands creates the commands about repositories and their links, under both names of the group.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.repoAdd(), a.repoList(), a.repoShow(), a.motherSync(), a.motherLink(), a.motherSuggest(), a.repoRemove(),
		// Hidden: earlier names, and learn.
		a.repoUpdate(), a.motherUnlink(), a.motherGraph(), a.motherStats(), a.motherLearn(),
	}
}

func (a *app) repoAdd() *cobra.Command {
	var r mother.Repository
	var noScrape, fromMother bool
	var each eachCall
	c := &cobra.Command{
		Use:   "add PATH|URL",
		Short: "Add a repository, and make its index",
		Long: `Add a repository and make its index. A path is registered where it lies. An
address (https, ssh, git@host:path, file) is cloned by git into repos/ of
PATINA_HOME, without submodules; nothing in it runs, no filter of git either.
A folder whose name looks like an address is ./host:path.

With --from-mother, add one that other machines answer for, by its name there
(host/org/name, or the end of it): patina repo list --from-mother. Nothing is
cloned.

With --each, add every git repository in and below a folder, two at a time, and
list the links that follow. What fails is named at the end, and the others are
added (exit code 1). Stopped at any point, the same call goes on; a second one
costs only what has changed. Links, hidden folders, submodules, other working
trees and what lies inside a repository are left out.

Adding it again changes its name, domains and packages; --domains "" and
--package "" clear them.`,
		Example: `  patina repo add ../library --package example.org/library
  patina repo add https://github.com/spf13/cobra --name cobra --domains cli,go
  patina repo add --each ~/src --depth 3
  patina repo add --from-mother git.example.com/team/library`,
		Args: cobra.ExactArgs(1),
		RunE: a.run(&each.asJSON, func(c *cobra.Command, m *repos, args []string) error {
			if each.on {
				return m.addEach(c.Context(), args[0], each.depth, noScrape)
			}
			if c.Flags().Changed("depth") || each.asJSON {
				return cli.Hint(errors.New("--depth and --json are for --each"), "patina repo add --each DIR")
			}
			if fromMother {
				return m.addFar(c.Context(), args[0], takeSaid(c, r))
			}
			return m.addRepository(c.Context(), args[0], takeSaid(c, r), noScrape)
		}),
	}
	f := c.Flags()
	addSayingFlags(c, &r)
	f.BoolVar(&noScrape, "no-scrape", false, "make no index yet: patina repo sync does")
	f.BoolVar(&fromMother, "from-mother", false, "add one that other machines answer for, by its name there")
	f.BoolVar(&each.on, "each", false, "add every repository in and below a folder")
	f.IntVar(&each.depth, "depth", defaultDepth, "with --each: how many folders `deep`")
	f.BoolVar(&each.asJSON, "json", false, "with --each: print JSON (docs/repositories.md)")
	c.MarkFlagsMutuallyExclusive("no-scrape", "from-mother")
	for _, other := range []string{"from-mother", "name", "domains", "package"} {
		c.MarkFlagsMutuallyExclusive("each", other)
	}
	return c
}

// addSayingFlags adds the flags for the user's description of a repository.
func addSayingFlags(c *cobra.Command, r *mother.Repository) {
	f := c.Flags()
	f.StringVar(&r.Name, "name", "", "the `name` by which you call it; its folder's by default")
	f.StringSliceVar(&r.Domains, "domains", nil, "what it is about: `words`, with commas")
	f.StringSliceVar(&r.Packages, "package", nil, "a `name` by which others depend on it")
}

// takeSaid returns r with the lists of the command line. A nil list keeps the known values. An
// empty one, given as a flag, clears them.
func takeSaid(c *cobra.Command, r mother.Repository) mother.Repository {
	given := func(flag string, words []string) []string {
		if !c.Flags().Changed(flag) {
			return nil
		}
		return append([]string{}, words...)
	}
	r.Domains, r.Packages = given("domains", r.Domains), given("package", r.Packages)
	return r
}

// tell changes the user's description of a registered repository.
func (m *repos) tell(ctx context.Context, name string, r mother.Repository) error {
	known, err := m.find(ctx, name)
	if err != nil {
		return err
	}
	r.ID = known.ID
	return Unlinked(mother.Put(ctx, m.home, r))
}

func (m *repos) addRepository(ctx context.Context, what string, r mother.Repository, noScrape bool) error {
	root, err := filepath.Abs(what)
	if err != nil {
		return err
	}
	if scrape.IsURL(what) { // never a path, even if a file has this name
		if root, err = m.clone(ctx, what); err != nil {
			return err
		}
		r.URL = what
	} else if _, err := os.Stat(what); err != nil {
		return cli.Hint(fmt.Errorf("add repository: %w", err),
			"name a folder, or an address such as https://example.org/a.git")
	}
	p, err := m.register(ctx, root, r)
	if err != nil {
		return err
	}
	name := cmp.Or(r.Name, p.Name)
	fmt.Fprintf(m.Out, "added %s (%s)\n", layout.Plain(name), layout.Plain(p.Root))
	if err := m.addHere(ctx, p); err != nil {
		return err
	}
	if noScrape {
		return nil
	}
	_, err = m.syncOne(ctx, mother.Repository{ID: p.ID, Name: name, Root: p.Root})
	return err
}

// register registers the repository in a folder, with the user's description of it. It makes the
// folder of its index, but no index.
func (m *repos) register(ctx context.Context, root string, r mother.Repository) (project.Place, error) {
	p, err := cli.Placed(project.At(root, ""))
	if err == nil {
		p, err = p.Claim()
	}
	if err != nil && !project.Claimed(err) {
		return p, cli.Unfilled(err)
	}
	r.ID = p.ID
	return p, Unlinked(mother.Put(ctx, m.home, r))
}

// addHere also registers the project around the working folder, so that the two can be linked. It
// does nothing if there is no scraped project, or if it is the other one or already registered.
func (m *repos) addHere(ctx context.Context, other project.Place) error {
	here, err := project.At("", "")
	if err != nil || here.ID == "" || here.ID == other.ID || !here.Published() {
		return nil
	}
	all, err := mother.Repositories(ctx, m.home)
	if err != nil || slices.ContainsFunc(all, func(r mother.Repository) bool { return r.ID == here.ID }) {
		return Unlinked(err)
	}
	if err := mother.Put(ctx, m.home, mother.Repository{ID: here.ID}); err != nil {
		return Unlinked(err)
	}
	fmt.Fprintf(m.Out, "added %s (%s), the project at hand\n", layout.Plain(here.Name), layout.Plain(here.Root))
	return nil
}

// Unlinked adds hints to an error of the registry or the graph. Other errors, and nil, are returned
// unchanged.
func Unlinked(err error) error {
	switch {
	case errors.Is(err, mother.ErrUnknown):
		return cli.Hint(err, "register it: patina repo add PATH")
	case !errors.Is(err, registry.ErrUnused):
		return err
	case errors.Is(err, sqlite.ErrNewer):
		return cli.Hint(err, "use the newer patina; the file is left as it is")
	case errors.Is(err, sqlite.ErrBusy):
		return cli.Hint(err, "others write it: try again")
	case errors.Is(err, syscall.ENOSPC):
		return cli.Hint(err, "the disk is full; nothing is lost")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Hint(err, "make the home writable, or name another one with PATINA_HOME")
	}
	return cli.Hint(err, "move that file away: patina makes a new one, and links have to be made again")
}

// find returns the repository with a name, an id or a path. It returns an error with hints if there
// is no such repository, or more than one.
func (m *repos) find(ctx context.Context, name string) (mother.Repository, error) {
	all, err := m.knownRepositories(ctx)
	if err != nil {
		return mother.Repository{}, err
	}
	projects := make([]registry.Project, len(all))
	for i, r := range all {
		projects[i] = registry.Project{ID: r.ID, Name: r.Name, Root: r.Root, Far: r.Far}
	}
	i, err := visit.IndexOf(projects, name, "")
	if e, ok := errors.AsType[*visit.UnknownError](err); ok && e.Many {
		return mother.Repository{}, cli.Hint(err, "name one by its path: "+strings.Join(e.Roots, ", "))
	}
	if err != nil {
		return mother.Repository{}, cli.Hint(fmt.Errorf("no repository %q", name),
			"for all: patina repo list", "register it: patina repo add PATH")
	}
	return all[i], nil
}

// knownRepositories returns the registered repositories, then all other projects that were ever
// scraped.
func (m *repos) knownRepositories(ctx context.Context) ([]mother.Repository, error) {
	all, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return nil, Unlinked(err)
	}
	projects, err := registry.Projects(m.home)
	if err != nil {
		return nil, Unlinked(err)
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
	all, _ := m.knownRepositories(c.Context())
	var names []string
	for _, r := range all {
		if strings.HasPrefix(r.Name, begun) && layout.Plain(r.Name) == r.Name {
			names = append(names, r.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) repoUpdate() *cobra.Command {
	var all bool
	var r mother.Repository
	c := &cobra.Command{
		Use:   "update [NAME…]",
		Short: "Fetch what clones lack, and bring indexes up to date",
		Long: `Bring repositories up to date, after fetching those that patina has cloned. This
is an earlier name of "patina repo sync --fetch". With --name, --domains or
--package it changes what you say of one, as "patina repo add" does.`,
		Example: `  patina repo sync cobra --fetch
  patina repo update cobra --domains cli,completion`,
		ValidArgsFunction: a.completeRepos,
		RunE: a.run(nil, func(c *cobra.Command, m *repos, args []string) error {
			if all == (len(args) > 0) {
				return cli.Hint(errors.New("name repositories, or give --all"), "for their names: patina repo list")
			}
			if r := takeSaid(c, r); r.Name != "" || r.Domains != nil || r.Packages != nil {
				if len(args) != 1 {
					return cli.Hint(errors.New("--name, --domains and --package are about one repository"),
						"for their names: patina repo list")
				}
				if err := m.tell(c.Context(), args[0], r); err != nil {
					return err
				}
				if r.Name != "" {
					args[0] = r.Name
				}
			}
			return m.update(c.Context(), args)
		}),
		Hidden: true,
	}
	c.Flags().BoolVar(&all, "all", false, "all registered repositories")
	addSayingFlags(c, &r)
	return c
}

func (m *repos) update(ctx context.Context, names []string) error {
	wanted, err := m.wantedRepositories(ctx, names)
	if err != nil {
		return err
	}
	clones.RemoveLeft(m.home)
	var failed []error
	for _, r := range wanted {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Far != "" {
			m.passOver(r)
			continue
		}
		if _, err := m.fetchAndSync(ctx, r); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return errors.Join(failed...)
}

// fetchAndSync fetches, if the repository is patina's own clone, then updates its index.
func (m *repos) fetchAndSync(ctx context.Context, r mother.Repository) (scrape.Summary, error) {
	if clones.Owns(m.home, r) {
		if err := scrape.Fetch(ctx, r.Root); err != nil {
			return scrape.Summary{}, err
		}
	}
	return m.syncOne(ctx, r)
}

// wantedRepositories returns the repositories with some names, or all registered ones without
// names.
func (m *repos) wantedRepositories(ctx context.Context, names []string) (out []mother.Repository, err error) {
	if len(names) == 0 {
		out, err = mother.Repositories(ctx, m.home)
		return out, Unlinked(err)
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
		Short: "Take a repository and its links out again",
		Long: `Take a repository and its links out again. Its folder and its index stay as they
are. With --purge a clone that patina has made is deleted as well; a folder of
yours never is.`,
		Example: `  patina repo remove cobra
  patina repo remove cobra --purge`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRepos,
		RunE: a.run(nil, func(c *cobra.Command, m *repos, args []string) error {
			r, err := m.find(c.Context(), args[0])
			if err != nil {
				return err
			}
			if purge && r.Far != "" {
				return cli.Hint(fmt.Errorf("%q is on other machines", r.Far), "take it out without --purge")
			}
			if purge && !clones.Owns(m.home, r) {
				return cli.Hint(fmt.Errorf("%q is a folder of yours", r.Root),
					"without --purge it is taken out of the graph, and stays")
			}
			edges, err := mother.Remove(c.Context(), m.home, r.ID)
			if err != nil {
				return Unlinked(err)
			}
			fmt.Fprintf(a.Out, "removed %s with %s\n", layout.Plain(r.Name), cli.Plural(edges, "edge"))
			if purge {
				err = os.RemoveAll(r.Root)
				_ = os.Remove(filepath.Dir(r.Root)) // fails if the folder is not empty
			}
			return err
		}),
	}
	c.Flags().BoolVar(&purge, "purge", false, "delete the clone that patina has made, too")
	return c
}
