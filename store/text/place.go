package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patina/internal/lazyregexp"
)

// Bounds on the places of a text.
const (
	maxPlaces     = 8       // the first ones are kept
	maxPlacedText = 4 << 10 // bytes of a short question that are read for places
)

// filePart matches the path of a file, without its scheme and host. A folder may be in brackets, as
// routes are.
const filePart = `(?P<p>(?:\b[A-Za-z]:[/\\])?(?:[\pL\pN_./\\@+~-]|[/\\][\[(][\w.-]+[\])])*?` +
	`(?:[\pL\pN_\])-]\.[A-Za-z][A-Za-z0-9]{0,9}|\b[A-Z]\w*file))`

// placeForms match a path with a line, as compilers, linters, logs, web pages and people write it.
// The stricter form comes first.
var placeForms = []struct {
	mark string // every such text holds it
	form func() *regexp.Regexp
}{
	// a.go:3, a.go:3:7, a.c(3,7), a.java:[3,7], a.kt: (3, 7), a.py#L3, "a.py", line 3, a.cs:line 3.
	{"", lazyregexp.New(filePart + "(?:\\?[^\\s:()]*)?(?::(?: \\()?|\\(|:\\[|#L|[\"'`]?,? (?:on |at )?line |" +
		`:(?:line|Zeile|ligne) )(?P<l>\d{1,7})\b`)},
	// line 3 of a.py.
	{"line ", lazyregexp.New(`\bline (?P<l>\d{1,7}) (?:of|in) ["'` + "`]?" + filePart + `\b`)},
}

// placesOn returns the places on a line: its frame, otherwise each path with a line number. It
// returns nil if there is none.
func placesOn(line string) (places []Frame) {
	if !strings.ContainsAny(line, "0123456789") {
		return nil
	}
	if f, ok := frameOf(line); ok && f.Path != "" && f.Line > 0 {
		return []Frame{f.Frame}
	}
	for _, p := range placeForms {
		if !strings.Contains(line, p.mark) {
			continue
		}
		re := p.form()
		for _, m := range re.FindAllStringSubmatch(line, maxPlaces) {
			f := Frame{Path: slashPath(m[re.SubexpIndex("p")])}
			f.Line, _ = strconv.Atoi(m[re.SubexpIndex("l")])
			if f.Line > 0 {
				places = append(places, f)
			}
		}
	}
	return places
}

// addPlaces collects the places on a line, up to maxPlaces.
func (m *Mentions) addPlaces(line string) {
	for _, f := range placesOn(line) {
		if len(m.Places) < maxPlaces && !slices.Contains(m.Places, f) {
			m.Places = append(m.Places, f)
		}
	}
}

// placesOf returns the places in a short question.
func placesOf(s string) []Frame {
	var m Mentions
	for line := range strings.Lines(withoutColours(s[:min(len(s), maxPlacedText)])) {
		m.addPlaces(strings.TrimRight(line, " \t\r\n"))
	}
	return m.Places
}
