package deliver

import (
	"fmt"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A printer prints documents of one kind, in text and in JSON. Its name must be set. Other fields
// may be nil.
type printer struct {
	name    func(doc.Description) string       // the document in a line
	excerpt func(doc.Description) []string     // lines above its summary in an answer
	above   func(doc.Description) []string     // lines above its whole text
	order   func(api.Result) string            // the numbers of its kind's own order
	json    func(*jsonResult, doc.Description) // fills in its fields; nil: those of a file part
	// calls returns the next calls for a document that is not in an index. If nil, why is used.
	calls func(doc.Description, dialect.Dialect) []string
}

// printers holds the printer for each kind. The file of each kind adds its own in init.
var printers = map[doc.Kind]printer{}

// printerOf returns the printer for a kind. An unknown kind is printed like a section.
func printerOf(k doc.Kind) printer {
	if p, ok := printers[k]; ok {
		return p
	}
	return printers[doc.Pattern]
}

// name returns the document in one line.
func name(d doc.Description) string { return printerOf(d.Kind).name(d) }

// excerpt returns a few lines about a document: at most so many lines of its text, with their
// numbers, each of at most width bytes. A signature keeps its place among them.
func excerpt(d doc.Description, most, width int) []string {
	above, numbered := excerptLines(d, most, width)
	return append(above, withNumbers(numbered, width)...)
}

// excerptLines returns the parts of an excerpt: the lines without a number, then those with one.
func excerptLines(d doc.Description, most, width int) (above []string, numbered []doc.Line) {
	best := byNumber(d.Lines, most)
	if len(best) == 0 || d.Signed == 0 {
		if p := printerOf(d.Kind); p.excerpt != nil {
			above = p.excerpt(d)
		}
	}
	switch {
	case len(best) > 0 && d.Signed > 0 && d.Title != d.Symbol && d.Title != "":
		best = slices.DeleteFunc(best, func(l doc.Line) bool {
			return l.Number == d.Signed || d.Signed < l.Number && l.Number <= d.Signed+longestSignature &&
				repeats(d.Title, l.Text)
		})
		best = byNumber(append(best, doc.Line{Number: d.Signed, Text: d.Title}), most+1)
	case len(best) == 0 && d.Summary != d.Title:
		above = append(above, layout.Clip(d.Summary, width))
	case len(above) > 0:
		best = slices.DeleteFunc(best,
			func(l doc.Line) bool { return strings.TrimSpace(l.Text) == strings.TrimSpace(d.Title) })
	}
	return above, best
}

// longestSignature bounds the lines over which a signature is written.
const longestSignature = 20

// repeats reports whether text is a part of a signature that is already shown in one line.
func repeats(signature, text string) bool {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	part := strings.TrimRight(squeeze(text), "{:,")
	return part != "" && strings.Contains(squeeze(signature), part)
}

// place returns a document's path and lines, or its doc_id if it has no file.
func place(d doc.Description, name string) string {
	s := layout.OpenPath(d.DocID)
	if d.Path != "" {
		s = layout.OpenPath(d.Path)
		switch {
		case d.Line > 0:
			s += fmt.Sprintf(":%d", d.Line)
		case d.First > 0:
			s += fmt.Sprintf(":%d-%d", d.First, max(d.First, d.Last))
		}
	}
	if d.Within {
		s += " in"
	}
	if name != "" {
		s += " " + layout.Clip(name, layout.MaxName)
	}
	if d.Line > 0 && d.Last > d.First {
		s += fmt.Sprintf(" %d-%d", d.First, d.Last)
	}
	return s
}

// partOfFile fills in a document's position in its file.
func partOfFile(r *jsonResult, d doc.Description) {
	r.Path, r.Symbol, r.Package, r.LineStart, r.LineEnd = d.Path, d.Symbol, d.Package, d.First, d.Last
	r.Line = bestLine(d)
}

// bestLine returns the line at which an editor should open the document.
func bestLine(d doc.Description) int {
	if d.Line > 0 {
		return d.Line
	}
	return d.First
}
