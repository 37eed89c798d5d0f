package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/mcp"
)

// meant returns the project of a call, and the names of its client's other projects. If the client
// names a project that is not its own but that it may see, the call is made at home, and beside
// names that project. repo is the name of the project in printed calls, or "" if they need no name.
func (t *toolbox) meant(ctx context.Context, c mcp.Client, a arguments) (p project.Place, others, beside []string,
	repo string, err error,
) {
	p, others, err = t.place(c, a.repo, a.paths)
	if err == nil || a.repo == "" {
		return p, others, nil, a.repo, err
	}
	home, more, unnamed := t.place(c, "", a.paths)
	if unnamed != nil {
		return p, others, nil, a.repo, err
	}
	name, ok, failed := visit.Admit(ctx, home, a.repo, t.repos)
	if failed != nil {
		t.log.Warn("other projects are not known", "error", failed)
	}
	if !ok { // it may be the user's, but the client must not see it
		return p, others, nil, a.repo, notAdmitted(err)
	}
	return home, more, []string{name}, "", nil
}

// notAdmitted adds hints to the error for a project that does not exist, or that a client must not
// see.
func notAdmitted(err error) error {
	var known project.HintedError
	errors.As(err, &known)
	return cli.Hint(err, append(known.Hints(),
		`a client sees its own projects, those linked with it, and those registered by its user: patina repo add PATH`,
		`others by a setting in config.toml of $PATINA_HOME: mcp.repos = ["/path/to/repository"]`)...)
}

// admits reports whether a client may see answers about the project at root.
func (t *toolbox) admits(ctx context.Context, c mcp.Client, home project.Place, root string) bool {
	if root == home.Locator() {
		return true
	}
	folders, err := t.folders(c)
	for _, f := range folders {
		if p, unplaced := project.At(f, ""); err == nil && unplaced == nil && p.Root == root {
			return true
		}
	}
	_, ok, failed := visit.Admit(ctx, home, root, t.repos)
	if failed != nil {
		t.log.Warn("other projects are not known", "error", failed)
	}
	return ok
}

// noProject is the error if a client's project cannot be found.
func noProject(text string) error {
	return cli.Hint(errors.New(text),
		`name it in the client's settings of this server: "args": ["mcp", "--project", "/path/to/repository"]`)
}

// place returns the project of a call, and the names of its client's other projects.
func (t *toolbox) place(c mcp.Client, repo string, paths []string) (p project.Place, others []string, err error) {
	folders, err := t.folders(c)
	if err != nil {
		return p, nil, err
	}
	at, err := chosen(folders, repo, paths)
	if err != nil {
		return p, nil, err
	}
	if info, err := os.Stat(folders[at]); err != nil || !info.IsDir() {
		return p, nil, noProject(fmt.Sprintf("there is no folder %q", folders[at]))
	}
	if t.store != "" && len(folders) == 1 {
		p, err = cli.Placed(project.At(folders[at], t.store))
	} else {
		p, err = cli.Placed(project.At(folders[at], ""))
	}
	for i, f := range folders {
		if i != at {
			others = append(others, fmt.Sprintf("repo=%q", filepath.Base(f)))
		}
	}
	return p, others, err
}

// folders returns the folders of a client: its roots, else those of --project, else the git
// repository around the working folder.
func (t *toolbox) folders(c mcp.Client) ([]string, error) {
	if len(c.Roots) > 0 {
		return c.Roots, nil
	}
	if len(t.projects) > 0 {
		return t.projects, nil
	}
	t.enter()
	here, err := project.Here(t.store)
	if err != nil {
		return nil, err
	}
	if git, err := here.Repository(); (err != nil || git == nil) && here.Secret == "" {
		dir, _ := os.Getwd()
		return nil, noProject(fmt.Sprintf("no project: the client names no roots, and %q is in no git repository", dir))
	}
	dir, err := os.Getwd()
	return []string{dir}, err
}

// enter changes into the folder in which the server was started, if that folder was removed and
// made again. Until then the process is in the removed one.
func (t *toolbox) enter() {
	now, err := os.Stat(t.folder)
	if err != nil { // still gone, or moved away with the process in it
		return
	}
	if in, err := os.Stat("."); err != nil || !os.SameFile(now, in) {
		_ = os.Chdir(t.folder)
	}
}

// chosen returns the index of the folder that a call means: by name, by an absolute path, else the
// first.
func chosen(folders []string, repo string, paths []string) (int, error) {
	if repo != "" {
		at := slices.IndexFunc(folders,
			func(f string) bool { return f == filepath.Clean(repo) || filepath.Base(f) == repo })
		if at < 0 {
			return 0, cli.Hint(fmt.Errorf("no project %q", repo), "there are: "+strings.Join(bases(folders), ", "))
		}
		return at, nil
	}
	for _, p := range paths {
		for i, f := range folders {
			if rel, err := filepath.Rel(f, p); err == nil && filepath.IsAbs(p) && rel != ".." &&
				!strings.HasPrefix(rel, "../") {
				return i, nil
			}
		}
	}
	return 0, nil
}

func bases(folders []string) (names []string) {
	for _, f := range folders {
		names = append(names, filepath.Base(f))
	}
	return names
}
