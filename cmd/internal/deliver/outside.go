package deliver

import (
	"fmt"
	"strings"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/store/doc"
)

// A document that is not in an index is named by its keeper, with the facts that matter in an
// answer. Memory and persona differ only in their calls.
func init() {
	printers[doc.Memory] = outsidePrinter(func(doc.Description, dialect.Dialect) []string { return nil })
	printers[doc.Persona] = outsidePrinter(func(d doc.Description, dialect dialect.Dialect) []string {
		return []string{dialect.Notes(d.Outside.Fact("domains"))}
	})
}

// noteID returns the doc_id of a note.
func noteID(m memory.Memory) string { return doc.Memory.FileID(m.ID) }

// outsidePrinter returns a printer with the given calls.
func outsidePrinter(calls func(doc.Description, dialect.Dialect) []string) printer {
	return printer{name: sourceOf, above: factsOf, json: outsideInJSON, excerpt: firstLine, calls: calls}
}

// firstLine returns a text of one line. A longer one is printed as a summary.
func firstLine(d doc.Description) []string {
	if d.Summary == d.Title {
		return []string{layout.Clip(d.Title, layout.MaxLine)}
	}
	return nil
}

// onward returns the calls that explain a document: why, unless its kind has others.
func onward(d doc.Description, dialect dialect.Dialect) []string {
	if calls := printerOf(d.Kind).calls; calls != nil && d.Outside != nil {
		return calls(d, dialect)
	}
	return []string{dialect.Why(ShownID(d))}
}

// sourceOf returns a document's keeper with its brief facts: "persona:default (2025-03-04, domains:
// go, testing)".
func sourceOf(d doc.Description) string {
	if d.Outside == nil {
		return layout.OpenPath(d.DocID)
	}
	var parts []string
	for i, f := range d.Outside.Facts {
		switch {
		case !f.Brief:
		case i == 0:
			parts = append(parts, f.Value)
		default:
			parts = append(parts, f.Name+": "+f.Value)
		}
	}
	return fmt.Sprintf("%s (%s)", layout.Clip(d.Outside.Of, layout.MaxName),
		layout.Clip(strings.Join(parts, ", "), layout.MaxName))
}

// factsOf returns a document's id and the facts that an answer leaves out.
func factsOf(d doc.Description) []string {
	lines := []string{layout.OpenPath(d.DocID)}
	if d.Outside == nil {
		return lines
	}
	for _, f := range d.Outside.Facts {
		if !f.Brief {
			lines = append(lines, layout.Clip(f.Name, layout.MaxName)+": "+layout.Clip(f.Value, layout.MaxLine))
		}
	}
	return lines
}

// A jsonOutside is a document that is not in an index, in JSON.
type jsonOutside struct {
	Of    string            `json:"of"`
	Facts map[string]string `json:"facts"`
}

func outsideInJSON(r *jsonResult, d doc.Description) {
	if d.Outside == nil {
		return
	}
	r.Outside = &jsonOutside{d.Outside.Of, map[string]string{}}
	for _, f := range d.Outside.Facts {
		r.Outside.Facts[f.Name] = f.Value
	}
	r.Via = sourceOf(d)
}
