// Package markup finds the programs in components and pages: the scripts of Vue, Svelte, Astro and
// HTML, the expressions of their templates, and the components that their tags name.
//
// It cuts and does not parse: the parts of a program are joined, and it knows their places. Texts
// may be broken, because they may come from strangers. Then the result has the parts before the
// break. The functions take time linear in the length of the text, and may be called concurrently.
package markup

import (
	"bytes"
	"slices"
	"strings"

	"patina/code/lang"
)

// Parts are the programs of a text.
type Parts struct {
	Scripts []*Program // one for each language
	// Template has the expressions of the template, as statements. It is nil without any.
	Template *Program
	Calls    []Call   // components that tags name and functions that attributes name, sorted by place
	Imports  []string // addresses of scripts
	Comments []Range  // of the markup
	Unread   []Range  // templates and scripts in languages that are not read
	// Component is the longest range of markup, which represents the component. Its End is 0 in a
	// page, because a page is no component.
	Component Range
}

// A Call is a name that the markup calls, and its place in the text.
type Call struct {
	Name string
	At   int
}

// A Range is a part of the text, in bytes.
type Range struct{ Start, End int }

// Knows reports whether Read finds the programs in texts of a language.
func Knows(language string) bool { return lang.Named(language).Template != "" }

// Languages returns the sorted names of the languages that Read knows.
func Languages() (names []string) {
	for l := range lang.All {
		if l.Template != "" {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Read returns the programs in a text. Knows must report true for the language.
func Read(language string, text []byte) *Parts {
	s := &scanner{language: language, text: text}
	s.scanMarkup()
	s.component()
	slices.SortStableFunc(s.out.Calls, func(a, b Call) int { return a.At - b.At })
	return &s.out
}

// A scanner reads one text from front to back.
type scanner struct {
	language string
	text     []byte
	at       int
	out      Parts
	keeps    bool    // keep the values of the tag's attributes
	whole    bool    // read every tag; for tests
	braces   bool    // an expression has no end, so no other is looked for
	template Range   // of Vue; its End is 0 until topLevel looks for it
	raw      []Range // no markup: scripts, styles, the front matter, other blocks
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
			next := s.nextMark()
			if next < 0 {
				return
			}
			s.at += next
		}
	}
}

// nextMark returns the distance to the next "<", or to the next "{" in languages where braces mean
// something. It returns -1 without such a mark.
func (s *scanner) nextMark() int {
	if s.language == "HTML" {
		return bytes.IndexByte(s.text[s.at:], '<')
	}
	return bytes.IndexAny(s.text[s.at:], "<{")
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

// angle reads a comment or a tag. It passes over any other "<".
func (s *scanner) angle() {
	rest := s.text[s.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := s.find("-->", s.at+4)
		s.out.Comments = append(s.out.Comments, Range{s.at, end})
		s.at = end
	case len(rest) > 1 && isLetter(rest[1]):
		if s.language != "HTML" || s.whole || !s.skipTag() {
			s.tag()
		}
	default:
		s.at++
	}
}

// skipTag passes over a tag of a page that contains no program, as most do. It returns false for
// any other tag, and does not move.
func (s *scanner) skipTag() bool {
	at := s.afterName(s.at + 1)
	if c := s.text[s.at+2 : at]; len(c) > 0 && s.text[s.at+1]|0x20 == 's' && (c[0]|0x20 == 'c' || c[0]|0x20 == 't') {
		return false // script, style
	}
	for at < len(s.text) {
		switch c := s.text[at]; {
		case c == '>':
			s.at = at + 1
			return true
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			at++
		case c == '/' && at+1 < len(s.text) && s.text[at+1] == '>':
			at++
		case tagPart[c] && c|0x20 != 'o': // no handler
			if at = s.skipAttribute(at); at < 0 {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// skipAttribute returns the place after an attribute, or -1 if it is not written in the usual way.
func (s *scanner) skipAttribute(at int) int {
	at = s.afterName(at)
	if at+1 >= len(s.text) {
		return -1
	}
	switch s.text[at] {
	case ' ', '\n', '>':
		return at
	case '=':
		if quote := s.text[at+1]; quote == '"' || quote == '\'' {
			if end := bytes.IndexByte(s.text[at+2:], quote); end >= 0 {
				return at + 2 + end + 1
			}
		}
	}
	return -1
}

// afterName returns the place after a name.
func (s *scanner) afterName(at int) int {
	for at < len(s.text) && tagPart[s.text[at]] {
		at++
	}
	return at
}

// find returns the place after a mark, or the end of the text.
func (s *scanner) find(mark string, from int) int {
	from = min(from, len(s.text))
	if i := bytes.Index(s.text[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(s.text)
}

// closingTag returns where the closing tag of an element begins, in letters of any case, or the end
// of the text.
func (s *scanner) closingTag(element string, from int) int {
	for from < len(s.text) {
		i := bytes.Index(s.text[from:], []byte("</"))
		if i < 0 {
			break
		}
		from += i
		name := s.text[from+2 : min(len(s.text), from+2+len(element))]
		if strings.EqualFold(string(name), element) {
			return from
		}
		from += 2
	}
	return len(s.text)
}

// tag reads an opening tag, and the whole of an element whose contents are no markup.
func (s *scanner) tag() {
	start := s.at
	s.at = s.afterName(start + 1)
	name := s.text[start+1 : s.at]
	s.keeps = s.language == "Vue" || isWord(name, "script")
	attributes, closed := s.attributes()
	if s.language == "HTML" && !isWord(name, "script") && !isWord(name, "style") {
		return
	}
	switch element := strings.ToLower(string(name)); {
	case element == "script", element == "style":
		end, behind := s.at, s.at
		if !closed {
			end = s.closingTag(element, s.at)
			behind = s.find(">", end)
		}
		if element == "script" {
			s.scripts(attributes, s.at, end)
		}
		s.raw = append(s.raw, Range{start, behind})
		s.at = behind
	case s.language == "Vue" && s.topLevel(start) && (element != "template" ||
		attributes["lang"] != "" && attributes["lang"] != "html"):
		if !closed {
			// A block of another program.
			s.at = min(len(s.text), s.closingTag(element, s.at)+len("</")+len(element))
		}
		if element == "template" {
			s.out.Unread = append(s.out.Unread, Range{start, s.at})
		}
		s.raw = append(s.raw, Range{start, s.at})
	default:
		if component := componentOf(s.language, string(name)); component != "" {
			at := start + 1
			if strings.HasSuffix(string(name), "."+component[strings.LastIndexByte(component, '.')+1:]) {
				at += bytes.LastIndexByte(name, '.') + 1
			}
			s.out.Calls = append(s.out.Calls, Call{component, at})
		}
	}
}

// topLevel reports whether a tag of Vue begins a block or is between blocks, so that it is not
// inside the template.
func (s *scanner) topLevel(at int) bool {
	if s.template.End == 0 {
		s.template = Range{len(s.text), len(s.text) + 1}
		lower := lowerASCII(s.text)
		if i := bytes.Index(lower, []byte("<template")); i >= 0 {
			s.template.Start = i
			if end := bytes.LastIndex(lower, []byte("</template")); end > i {
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

// languageOf returns the language of a script by its attributes, or "" for data and other programs.
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
	case kind == "", kind == "module", kind == "async", strings.HasSuffix(kind, "javascript"),
		strings.HasSuffix(kind, "ecmascript"):
		if host == "Astro" {
			return "TypeScript"
		}
		return "JavaScript"
	}
	return ""
}

// script adds a part of the text to the scripts of a language.
func (s *scanner) script(language string, start, end int) {
	i := slices.IndexFunc(s.out.Scripts, func(p *Program) bool { return p.Language == language })
	if i < 0 {
		i = len(s.out.Scripts)
		s.out.Scripts = append(s.out.Scripts, &Program{Language: language})
	}
	s.out.Scripts[i].addPart(s.text, start, end, "", "")
}

// component finds the longest range of markup.
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
	if s.out.Component.End == 0 && len(s.text) > 0 { // scripts alone: their first line represents it
		start := len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
		end := len(s.text)
		if i := bytes.IndexByte(s.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		s.out.Component = Range{min(start, end), end}
	}
}

// lowerASCII returns a text in which the capital letters of ASCII are small.
func lowerASCII(text []byte) []byte {
	out := bytes.Clone(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return out
}

// isWord reports whether a name is a word, in letters of any case.
func isWord(name []byte, word string) bool {
	return len(name) == len(word) && strings.EqualFold(string(name), word)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tagPart contains the bytes of the names of tags, and of most attributes.
var tagPart = func() (is [256]bool) {
	for i := range is {
		c := byte(i)
		is[i] = isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':' || c == '_' || c >= 0x80
	}
	return is
}()
