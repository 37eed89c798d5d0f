package lookup

import (
	"regexp/syntax"
	"strings"
	"unicode"

	"patina/store/text"
)

// innerRuns returns the runs of a literal that are whole words wherever it occurs, in lower case:
// those that do not touch its ends.
func innerRuns(literal string) (runs []string) {
	isWord := func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r) }
	inner := strings.TrimFunc(literal, isWord)
	text.Runs(inner, func(run string) { runs = append(runs, strings.ToLower(run)) })
	return runs
}

// neededRuns returns runs that every match of an expression must contain.
func neededRuns(re *syntax.Regexp) (runs []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			runs = innerRuns(string(re.Rune))
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range re.Sub {
			runs = append(runs, neededRuns(sub)...)
		}
	}
	return runs
}
