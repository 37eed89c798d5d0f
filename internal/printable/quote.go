// This file quotes words for the shells into which people paste commands.

package printable

import (
	"strings"
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
func ShellQuote(word string) string {
	switch {
	case !All(word):
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
