package chunk

import "strings"

// Texts are the texts of a file's chunks, by their lines.
type Texts struct {
	src             *Source
	comment, notice []bool // for each line, from 0
}

// TextsOf returns the texts of the chunks of src. comment says for each line, from 0, whether it is
// a comment. Lines of a legal notice are in no text (licence.go).
func TextsOf(src *Source, comment []bool) *Texts {
	return &Texts{src, comment, noticeOf(src, comment)}
}

// Between returns the comment lines from first to last, and the other lines. Both lines must be
// lines of the source.
func (t *Texts) Between(first, last int) (doc, body string) {
	var d, b strings.Builder
	for n := first; n <= last; n++ {
		to := &b
		if t.comment[n-1] {
			to = &d
		}
		if t.notice[n-1] {
			continue
		}
		if to.Len() < MaxBytes {
			to.Write(t.src.Line(n))
			to.WriteByte('\n')
		}
	}
	return Truncate(d.String(), MaxBytes), Truncate(b.String(), MaxBytes)
}
