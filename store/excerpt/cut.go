package excerpt

import (
	"strings"
	"unicode/utf8"

	"patina/store/text"
)

// Width is the number of bytes of a line that are shown. Few lines of code are longer; in a
// document, one line may be a paragraph.
const Width = 160

const ellipsis = "…"

// Cut returns a line without the white space at its end. Of a line longer than Width it returns the
// part with the weightiest words.
func (w *Words) Cut(line string) string {
	line = strings.TrimRight(line, " \t\r")
	if len(line) <= Width {
		return line
	}
	from := w.heaviest(line[:min(len(line), longestRead)])
	if from == 0 {
		return firstBytes(line, Width-len(ellipsis)) + ellipsis
	}
	for !utf8.RuneStart(line[from]) {
		from++
	}
	rest := ellipsis + line[from:]
	if len(rest) <= Width {
		return rest
	}
	return firstBytes(rest, Width-len(ellipsis)) + ellipsis
}

// longestRead is the number of bytes of a long line that are searched.
const longestRead = 8000

// heaviest returns the start of the part of a long line whose terms have the greatest weight
// together, of equal ones the first. If a sentence or clause begins near it, that is the start.
func (w *Words) heaviest(line string) int {
	type place struct {
		at  int
		set uint64
	}
	var found []place
	behind := 0 // where the search for the next run begins
	text.Runs(line, func(run string) {
		at := strings.Index(line[behind:], run)
		if at < 0 {
			return
		}
		at += behind
		if set := w.termsOf(run); set != 0 {
			found = append(found, place{at, set})
		}
		behind = at + len(run)
		// Neighbouring pairs in a script without spaces share a character.
		if _, last := utf8.DecodeLastRuneInString(run); last > 1 && len(run) > last {
			behind -= last
		}
	})
	best, from := 0.0, 0
	for i, p := range found {
		var set uint64
		for _, next := range found[i:] {
			if next.at > p.at+Width*3/4 {
				break
			}
			set |= next.set
		}
		if x := w.weigh(set); x > best {
			best, from = x, p.at
		}
	}
	if from+Width*3/4 <= Width { // all of it fits from the beginning
		return 0
	}
	begin := max(0, from-Width/4)
	if i := strings.LastIndexAny(line[begin:from], ".;:!?,"); i >= 0 {
		begin += i + 1
	}
	for begin < from && line[begin] == ' ' {
		begin++
	}
	return begin
}

// firstBytes returns at most n bytes from the start of s, in whole runes. s must be longer than n.
func firstBytes(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
