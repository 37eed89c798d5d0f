package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// transports are the ones that a user may fetch by. "ext" is not among them, because it and helpers
// of other names run programs.
const transports = "file:git:http:https:ssh"

// opened are the options that a fetch leaves as the user has set them: how to reach a host, and the
// user's name there. A repository cannot set them before it is cloned.
var opened = []string{"core.askPass=", "core.gitProxy=", "core.sshCommand=", "credential.helper=", "protocol.allow="}

// overridden returns the settings that a call fixes, whatever the user and the repository say.
func (c Call) overridden() []string {
	if !c.Fetch {
		return options
	}
	return slices.DeleteFunc(slices.Clone(options), func(o string) bool {
		return slices.ContainsFunc(opened, func(key string) bool { return strings.HasPrefix(o, key) })
	})
}

// forFetching reports whether a variable of fixed would prevent a fetch.
func forFetching(v string) bool {
	for _, name := range []string{
		"GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=", "GIT_SSH_COMMAND=", "GIT_OPTIONAL_LOCKS=", "SSH_ASKPASS=",
		"GIT_ASKPASS=",
	} {
		if strings.HasPrefix(v, name) {
			return true
		}
	}
	return false
}

// slowly is the time limit of a fetch: a large repository over a slow line.
const slowly = 2 * time.Hour

// ErrURL is wrapped by the error about an address from which nothing is fetched.
var ErrURL = errors.New("no address of a git repository (https://…, ssh://…, git@host:path, file://…)")

// ErrPassword is wrapped by the error about an address with a password. It is refused because it
// would be stored and printed.
var ErrPassword = errors.New("an address with a password is not kept (let a credential helper of git have it)")

// IsURL reports whether a text is an address and never a path: it has a scheme, or the form
// host:path. A path that has a colon must be written "./a:b", or from the root.
func IsURL(s string) bool {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "/") {
		return false
	}
	host, path, ok := strings.Cut(s, ":")
	return ok && host != "" && path != "" && !strings.ContainsAny(host, "/\\")
}

// checkURL returns an error for an address that git would take for an option or a helper (ErrURL),
// and for one with a password (ErrPassword).
func checkURL(address string) error {
	scheme, _, hasScheme := strings.Cut(address, "://")
	switch {
	case strings.HasPrefix(address, "-"),
		strings.ContainsFunc(address, func(r rune) bool { return r < ' ' || r == 0x7f }):
	case hasScheme && slices.Contains(strings.Split(transports, ":"), scheme):
		if u, err := url.Parse(address); err != nil {
			return fmt.Errorf("%q: %w", address, ErrURL)
		} else if _, has := u.User.Password(); has {
			return fmt.Errorf("%q: %w", u.Redacted(), ErrPassword)
		}
		return nil
	case !hasScheme && IsURL(address) && !strings.Contains(address, "::"): // git@host:path
		if host, _, _ := strings.Cut(address, ":"); !slices.Contains(strings.Split(transports, ":"), host) {
			return nil
		}
	}
	return fmt.Errorf("%q: %w", address, ErrURL)
}

// Clone fetches a repository into a folder, without submodules. dir must not exist. No hook of the
// repository runs, and no filter, not even one of the user, so that a file of Git LFS stays a
// pointer. It returns an error that wraps ErrURL or ErrPassword if url is refused.
func Clone(ctx context.Context, url, dir string) error {
	if err := checkURL(url); err != nil {
		return err
	}
	err := runGit(ctx, Call{
		Folder: "/", Settings: true, Fetch: true, Silence: slowly, Longest: slowly,
		Args: []string{"clone", "--quiet", "--no-checkout", "--no-recurse-submodules", "--template=", "--", url, dir},
	})
	if err != nil {
		return err
	}
	_, err = Output(ctx, Call{Folder: dir, Settings: true, Args: []string{
		"rev-parse", "--quiet", "--verify", "HEAD^{commit}",
	}})
	if ExitCode(err) == 1 { // a repository without commits
		return nil
	}
	if err != nil {
		return err
	}
	return checkOut(ctx, dir, "HEAD")
}

// Update fetches the HEAD of a clone's origin and checks it out as Clone does. Changes to files in
// the clone are lost.
func Update(ctx context.Context, dir string) error {
	err := runGit(ctx, Call{
		Folder: dir, Settings: true, Fetch: true, Silence: slowly, Longest: slowly,
		Args: []string{"fetch", "--quiet", "--no-recurse-submodules", "origin", "HEAD"},
	})
	if err != nil {
		return err
	}
	return checkOut(ctx, dir, "FETCH_HEAD")
}

// NoFilters are attributes for info/attributes in a git directory. Git reads them before those of
// the tree and of the user, so that no file has a filter.
const NoFilters = "* -filter\n"

// checkOut replaces the tree and the index of a clone by those of a commit.
func checkOut(ctx context.Context, dir, commit string) error {
	info := filepath.Join(dir, ".git", "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(info, "attributes"), []byte(NoFilters), 0o600); err != nil {
		return err
	}
	return runGit(ctx, Call{
		Folder: dir, Settings: true, Silence: slowly, Longest: slowly,
		Args: []string{"reset", "--quiet", "--hard", commit},
	})
}

func runGit(ctx context.Context, c Call) error {
	return Stream(ctx, c, func(r *bufio.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	})
}
