package deliver

import (
	"cmp"

	"patina/store/doc"
)

// A section and a block of a session are named by their heading.
func init() {
	byHeading := printer{name: func(d doc.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) }}
	printers[doc.Pattern], printers[doc.Session] = byHeading, byHeading
}
