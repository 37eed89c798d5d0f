package parse

import (
	"maps"

	"patina/belief"
	"patina/store/doc"
)

// A Reader fills in the entries and chunks of a file from its body. It may panic on foreign bytes:
// the file is then read as plain text.
type Reader func(*doc.File)

// readersOf holds the readers of kinds whose documents are not sections of Markdown or
// reStructuredText.
var readersOf = map[doc.Kind]Reader{doc.Belief: readBelief, doc.Session: readSession}

// brokenOf says why a text breaks the format of a kind, or returns "".
var brokenOf = map[doc.Kind]func(body []byte) string{doc.Belief: brokenBelief}

// AddReader makes the reader of a kind known, and returns what makes it unknown again. It is called
// before any scrape.
func AddReader(k doc.Kind, read Reader) (remove func()) {
	before := maps.Clone(readersOf)
	readersOf[k] = read
	return func() { readersOf = before }
}

// A form is how the documents of a text file are read.
type form struct {
	kind     doc.Kind
	read     Reader // nil: by the file's language
	decision *belief.Belief
	trouble  Trouble
}

// formOf returns how a file's documents are read. A Malformed file has sections. A decision that
// holds is a belief; another one has sections.
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

// Reason says why a file is Malformed, or returns "".
func Reason(path string, body []byte) string {
	if k, ok := doc.KindOfFile(path); ok && brokenOf[k] != nil {
		return brokenOf[k](body)
	}
	return ""
}
