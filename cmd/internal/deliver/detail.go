package deliver

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/code/describe"
	"patina/memory"
	"patina/store/doc"
)

// A Document is one document with its whole text.
type Document struct {
	doc.Description
	Body      string
	Diff      string                // of a commit; empty if not known
	Note      string                // about the Diff, such as why it is missing
	Reasons   []describe.Reason     // sentences that say why the code is so
	Notes     []memory.Memory       // notes of the project about it
	MoreNotes int                   // number of notes left out
	Next      func(page int) string // returns the call for another page, or "" if none can be printed
}

// Detail writes one page of a document, at most PageBytes, with the call for the next page. Pages
// count from 1, and all pages together hold the whole body. It returns an error if there is no such
// page.
func Detail(w io.Writer, d Document, page int, o Options) error {
	first := layout.Strong(fmt.Sprintf("[%s] %s", layout.Clip(d.Kind.Label(), 16), name(d.Description)))
	links := introduction(d, o.Dialect)
	above := layout.Size([]layout.Line{first})
	// Pages break at the same lines in both dialects.
	pages := paginate(d.text(), pageRoom(above+max(layout.Size(links), layout.Size(introduction(d, o.Dialect.Other())))),
		pageRoom(above))
	if page < 1 || page > len(pages) {
		return fmt.Errorf("show page %d: %s has %s", page, layout.Plain(d.DocID), layout.Count(len(pages), "page"))
	}
	lines := []layout.Line{first}
	if page == 1 {
		lines = append(lines, links...)
	}
	lines = append(lines, layout.Line{})
	for _, text := range splitLines(pages[page-1]) {
		lines = append(lines, layout.Text(text))
	}
	if page < len(pages) {
		next := fmt.Sprintf("page %d of %d", page, len(pages))
		if call := d.Next(page + 1); call != "" {
			next += ", next: " + call
		}
		lines = append(lines, layout.Line{}, layout.Faint(next))
	}
	return layout.Write(w, lines, o.Colour)
}

// splitLines returns the lines of a page, without their ends.
func splitLines(page string) []string { return strings.Split(strings.TrimSuffix(page, "\n"), "\n") }

// maxWhole bounds a document that is written whole, in bytes.
const maxWhole = 256 << 10

// Whole writes a document on one page, without calls. A text over maxWhole bytes is cut, and the
// last line says so.
func Whole(w io.Writer, d Document) error {
	text := d.text()
	if kept := layout.Head(text, maxWhole); kept != text {
		text = kept + fmt.Sprintf("\ncut: %d of %d bytes\n", len(kept), len(text))
	}
	_, err := fmt.Fprintf(w, "[%s] %s\n\n%s", layout.Clip(d.Kind.Label(), 16), name(d.Description), text)
	return err
}

// text returns the whole content as printed: the numbered lines of a file, or a commit's message
// with its diff.
func (d Document) text() string {
	if d.Path != "" {
		return numberedText(layout.Body(d.Body), max(d.First, 1))
	}
	whole := strings.TrimRight(layout.Body(d.Body), "\n") + "\n"
	if d.Diff != "" {
		whole += "\n" + layout.Body(d.Diff)
	}
	if d.Note != "" {
		whole = strings.TrimRight(whole, "\n") + "\n\n" + layout.Plain(d.Note) + "\n"
	}
	return whole
}

// numberedText puts its number before each line, counting from first.
func numberedText(text string, first int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	width := len(strconv.Itoa(first + len(lines) - 1))
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b, "%*d  %s\n", width, first+i, l)
	}
	return b.String()
}

// introduction returns the lines above the text on its first page: the document and its links.
func introduction(d Document, dialect dialect.Dialect) []layout.Line {
	var lines []layout.Line
	if above := printerOf(d.Kind).above; above != nil {
		for _, text := range above(d.Description) {
			lines = append(lines, layout.Faint(text))
		}
	}
	for _, text := range breadcrumbs(d.Description, maxDetailLinks) {
		lines = append(lines, layout.Faint(text))
	}
	lines = append(lines, notesOn(d)...)
	var calls []string
	if id := ShownID(d.Description); d.Path != "" && d.Symbol != "" && id != d.Path {
		calls = append(calls, dialect.Describe(d.Path, 1))
	}
	if linked(d.Description, "callers") {
		calls = append(calls, dialect.Assay("callers", ShownID(d.Description)))
	}
	if linked(d.Description, "imports") {
		calls = append(calls, dialect.Assay("imports", d.Path))
	}
	if linked(d.Description, "co-changes") {
		calls = append(calls, dialect.Neighbours(d.Path))
	}
	calls = append(calls, onward(d.Description, dialect)...)
	if len(d.Notes) > 0 {
		calls = append(calls, dialect.ShowNote(noteID(d.Notes[0])))
	}
	if s := layout.JoinCalls(calls); s != "" {
		lines = append(lines, layout.Faint("Dig deeper: "+s))
	}
	return lines
}

// pageRoom returns the bytes left for the body, after so many bytes above it and the line about the
// next page.
func pageRoom(above int) int {
	const below = layout.MaxCommand + 60 // the two empty lines included
	return layout.PageBytes - above - below
}

// paginate cuts a text between lines, or between runes where a line is longer than a page.
func paginate(text string, first, others int) []string {
	var pages []string
	for room := first; ; room = others {
		if len(text) <= room {
			return append(pages, text)
		}
		page := layout.Head(text, room)
		if i := strings.LastIndexByte(page, '\n'); i >= 0 {
			page = page[:i+1]
		}
		pages = append(pages, page)
		text = text[len(page):]
	}
}

// Links writes the reasons of a document, then its links, one a line, at most one page. older is
// the number of commits beyond the links. The text none is printed if there are no links.
func Links(w io.Writer, doc Document, older int, none string, o Options) error {
	d := doc.Description
	lines := []layout.Line{layout.Strong(fmt.Sprintf("[%s] %s", layout.Clip(d.Kind.Label(), 16), name(d)))}
	for _, r := range doc.Reasons {
		lines = append(lines, layout.Text(reason(r)))
	}
	for i, l := range d.Links {
		next := layout.Text(arrow(l, layout.MaxPath))
		if layout.Size(lines)+len(next.Text)+layout.MaxCommand > layout.PageBytes {
			lines = append(lines, layout.Faint(fmt.Sprintf("%d more", len(d.Links)-i+older+d.Unlinked)))
			d.Unlinked = 0
			break
		}
		lines = append(lines, next)
		if older > 0 && l.Relation == "commit" && (i+1 == len(d.Links) || d.Links[i+1].Relation != l.Relation) {
			lines = append(lines, layout.Faint(fmt.Sprintf("commits before these: %d", older)))
			older = 0
		}
	}
	if len(d.Links) == 0 {
		lines = append(lines, layout.Text(none))
	}
	if d.Unlinked > 0 {
		lines = append(lines, layout.Faint(fmt.Sprintf("%d more", d.Unlinked)))
	}
	if s := layout.JoinCalls([]string{o.Dialect.Describe(ShownID(d), 1)}); s != "" {
		lines = append(lines, layout.Faint("Dig deeper: "+s))
	}
	return layout.Write(w, lines, o.Colour)
}
