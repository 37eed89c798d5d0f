package parse

import (
	"patina/scrape/chunk"
	"patina/store/doc"
)

// readText fills in the chunks of a file that no parser reads. They belong to the file itself.
func readText(f *doc.File, src *chunk.Source, comment []bool) {
	c := chunk.Cutter{Src: src, Comment: comment}
	f.Chunks = c.Cut(nil)
}
