package imports

import (
	"patina/store/doc"
	"patina/store/format"
)

// A File holds what a scrape has read of one file, by which its calls and imports are judged.
type File struct {
	Key      int64
	Path     string
	Language string
	Class    doc.Class
	Entries  []doc.Entry
	format.FileFacts
}

// Caller returns the doc_id of the entry that a call stands in, or of the file for -1.
func (f File) Caller(entry int) string {
	if entry < 0 || entry >= len(f.Entries) {
		return f.Path
	}
	return doc.SymbolID(f.Path, f.Entries[entry].Name)
}
