package prose

import (
	"slices"
	"strings"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store/text"
)

// The limits of one search.
const (
	maxCommentLines   = 3_000 // that are looked at
	maxCommentLine    = 1_000 // bytes; a longer line ends the comment
	maxComments       = 100   // that are read
	maxCommentReasons = 50
)

// CommentReasons returns the sentences that give reasons in the comments between two lines of a
// file, counted from 1. Only comments on lines of their own count. documents must not be nil. It
// reports whether a line belongs to the documentation of a definition, which is skipped because it
// describes the definition to users. The caller chooses the files, by kind and class.
func CommentReasons(
	language string, lines text.Lines, first, last int, documents func(line int) bool,
) (found []Sentence) {
	EachCommentSentence(language, lines, first, last, documents, func(s Sentence) bool {
		if IsReason(s) {
			found = append(found, s)
		}
		return len(found) < maxCommentReasons
	})
	return found
}

// EachCommentSentence calls f with the sentences of the same comments, until f returns false. f
// must call IsReason itself, because IsReason costs most.
func EachCommentSentence(
	language string, lines text.Lines, first, last int, documents func(line int) bool, f func(Sentence) bool,
) {
	mark := "//"
	if marks := lang.Named(language).Comments.Lines; len(marks) > 0 {
		mark = marks[0]
	}
	last = min(last, lines.Len(), first+maxCommentLines-1)
	read := 0
	for at := first; at <= last && read < maxComments; {
		c := comment{mark: mark, lines: lines, first: at, last: last}
		if n := c.readComment(); n == 0 {
			at++
			continue
		} else if c.mayExplain() && !documents(at) {
			read++
			if !c.sentences(f) {
				return
			}
		}
		at += c.n
	}
}

// A comment begins at line first, and must end at line last or before.
type comment struct {
	mark        string
	lines       text.Lines
	first, last int
	n           int      // its number of lines; 0 if the lines begin with something else
	texts       []string // nil for documentation and directives
}

// mayExplain reports quickly whether a comment may contain a reason. It may look at single lines,
// because no word that it looks for spans two.
func (c *comment) mayExplain() bool {
	return slices.ContainsFunc(c.texts, mayExplain) && !(slices.ContainsFunc(c.texts, legalWords.hasWord) &&
		legal().MatchString(strings.Join(c.texts, "\n")))
}

// sentences calls f with the sentences of a comment until f returns false.
func (c *comment) sentences(f func(Sentence) bool) bool {
	for _, b := range Read(Markdown, []byte(strings.Join(c.texts, "\n"))).Blocks {
		if b.Kind != Paragraph && b.Kind != Item {
			continue
		}
		for _, s := range b.Sentences() {
			if !f(Sentence{s.Text, s.First + c.first - 1, s.Last + c.first - 1}) {
				return false
			}
		}
	}
	return true
}

var (
	legal  = lazyregexp.New(`(?i)copyright|licen[sc]e|spdx-|all rights reserved|warranty`)
	wishes = lazyregexp.New(`(?i)^\W*(?:todo|fixme|xxx|tbd)\b|\bone day\b|\bin the future\b`)
)

// IsReason reports whether a sentence of a comment gives a reason: it must name an alternative or a
// constraint, and a cause or something that leads to one.
func IsReason(x Sentence) bool {
	s := x.Text
	return mayExplain(s) && hasSize(s, minCommentWords) && !strings.HasSuffix(s, "?") && !wishes().MatchString(s) &&
		(namesCause(s) || causeReference().MatchString(s)) &&
		(alternative().MatchString(s) || constraint().MatchString(s))
}

// readComment reads the comment and returns its number of lines.
func (c *comment) readComment() int {
	bare := strings.TrimSpace(c.lines.At(c.first))
	switch {
	case c.mark == "//" && strings.HasPrefix(bare, "/*"):
		c.starred()
	case strings.HasPrefix(bare, c.mark):
		c.marked()
	}
	return c.n
}

// marked reads a comment of lines that begin with the mark.
func (c *comment) marked() {
	isDoc := false
	for at := c.first; at <= c.last; at++ {
		line := c.lines.At(at)
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), c.mark)
		if !ok || len(line) > maxCommentLine || isDirective(rest) {
			break
		}
		isDoc = isDoc || c.mark == "//" && rest != "" && (rest[0] == '/' && strings.Trim(rest, "/") != "" ||
			rest[0] == '!')
		c.texts = append(c.texts, strings.TrimPrefix(strings.TrimLeft(rest, c.mark[:1]), " "))
		c.n++
	}
	if isDoc {
		c.texts = nil
	}
}

// isDirective reports whether the text after a mark is for a program: "//go:embed", "#include".
func isDirective(rest string) bool {
	return strings.HasPrefix(rest, "!") && strings.Contains(rest, "/bin/") || strings.HasPrefix(rest, "go:") ||
		strings.HasPrefix(rest, "include") || strings.HasPrefix(rest, "define") ||
		strings.HasPrefix(rest, "pragma") || strings.HasPrefix(rest, " type:") || strings.HasPrefix(rest, " noqa")
}

// starred reads a comment "/* … */" on lines of its own.
func (c *comment) starred() {
	isDoc := false
	for at := c.first; at <= c.last; at++ {
		bare := strings.TrimSpace(c.lines.At(at))
		if at == c.first {
			isDoc = strings.HasPrefix(bare, "/**") && !strings.HasPrefix(bare, "/***") && bare != "/**/" ||
				strings.HasPrefix(bare, "/*!")
			bare = bare[2:]
		}
		before, after, closed := strings.Cut(bare, "*/")
		c.n++
		if closed && strings.TrimSpace(after) != "" { // code after it
			c.texts = nil
			return
		}
		c.texts = append(c.texts, strings.TrimPrefix(strings.TrimLeft(before, "*"), " "))
		if closed {
			break
		}
	}
	if isDoc {
		c.texts = nil
	}
}
