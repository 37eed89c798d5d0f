package eval

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/store/text"
)

// A Commit is one that is not a merge.
type Commit struct {
	SHA     string
	Subject string
	Files   []string // that it added, changed or removed
}

// A Past is a repository as it was before the commits that are asked for.
type Past struct {
	Cut     string   // the commit whose tree is searched: the parent of the oldest commit asked for
	Asked   []Commit // newest first
	History []Commit // Cut and what it descends from, newest first
}

const (
	mostFiles  = 20 // of a commit: more of them are a sweep through the tree, and its subject names no place
	fewestWord = 3  // of a subject without numbers of issues: "fix typo" asks for nothing
)

// A subject that says only that something was published, brought up to date or undone tells nothing of the files: these are dropped.
var trivial = text.Lazy(`(?i)^\W*((build|chore|ci|fix|feat|docs?|refactor|test|style)(\([^)]*\))?!?:\s*)?` +
	`(merge|release|prepare|bump(ed|s)?|version|v?\d+\.\d+|revert|upgrade|fixup|squash|wip|back to dev|` +
	`(updates?|lock|pin) (the )?(change ?log|changes|history|dependency|dependencies|deps|submodules?|copyright|authors|readme|.* (to|from) v?\d)|` +
	`(chore|build|fix)\((deps|deps-dev|release)[^)]*\)|\[pre-commit|.* action to v?\d)`)

var issueNumber = text.Lazy(`\(?(#|GH-)\d+\)?|\b[0-9a-f]{7,40}\b|\[(ci skip|skip ci)\]`)

// ReadPast reads the newest commits that can be asked for, up to n, and what was before them. A commit is asked for if it is no
// merge, changes 1 to 20 files that count and has a subject that says something.
func ReadPast(ctx context.Context, gitDir string, n int) (*Past, error) {
	all, err := readLog(ctx, gitDir, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p := &Past{}
	for _, c := range all {
		if c.Subject = clean(c.Subject); len(p.Asked) < n && c.askable() {
			p.Asked = append(p.Asked, c)
		}
	}
	if len(p.Asked) == 0 {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, errors.New("no commit can be asked for"))
	}
	cut, err := runGit(ctx, gitDir, "rev-parse", p.Asked[len(p.Asked)-1].SHA+"^")
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p.Cut = strings.TrimSpace(cut)
	if p.History, err = readLog(ctx, gitDir, p.Cut); err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p.forget()
	return p, nil
}

// forget drops commits asked for that the history holds: a branch with a wrong clock may bring them there.
func (p *Past) forget() {
	p.Asked = slices.DeleteFunc(p.Asked, func(c Commit) bool {
		return slices.ContainsFunc(p.History, func(x Commit) bool { return x.SHA == c.SHA })
	})
}

// clean takes from a subject what points to it by number.
func clean(subject string) string {
	return strings.Join(strings.Fields(issueNumber().ReplaceAllString(subject, " ")), " ")
}

func (c Commit) askable() bool {
	return slices.ContainsFunc(c.Files, counts) && len(c.Files) <= mostFiles && len(strings.Fields(c.Subject)) >= fewestWord && !trivial().MatchString(c.Subject)
}

var journal = text.Lazy(`(?i)^(change(s|log)?|history|news|releases?|authors|contributors|upgrading|whatsnew.*)(\.\w+)?$`)

// counts reports whether a subject can mean a file: every commit may touch a change log.
func counts(file string) bool { return !journal().MatchString(path.Base(file)) }

// logFormat separates commits by \x01 and their parts by \x02: neither stands in a subject.
const logFormat = "--format=%x01%H%x02%s%x02"

func readLog(ctx context.Context, gitDir, from string) ([]Commit, error) {
	out, err := runGit(ctx, gitDir, "log", "--no-merges", "--no-renames", "--name-only", "-z", logFormat, from)
	return parseLog(out), err
}

func parseLog(out string) []Commit {
	var list []Commit
	for record := range strings.SplitSeq(out, "\x01") {
		parts := strings.SplitN(record, "\x02", 3)
		if len(parts) < 3 {
			continue
		}
		c := Commit{SHA: parts[0], Subject: parts[1]}
		for f := range strings.SplitSeq(parts[2], "\x00") {
			if f = strings.Trim(f, "\n"); f != "" {
				c.Files = append(c.Files, f)
			}
		}
		list = append(list, c)
	}
	return list
}
