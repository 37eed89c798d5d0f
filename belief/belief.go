// Package belief reads a belief's file: its id, its statement, how firmly it is held, its evidence,
// and the beliefs that it supports and attacks. It also has the tables that store them.
//
// Parse is pure and tolerant: it skips a part that breaks the format and reads the rest. Broken
// returns the reason if a file is not a belief at all. Links are resolved in belief/knowledge.
package belief

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"patina/store/markdown"
)

// A Belief is one sentence that a project holds to be true.
type Belief struct {
	ID           string // from the front matter if that is a valid id, else made from the file's name
	ByOthers     bool   // the user is not known to be one of the repository's authors
	Number       string // of a decision record, without leading zeros; else empty
	Statement    string
	Status       string  // "active", "scoped", "proposed", "defeated" or "archived"
	Entrenchment float64 // how firmly it is held, from 0 to 1
	Endorsed     *bool   // by a person; nil if not given
	Facets       []string
	Extracted    string // a date, as written
	Revised      string // a date, as written
	Source       Source
	Path         string
	Line, End    int    // of the statement
	Supports     []Edge // beliefs that it supports
	Attacks      []Edge // beliefs that it attacks
	AttackedBy   []Edge // beliefs that attack it
	Evidence     []Link
	Applied      []Link // places where it was applied
	Revisions    int    // entries in its log
	Text         string // the body without checks and edges, for searching
}

// Most bounds the beliefs of a project that are read, the first ones by path. With 10,000, a
// question in a new process takes 0.2 s longer.
const Most = 20_000

// The statuses of beliefs that hold. Scoped beliefs hold in some cases. Only active ones are
// ranked.
const (
	Active = "active"
	Scoped = "scoped"
)

// A Source is the kind of text from which a belief was read.
type Source string

// The sources.
const (
	OwnFile  Source = "belief"   // a file of its own in layer/
	Decision Source = "decision" // a decision record
)

// A Note is the part of a belief that an answer shows.
type Note struct {
	Belief
	Standing          float64 // by package standing, from 0 to 1
	Sources           []Shown // its evidence
	Resolved          int     // number of those whose target exists
	Beliefs, Sessions int     // numbers of those that name it
}

// A Shown is a piece of evidence with its target.
type Shown struct {
	Target string // as written; empty if the bullet has no link
	DocID  string // empty if the target is not in this generation
	Line   int    // from 1
}

// A Link is a bullet that names a session, a commit, a belief or a path. Its target is empty if the
// bullet names nothing.
type Link struct {
	Target string
	Weight float64 // from 0 to 1; negative if not given
	Line   int     // from 1
}

// An Edge leads from a belief to another, or to an id without a belief.
type Edge struct {
	Target     string
	Status     string // "active", "scoped" or "defeated"; empty if not given
	Reason     string
	Scope      string
	Confidence float64 // from 0 to 1; negative if not given
	Line       int     // from 1
}

// DefaultEntrenchment is the entrenchment of a belief that gives no value.
const DefaultEntrenchment = 0.5

// entrenchments are the numbers for words.
var entrenchments = map[string]float64{"low": 0.3, "medium": 0.5, "high": 0.8, "very-high": 0.95}

const (
	maxText  = 1 << 20  // bytes of a file that are read
	maxEdges = 500      // of each kind
	maxValue = 16 << 10 // bytes of one value
)

// IsPath reports whether a path is a belief's file: a Markdown file in or below a folder beliefs/
// in layer/.
func IsPath(p string) bool {
	return strings.HasPrefix(p, "layer/") && strings.Contains(path.Dir(p)+"/", "/beliefs/") &&
		strings.HasSuffix(p, ".md")
}

// Parse reads a belief's file. It never fails. Parts that it cannot read have their zero or default
// values.
func Parse(file, text string) Belief {
	text = text[:min(len(text), maxText)]
	b := Belief{
		Path: file, Status: Active, Entrenchment: DefaultEntrenchment, Source: OwnFile,
	}
	front, body, _ := markdown.SplitFrontMatter(text)
	entries, _ := front.Entries()
	for _, e := range entries {
		b.setEntry(e)
	}
	if !IsID(b.ID) {
		b.ID = idOfFile(file)
	}
	b.readBody(body, strings.Count(text[:len(text)-len(body)], "\n"))
	return b
}

// setEntry reads an entry of the front matter. confidence.score is used if there is no
// entrenchment.
func (b *Belief) setEntry(e markdown.Entry) {
	if e.Key == "confidence" {
		e, _ = markdown.Lookup(e.Entries, "score")
	}
	texts := e.Texts()
	if len(texts) == 0 {
		return
	}
	switch value := Clip(texts[0]); e.Key {
	case "id":
		b.ID = value
	case "status":
		b.Status = strings.ToLower(value)
	case "endorsed":
		yes := strings.EqualFold(value, "true") || strings.EqualFold(value, "yes")
		b.Endorsed = &yes
	case "facets":
		b.Facets = facetsOf(texts)
	case "extracted":
		b.Extracted = value
	case "revised":
		b.Revised = value
	case "entrenchment", "score":
		if n, ok := entrenchmentOf(value); ok && (e.Key == "entrenchment" || b.Entrenchment == DefaultEntrenchment) {
			b.Entrenchment = n
		}
	}
}

// entrenchmentOf parses a word or a number from 0 to 1. It returns false for another text.
func entrenchmentOf(value string) (float64, bool) {
	if n, ok := entrenchments[strings.ToLower(value)]; ok {
		return n, true
	}
	n, err := strconv.ParseFloat(value, 64)
	return n, err == nil && n >= 0 && n <= 1
}

// cutHeading returns the text of a heading.
func cutHeading(line string) (string, bool) {
	level, from, to := markdown.Heading(line)
	return line[from:to], level > 0
}

// withEdge appends the edge in a bullet: "- [[target]] (status: scoped, reason: "…")", "- target:
// text".
func withEdge(edges []Edge, line string, n int) []Edge {
	item, ok := strings.CutPrefix(line, "- ")
	if !ok {
		if item, ok = strings.CutPrefix(line, "* "); !ok {
			return edges
		}
	}
	e := Edge{Line: n, Confidence: -1}
	item = strings.TrimSpace(item)
	if inside, found := strings.CutPrefix(item, "[["); found {
		e.Target, item, _ = strings.Cut(inside, "]]")
		e.Target, _, _ = strings.Cut(e.Target, "|")
		e.Target, _, _ = strings.Cut(e.Target, "#") // a heading of the belief
	} else {
		end := strings.IndexAny(item, " :(")
		if end < 0 {
			end = len(item)
		}
		e.Target, item = item[:end], item[end:]
	}
	e.Target = Clip(strings.TrimSpace(strings.TrimPrefix(e.Target, "belief:")))
	if i := strings.IndexByte(item, '('); i >= 0 {
		e.readAttributes(strings.TrimSuffix(strings.TrimSpace(item[i+1:]), ")"))
	}
	if e.Target == "" || len(edges) == maxEdges {
		return edges
	}
	return append(edges, e)
}

// readAttributes reads "status: defeated, confidence: 0.3, reason: up to the next known word".
func (e *Edge) readAttributes(s string) {
	for s != "" {
		key, rest, ok := strings.Cut(s, ":")
		if !ok {
			return
		}
		value := rest
		s = ""
		for i := range rest {
			if rest[i] == ',' && !quotedAt(rest[:i]) && beginsKnown(rest[i+1:]) {
				value, s = rest[:i], rest[i+1:]
				break
			}
		}
		value = Scalar(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "status":
			e.Status = strings.ToLower(value)
		case "reason":
			e.Reason = value
		case "scope":
			e.Scope = value
		case "confidence":
			if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n <= 1 {
				e.Confidence = n
			}
		}
	}
}

// quotedAt reports whether a text ends inside quotes.
func quotedAt(before string) bool { return strings.Count(before, `"`)%2 == 1 }

// beginsKnown reports whether a text begins with the name of an attribute.
func beginsKnown(s string) bool {
	key, _, _ := strings.Cut(s, ":")
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "status", "reason", "scope", "confidence":
		return true
	}
	return false
}

// Scalar returns a value of the front matter, without quotes or brackets around it.
func Scalar(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if n := len(s); n >= 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		s = s[1 : n-1]
	}
	return Clip(s)
}

// Clip cuts a long value between two characters.
func Clip(s string) string {
	if len(s) <= maxValue {
		return s
	}
	n := maxValue
	for n > maxValue-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
