package deliver

import (
	"cmp"

	"patina/store"
)

// pattern prints sections of documents by their headings.
var pattern = printer{
	name: func(d store.Description) string { return place(d, cmp.Or(d.Title, d.Symbol)) },
}
