// Package shell quotes words for the shells into which people paste commands.
package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bare are bytes that every shell reads literally, except at the start of a word.
const bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,="

// Quote quotes one word by POSIX rules alone: sh, dash, bash, zsh, ksh, busybox and fish read back
// the same bytes. It leaves safe words bare. Otherwise it uses single quotes, with quotes and
// backslashes outside them, because fish reads backslashes inside.
//
// It returns "" for a word POSIX cannot quote without raw control characters, invisible ones
// or invalid UTF-8: do not print such a command. The $'…' form could, but in dash and fish it ends
// early, and the rest of the word runs.
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

// printable reports whether a terminal shows every rune as it is: no control character, no change
// of direction, nothing invisible, no invalid UTF-8.
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
