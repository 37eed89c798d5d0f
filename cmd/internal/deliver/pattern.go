package deliver

import (
	"cmp"

	"patina/store/doc"
)

// A section is named by its heading, and so is a block of a session.
func init() {
	byHeading := printer{name: func(d doc.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) }}
	printers[doc.Pattern], printers[doc.Session] = byHeading, byHeading
}
