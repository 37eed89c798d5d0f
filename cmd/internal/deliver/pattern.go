package deliver

import (
	"cmp"

	"patina/store"
)

// A section is named by its heading, and so is a block of a session.
func init() {
	byHeading := printer{name: func(d store.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) }}
	printers[store.Pattern], printers[store.Session] = byHeading, byHeading
}
