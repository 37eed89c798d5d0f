package literal

import (
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
	"patina/store/text"
)

// Bounds of the literals in a question.
const (
	maxQuoted   = 4   // quoted parts that are looked up
	maxLiteral  = 600 // bytes in one
	maxQuestion = 1200
	fewestWords = 3 // in a whole question that may be a message
)

// A Literal is a part of a question that may occur in a text word for word.
type Literal struct {
	Text   string
	Quoted bool // the question quotes it
}

// Of returns the literals of a question: the whole question, and its quoted parts of two words or
// more. A question in several paragraphs, or with a block of code, is a report, and the result is
// nil.
func Of(question string) []Literal {
	whole := strings.TrimSpace(question)
	if len(whole) > maxQuestion || isReport(whole) {
		return nil
	}
	if inner, ok := unquote(whole); ok {
		return []Literal{{inner, true}}
	}
	var out []Literal
	if len(whole) <= maxLiteral && (Verbatim(whole).Fixed() >= fewestWords || isPhrase(whole) && Pasted(whole)) {
		out = append(out, Literal{whole, false})
	}
	for line := range strings.Lines(whole) {
		Quoted(strings.TrimRight(line, "\n"), func(a, b int) {
			part := strings.TrimSpace(line[a:b])
			if len(part) <= maxLiteral && len(out) <= maxQuoted && isPhrase(part) {
				out = append(out, Literal{part, true})
			}
		})
	}
	return out
}

// isReport reports whether a text has an empty line or a fence inside, with any line ends.
func isReport(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || markdown.Marks(line) > 0 {
			return strings.Contains(s, "\n")
		}
	}
	return false
}

// isPhrase reports whether a quoted part is more than a name: it must have two words with a space
// between.
func isPhrase(s string) bool {
	return strings.ContainsAny(s, " \t") && Verbatim(s).Fixed() > 1
}

// unquote returns the inside of a text that is one quoted phrase, otherwise false.
func unquote(s string) (string, bool) {
	if len(s) < 3 || strings.IndexByte("\"'`", s[0]) < 0 || s[len(s)-1] != s[0] {
		return "", false
	}
	inner := s[1 : len(s)-1]
	return inner, closingQuote(inner+s[:1], s[0]) == len(inner) && isPhrase(inner)
}

// askingWords are words that begin a question in plain language.
var askingWords = text.Set(`how what where why which when who whose is are was were does do did can
	could should would will find show list explain describe give tell`)

// fileName matches a word with a short ending, like that of a file.
var fileName = lazyregexp.New(`[\pL\pN_]\.[a-z]{2,4}(?:[\s:,)]|$)`)

// Asks reports whether a text begins with an asking word.
func Asks(question string) bool {
	first := strings.TrimSpace(question)
	if n := strings.IndexAny(first, " '?"); n >= 0 {
		first = first[:n]
	}
	return askingWords.Has(strings.ToLower(first))
}

// Pasted reports whether a question looks like a printed message: it has marks that a sentence in
// plain language does not have. A question that begins with an asking word must have stronger ones.
func Pasted(question string) bool {
	if strings.ContainsAny(question, "%{}=<>[]|\"`") || strings.Contains(question, ": ") {
		return true
	}
	question = strings.TrimSpace(question)
	if Asks(question) {
		return false
	}
	end := question[len(strings.TrimRight(question, ".!")):]
	return end != "" || strings.ContainsAny(question, "/('0123456789#") || strings.Contains(question, "...") ||
		fileName().MatchString(question)
}
