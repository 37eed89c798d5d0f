// Package deliver turns an answer into what a person or an agent reads: snippets first, whole content on demand, JSON for
// programs.
//
// It promises three things whatever a repository holds. A text never exceeds its ceiling, and says what it left out; the
// query id and the channels that were not searched survive any cut. Nothing that a repository chose reaches a terminal as a
// control sequence. Every call that is printed runs as printed.
//
// One text serves two front ends; what differs between them is a Dialect. The package asks no question and writes to the
// given writer only.
package deliver

import "io"

// The ceilings of texts, in bytes; a token is 4 of them.
const (
	tokenBytes     = 4
	defaultTokens  = 900  // of an answer: under the 1,000 tokens or 4,000 bytes that it may never exceed by default
	explainTokens  = 3000 // of an answer with its arithmetic, which a person has asked for
	MinBudget      = 100  // tokens: room for the query id and the channels that were not searched
	PageBytes      = 6000 // of a page of --detail, all of it included
	maxPath        = 160  // bytes of a path in a line
	maxName        = 96   // bytes of a symbol, a heading, a subject in a line
	maxLine        = 160  // bytes of any other line of a snippet
	maxCommand     = 300  // bytes: a longer call is not printed, since half a call does not run
	maxLinks       = 3    // of a result in an answer
	maxAlso        = 3    // further symbols of a file in an answer
	maxDetailLinks = 12
	nearest        = 3 // results shown where nothing is relevant
)

// Options say how an answer is written.
type Options struct {
	Dialect Dialect
	Budget  int  // ceiling in tokens, at least MinBudget; 0: the default
	Explain bool // print the quantities of ranking
	Colour  bool // the writer is a terminal that wants colour
	Logged  bool // the query id can be looked up later
}

func (o Options) bytes() int {
	switch {
	case o.Budget > 0:
		return max(o.Budget, MinBudget) * tokenBytes
	case o.Explain:
		return explainTokens * tokenBytes
	}
	return defaultTokens * tokenBytes
}

// The styles of lines on a terminal. They are added after all counting: a ceiling counts what a reader reads.
const (
	strong = "\x1b[1m"
	faint  = "\x1b[2m"
	reset  = "\x1b[0m"
)

// A line is one line of a text, without its newline, and its style on a terminal.
type line struct {
	style, text string
}

func size(lines []line) int {
	n := 0
	for _, l := range lines {
		n += len(l.text) + 1
	}
	return n
}

// write writes lines in one call.
func write(w io.Writer, lines []line, colour bool) error {
	var b []byte
	for _, l := range lines {
		if colour && l.style != "" {
			b = append(append(append(b, l.style...), l.text...), reset...)
		} else {
			b = append(b, l.text...)
		}
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}
