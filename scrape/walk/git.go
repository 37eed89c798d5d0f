package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/internal/printable"
	"patina/scrape/git"
)

// ErrGit is wrapped by the error if git itself refused: it is not installed, does not trust the
// folder, or cannot read its index. Files are not listed without git, because ignored files would
// be indexed.
var ErrGit = errors.New("git refused")

// errNoRepository is wrapped by the error about a folder that is not in a repository.
var errNoRepository = errors.New("not a git repository")

// A repo is where git runs. The settings of the user and of the machine apply, because they say
// which files are ignored, and which folders of other users are trusted.
type repo struct {
	folder  string
	dir     string // the git directory; "": git looks for it
	tree    string // the top of the working tree; "": git looks for it
	ignored string // a core.worktree that is not followed, or ""
	sparse  bool   // only some files are checked out
	literal bool   // paths are names, not patterns
}

// runGit returns git's output. It returns the error of ctx unchanged, and any other as refusalOf
// does.
func (g repo) runGit(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	out, err := git.Output(ctx, git.Call{
		Folder: g.folder, Dir: g.dir, Tree: g.tree, Settings: true, Literal: g.literal, Input: in, Args: args,
	})
	if err == nil || ctx.Err() != nil {
		return out, err
	}
	return nil, refusalOf(g.folder, args[0], err)
}

// refusalOf turns git's error into one that wraps ErrGit or errNoRepository and says how to go on.
func refusalOf(folder, command string, err error) error {
	complaint := ""
	if said, ok := errors.AsType[*git.Error](err); ok {
		complaint = said.Stderr
	}
	first, _, _ := strings.Cut(complaint, "; ")
	switch {
	case errors.Is(err, git.ErrMissing):
		return fmt.Errorf("%w: git %s in %q: %w (hint: install git)", ErrGit, command, folder, git.ErrMissing)
	case errors.Is(err, git.ErrLate):
		return fmt.Errorf("%w: %w in %q%s", ErrGit, err, folder, busyPattern(folder))
	case strings.Contains(complaint, "not a git repository (or any"):
		return fmt.Errorf("git %s in %q: %w", command, folder, errNoRepository)
	case strings.Contains(complaint, "dubious ownership"):
		return fmt.Errorf("%w: %q belongs to another user%s", ErrGit, folder,
			hintAt("git config --global --add safe.directory ", folder))
	case strings.Contains(complaint, "index"):
		return fmt.Errorf("%w: git %s in %q: %s (hint: git status, or remove .git/index and git reset)",
			ErrGit, command, folder, first)
	case first == "":
		return fmt.Errorf("%w: git %s in %q: %w", ErrGit, command, folder, err)
	}
	return fmt.Errorf("%w: git %s in %q: %s (hint: run git status there)", ErrGit, command, folder, first)
}

// hintAt returns a hint at a command that ends in a name, or "" if no shell can spell the name.
func hintAt(command, name string) string {
	if word := printable.ShellQuote(name); word != "" {
		return " (hint: " + command + word + ")"
	}
	return ""
}

// GitVersion returns the version of the git on PATH. The error wraps ErrGit if git does not run.
func GitVersion(ctx context.Context) (string, error) {
	out, err := repo{folder: "."}.runGit(ctx, nil, "version")
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), err
}

// untrackedNames returns the untracked files that git does not ignore, and the files that more
// options add. Empty paths mean all files.
func (g repo) untrackedNames(ctx context.Context, paths []string, more ...string) ([]string, error) {
	args := append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, more...)
	if len(paths) > 0 {
		g.literal = true
		args = append(append(args, "--"), paths...)
	}
	out, err := g.runGit(ctx, nil, args...)
	if g.sparse && errors.Is(err, ErrGit) && !errors.Is(err, git.ErrLate) {
		// Git before 2.36 must be asked with --sparse, because the clone may lack the files of a
		// folder that is left out as a whole.
		if known, sparseErr := g.runGit(ctx, nil, slices.Insert(args, 1, "--sparse")...); sparseErr == nil {
			return splitZero(known), nil
		}
	}
	return splitZero(out), err
}

func splitZero(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
