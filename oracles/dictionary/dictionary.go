// Package dictionary tells which terms of code stand for a word of a question: "random" is often
// "rand" or "rng" there, and "directory" is "dir" or "path".
//
// The table is learned from comments and the code beneath them by package train
// (docs/embedder.md, "Translations"). It is pure data: no question and no index changes it.
package dictionary

import (
	_ "embed"
	"iter"
	"strconv"
	"strings"
)

// table has a line a word, sorted: its stem, and pairs of a term's stem and p(term | word) in
// thousandths, the best first.
//
//go:embed base.txt
var table string

// Of returns the terms that stand for a stem in code, the best first, each with its probability
// where a comment has the word. It yields nothing for a word that the table lacks.
func Of(stem string) iter.Seq2[string, float64] { return in(table, stem) }

// in is Of for any table.
func in(table, stem string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		fields := strings.Fields(line(table, stem))
		for i := 1; i+1 < len(fields); i += 2 {
			n, err := strconv.Atoi(fields[i+1])
			if err != nil || !yield(fields[i], float64(n)/1000) {
				return
			}
		}
	}
}

// line returns the line of a stem by binary search, or "".
func line(table, stem string) string {
	lo, hi := 0, len(table)
	for lo < hi {
		from := strings.LastIndexByte(table[lo:(lo+hi)/2], '\n') + 1 + lo
		end := len(table)
		if n := strings.IndexByte(table[from:], '\n'); n >= 0 {
			end = from + n
		}
		word, _, _ := strings.Cut(table[from:end], " ")
		switch strings.Compare(word, stem) {
		case 0:
			return table[from:end]
		case -1:
			lo = min(end+1, len(table))
		default:
			hi = from
		}
	}
	return ""
}
