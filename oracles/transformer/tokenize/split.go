package tokenize

import (
	"fmt"
	"iter"
	"unicode"
	"unicode/utf8"
)

// runesOf returns a matcher of single characters.
func runesOf(is func(rune) bool) matcher {
	return func(text string) iter.Seq2[int, int] {
		return func(yield func(int, int) bool) {
			for i, r := range text {
				if is(r) && !yield(i, i+utf8.RuneLen(r)) {
					return
				}
			}
		}
	}
}

// wordsAndSigns finds runs of letters and digits, and runs of all other signs but spaces.
func wordsAndSigns(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		isOther := func(r rune) bool { return !isWordRune(r) && !unicode.IsSpace(r) }
		for at := 0; at < len(text); {
			n := max(runLength(text[at:], isWordRune, 0), runLength(text[at:], isOther, 0))
			if n == 0 {
				_, n = utf8.DecodeRuneInString(text[at:])
				at += n
				continue
			}
			if !yield(at, at+n) {
				return
			}
			at += n
		}
	}
}

// stretch is a part of a word: a place that was found, or the text between two.
type stretch struct {
	from, to int
	found    bool
}

// splitAt returns a preTokenizer that cuts at the places of find, or, inverted, at the rest.
// The behavior says how the places found are kept.
func splitAt(find matcher, behavior string, invert bool) (preTokenizer, error) {
	join, ok := behaviors[behavior]
	if !ok {
		return nil, fmt.Errorf("the behavior %.64q of a pre-tokenizer is not known", behavior)
	}
	return func(words []word) []word {
		var out []word
		var stretches []stretch
		for _, w := range words {
			stretches = stretches[:0]
			done := 0
			for from, to := range find(w.text) {
				if done < from {
					stretches = append(stretches, stretch{done, from, invert})
				}
				stretches = append(stretches, stretch{from, to, !invert})
				done = to
			}
			if done < len(w.text) {
				stretches = append(stretches, stretch{done, len(w.text), invert})
			}
			for _, s := range join(stretches) {
				out = append(out, word{w.text[s.from:s.to], w.atStart && s.from == 0})
			}
		}
		return out
	}, nil
}

// behaviors say how stretches become words.
var behaviors = map[string]func([]stretch) []stretch{
	"Isolated": func(s []stretch) []stretch { return s },
	"Removed": func(s []stretch) []stretch {
		kept := s[:0]
		for _, x := range s {
			if !x.found {
				kept = append(kept, x)
			}
		}
		return kept
	},
	"Contiguous":         joinIf(func(last, next bool) bool { return last == next }),
	"MergedWithPrevious": joinIf(func(last, next bool) bool { return next && !last }),
	"MergedWithNext":     joinIf(func(last, next bool) bool { return last && !next }),
}

// joinIf returns a function that joins neighbours, depending on whether the one and the next were
// found.
func joinIf(isJoined func(last, next bool) bool) func([]stretch) []stretch {
	return func(s []stretch) []stretch {
		kept := s[:0]
		for i, x := range s {
			if i > 0 && isJoined(kept[len(kept)-1].found, x.found) {
				kept[len(kept)-1] = stretch{kept[len(kept)-1].from, x.to, x.found}
				continue
			}
			kept = append(kept, x)
		}
		return kept
	}
}
