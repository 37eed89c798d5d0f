package imports

import (
	"patina/store/doc"
	"patina/store/format"
)

// A File has the facts about one file that are needed to resolve its calls and imports.
type File struct {
	Key      int64
	Path     string
	Language string
	Class    doc.Class
	Entries  []doc.Entry
	format.FileFacts
}

// Caller returns the doc_id of the entry that contains a call, or of the file if entry is -1.
func (f File) Caller(entry int) string {
	if entry < 0 || entry >= len(f.Entries) {
		return f.Path
	}
	return doc.SymbolID(f.Path, f.Entries[entry].Name)
}
