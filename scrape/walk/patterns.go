package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"patina/scrape/openat"
)

// Git tries a pattern with several "*" in one part of a path at every way to split a name among
// them. "a*a*a*a*b" keeps it busy for minutes over names of 250 letters. Where patina itself asks,
// the cost of a pattern is bounded. Git's own files are left to git, whose time is bounded
// (git.Patience).
const (
	maxSteps    = 1e9     // of matching, some ten seconds
	maxPatterns = 1 << 20 // bytes of a file of patterns; a larger one was not written by hand
)

// A sizes describes the names of a tree: how many have a longest part of so many bytes, and the
// greatest depth.
type sizes struct {
	longest map[int]int
	depth   int
}

func sizesOf(files []File) sizes {
	s := sizes{longest: map[int]int{}}
	for _, f := range files {
		longest, start, depth := 0, 0, 1
		for i := range len(f.Path) {
			if f.Path[i] == '/' {
				longest, start, depth = max(longest, i-start), i+1, depth+1
			}
		}
		s.longest[max(longest, len(f.Path)-start)]++
		s.depth = max(s.depth, depth)
	}
	return s
}

// steps bounds what one pattern costs over all names.
func (s sizes) steps(pattern string) (sum float64) {
	stars, deep := countWildcards(pattern)
	if stars < 2 && deep < 2 {
		return 0
	}
	for longest, n := range s.longest {
		sum += float64(n) * binomial(longest, stars) * math.Pow(float64(s.depth), float64(deep))
	}
	return sum
}

// binomial is the binomial coefficient: how often k places can be chosen among n.
func binomial(n, k int) float64 {
	w := 1.0
	for i := range k {
		w *= float64(max(n-i, 1)) / float64(i+1)
	}
	return w
}

// countWildcards counts the runs of "*" in the part of a pattern that has most of them. It counts
// the parts that are "**" too.
func countWildcards(pattern string) (stars, deep int) {
	for part := range strings.SplitSeq(pattern, "/") {
		if part == "**" {
			deep++
			continue
		}
		runs := 0
		for i := range len(part) {
			if part[i] == '*' && (i == 0 || part[i-1] != '*') {
				runs++
			}
		}
		stars = max(stars, runs)
	}
	return stars, deep
}

// costly returns the numbers of lines whose pattern costs too much, from 1.
func (s sizes) costly(text []byte) (lines []int) {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; s.steps(string(bytes.TrimRight(line, "\r\n"))) > maxSteps {
			lines = append(lines, n)
		}
	}
	return lines
}

// errTooLarge says that a file of patterns has more than maxPatterns bytes.
var errTooLarge = errors.New("too large")

// readPatterns reads a file of patterns.
func readPatterns(at *openat.Folder, name string) ([]byte, error) {
	file, err := at.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Stat().Size > maxPatterns {
		return nil, errTooLarge
	}
	return io.ReadAll(io.LimitReader(file, maxPatterns))
}

// affordable returns a file of patterns without the costly ones, and notes on these.
func (s sizes) affordable(name string, text []byte) ([]byte, []string) {
	bad := s.costly(text)
	if len(bad) == 0 {
		return text, nil
	}
	var notes []string
	lines := bytes.SplitAfter(text, []byte{'\n'})
	for _, n := range bad[:min(len(bad), namedPatterns)] {
		notes = append(notes, fmt.Sprintf("line %d of %q is left out: matching %.80q takes too long (write it with fewer *)",
			n, name, bytes.TrimSpace(lines[n-1])))
	}
	for _, n := range bad {
		lines[n-1] = []byte("\n")
	}
	return bytes.Join(lines, nil), notes
}

// namedPatterns is how many patterns of a file are named.
const namedPatterns = 3
