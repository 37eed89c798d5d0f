package parse

import (
	"patina/scrape/chunk"
	"patina/store"
)

// readText fills in the chunks of a file that no parser reads. They belong to the file itself.
func readText(f *store.File, src *chunk.Source, comment []bool) {
	c := chunk.Cutter{Src: src, Comment: comment}
	f.Chunks = c.Cut(nil)
}
