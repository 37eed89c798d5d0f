package text

import (
	"bytes"
	"slices"
)

const (
	shingleLines = 3  // lines of a shingle
	shingleLine  = 4  // bytes of the shortest line that counts
	shingleOneIn = 32 // of so many shingles, one is kept
)

// Shingles returns a sample of the hashes of all three successive lines of a text, in order and
// each once. Spaces around lines, and lines of at most three bytes, do not count. What is sampled
// depends on the lines alone, so that lines copied elsewhere are sampled there too.
func Shingles(body []byte) []uint32 {
	var out []uint32
	var before [shingleLines - 1]uint64 // hashes of the lines before, the oldest first
	counted := 0
	for len(body) > 0 {
		var line []byte
		line, body, _ = bytes.Cut(body, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) < shingleLine {
			continue
		}
		h := uint64(14695981039346656037) // FNV-1a
		for _, c := range line {
			h = (h ^ uint64(c)) * 1099511628211
		}
		s := h
		for _, b := range before {
			s = s*0x9e3779b97f4a7c15 + b
		}
		copy(before[:], before[1:])
		before[len(before)-1] = h
		if counted++; counted < shingleLines {
			continue
		}
		s = (s ^ s>>29) * 0xbf58476d1ce4e5b9
		if s ^= s >> 32; s%shingleOneIn == 0 {
			out = append(out, uint32(s>>32))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
