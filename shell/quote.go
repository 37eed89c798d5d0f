// Package shell spells words for the shells that people paste commands into.
package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bare are the bytes that no shell reads as anything but themselves, wherever they stand in a word
// but at its beginning.
const bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,="

// Quote spells one word by the rules of POSIX alone, so that sh, dash, bash, zsh, ksh, busybox and
// fish read back the same bytes: bare where that is safe, else between single quotes, with quotes
// and backslashes outside of them (fish reads backslashes inside).
//
// It is empty for a word that POSIX cannot spell without raw control characters, invisible ones or
// bytes that are no UTF-8: such a command is not printed. The $'…' form would spell them, but in
// dash and fish it ends early, and the rest of the word runs.
func Quote(word string) string {
	switch {
	case !printable(word):
		return ""
	case word != "" && word[0] != '=' && strings.Trim(word, bare) == "": // zsh: =ls is a path
		return word
	}
	var b strings.Builder
	open := false
	toggle := func(to bool) {
		if open != to {
			b.WriteByte('\'')
			open = to
		}
	}
	for _, c := range []byte(word) {
		if c == '\'' || c == '\\' {
			toggle(false)
			b.WriteByte('\\')
		} else {
			toggle(true)
		}
		b.WriteByte(c)
	}
	if toggle(false); word == "" {
		return "''"
	}
	return b.String()
}

// printable reports whether a terminal shows every rune of a word as it is: no control character,
// no change of direction, nothing invisible, no byte that is not UTF-8.
func printable(word string) bool {
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' {
			return false
		}
		i += n
	}
	return true
}
