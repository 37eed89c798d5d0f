package parse

import (
	"maps"

	"patina/belief"
	"patina/store/doc"
)

// A Reader fills in the entries and chunks of a file from its body. If it panics, the file is read
// as plain text.
type Reader func(*doc.File)

// readersOf has the readers of kinds whose documents are not sections of Markdown or
// reStructuredText.
var readersOf = map[doc.Kind]Reader{doc.Belief: readBelief, doc.Session: readSession}

// brokenOf has functions that say why a text breaks the format of a kind. They return "" if it does
// not.
var brokenOf = map[doc.Kind]func(body []byte) string{doc.Belief: brokenBelief}

// AddReader registers the reader of a kind, and returns a function that undoes it. It must be
// called before any scrape, and not concurrently. read must not be nil.
func AddReader(k doc.Kind, read Reader) (remove func()) {
	before := maps.Clone(readersOf)
	readersOf[k] = read
	return func() { readersOf = before }
}

// A form says how the documents of a text file are read.
type form struct {
	kind     doc.Kind
	read     Reader // nil: by the file's language
	decision *belief.Belief
	trouble  Trouble
}

// formOf returns how a file's documents are read. A Malformed file has sections. An active decision
// is a belief, and any other one has sections.
func formOf(in Input) (f form) {
	defer func() {
		if recover() != nil {
			f = form{kind: doc.Pattern}
		}
	}()
	k, ok := doc.KindOfFile(in.Path)
	switch {
	case ok && Reason(in.Path, in.Text) != "":
		return form{kind: doc.Pattern, trouble: Malformed}
	case ok:
		return form{kind: k, read: readersOf[k]}
	}
	d := decisionOf(in)
	if d != nil && d.Status == belief.Active {
		return form{kind: doc.Belief, decision: d}
	}
	return form{kind: doc.Pattern, decision: d}
}

// Reason returns why a file is Malformed, or "".
func Reason(path string, body []byte) string {
	if k, ok := doc.KindOfFile(path); ok && brokenOf[k] != nil {
		return brokenOf[k](body)
	}
	return ""
}
