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
// them. "a*a*a*a*b" keeps it busy for minutes over names of 250 letters. So the cost of the
// patterns that this package passes to git is limited. Git's own files are left to git, whose time
// is limited (git.Patience).
const (
	maxSteps    = 1e9     // of matching, some ten seconds
	maxPatterns = 1 << 20 // bytes of a file of patterns; people write no larger one by hand
)

// A sizes describes the names of a tree: how many names have a longest part of each length in
// bytes, and the greatest depth.
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

// steps returns an upper bound on the cost of matching one pattern with all names.
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

// binomial returns the binomial coefficient: the number of ways to choose k of n places.
func binomial(n, k int) float64 {
	w := 1.0
	for i := range k {
		w *= float64(max(n-i, 1)) / float64(i+1)
	}
	return w
}

// countWildcards returns the number of runs of "*" in the part of a pattern that has most of them,
// and the number of parts that are "**".
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

// costly returns the numbers of the lines whose pattern costs too much, counted from 1, or nil.
func (s sizes) costly(text []byte) (lines []int) {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; s.steps(string(bytes.TrimRight(line, "\r\n"))) > maxSteps {
			lines = append(lines, n)
		}
	}
	return lines
}

// errTooLarge is returned for a file of patterns with more than maxPatterns bytes.
var errTooLarge = errors.New("too large")

// readPatterns reads a file of patterns. It returns errTooLarge if the file is too large.
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

// affordable returns a file of patterns without the costly ones, and a note on each of the first
// namedPatterns of these. Removed lines become empty, so that line numbers stay.
func (s sizes) affordable(name string, text []byte) ([]byte, []string) {
	bad := s.costly(text)
	if len(bad) == 0 {
		return text, nil
	}
	var notes []string
	lines := bytes.SplitAfter(text, []byte{'\n'})
	for _, n := range bad[:min(len(bad), namedPatterns)] {
		notes = append(notes, fmt.Sprintf("line %d of %q is left out: "+
			"matching %.80q takes too long (write it with fewer *)",
			n, name, bytes.TrimSpace(lines[n-1])))
	}
	for _, n := range bad {
		lines[n-1] = []byte("\n")
	}
	return bytes.Join(lines, nil), notes
}

// namedPatterns is the most patterns of a file that notes name.
const namedPatterns = 3
