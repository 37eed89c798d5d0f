package store

// CommitID is the doc_id of a commit.
func CommitID(sha string) string { return "commit:" + sha[:min(12, len(sha))] }

// PatternID is the doc_id of a document's section.
func PatternID(path, section string) string { return "pattern:" + path + "#" + section }

// SymbolID is the doc_id of a symbol.
func SymbolID(path, name string) string { return path + "::" + name }
