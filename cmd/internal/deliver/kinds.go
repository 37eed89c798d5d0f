package deliver

import (
	"fmt"

	"patina/actors"
	"patina/store"
)

// A printer says how documents of one kind are printed, in text and in JSON. All but name may be
// nil.
type printer struct {
	name    func(store.Description) string       // which document it is, in a line
	excerpt func(store.Description) []string     // what stands above its summary in an answer
	above   func(store.Description) []string     // what stands above its whole text
	order   func(actors.Result) string           // what ordered it, if its kind has an order of its own
	json    func(*jsonResult, store.Description) // fields of its own; nil: those of a part of a file
}

// printers holds the printer of each kind. The file of a kind adds its own.
var printers = map[store.Kind]printer{}

// printerOf returns the printer of a kind; what is of no known kind is printed as a section.
func printerOf(k store.Kind) printer {
	if p, ok := printers[k]; ok {
		return p
	}
	return printers[store.Pattern]
}

// name says which document it is.
func name(d store.Description) string { return printerOf(d.Kind).name(d) }

// excerpt is one or two lines that say what a document is about.
func excerpt(d store.Description) (lines []string) {
	if p := printerOf(d.Kind); p.excerpt != nil {
		lines = p.excerpt(d)
	}
	if d.Summary != d.Title {
		lines = append(lines, clip(d.Summary, maxLine))
	}
	return lines
}

// place is the part of a file that a document is, or its doc_id where it is in no file.
func place(d store.Description, name string) string {
	s := middle(d.DocID, maxPath)
	if d.Path != "" {
		s = middle(d.Path, maxPath)
		if d.First > 0 {
			s += fmt.Sprintf(":%d-%d", d.First, max(d.First, d.Last))
		}
	}
	if name != "" {
		s += " " + clip(name, maxName)
	}
	return s
}

// partOfFile fills in where a document stands.
func partOfFile(r *jsonResult, d store.Description) {
	r.Path, r.Symbol, r.Package, r.LineStart, r.LineEnd = d.Path, d.Symbol, d.Package, d.First, d.Last
}
