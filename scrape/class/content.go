package class

import (
	"bytes"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
)

// dataBytes is the size from which a file of records is data. Settings written by hand are smaller.
const dataBytes = 64 << 10

// IsData reports whether a file is a large file of records: JSON, CSV and the like. l must not be
// nil.
func IsData(l *lang.Language, text []byte) bool { return l.Records && len(text) >= dataBytes }

const (
	markedBytes = 2 << 10 // bytes searched for the marker of a generator
	noticeLines = 12      // lines searched for a looser notice
)

// Both patterns need the marker at the start of a comment line, because a text about generated code
// is not generated.
var (
	generatorMarker = lazyregexp.New(`(?mi)^[\s/#*;%"'(<!-]*(?:code generated .*do not edit` +
		`|(?:this file is )?(?:automatically )?@generated\b)`)
	looseNotice = lazyregexp.New(`(?i)\bthis (?:code|file) (?:is|was) (?:automatically |auto-?)?generated\b|` +
		`\b(?:automatically|auto)[- ]?generated\b|\b(?:do not|never) edit\b`)
)

// Generated reports whether the content says that it was generated. marked is true if a generator
// has marked the file; then only its names are indexed. noticed is also true if a comment in the
// first lines has a looser notice; then the file only ranks lower. comments must return whether
// each line is a comment. It is called only if needed.
func Generated(src *chunk.Source, comments func() []bool) (marked, noticed bool) {
	head := src.Text[:min(len(src.Text), markedBytes)]
	lower := bytes.ToLower(head)
	if !bytes.Contains(lower, []byte("generated")) && !bytes.Contains(lower, []byte(" edit")) {
		return false, false
	}
	if generatorMarker().Match(head) {
		return true, true
	}
	for i := 1; i <= min(src.Lines(), noticeLines); i++ {
		if line := src.Line(i); len(line) <= markedBytes && looseNotice().Match(line) && comments()[i-1] {
			return false, true
		}
	}
	return false, false
}
