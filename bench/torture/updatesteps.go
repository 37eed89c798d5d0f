package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// An updateStep is a kind of edit. do returns the files that it has changed, relative with slashes,
// or nil if it may have changed anything. Weights are relative.
type updateStep struct {
	name   string
	weight int
	do     func(*updating, context.Context) ([]string, error)
}

var updateSteps = []updateStep{
	{"edit", 30, (*updating).edit},
	{"edit in place", 15, (*updating).inPlace},
	{"add", 8, (*updating).add},
	{"rename", 8, (*updating).rename},
	{"move", 8, (*updating).move},
	{"delete", 5, (*updating).delete},
	{"touch", 6, (*updating).touch},
	{"commit", 8, (*updating).commit},
	{"branch", 5, (*updating).branch},
	{"amend", 3, (*updating).amend},
	{"rebase", 4, (*updating).rebase},
}

// mergeStep is added with -merges. It is not in updateSteps because it would change the sequence
// for a seed.
var mergeStep = updateStep{"merge", 12, (*updating).merge}

func (u *updating) choose() (string, func(context.Context) ([]string, error)) {
	steps := updateSteps
	if u.merges {
		steps = append(slices.Clip(steps), mergeStep)
	}
	all := 0
	for _, s := range steps {
		all += s.weight
	}
	at := u.r.Intn(all)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			return s.name, func(ctx context.Context) ([]string, error) { return s.do(u, ctx) }
		}
	}
	panic("weights")
}

// texts lists the full paths of the files in the tree that contain text.
func (u *updating) texts() (out []string, err error) {
	err = filepath.WalkDir(u.tree, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 || info.Size() > 200_000 {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
			out = append(out, path)
		}
		return err
	})
	if err == nil && len(out) < 5 {
		err = errors.New("the repository has fewer than five texts")
	}
	return out, err
}

// some returns the path of a random text in the tree.
func (u *updating) some() (string, error) {
	files, err := u.texts()
	if err != nil {
		return "", err
	}
	return files[u.r.Intn(len(files))], nil
}

func linesOf(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	return strings.SplitAfter(string(text), "\n"), err
}

// names returns paths as a scrape names them: relative, with slashes.
func (u *updating) names(paths ...string) (out []string, err error) {
	for _, p := range paths {
		rel, err := filepath.Rel(u.tree, p)
		if err != nil {
			return nil, err
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}

// changed returns a file's text without some lines and with some of another file.
func (u *updating) changed(path string) (string, error) {
	lines, err := linesOf(path)
	if err != nil {
		return "", err
	}
	from, err := u.some()
	if err != nil {
		return "", err
	}
	others, err := linesOf(from)
	if err != nil {
		return "", err
	}
	at := u.r.Intn(len(lines))
	out := min(len(lines), at+u.r.Intn(4))
	begin := u.r.Intn(len(others))
	put := others[begin:min(len(others), begin+1+u.r.Intn(12))]
	return strings.Join(lines[:at], "") + strings.Join(put, "") + strings.Join(lines[out:], ""), nil
}

func (u *updating) edit(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	text, err := u.changed(path)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return nil, err
	}
	return u.names(path)
}

// inPlace exchanges letters of one word, so that the file keeps its size, and restores the file's
// time.
func (u *updating) inPlace(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	at := u.r.Intn(len(text))
	for n := 0; at < len(text) && n < 4; at++ {
		if 'a' <= text[at] && text[at] <= 'z' {
			text[at] = letters[u.r.Intn(len(letters))]
			n++
		}
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return nil, err
	}
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		return nil, err
	}
	return u.names(path)
}

func (u *updating) add(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	text, err := u.changed(path)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(filepath.Dir(path), fmt.Sprintf("added%d%s", u.number, filepath.Ext(path)))
	if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
		return nil, err
	}
	return u.names(to)
}

func (u *updating) rename(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	to := filepath.Join(filepath.Dir(path), fmt.Sprintf("renamed%d%s", u.number, filepath.Ext(path)))
	if err := os.Rename(path, to); err != nil {
		return nil, err
	}
	return u.names(path, to)
}

func (u *updating) move(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	beside, err := u.some()
	if err != nil {
		return nil, err
	}
	to := filepath.Join(filepath.Dir(beside), fmt.Sprintf("in%d", u.number%3), filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, err
	}
	if err := os.Rename(path, to); err != nil {
		return nil, err
	}
	return u.names(path, to)
}

func (u *updating) delete(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return u.names(path)
}

// touch changes a file's time or mode.
func (u *updating) touch(context.Context) ([]string, error) {
	path, err := u.some()
	if err != nil {
		return nil, err
	}
	if u.r.Intn(2) == 0 {
		err = os.Chtimes(path, time.Now(), time.Now())
	} else {
		err = os.Chmod(path, 0o600+os.FileMode(u.r.Intn(2)*0o044))
	}
	if err != nil {
		return nil, err
	}
	return u.names(path)
}

// subject makes a commit's message from words of the tree.
func (u *updating) subject() (string, error) {
	path, err := u.some()
	if err != nil {
		return "", err
	}
	lines, err := linesOf(path)
	return fmt.Sprintf("edit %d: %s", u.number, strings.Join(u.words(lines, 6), " ")), err
}

func (u *updating) commit(ctx context.Context) ([]string, error) {
	subject, err := u.subject()
	if err != nil {
		return nil, err
	}
	return nil, errors.Join(u.git(ctx, u.tree, "add", "-A"),
		u.git(ctx, u.tree, "commit", "-q", "--allow-empty", "--no-verify", "-m", subject))
}

// branch commits, then changes to a branch that begins some commits earlier, or back.
func (u *updating) branch(ctx context.Context) ([]string, error) {
	if _, err := u.commit(ctx); err != nil {
		return nil, err
	}
	if u.away = !u.away; !u.away {
		return nil, u.git(ctx, u.tree, "checkout", "-q", "-")
	}
	return nil, u.git(ctx, u.tree, "checkout", "-q", "-B", "other", u.back(ctx, 1+u.r.Intn(5)))
}

// back returns the commit so many steps before HEAD, or HEAD if there is no such commit.
func (u *updating) back(ctx context.Context, steps int) string {
	if at := behind(steps); u.git(ctx, u.tree, "rev-parse", "--verify", "-q", at) == nil {
		return at
	}
	return "HEAD"
}

func (u *updating) amend(ctx context.Context) ([]string, error) {
	subject, err := u.subject()
	if err != nil {
		return nil, err
	}
	return nil, errors.Join(u.git(ctx, u.tree, "add", "-A"),
		u.git(ctx, u.tree, "commit", "-q", "--amend", "--allow-empty", "--no-verify", "-m", subject))
}

// rebase rewrites the last commits.
func (u *updating) rebase(ctx context.Context) ([]string, error) {
	if _, err := u.commit(ctx); err != nil {
		return nil, err
	}
	err := u.git(ctx, u.tree, "rebase", "-q", "--force-rebase", "-X", "theirs", u.back(ctx, 3))
	if err != nil {
		return nil, u.git(ctx, u.tree, "rebase", "--abort")
	}
	return nil, nil
}

// merge commits, scrapes, and merges a branch that begins some commits earlier and has an edit of
// an hour ago.
func (u *updating) merge(ctx context.Context) ([]string, error) {
	if _, err := u.commit(ctx); err != nil {
		return nil, err
	}
	if err := u.scrape(ctx, u.updated); err != nil {
		return nil, err
	}
	if err := u.git(ctx, u.tree, "checkout", "-q", "--detach", u.back(ctx, 1+u.r.Intn(5))); err != nil {
		return nil, err
	}
	if _, err := u.edit(ctx); err != nil {
		return nil, err
	}
	subject, err := u.subject()
	if err != nil {
		return nil, err
	}
	hour := fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", time.Now().Add(-time.Hour).Unix())
	err = errors.Join(
		u.git(ctx, u.tree, "add", "-A"),
		u.gitWith(ctx, u.tree, hour, "commit", "-q", "--allow-empty", "--no-verify", "-m", subject),
		u.git(ctx, u.tree, "branch", "-f", "side"), u.git(ctx, u.tree, "checkout", "-q", "-"))
	if err != nil {
		return nil, err
	}
	if u.git(ctx, u.tree, "merge", "-q", "--no-ff", "-X", "theirs", "-m", fmt.Sprintf("merge %d", u.number),
		"side") != nil {
		return nil, u.git(ctx, u.tree, "merge", "--abort")
	}
	return nil, nil
}
