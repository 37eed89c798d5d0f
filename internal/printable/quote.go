// This file quotes words for the shells into which people paste commands.

package printable

import (
	"strings"
)

// bare holds the bytes that every shell reads literally, except at the start of a word.
const bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,="

// ShellQuote quotes one word by POSIX rules, so that sh, dash, bash, zsh, ksh, busybox and fish
// read back the same bytes. It leaves safe words bare. Otherwise it uses single quotes, with quotes
// and backslashes outside them, because fish interprets backslashes inside.
//
// It returns "" for a word that POSIX cannot quote without raw control characters, invisible
// characters or invalid UTF-8. The caller must not print a command with such a word. The $'…' form
// could quote it, but in dash and fish the quotation would end early and the rest of the word would
// run.
func ShellQuote(word string) string {
	switch {
	case !All(word):
		return ""
	case word != "" && word[0] != '=' && strings.Trim(word, bare) == "": // zsh expands =ls
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
