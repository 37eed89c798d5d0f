package prose

import (
	"strings"

	"patina/internal/lazyregexp"
)

// A CommitMessage is the message of a commit, with the facts that decide whether it explains code.
type CommitMessage struct {
	Subject, Body string
	Author        string
	Merge         bool
	Files         int // number of files that it touched
}

// The limits of a commit. One that touches more files is about many things.
const (
	MaxCommitFiles   = 30
	maxBody          = 16 << 10 // bytes that are read
	maxCommitReasons = 5        // of one commit
)

var (
	bots = lazyregexp.New(`(?i)\[bot\]|\bbot\b|-bot$|dependabot|renovate|greenkeeper` +
		`|github-actions|pre-commit-ci|^github$`)
	routine = lazyregexp.New(`(?i)^(?:(?:docs?|tests?|ci|chore|style|release|changelog)(?:\([^)]*\))?!?:|(?:build` +
		`|fix)\(deps[^)]*\)|[\w./ -]*\b(?:unit ?|lib|run)?tests?\s?\d*(?:/[^:]*)?:|(?:gha|appveyor|travis|github` +
		`|docs?|man)\b[^:]*:|merge\b|bump\b|release\b|v?\d+\.\d|update (?:dependenc|changelog|changes|readme` +
		`|copyright|submodule|lock)|(?:fix )?typos?\b|(?:add|fix|update|improve) (?:more )?(?:unit )?(?:docs?` +
		`|documentation|tests?|ci)\b)`)
)

// IsBot reports whether an author is a program.
func IsBot(author string) bool { return bots().MatchString(author) }

// Explains reports whether a commit may explain code: it must be by a person, no merge, no release,
// and about more than documents, tests and builds. The caller must check whether one of its files
// is code that still exists.
func (c CommitMessage) Explains() bool {
	return !c.Merge && c.Files > 0 && c.Files <= MaxCommitFiles && mayExplain(c.Body) &&
		!routine().MatchString(c.Subject) && !IsBot(c.Author)
}

// Reasons returns the sentences of a commit's body that give reasons, in order. It returns nil if
// the commit does not explain code.
func (c CommitMessage) Reasons() (found []string) {
	if !c.Explains() {
		return nil
	}
	for _, b := range Read(Markdown, []byte(ownWords(c.Body))).Blocks {
		if b.Kind != Paragraph && b.Kind != Item {
			continue
		}
		for _, s := range b.Sentences() {
			if len(found) < maxCommitReasons && ofCommit(s.Text) {
				found = append(found, s.Text)
			}
		}
	}
	return found
}

// ofCommit reports whether a sentence of a commit gives a reason: it must name an alternative and a
// cause.
func ofCommit(s string) bool {
	return hasSize(s, minCommitWords) && !strings.HasSuffix(s, "?") && alternative().MatchString(s) && namesCause(s)
}

var trailer = lazyregexp.New(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Reviewers?|Authors?|Cc|CC|Fixes|Closes|Refs?|Issue` +
	`|Bug|PR-URL|Link|Backport\w*|Test Plan|Tests?): `)

// ownWords returns a body without the lines that its author did not write for readers: lists of
// squashed commits, quotes, trailers and code.
func ownWords(body string) string {
	body = strings.ReplaceAll(body[:min(len(body), maxBody)], "\r\n", "\n")
	lines := strings.Split(body, "\n")
	var kept []string
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, ">") || strings.HasPrefix(bare, "|") || trailer().MatchString(bare):
			line = ""
		case isSquashed(lines, i):
			line = ""
		case isIndented(line) && (i == 0 || len(kept) > 0 && kept[len(kept)-1] == ""):
			line = "" // code
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// isSquashed reports whether a line is the subject of a squashed commit: a bullet with blank lines
// around it. The items of other lists follow each other.
func isSquashed(lines []string, i int) bool {
	if !strings.HasPrefix(lines[i], "* ") {
		return false
	}
	empty := func(k int) bool { return k < 0 || k >= len(lines) || strings.TrimSpace(lines[k]) == "" }
	return empty(i-1) && empty(i+1)
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}
