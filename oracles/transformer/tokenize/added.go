package tokenize

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in a text before the text is cut into words.
type addedToken struct {
	ID         int64  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LeftStrip  bool   `json:"lstrip"`
	RightStrip bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// addedTokens finds added tokens in a text. A nil one finds nothing.
type addedTokens struct {
	tokens []addedToken
	found  *trie // its values are places in tokens
}

// part is a stretch of a text, or an added token in it.
type part struct {
	text    string
	id      int64 // -1 for text
	atStart bool  // the text begins here
}

// newAddedTokens returns a finder of the tokens of which keep is true, by the spelling of each.
func newAddedTokens(all []addedToken, keep func(addedToken) bool, spelling func(string) string) (*addedTokens, error) {
	a := &addedTokens{}
	var keys []string
	var values []int32
	for _, token := range all {
		if token.Content == "" || !keep(token) {
			continue
		}
		if token.ID < 0 || token.ID > highestID {
			return nil, fmt.Errorf("the added token %.64q has the id %d", token.Content, token.ID)
		}
		key := spelling(token.Content)
		if len(key) > longestPiece {
			return nil, fmt.Errorf("the added token %.64q… has more than %d bytes", token.Content, longestPiece)
		}
		if key == "" {
			continue
		}
		keys, values = append(keys, key), append(values, int32(len(a.tokens)))
		a.tokens = append(a.tokens, token)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	a.found = newTrie(keys, values)
	return a, nil
}

// parts cuts a text at the added tokens: the leftmost first, and the longest of those that begin at
// one place.
func (a *addedTokens) parts(text string) iter.Seq[part] {
	return func(yield func(part) bool) {
		if a == nil {
			yield(part{text, -1, true})
			return
		}
		done := 0
		for at := 0; at < len(text); {
			if a.found.root[text[at]] == 0 {
				at++
				continue
			}
			value, length := a.found.longest(0, text[at:])
			if length == 0 {
				at++
				continue
			}
			token, from, to := a.tokens[value], at, at+length
			at = to
			if token.SingleWord && (endsWithWord(text[:from]) || beginsWithWord(text[to:])) {
				continue
			}
			if token.LeftStrip {
				from = done + len(strings.TrimRightFunc(text[done:from], unicode.IsSpace))
			}
			if token.RightStrip {
				to = len(text) - len(strings.TrimLeftFunc(text[to:], unicode.IsSpace))
				at = to
			}
			if done < from && !yield(part{text[done:from], -1, done == 0}) {
				return
			}
			if !yield(part{"", token.ID, false}) {
				return
			}
			done = to
		}
		if done < len(text) {
			yield(part{text[done:], -1, done == 0})
		}
	}
}

func endsWithWord(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	return n > 0 && isWordRune(r)
}

func beginsWithWord(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n > 0 && isWordRune(r)
}

// isWordRune reports whether regular expressions of Unicode count a character as \w.
func isWordRune(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}
