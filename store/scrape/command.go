package scrape

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"patina/shell"
)

// ErrGit says that git itself refused: it is not installed, does not trust the folder, or cannot read its index.
// Files are never listed without git in that case, because what the user ignores would then be indexed.
var ErrGit = errors.New("git refused")

// errNoRepository says that a folder does not lie in a repository.
var errNoRepository = errors.New("not a git repository")

// A git runs the git command in one folder.
type git struct {
	folder string
	env    []string // in addition to the cleaned environment
}

// localVariables would point git at another repository than the folder's own; a git hook sets some of them.
var localVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
	"GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_DEFAULT_HASH",
}

// run returns what git prints. It takes no locks, asks nothing and runs no program that the repository names.
func (g git) run(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", g.folder, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(cleanEnvironment(os.Environ()), g.env...)
	cmd.Stdin = in
	cmd.WaitDelay = 2 * time.Second // after a cancelled context, for pipes held open by a child of git
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, refusal(g.folder, args[0], strings.TrimSpace(complaint.String()), err)
	}
	return out.Bytes(), nil
}

func cleanEnvironment(env []string) []string {
	kept := make([]string, 0, len(env)+3)
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		local := false
		for _, l := range localVariables {
			local = local || name == l
		}
		if !local {
			kept = append(kept, v)
		}
	}
	return append(kept, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// refusal turns git's complaint into an error that says what to do.
func refusal(folder, command, complaint string, err error) error {
	first, _, _ := strings.Cut(complaint, "\n")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: git %s in %q: git is not installed (hint: install git)", ErrGit, command, folder)
	case strings.Contains(complaint, "not a git repository (or any"):
		return fmt.Errorf("git %s in %q: %w", command, folder, errNoRepository)
	case strings.Contains(complaint, "dubious ownership"):
		return fmt.Errorf("%w: %q belongs to another user (hint: git config --global --add safe.directory %s)", ErrGit, folder, cmp.Or(shell.Quote(folder), "FOLDER"))
	case strings.Contains(complaint, "index"):
		return fmt.Errorf("%w: git %s in %q: %s (hint: git status, or remove .git/index and git reset)", ErrGit, command, folder, first)
	}
	if first == "" {
		return fmt.Errorf("%w: git %s in %q: %w", ErrGit, command, folder, err)
	}
	return fmt.Errorf("%w: git %s in %q: %s (hint: run git status there)", ErrGit, command, folder, first)
}
