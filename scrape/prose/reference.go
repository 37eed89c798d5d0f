package prose

import (
	"path"
	"regexp"
	"strings"

	"patina/internal/lazyregexp"
)

// A Reference is another record, as a record names it.
type Reference struct {
	ID     string // of the record, if a link names its file; else ""
	Number string // without leading zeros; "" if it is missing
	Text   string // as written
	Line   int
}

// maxReferences is the most references of one record.
const maxReferences = 50

var (
	byLink = lazyregexp.New(`\[([^\]]*)\]\(([^)\s]+)[^)]*\)|\[\[([^\]|]+)(?:\|[^\]]*)?\]\]|<([^>\s]+\.(?:md|rst` +
		`|adoc))>|(?:link|xref):([^\s\[]+)\[`)
	byName   = lazyregexp.New(`(?i)\b(?:adr|rfc|kep|pep|proposal|decision|no\.?|number)?[-_ #]*0*([1-9]\d{0,5})\b`)
	byStem   = lazyregexp.New(`\b(\d{3,8}-[A-Za-z0-9][A-Za-z0-9._-]*)`)
	replaced = lazyregexp.New(`(?i)(?:super[sc]eded|replaced|obsoleted|deprecated in favou?r` +
		`|rendered obsolete)\s*-?\s*(?:by|of|with|in)\b[:\s]*|(?:ersetzt|abgelöst) durch[:\s]*|remplacée? par[:\s]*` +
		`|(?:reemplazad|sustituid)[oa] por[:\s]*|被\s*`)
	replaces = lazyregexp.New(`(?i)\b(?:super[sc]edes?|replaces|obsoletes)\b[:\s]*|\bremplace\s|\b(?:reemplaza` +
		`|sustituye) a\s|取代\s*`)
)

// referencesAfter returns the references after a phrase in the lines of a status. phrase must not
// be nil.
func referencesAfter(phrase *regexp.Regexp, lines []Field) []Reference {
	var found []Reference
	for _, l := range lines {
		if at := phrase.FindStringIndex(l.Value); at != nil {
			found = append(found, references(clause(l.Value[at[1]:]), l.Line)...)
		}
	}
	return found
}

// clause returns a text up to the end of its sentence. A full stop inside a link does not end it.
func clause(s string) string {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case depth <= 0 && (c == '.' || c == ';') && i+1 < len(s) && s[i+1] == ' ':
			return s[:i]
		}
	}
	return s
}

// references returns the records that a text names: by links, by file names, else by numbers.
func references(s string, line int) []Reference {
	var found []Reference
	for _, m := range byLink().FindAllStringSubmatch(s, maxReferences) {
		target := m[2] + m[3] + m[4] + m[5]
		target, _, _ = strings.Cut(target, "#")
		r := Reference{Text: strings.TrimSpace(m[1]), Line: line}
		if r.Text == "" {
			r.Text = target
		}
		if !strings.Contains(target, "://") || prosePath(target) {
			r.ID = idOf(target)
		}
		r.Number = numberOf(path.Base(target))
		found = append(found, r)
	}
	if len(found) > 0 {
		return found
	}
	for _, m := range byStem().FindAllStringSubmatch(s, maxReferences) {
		stem := strings.TrimSuffix(strings.TrimSuffix(m[1], "."), ".md")
		found = append(found, Reference{ID: slug(stem), Number: numberOf(stem), Text: m[1], Line: line})
	}
	if len(found) > 0 {
		return found
	}
	for _, m := range byName().FindAllStringSubmatch(withoutDates(s), maxReferences) {
		found = append(found, Reference{Number: m[1], Text: strings.TrimSpace(m[0]), Line: line})
	}
	return found
}

func prosePath(target string) bool {
	_, ok := FormatOf(target)
	return ok
}

// withoutDates returns a text without its dates, because a year is no number of a record.
func withoutDates(s string) string { return anyDate().ReplaceAllString(s, "") }

// numberOf returns the number in the name of a record, or "".
func numberOf(stem string) string {
	if stemDate().MatchString(stem) {
		return ""
	}
	if m := stemNumber().FindStringSubmatch(stem); m != nil {
		return m[1]
	}
	return ""
}
