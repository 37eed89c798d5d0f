package deliver

import (
	"fmt"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A code file is named by the symbol it shows.
func init() {
	printers[doc.Code] = printer{
		name:    func(d doc.Description) string { return place(d, d.Symbol) },
		excerpt: signature,
		order:   blended,
	}
}

// signature returns a symbol's declaration, unless it is the bare name.
func signature(d doc.Description) []string {
	if d.Title == d.Symbol {
		return nil
	}
	return []string{layout.Clip(d.Title, layout.MaxLine)}
}

// blended returns the numbers that ordered a file among files: docs/ranking.md, "The list of code".
// A long question has P, F, N and M in place of J and C: "Long texts" there.
func blended(r api.Result) string {
	e := r.Evidence
	names := fmt.Sprintf("stem J %.0f  coverage C %.2f  symbol X %.2f", e.Stem, e.Coverage, e.Symbol)
	if e.Paths+e.Frames+e.Names+e.Messages > 0 {
		names = fmt.Sprintf("paths P %.2f  frames F %.2f  names N %.2f  messages M %.2f", e.Paths, e.Frames, e.Names,
			e.Messages)
	}
	if e.Passage > 0 {
		names += fmt.Sprintf("  passage %.2f", e.Passage)
	}
	return fmt.Sprintf("demotion D %.2f  %s  blended %.3f", e.Demotion, names, r.Blended)
}
