package class

import (
	"bytes"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
)

// dataBytes is the size from which a file of records is data. Settings that somebody wrote are
// smaller.
const dataBytes = 64 << 10

// IsData reports whether a file is a large one of records: JSON, CSV and the like.
func IsData(l *lang.Language, text []byte) bool { return l.Records && len(text) >= dataBytes }

const (
	markedBytes = 2 << 10 // bytes searched for the marker of a generator
	noticeLines = 12      // lines searched for a looser notice
)

// Both patterns want the marker at the start of a comment line: a text about generated code is not
// generated.
var (
	generatorMarker = lazyregexp.New(`(?mi)^[\s/#*;%"'(<!-]*(?:code generated .*do not edit|(?:this file is )?(?:automatically )?@generated\b)`)
	looseNotice     = lazyregexp.New(`(?i)\bthis (?:code|file) (?:is|was) (?:automatically |auto-?)?generated\b|` +
		`\b(?:automatically|auto)[- ]?generated\b|\b(?:do not|never) edit\b`)
)

// Generated reports whether the content says that it was generated. A file is marked by its
// generator; then only its names are indexed. Or a comment in its first lines has a looser notice;
// then it is only demoted. comments marks the lines that are comments; it is called if they matter.
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
