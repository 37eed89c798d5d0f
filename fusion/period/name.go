package period

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// noNames are words that follow "by" in questions about code and that are seldom or never first
// names or logins.
var noNames = newWordSet(`default name names value values hand design id ids key keys line lines page pages mark
	grant art will may bill type types kind kinds index user users author authors date dates time now me you us him
	her them it itself hash path paths reference ref refs copy using means way accident mistake month year week day
	hour number numbers size order position class package module field fields column columns row rows tag tags
	version versions level priority prefix suffix pattern token tokens word words character characters char chars
	bytes byte bit bits call calls convention contract definition example far nature side step steps default's the a
	an this that these those each every all any some which what who whom whose one two three product group groups
	parent parents child children owner owners admin root system server client request response method function
	functions thread process team project company hashing sorting adding removing changing setting passing calling
	making writing reading running compile compiler python rust ruby java go swift dart julia crystal perl lua
	haskell elixir scala kotlin clippy lint linter ci bot`)

// isName reports whether a token may be part of a name.
func isName(t token) bool {
	if t.quoted || after()[t.lower] || noWay()[t.lower] || strings.Trim(t.text, "0123456789") == "" {
		return false
	}
	if strings.Count(t.text, "@") > 1 || utf8.RuneCountInString(t.text) < 2 || strings.Contains(t.text, "://") {
		return false
	}
	for _, r := range t.text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_'’@+", r) {
			return false
		}
	}
	return true
}

// noWay holds words that end a name.
var noWay = newWordSet("last this yesterday today recently lately during between within back here there ago")

// likelyName reports whether a single word may be a name. It must not be a common word of code.
func likelyName(word string) bool {
	lower := strings.ToLower(word)
	return !noNames()[lower] && utf8.RuneCountInString(word) >= 3 && !changeNouns()[lower] && !changeVerbs()[lower] &&
		isName(token{text: word, lower: lower})
}

// isInitials reports whether a word is two capitals, because some people commit under their
// initials.
func isInitials(word string) bool {
	return len(word) == 2 && word[0] >= 'A' && word[0] <= 'Z' && word[1] >= 'A' && word[1] <= 'Z' &&
		!noNames()[strings.ToLower(word)]
}

// isCapital reports whether each word of a name begins with a capital. It returns false for an
// empty name.
func isCapital(name string) bool {
	for w := range strings.FieldsSeq(name) {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) {
			return false
		}
	}
	return name != ""
}

// Is reports whether an author has each word of a name as a word of the author's name or of the
// local part of the address, in any case. A name with "@" must be part of the address. An empty
// name matches nobody.
func Is(author, email, name string) bool {
	author, email, name = strings.ToLower(author), strings.ToLower(email), strings.ToLower(name)
	if strings.Contains(name, "@") {
		return strings.Contains(email, name)
	}
	local, _, _ := strings.Cut(email, "@")
	if local == name || author == name {
		return true
	}
	words := map[string]bool{}
	for _, s := range []string{author, local} {
		for _, w := range strings.FieldsFunc(s, separatesWords) {
			words[w] = true
		}
	}
	parts := strings.FieldsFunc(name, separatesWords)
	for _, w := range parts {
		if !words[w] {
			return false
		}
	}
	return len(parts) > 0
}

// separatesWords reports whether a rune separates the words of a name.
func separatesWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Matches reports whether an author fits the value of --author: it must be a part of "name
// <address>", in any case. An empty value fits every author.
func Matches(author, email, part string) bool {
	return strings.Contains(strings.ToLower(author+" <"+email+">"), strings.ToLower(strings.TrimSpace(part)))
}
