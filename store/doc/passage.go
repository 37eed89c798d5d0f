package doc

import (
	"strings"
	"unicode/utf8"
)

// pathParts is the number of last components that are read from a path.
const pathParts = 4

// Parts returns the parts of a passage in the order in which an embedder reads them: the last
// components of its path, its doc, and as much of its body as fits in limit bytes.
func (p Passage) Parts(limit int) (path, doc, body string) {
	path, left := ClipText(lastParts(p.Path), limit)
	doc, left = ClipText(p.Doc, left)
	body, _ = ClipText(p.Body, left)
	return path, doc, body
}

// ClipText returns at most limit bytes from the beginning of text, cut between runes, and the rest
// of the limit.
func ClipText(text string, limit int) (string, int) {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		return text[:limit], 0
	}
	return text, limit - len(text)
}

// lastParts returns the last pathParts components of a path.
func lastParts(path string) string {
	rest := path
	for range pathParts {
		at := strings.LastIndexByte(rest, '/')
		if at < 0 {
			return path
		}
		rest = rest[:at]
	}
	return path[len(rest)+1:]
}

// Quantise returns a component of a vector as a byte: x, which is VectorScale times that of the
// unit vector, rounded half away from zero and clipped to ±127.
func Quantise(x float64) int8 {
	if x < 0 {
		return int8(max(x-0.5, -127))
	}
	return int8(min(x+0.5, 127))
}
