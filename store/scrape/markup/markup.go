// Package markup finds the programs in components and pages: the scripts of Vue, Svelte, Astro and
// HTML, the expressions of their templates, and the components that their tags name.
//
// It cuts and does not parse: a part keeps its place, for all around it is spaces. Texts are
// foreign; of a broken one what was found before the break is returned. It is linear in the length
// of the text, and may be called concurrently.
package markup

import (
	"bytes"
	"slices"
	"strings"
)

// Parts are the programs of a text. Each masked text has the length and the lines of the whole.
type Parts struct {
	Scripts []Script
	// Template holds the expressions of the template, as statements; nil without any. Its language
	// is TemplateLanguage.
	Template         []byte
	TemplateLanguage string
	Calls            []Call   // components that tags name and functions that attributes name, by place
	Imports          []string // scripts by their address
	Comments         []Range  // of the markup
	Unread           []Range  // templates and scripts in languages that are not read
	// Component is the longest run of markup, which stands for the component. Its End is 0 in a page,
	// which is none.
	Component Range
}

// A Script is all scripts of one language, in a masked text.
type Script struct {
	Language string
	Text     []byte
}

// A Call is a name that the markup calls, and its place.
type Call struct {
	Name string
	At   int
}

// A Range is a part of the text, in bytes.
type Range struct{ Start, End int }

// templates maps each language to that of its template's expressions.
var templates = map[string]string{"Vue": "TypeScript", "Svelte": "TypeScript", "Astro": "TSX", "HTML": "JavaScript"}

// Knows reports whether Read finds the programs in texts of a language.
func Knows(language string) bool { return templates[language] != "" }

// Languages lists the languages that Read knows.
func Languages() []string { return []string{"Astro", "HTML", "Svelte", "Vue"} }

// Read finds the programs in a text of a language that the package Knows.
func Read(language string, text []byte) *Parts {
	s := &scanner{language: language, text: text, lower: lowerASCII(text)}
	s.out.TemplateLanguage = templates[language]
	s.scanMarkup()
	s.component()
	slices.SortStableFunc(s.out.Calls, func(a, b Call) int { return a.At - b.At })
	return &s.out
}

// A scanner reads one text from front to back.
type scanner struct {
	language string
	text     []byte
	lower    []byte // with small letters for the capitals of ASCII
	at       int
	out      Parts
	braces   bool    // an expression has no end: no other is looked for
	template Range   // of Vue, once it is asked for
	raw      []Range // that is no markup: scripts, styles, what stands before the template
}

func (s *scanner) scanMarkup() {
	if s.language == "Astro" {
		s.frontMatter()
	}
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '<':
			s.angle()
		case c == '{':
			s.mustache()
		default:
			next := bytes.IndexAny(s.text[s.at:], "<{")
			if next < 0 {
				return
			}
			s.at += next
		}
	}
}

// frontMatter reads the program between lines of three dashes at the start.
func (s *scanner) frontMatter() {
	start := len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n\ufeff"))
	if !bytes.HasPrefix(s.text[start:], []byte("---")) {
		return
	}
	end := bytes.Index(s.text[start+3:], []byte("\n---"))
	if end < 0 {
		return
	}
	end += start + 3
	s.script("TypeScript", start+3, end)
	s.at = end + len("\n---")
	s.raw = append(s.raw, Range{0, s.at})
}

// angle reads what begins with "<": a comment, a tag, or nothing.
func (s *scanner) angle() {
	rest := s.text[s.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := s.find("-->", s.at+4)
		s.out.Comments = append(s.out.Comments, Range{s.at, end})
		s.at = end
	case len(rest) > 1 && isLetter(rest[1]):
		s.tag()
	default:
		s.at++
	}
}

// find returns the place behind a mark, or the end of the text.
func (s *scanner) find(mark string, from int) int {
	from = min(from, len(s.text))
	if i := bytes.Index(s.lower[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(s.text)
}

// tag reads an opening tag, and the whole of an element whose contents are no markup.
func (s *scanner) tag() {
	start := s.at
	s.at++
	for s.at < len(s.text) && isTagPart(s.text[s.at]) {
		s.at++
	}
	name := string(s.text[start+1 : s.at])
	attributes, closed := s.attributes()
	switch element := strings.ToLower(name); {
	case element == "script", element == "style":
		end := len(s.text)
		behind := end
		if closed {
			end, behind = s.at, s.at
		} else if i := bytes.Index(s.lower[s.at:], []byte("</"+element)); i >= 0 {
			end = s.at + i
			behind = s.find(">", end)
		}
		if element == "script" {
			s.scripts(attributes, s.at, end)
		}
		s.raw = append(s.raw, Range{start, behind})
		s.at = behind
	case s.language == "Vue" && s.topLevel(start) && (element != "template" || attributes["lang"] != "" && attributes["lang"] != "html"):
		if !closed {
			s.at = s.find("</"+element, s.at) // a block of another program
		}
		if element == "template" {
			s.out.Unread = append(s.out.Unread, Range{start, s.at})
		}
		s.raw = append(s.raw, Range{start, s.at})
	default:
		if component := componentOf(s.language, name); component != "" {
			at := start + 1
			if strings.HasSuffix(name, "."+component[strings.LastIndexByte(component, '.')+1:]) {
				at += strings.LastIndexByte(name, '.') + 1
			}
			s.out.Calls = append(s.out.Calls, Call{component, at})
		}
	}
}

// topLevel reports whether a tag of Vue is that of a block, or stands between blocks: it is not
// inside of the template.
func (s *scanner) topLevel(at int) bool {
	if s.template.End == 0 {
		s.template = Range{len(s.text), len(s.text) + 1}
		if i := bytes.Index(s.lower, []byte("<template")); i >= 0 {
			s.template.Start = i
			if end := bytes.LastIndex(s.lower, []byte("</template")); end > i {
				s.template.End = end
			}
		}
	}
	return at <= s.template.Start || at >= s.template.End
}

// scripts reads the contents of a script element.
func (s *scanner) scripts(attributes map[string]string, start, end int) {
	if src := attributes["src"]; src != "" && !strings.Contains(src, "{") {
		if s.language == "HTML" && !strings.Contains(src, ":") && !strings.HasPrefix(src, ".") {
			src = "./" + strings.TrimPrefix(src, "/")
		}
		s.out.Imports = append(s.out.Imports, src)
	}
	language := languageOf(s.language, attributes["lang"], attributes["type"])
	switch kind := strings.ToLower(attributes["type"]); {
	case language != "":
		s.script(language, start, end)
	case attributes["lang"] != "", strings.Contains(kind, "template"), strings.Contains(kind, "script"):
		s.out.Unread = append(s.out.Unread, Range{start, end})
	}
}

// languageOf returns the language of a script by its attributes, "" for data and other programs.
func languageOf(host, lang, kind string) string {
	switch strings.ToLower(lang) {
	case "ts", "typescript":
		return "TypeScript"
	case "tsx", "jsx":
		return "TSX"
	case "", "js", "javascript":
	default:
		return ""
	}
	switch kind = strings.ToLower(kind); {
	case kind == "text/babel", kind == "text/jsx":
		return "TSX"
	case kind == "text/typescript", kind == "ts":
		return "TypeScript"
	case kind == "", kind == "module", kind == "async", strings.HasSuffix(kind, "javascript"), strings.HasSuffix(kind, "ecmascript"):
		if host == "Astro" {
			return "TypeScript"
		}
		return "JavaScript"
	}
	return ""
}

// script adds a part of the text to the scripts of a language.
func (s *scanner) script(language string, start, end int) {
	i := slices.IndexFunc(s.out.Scripts, func(x Script) bool { return x.Language == language })
	if i < 0 {
		i = len(s.out.Scripts)
		s.out.Scripts = append(s.out.Scripts, Script{language, masked(s.text)})
	}
	copy(s.out.Scripts[i].Text[start:end], s.text[start:end])
}

// component finds the longest run of markup.
func (s *scanner) component() {
	if s.language == "HTML" {
		return
	}
	take := func(start, end int) {
		part := s.text[start:end]
		start += len(part) - len(bytes.TrimLeft(part, " \t\r\n"))
		if end = start + len(bytes.TrimSpace(part)); end-start > s.out.Component.End-s.out.Component.Start {
			s.out.Component = Range{start, end}
		}
	}
	last := 0
	for _, r := range s.raw {
		take(last, r.Start)
		last = r.End
	}
	take(last, len(s.text))
	if s.out.Component.End == 0 && len(s.text) > 0 { // scripts alone: their first line stands for it
		start := len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
		end := len(s.text)
		if i := bytes.IndexByte(s.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		s.out.Component = Range{min(start, end), end}
	}
}

// lowerASCII returns a text with small letters for the capitals of ASCII.
func lowerASCII(text []byte) []byte {
	out := bytes.Clone(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return out
}

// masked returns spaces in place of a text, with its line breaks.
func masked(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' {
			out[i] = c
		}
	}
	return out
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isTagPart(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':' || c == '_' || c >= 0x80
}
