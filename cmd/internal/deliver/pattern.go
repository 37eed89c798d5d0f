package deliver

import (
	"cmp"

	"patina/store"
)

// A section is named by its heading.
func init() {
	printers[store.Pattern] = printer{
		name: func(d store.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) },
	}
}
