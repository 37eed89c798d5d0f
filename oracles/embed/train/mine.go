package train

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"patina/scrape"
	"patina/store/doc"
)

// Kinds of examples.
const (
	symbol  = iota // a function, method or type, with or without a comment
	remark         // a comment inside a function, and the code below it
	section        // the headings of a Markdown section, and its text
)

// An example is a piece of text and words about it.
type example struct {
	kind  byte
	file  int32 // the number of its file
	path  string
	name  string // the last name of a symbol
	about string // a comment or headings; may be empty for symbols
	body  string
}

const (
	// bodyBytes is kept of an example, because an embedder reads no more of a passage.
	bodyBytes   = 2500
	aboutBytes  = 600
	fewestWords = 3  // in a comment; fewer say nothing
	longRemark  = 12 // maximum number of lines of code that a remark is about
)

// mined holds the languages with examples.
var mined = map[string]bool{
	"Go": true, "Rust": true, "Python": true, "JavaScript": true, "TypeScript": true, "TSX": true, "C": true,
	"C++":  true,
	"Java": true, "Ruby": true, "PHP": true, "C#": true, "Shell": true, "Markdown": true,
}

// unread is the set of classes that are skipped. Tests are skipped because they repeat themselves
// and say little about the tested code.
const unread = doc.TestFolder | doc.TestName | doc.TestCode | doc.Generated | doc.Vendored | doc.PathOnly |
	doc.OtherText

// releases matches files whose headings are versions or names.
var releases = regexp.MustCompile(`(?i)^(changelog|changes|history|news|releases?|upgrad|contributors|authors)`)

// wanted reports whether a file of a source may hold examples, by its path and size.
func wanted(name string, size int64) bool {
	if size > mostBytes || releases.MatchString(path.Base(name)) {
		return false
	}
	language, ok := scrape.Language(strings.TrimPrefix(path.Ext(name), "."))
	return ok && mined[language] && scrape.Extract(name, nil).Class&unread == 0
}

// mine returns the examples in a file. It drops examples with lines that shared marks, and counts
// them in dropped. A nil shared marks no line.
func mine(name string, text []byte, shared []bool) (found []example, dropped int) {
	if !utf8.Valid(text) || !isText(text) {
		return nil, 0
	}
	file := scrape.Extract(name, text)
	if file.Language == "Rust" {
		// Rust code holds its tests.
		file.Class &^= doc.TestCode
	}
	if !mined[file.Language] || file.Class&unread != 0 {
		return nil, 0
	}
	m := miner{file: file, lines: bytes.Split(text, []byte{'\n'}), shared: shared}
	if file.Kind == doc.Pattern {
		m.sections()
	} else {
		m.comments()
		m.symbols()
	}
	return m.found, m.dropped
}

// A miner reads one file. Its lines count from 1, like those of the store.
type miner struct {
	file    *doc.File
	lines   [][]byte
	shared  []bool // by line, from 0; nil marks no line
	comment []bool // by line, from 0
	found   []example
	dropped int
}

// comments marks the comment lines. A chunk's Doc holds them in order.
func (m *miner) comments() {
	m.comment = make([]bool, len(m.lines))
	for _, c := range m.file.Chunks {
		doc := strings.Split(c.Doc, "\n")
		for n := c.First; n <= c.Last && n <= len(m.lines) && len(doc) > 0; n++ {
			if line := string(bytes.TrimRight(m.lines[n-1], "\r")); line != "" && line == doc[0] {
				m.comment[n-1], doc = true, doc[1:]
			} else if line == "" && doc[0] == "" {
				doc = doc[1:] // a blank line in a comment
			}
		}
	}
}

// symbols makes an example of every function, method and type.
func (m *miner) symbols() {
	for i, e := range m.file.Entries {
		last := min(e.Last, len(m.lines))
		if e.Sort == doc.Type {
			last = m.ownEnd(i, last)
		}
		if e.Sort != doc.Function && e.Sort != doc.Method && e.Sort != doc.Type || last < e.Line {
			continue
		}
		about := m.text(e.First, e.Line-1, true)
		// The code begins here. Comments and decorators are above it.
		from := e.Line
		docEnd := 0
		if about == "" {
			about, docEnd = m.docstring(e.Line, last)
		}
		body := ""
		if docEnd > 0 {
			body = m.text(from, docEnd, false) // the signature
			from = docEnd + 1
		}
		body += m.rest(from, last)
		m.add(example{kind: symbol, name: lastName(e.Name), about: proper(about), body: body}, e.First, last)
		if e.Sort != doc.Type {
			m.remarks(max(e.Line, docEnd)+1, last)
		}
	}
}

// ownEnd returns the last line of a type before its first member.
func (m *miner) ownEnd(i, last int) int {
	for _, e := range m.file.Entries[i+1:] {
		if e.Parent == i {
			return min(last, e.First-1)
		}
	}
	return last
}

// docstring returns the comment lines at the beginning of a Python definition, and the last of
// them. It returns 0 if there is no such comment.
func (m *miner) docstring(line, last int) (string, int) {
	if m.file.Language != "Python" {
		return "", 0
	}
	for n := line + 1; n <= min(last, line+12); n++ {
		if !m.comment[n-1] {
			continue
		}
		end := n
		for end < last && (m.comment[end] || len(bytes.TrimSpace(m.lines[end])) == 0) {
			end++
		}
		return m.text(n, end, true), end
	}
	return "", 0
}

// remarks makes an example of each comment in a function's body and the lines below it.
func (m *miner) remarks(first, last int) {
	for n := first; n <= last; n++ {
		if !m.comment[n-1] {
			continue
		}
		end := n
		for end < last && m.comment[end] {
			end++
		}
		code := end + 1
		for code <= last && code-end <= longRemark && !m.comment[code-1] && len(bytes.TrimSpace(m.lines[code-1])) > 0 {
			code++
		}
		about := proper(m.text(n, end, true))
		if code-end > 2 && about != "" && !looksLikeCode(about) {
			m.add(example{kind: remark, about: about, body: m.rest(end+1, code-1)}, n, code-1)
		}
		n = end
	}
}

// sections makes an example of the own lines of each section.
func (m *miner) sections() {
	done := map[int]bool{}
	for _, c := range m.file.Chunks {
		if c.Entry < 0 || done[c.Entry] {
			continue
		}
		done[c.Entry] = true
		e := m.file.Entries[c.Entry]
		first := c.First
		if first == e.Line && bytes.HasPrefix(bytes.TrimSpace(m.lines[first-1]), []byte("#")) {
			first++
		}
		body := m.rest(first, min(c.Last, len(m.lines)))
		if len(strings.Fields(body)) >= 12 {
			m.add(example{kind: section, about: clip(e.Title, aboutBytes), body: body}, c.First, c.Last)
		}
	}
}

// add keeps an example made of the lines from first to last. It drops an example that is too short
// or has a shared line.
func (m *miner) add(e example, first, last int) {
	if len(e.body) < 30 {
		return
	}
	for n := first; m.shared != nil && n <= min(last, len(m.shared)); n++ {
		if m.shared[n-1] {
			m.dropped++
			return
		}
	}
	e.path = m.file.Path
	m.found = append(m.found, e)
}

// text returns the comment lines from first to last, or the other lines if comment is false.
func (m *miner) text(first, last int, comment bool) string {
	var b strings.Builder
	for n := first; n <= last && b.Len() < bodyBytes; n++ {
		if m.comment[n-1] == comment {
			b.Write(bytes.TrimSpace(m.lines[n-1]))
			b.WriteByte('\n')
		}
	}
	return clip(b.String(), bodyBytes)
}

// rest returns all lines from first to last.
func (m *miner) rest(first, last int) string {
	var b strings.Builder
	for n := first; n <= last && b.Len() < bodyBytes; n++ {
		b.Write(bytes.TrimSpace(m.lines[n-1]))
		b.WriteByte('\n')
	}
	return clip(b.String(), bodyBytes)
}

var (
	word    = regexp.MustCompile(`[A-Za-z]{2,}`)
	codeEnd = regexp.MustCompile(`[;{}]\s*$|^\W*(if|for|return|const|let|var|int)\b.*[=(]`)
	legal   = regexp.MustCompile(`(?i)copyright|licen[cs]ed? under|SPDX-|all rights reserved`)
	marks   = regexp.MustCompile(`(?m)^[\s/*#!;<>"'-]+|[*/"']+$`)
)

// proper returns a comment without its marks. It returns "" if the comment says too little or is
// about rights.
func proper(comment string) string {
	comment = clip(strings.TrimSpace(marks.ReplaceAllString(comment, "")), aboutBytes)
	if len(word.FindAllStringIndex(comment, fewestWords)) < fewestWords || legal.MatchString(comment) {
		return ""
	}
	return comment
}

// looksLikeCode reports whether a comment is commented-out code.
func looksLikeCode(comment string) bool { return codeEnd.MatchString(comment) }

// lastName returns the last part of a symbol's name: "Scan" for "Reader.Scan#2".
func lastName(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// clip shortens a text to at most limit bytes, between runes.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.Clone(text[:limit])
}
