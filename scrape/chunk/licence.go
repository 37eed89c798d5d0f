package chunk

import (
	"bytes"

	"patina/internal/lazyregexp"
)

// legal finds the phrases of a legal notice.
var legal = lazyregexp.New(`(?i)copyright|licen[cs]e|permission (to use|is hereby)|redistribut|all rights reserved|` +
	`without (any )?warranty|warranties|in no event|liab(le|ility)|merchantab|"as is"|spdx-`)

// noticeOf reports for each line, from 0, whether it belongs to the legal notice above a file's
// code. A notice is not searched, because every file has the same one and its words ("permission",
// "use", "modify", "action") answer no question. A notice is a paragraph of comment before the
// first line of code, up to headLines.
func noticeOf(src *Source, comment []bool) []bool {
	const headLines = 60
	out := make([]bool, src.Lines())
	var paragraph []int
	isNotice := false
	end := func() {
		for _, n := range paragraph {
			out[n] = isNotice
		}
		paragraph, isNotice = paragraph[:0], false
	}
	for n := range min(src.Lines(), headLines) {
		line := src.Line(n + 1)
		switch {
		case src.Blank(n + 1):
			end()
			continue
		case !comment[n] && !bytes.HasPrefix(line, []byte("#!")):
			end()
			return out
		case !bytes.ContainsFunc(line, isLetter):
			end() // "*" or "//" alone
			continue
		}
		paragraph = append(paragraph, n)
		isNotice = isNotice || legal().Match(line)
	}
	end()
	return out
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7f }
