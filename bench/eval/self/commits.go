package self

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"patina/belief"
	"patina/bench/eval"
	"patina/internal/lazyregexp"
	"patina/scrape/git"
	"patina/scrape/prose"
	"patina/store/doc"
)

const (
	// mostFiles bounds the files of a commit, as in package eval. A larger commit is a sweep
	// through the tree.
	mostFiles = 20
	// mostOfMessage bounds the part of a commit's message that is a question, in words.
	mostOfMessage = 60
)

// A past is a repository before its newest commits.
type past struct {
	*eval.Past
	repo git.Tree
	head string
}

// readPast hides up to most commits that can be questions. If there is no past, p is nil and why
// gives the reason.
func readPast(ctx context.Context, root, head string, most int) (p *past, why string, err error) {
	repo, why, err := repository(root, head)
	if err != nil || why != "" {
		return nil, why, err
	}
	read, err := eval.ReadRecent(ctx, repo.CommonDir, head, most)
	if errors.Is(err, eval.ErrNoPast) {
		return nil, "too few commits: one of two must stay, and have a parent", nil
	}
	if err != nil {
		return nil, "", err
	}
	return &past{read, repo, head}, "", nil
}

// repository finds the history of a working tree. If there is no history, why gives the reason.
func repository(root, head string) (repo git.Tree, why string, err error) {
	repo, err = git.Find(root)
	if errors.Is(err, git.ErrNoGit) || err == nil && head == "" {
		return repo, "no git history", nil
	}
	return repo, "", err
}

// hidden returns the commits that are not in the past's tree, by SHA.
func (p *past) hidden() map[string]bool {
	all := map[string]bool{}
	for _, c := range p.Later {
		all[c.SHA] = true
	}
	return all
}

// counted reports whether a file counts in questions about commits and neighbours.
func (t *tree) counted(file string) bool {
	k, ok := t.paths[file]
	return ok && (k == doc.Code || k == doc.Pattern) && eval.Counts(file)
}

// subjects takes questions from hidden commits. Each asks for the files of a commit by its subject.
func (p *past) subjects(x *set) {
	x.pool = x.on.count(doc.Code, doc.Pattern)
	for _, c := range p.Asked {
		q := Case{ID: c.SHA[:min(12, len(c.SHA))], Query: c.Subject}
		for _, f := range c.Files {
			if x.on.counted(f) && !slices.Contains(q.Expect, f) {
				q.Expect = append(q.Expect, f)
			}
		}
		if len(q.Expect) == 0 {
			x.leave("its files are not in the older tree")
			continue
		}
		x.cases = append(x.cases, q)
	}
}

// neighbours takes questions from hidden commits. Each asks, by a file's path, for the files that
// changed with it.
func (p *past) neighbours(x *set, s *sampler, seed uint64) {
	with := map[string][]string{}
	for _, c := range p.Later {
		if len(c.Files) > mostFiles {
			continue
		}
		files := slices.DeleteFunc(slices.Clone(c.Files), func(f string) bool { return !x.on.counted(f) })
		for _, f := range files {
			for _, other := range files {
				if other != f && !slices.Contains(with[f], other) {
					with[f] = append(with[f], other)
				}
			}
		}
	}
	for _, f := range s.shuffled(CoChange, seed, func(f string) bool { return len(with[f]) > 0 }) {
		if len(x.cases) == s.most {
			break
		}
		x.cases = append(x.cases, Case{ID: f, Query: f, Expect: with[f], Exclude: []string{f}})
	}
	if x.pool = x.on.count(doc.Code, doc.Pattern) - 1; len(x.cases) == 0 {
		x.why = "no two files of the older tree change together later"
	}
}

// isDecision reports whether a document is a decision: a record, a belief, or a page of layer/.
func isDecision(file string) bool {
	return prose.IsDecision(file) || belief.IsPath(file) || strings.HasPrefix(file, "layer/core/") &&
		strings.HasSuffix(file, ".md")
}

// decisions takes questions from hidden commits. Each asks for the decision that a commit's message
// cites, by the rest of the message.
func (p *past) decisions(ctx context.Context, x *set, s *sampler) error {
	var names []string
	for _, f := range s.paths {
		if isDecision(f) {
			names = append(names, f)
		}
	}
	if x.pool = len(names); len(names) == 0 {
		x.why = "the older tree has no written decision"
		return nil
	}
	messages, err := p.messages(ctx)
	if err != nil {
		return err
	}
	forms := map[string]*regexp.Regexp{}
	for _, f := range names {
		forms[f] = citation(f)
	}
	cited := 0
	for _, m := range messages {
		q := Case{ID: m.sha[:min(12, len(m.sha))]}
		text := m.text
		for _, f := range names {
			if forms[f].MatchString(text) {
				q.Expect = append(q.Expect, f)
				text = forms[f].ReplaceAllString(text, " ")
			}
		}
		if len(q.Expect) == 0 {
			continue
		}
		cited++
		if q.Query = firstWords(text, mostOfMessage); len(wordsOf(q.Query)) < fewestWords {
			x.leave("the message has no other words")
			continue
		}
		if len(x.cases) < s.most {
			x.cases = append(x.cases, q)
		}
	}
	if len(x.cases) == 0 {
		x.why = fmt.Sprintf("no later commit cites one of %d written decisions", len(names))
		if cited > 0 {
			x.why += " in other words than its name"
		}
	}
	return nil
}

// number matches the number at the beginning of a decision record's name.
var number = lazyregexp.New(`^(?i:(adr|rfc|kep|pep)s?[-_]?)?0*([1-9]\d{0,5})(?:[-_.]|$)`)

// citation returns an expression for the names by which a message may cite a document: its path,
// its file name with or without the ending or, for a numbered record, "ADR 12".
func citation(file string) *regexp.Regexp {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	forms := []string{regexp.QuoteMeta(file), `\b` + regexp.QuoteMeta(base)}
	if strings.ContainsAny(stem, "-_") {
		forms = append(forms, `\b`+regexp.QuoteMeta(stem)+`\b`)
	}
	if m := number().FindStringSubmatch(stem); m != nil && prose.IsDecision(file) {
		kind := "(?:adr|rfc|kep|pep|decision)"
		if m[1] != "" {
			kind = m[1]
		}
		forms = append(forms, `\b`+kind+`[-_ #]{0,2}0*`+m[2]+`\b`)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(forms, "|"))
}

// A message is the message of a hidden commit.
type message struct{ sha, text string }

func (p *past) messages(ctx context.Context) (list []message, err error) {
	if len(p.Later) == 0 {
		return nil, nil
	}
	out, err := git.Output(ctx, git.Call{Dir: p.repo.CommonDir, Silence: time.Hour, Longest: time.Hour, Args: []string{
		"log", "--no-merges", "-z", "--format=%H %B", p.Later[0].SHA, "^" + p.Cut,
	}})
	if err != nil {
		return nil, err
	}
	hidden := p.hidden()
	for record := range strings.SplitSeq(string(out), "\x00") {
		if sha, text, ok := strings.Cut(record, " "); ok && hidden[sha] {
			list = append(list, message{sha, text})
		}
	}
	return list, nil
}
