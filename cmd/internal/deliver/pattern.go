package deliver

import (
	"cmp"

	"patina/store"
)

// Sections of documents are known by their headings.
func init() {
	printers[store.Pattern] = printer{
		name: func(d store.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) },
	}
}
