package doc

import (
	"strings"
)

// BareName returns an entry's name without the suffix that makes it unique in its file.
func BareName(s string) string {
	s, _, _ = strings.Cut(s, "#")
	return s
}

// LastName returns the part of a name that questions use: "Query" for "Engine.Query".
func LastName(s string) string {
	s = BareName(s)
	return s[strings.LastIndexByte(s, '.')+1:]
}

// SymbolName returns the name by which an entry is looked up. Settings have a mark before it,
// because names in code never mean them.
func SymbolName(e Entry) string {
	if e.Sort == Setting {
		return SettingMark + LastName(e.Name)
	}
	return LastName(e.Name)
}

// SettingMark precedes the names of settings in the table of symbols.
const SettingMark = "="
