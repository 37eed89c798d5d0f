package train

import (
	"bytes"
	"hash/maphash"
)

// windowLines is the number of consecutive lines, without blank ones, that two texts must not
// share. Fewer lines are shared by chance.
const windowLines = 8

// Windows holds every run of eight lines in some texts. Lines are trimmed and blank lines dropped,
// so that a copy with other indentation is found.
type Windows struct {
	seed  maphash.Seed
	known map[uint64]struct{}
}

// NewWindows returns an empty set.
func NewWindows() *Windows { return &Windows{maphash.MakeSeed(), map[uint64]struct{}{}} }

// anyText reports whether a file is small enough to be a text.
func anyText(_ string, size int64) bool { return size <= 4*mostBytes }

// AddFolder adds all texts below a folder.
func (w *Windows) AddFolder(root string) error {
	files, err := below(root, anyText)
	for _, f := range files {
		w.Add(f.text)
	}
	return err
}

// Add adds the windows of a text. It ignores binary files.
func (w *Windows) Add(text []byte) {
	if isText(text) {
		w.each(text, func(window uint64, _, _ int) { w.known[window] = struct{}{} })
	}
}

// Shared marks the lines of a text, from 0, that are in a known window. It returns nil if no line
// is.
func (w *Windows) Shared(text []byte) []bool {
	if len(w.known) == 0 {
		return nil
	}
	var marked []bool
	w.each(text, func(window uint64, first, last int) {
		if _, ok := w.known[window]; !ok {
			return
		}
		if marked == nil {
			marked = make([]bool, 1+bytes.Count(text, []byte{'\n'}))
		}
		for n := first; n <= last; n++ {
			marked[n] = true
		}
	})
	return marked
}

// each calls f with the hash of every window and its first and last line.
func (w *Windows) each(text []byte, f func(window uint64, first, last int)) {
	var hashes [windowLines]uint64
	var lines [windowLines]int
	n, seen := 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			hashes[seen%windowLines], lines[seen%windowLines] = maphash.Bytes(w.seed, line), n
			seen++
			if seen >= windowLines {
				window := uint64(0)
				for k := range windowLines {
					window = (window ^ hashes[(seen+k)%windowLines]) * 0x9e3779b97f4a7c15
					window ^= window >> 29
				}
				f(window, lines[seen%windowLines], n)
			}
		}
		n++
	}
}
