package scrape

import "patina/store"

// readText fills in the chunks of a file that no parser reads: runs of lines that belong to the file itself.
func readText(f *store.File, src *source, comment []bool) {
	c := cutter{src: src, comment: comment}
	f.Chunks = c.cut(nil)
}
