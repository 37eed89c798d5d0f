package deliver

import (
	"fmt"

	"patina/actors"
	"patina/store"
)

// Files of code are known by the symbol that they show.
func init() {
	printers[store.Code] = printer{
		name:    func(d store.Description) string { return place(d, d.Symbol) },
		excerpt: signature,
		order:   blended,
	}
}

// signature is what a symbol looks like where it is defined.
func signature(d store.Description) []string {
	if d.Title == d.Symbol {
		return nil
	}
	return []string{clip(d.Title, maxLine)}
}

// blended is what ordered a file among files (ranking.md E). A long text has other names than a
// short one: of J and C it has none.
func blended(r actors.Result) string {
	e := r.Evidence
	names := fmt.Sprintf("stem J %.0f  coverage C %.2f  symbol X %.2f", e.Stem, e.Coverage, e.Symbol)
	if e.Paths+e.Frames+e.Names+e.Messages > 0 {
		names = fmt.Sprintf("paths P %.2f  frames F %.2f  names N %.2f  messages M %.2f", e.Paths, e.Frames, e.Names, e.Messages)
	}
	return fmt.Sprintf("demotion D %.2f  %s  blended %.3f", e.Demotion, names, r.Blended)
}
