// This file reads the record of a working session: its times, its branch, and the blocks of its
// activity log.
//
// It knows two headers, one of lines such as "**Started**: …" and one of front matter. A record
// without a header is read too, because its headings say everything. ParseSession is pure and never
// fails.

package prose

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"patina/belief"
	"patina/store/markdown"
)

// A Session is the record of one working session.
type Session struct {
	belief.Session
	Blocks []SessionBlock
}

// A SessionBlock is a range of lines under one heading. The first block begins with the first line.
type SessionBlock struct {
	Title       string // the heading
	First, Last int    // lines, from 1
	Line        int    // of the heading, or the one before the first
}

const (
	maxSessionText   = 16 << 20 // bytes that are read
	maxSessionBlocks = 2000
	maxValue         = 300 // bytes of a title or of a value in the header
)

// IsSession reports whether a path is a session's: layer/sessions/NAME.md.
func IsSession(p string) bool { return path.Dir(p) == "layer/sessions" && strings.HasSuffix(p, ".md") }

// A sessionReader reads one record.
type sessionReader struct {
	Session
	section string // the last heading of the second level, in lower case
	open    bool   // the last block continues
	fence   markdown.Fence
}

// ParseSession reads a record. A block that has only a heading is left out. So is the context of
// the session before, because it only repeats that one.
func ParseSession(file, text string) Session {
	r := sessionReader{Session: Session{Session: belief.Session{ID: strings.TrimSuffix(path.Base(file), ".md")}}}
	text = text[:min(len(text), maxSessionText)]
	front, body, _ := markdown.SplitFrontMatter(text)
	entries, _ := front.Entries()
	git, _ := markdown.Lookup(entries, "git")
	for _, e := range append(entries, git.Entries...) {
		r.setField(e.Key, e.Text)
	}
	n := front.Last
	for line := range strings.Lines(body) {
		n++
		r.readLine(n, strings.TrimRight(line, " \t\r\n"))
	}
	if r.Title == "" {
		r.Title = r.ID
	}
	r.Blocks = slices.DeleteFunc(r.Blocks, func(b SessionBlock) bool { return b.Last == b.Line })
	for i, b := range r.Blocks {
		r.Blocks[i].Title = cmp.Or(b.Title, r.Title)
	}
	return r.Session
}

func (r *sessionReader) readLine(n int, line string) {
	trimmed := strings.TrimSpace(line)
	place := r.fence.Step(trimmed)
	if level, heading := headingOf(line); level > 0 && place == markdown.Outside {
		r.heading(n, level, heading)
		return
	}
	if len(r.Blocks) == 0 && !r.open && strings.HasPrefix(line, "**") && r.readHeader(strings.TrimPrefix(line, "**")) {
		return
	}
	r.addText(n, trimmed)
}

// readHeader reads a line of the header, "**Key**: value", without its first two stars. It returns
// false if the line has another form.
func (r *sessionReader) readHeader(line string) bool {
	key, value, ok := strings.Cut(line, "**:")
	if ok {
		r.setField(strings.ToLower(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"'`))
	}
	return ok
}

// setField sets a value of the header, unless it has been set already.
func (r *sessionReader) setField(key, value string) {
	to := map[string]*string{
		"title": &r.Title, "created": &r.Started, "started": &r.Started, "branch": &r.Branch, "git branch": &r.Branch,
		"starting_commit": &r.Head, "starting commit": &r.Head,
	}[key]
	if to != nil && *to == "" {
		*to = cut(value)
	}
}

// previous is the beginning of the heading of the section that repeats another session.
const previous = "previous session context"

func (r *sessionReader) heading(n, level int, heading string) {
	switch {
	case level == 1:
		r.section = ""
		if title, ok := strings.CutPrefix(heading, "Session:"); ok {
			heading = strings.TrimSpace(title)
		}
		if r.Title == "" {
			r.Title = cut(heading)
		}
		if len(r.Blocks) == 0 {
			return
		}
	case level == 2:
		r.section = strings.ToLower(heading)
	case level > 3:
		r.addText(n, heading)
		return
	}
	r.open = false
	if len(r.Blocks) < maxSessionBlocks && !strings.HasPrefix(r.section, previous) {
		r.Blocks = append(r.Blocks, SessionBlock{Title: cut(heading), First: n, Line: n, Last: n})
		r.open = true
	} else {
		r.open = len(r.Blocks) == maxSessionBlocks
	}
}

// addText adds a line to the open block. Lines before the first heading are a block of their own.
func (r *sessionReader) addText(n int, line string) {
	switch {
	case line == "" || strings.HasPrefix(r.section, previous):
	case len(r.Blocks) == 0:
		r.Blocks = append(r.Blocks, SessionBlock{Title: r.Title, First: n, Line: n - 1, Last: n})
		r.open = true
	case r.open:
		r.Blocks[len(r.Blocks)-1].Last = n
	}
}

// headingOf reads "## text". A heading without a text has level 0.
func headingOf(line string) (level int, text string) {
	level, from, to := markdown.Heading(line)
	if from == to {
		return 0, ""
	}
	return level, line[from:to]
}

// cut shortens a text to at most maxValue bytes, between two characters.
func cut(s string) string {
	if len(s) <= maxValue {
		return s
	}
	return strings.ToValidUTF8(s[:maxValue], "")
}
