package markup

import (
	"bytes"
	"strings"

	"patina/code/lang"
	"patina/store/text"
)

// Bytes that end the name of an attribute, or a value without quotes.
var (
	endsName  = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '=': true, '>': true}
	endsValue = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '>': true}
)

// behindBlanks returns the place after blanks.
func (s *scanner) behindBlanks(at int) int {
	for at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '\t' || s.text[at] == '\n' || s.text[at] == '\r') {
		at++
	}
	return at
}

// attributes reads the attributes of a tag up to its end. plain has those with a plain value, by
// their names in small letters; it is nil unless s.keeps is set. closed reports whether the tag
// closes itself.
func (s *scanner) attributes() (plain map[string]string, closed bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '>':
			s.at++
			return plain, closed
		case c == '/':
			closed = true
			s.at++
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
			continue
		case c == '{' && s.language != "Vue" && s.language != "HTML":
			s.mustache()
			continue
		case c == '<': // the tag had no end
			return plain, false
		}
		closed = false
		start := s.at
		for s.at < len(s.text) && !endsName[s.text[s.at]] &&
			!(s.text[s.at] == '/' && s.at+1 < len(s.text) && s.text[s.at+1] == '>') {
			s.at++
		}
		name := s.text[start:min(s.at, start+200)]
		if s.at == start {
			s.at++ // a stray "="
		}
		s.callByAttribute(name, start)
		i := s.behindBlanks(s.at)
		if i >= len(s.text) || s.text[i] != '=' {
			continue
		}
		s.at = s.behindBlanks(i + 1)
		value, ok := s.value(name)
		if ok && s.keeps {
			if plain == nil {
				plain = make(map[string]string)
			}
			plain[strings.ToLower(string(name))] = string(value)
		}
	}
	return plain, closed
}

// value reads the value of an attribute. ok is true if it is plain text.
func (s *scanner) value(name []byte) (value []byte, ok bool) {
	if s.at >= len(s.text) {
		return nil, false
	}
	start, end := s.at, 0
	switch q := s.text[s.at]; {
	case q == '{' && (s.language == "Svelte" || s.language == "Astro"):
		s.braced(string(name))
		return nil, false
	case q == '"' || q == '\'' || q == '`' && s.language == "Astro":
		i := bytes.IndexByte(s.text[s.at+1:], q)
		if i < 0 {
			s.at = len(s.text)
			return nil, false
		}
		start, end = s.at+1, s.at+1+i
		s.at = end + 1
	default:
		for s.at < len(s.text) && !endsValue[s.text[s.at]] {
			s.at++
		}
		end = s.at
	}
	switch s.language {
	case "Vue":
		if len(name) > 0 && (name[0] == ':' || name[0] == '@' || name[0] == '#' ||
			bytes.HasPrefix(name, []byte("v-"))) {
			s.directive(string(name), start, end)
			return nil, false
		}
	case "Svelte":
		s.inText(start, end)
	case "HTML":
		if len(name) >= 2 && name[0]|0x20 == 'o' && name[1]|0x20 == 'n' && end > start {
			s.expression(start, end, statements)
		}
	}
	return s.text[start:end], true
}

// inText reads the expressions in a quoted value of Svelte.
func (s *scanner) inText(start, end int) {
	after := s.at
	for s.at = start; s.at < end; {
		i := bytes.IndexByte(s.text[s.at:end], '{')
		if i < 0 || s.braces {
			break
		}
		s.at += i
		s.mustache()
	}
	s.at = max(after, s.at)
}

// callByAttribute adds the functions that the name of a Svelte attribute calls: use:tooltip,
// in:fade.
func (s *scanner) callByAttribute(name []byte, start int) {
	if s.language != "Svelte" {
		return
	}
	kind, rest, ok := strings.Cut(string(name), ":")
	switch kind {
	case "use", "transition", "in", "out", "animate":
		rest, _, _ = strings.Cut(rest, "|")
		if ok && isPath(rest) {
			s.out.Calls = append(s.out.Calls, Call{rest, start + len(kind) + 1 + strings.LastIndexByte(rest, '.') + 1})
		}
	}
}

// directive reads the value of a directive of Vue.
func (s *scanner) directive(name string, start, end int) {
	switch {
	case name[0] == '#', strings.HasPrefix(name, "v-slot"): // names that the slot gives
	case name == "v-for":
		value := s.text[start:end]
		for _, word := range []string{" in ", " of ", "\tin ", "\nin ", ")in "} {
			if i := bytes.Index(value, []byte(word)); i >= 0 {
				s.expression(start+i+len(word), end, wide)
				return
			}
		}
	case name[0] == '@', strings.HasPrefix(name, "v-on"):
		if !s.handler(start, end) {
			s.expression(start, end, statements)
		}
	default:
		s.expression(start, end, wide)
	}
}

// handler adds the function that handles an event, if the value is only its name. It returns false
// otherwise.
func (s *scanner) handler(start, end int) bool {
	value := s.text[start:end]
	start += len(value) - len(bytes.TrimLeft(value, " \t\r\n"))
	name := string(bytes.TrimSpace(value))
	if !isPath(name) {
		return false
	}
	s.out.Calls = append(s.out.Calls, Call{name, start + strings.LastIndexByte(name, '.') + 1})
	return true
}

// braced reads the value {…} of an attribute.
func (s *scanner) braced(name string) {
	start := s.at + 1
	end := s.closing(start)
	if end < 0 {
		s.at++
		return
	}
	s.at = end + 1
	if event := strings.ToLower(name); strings.HasPrefix(event, "on") && s.handler(start, end) {
		return
	}
	s.expression(start, end, wide)
}

// blocks are the marks of Svelte before an expression.
var blocks = []string{
	"#if", "#each", "#await", "#key", ":else if", "@html", "@const", "@render", "@attach", "@debug",
}

// mustache reads an expression in the text, or in place of an attribute.
func (s *scanner) mustache() {
	start := s.at + 1
	switch s.language {
	case "HTML":
		s.at++
		return
	case "Vue":
		if !bytes.HasPrefix(s.text[s.at:], []byte("{{")) {
			s.at++
			return
		}
		end := bytes.Index(s.text[s.at:], []byte("}}"))
		if end < 0 {
			s.at += 2
			return
		}
		s.expression(s.at+2, s.at+end, wide)
		s.at += end + 2
		return
	}
	end := s.closing(start)
	if end < 0 {
		s.at++
		return
	}
	s.at = end + 1
	value := s.text[start:end]
	trimmed := bytes.TrimLeft(value, " \t\r\n")
	first := start + len(value) - len(trimmed)
	if s.language == "Svelte" && len(trimmed) > 0 && strings.ContainsRune("#:@/", rune(trimmed[0])) {
		s.block(trimmed, first, end)
		return
	}
	if bytes.HasPrefix(trimmed, []byte("...")) {
		s.expression(first+3, end, wide)
		return
	}
	s.expression(start, end, narrow)
}

// block reads the expression of a block of Svelte: {#if x}, {#each f(x) as y}.
func (s *scanner) block(value []byte, start, end int) {
	for _, mark := range blocks {
		rest, ok := bytes.CutPrefix(value, []byte(mark))
		if !ok || len(rest) == 0 || isLetter(rest[0]) {
			continue
		}
		start += len(mark)
		words := []string{}
		switch mark {
		case "#each":
			words = []string{" as "}
		case "#await":
			words = []string{" then ", " catch "}
		}
		for _, w := range words {
			if i := bytes.LastIndex(rest, []byte(w)); i >= 0 {
				rest, end = rest[:i], start+i
			}
		}
		s.expression(start, end, wide)
		return
	}
}

// A form is the pair of marks around an expression that make it a statement.
type form struct{ open, shut string }

var (
	narrow     = form{";", ";"}
	wide       = form{";(", ")"}
	statements = form{";{", "}"}
)

// expression adds an expression to the template. It ignores a blank one.
func (s *scanner) expression(start, end int, f form) {
	if len(bytes.TrimSpace(s.text[start:end])) == 0 {
		return
	}
	if s.out.Template == nil {
		s.out.Template = &Program{Language: lang.Named(s.language).Template}
	}
	s.out.Template.addPart(s.text, start, end, f.open, f.shut)
}

// closing returns the place of the brace that closes an expression, or -1. Braces in strings and
// comments do not count. After the first -1 it always returns -1, because the time must stay
// linear.
func (s *scanner) closing(from int) int {
	if s.braces {
		return -1
	}
	var open []byte // braces, and "`" of templates around them
	inside := func() byte {
		if len(open) == 0 {
			return 0
		}
		return open[len(open)-1]
	}
	for i := from; i < len(s.text); i++ {
		c := s.text[i]
		if inside() == '`' {
			switch {
			case c == '\\':
				i++
			case c == '`':
				open = open[:len(open)-1]
			case c == '$' && i+1 < len(s.text) && s.text[i+1] == '{':
				open = append(open, '{')
				i++
			}
			continue
		}
		switch c {
		case '{', '`':
			open = append(open, c)
		case '}':
			if len(open) == 0 {
				return i
			}
			open = open[:len(open)-1]
		case '"', '\'':
			i = s.quoted(i)
		case '/':
			if i+1 < len(s.text) && s.text[i+1] == '*' {
				i = s.find("*/", i+2) - 1
			}
		}
	}
	s.braces = true
	return -1
}

// quoted returns the place of the quote that closes the one at a place. If the line has no other,
// it returns that place, because it is an apostrophe in text.
func (s *scanner) quoted(at int) int {
	for i := at + 1; i < len(s.text) && s.text[i] != '\n'; i++ {
		switch s.text[i] {
		case '\\':
			i++
		case s.text[at]:
			return i
		}
	}
	return at
}

// isPath reports whether a text is a name, or names joined by dots.
func isPath(s string) bool {
	if s == "" || len(s) > 200 || s[0] == '.' || s[len(s)-1] == '.' || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c < 0x80 && !isLetter(byte(c)) && (c < '0' || c > '9') && c != '_' && c != '$' && c != '.'
	}) && !reserved.Has(s)
}

// reserved are values that are written like names.
var reserved = text.Set("true false null undefined this")

// elements are those of HTML and SVG that are written in one word, and those that Vue itself knows.
var elements = text.Set(`a abbr address animate animatetransform area article aside audio b base bdi bdo blockquote
	body br button canvas caption circle cite clippath code col colgroup component data datalist dd defs del desc
	details dfn dialog div dl dt ellipse em embed fieldset figcaption figure filter font footer foreignobject form g
	h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd label legend li line lineargradient
	link main map mark marker mask math menu meta meter mpath nav noscript object ol optgroup option output p param
	path pattern picture polygon polyline portal pre progress q radialgradient rect rp rt ruby s samp script search
	section select slot small source span stop strong style sub summary sup suspense svg switch symbol table tbody td
	teleport template text textarea textpath tfoot th thead time title tr track transition tspan u ul use var video
	view wbr`)

// componentOf returns the component that a tag names, or "" for an element of the page. In Vue
// <my-table> is MyTable. tag must not be empty.
func componentOf(language, tag string) string {
	if language == "HTML" || strings.Contains(tag, ":") || strings.HasSuffix(tag, ".") || len(tag) > 200 {
		return ""
	}
	switch {
	case tag[0] >= 'A' && tag[0] <= 'Z', strings.Contains(tag, "."):
		if strings.Contains(tag, "-") && language != "Vue" {
			return ""
		}
	case language != "Vue" || elements.Has(strings.ToLower(tag)):
		return ""
	}
	return Pascal(tag)
}

// Pascal joins the words of a name with capitals: MyTable of my-table.
func Pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	if !strings.Contains(name, "-") && strings.Contains(name, ".") { // motion.div
		return name
	}
	return b.String()
}
