package ground

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A style is the syntax of comments and strings in a language.
type style struct {
	line   []string // begin a comment to the end of the line
	block  [2]string
	long   []string // quotes of strings over several lines
	indent bool     // indentation has a meaning
}

var styles = map[string]style{
	"go": {[]string{"//"}, [2]string{"/*", "*/"}, []string{"`"}, false},
	"c":  {[]string{"//"}, [2]string{"/*", "*/"}, []string{"`", `"""`}, false},
	"py": {[]string{"#"}, [2]string{}, []string{`"""`, "'''"}, true},
	"sh": {[]string{"#"}, [2]string{}, nil, false},
	"ya": {[]string{"#"}, [2]string{}, nil, true},
	"ht": {nil, [2]string{"<!--", "-->"}, nil, false},
	"lu": {[]string{"--"}, [2]string{"/*", "*/"}, nil, false},
	"li": {[]string{";"}, [2]string{}, nil, false},
}

// styleOf returns a file's style by its extension. Other files have no comments.
func styleOf(name string) style {
	for key, list := range map[string]string{
		"go": "go", "py": "py pyi nim coffee", "sh": "sh bash zsh rb pl r toml mk cmake tf ex exs jl ps1",
		"ya": "yml yaml",
		"c":  "c h cc cpp cxx hpp hh cs java js jsx mjs cjs ts tsx mts rs swift kt kts scala dart php css scss less proto zig groovy m mm",
		"ht": "html htm xml md markdown vue svelte", "lu": "sql lua hs elm ada", "li": "lisp clj cljs scm el ini asm s",
	} {
		if ext := path.Ext(name); ext != "" && strings.Contains(" "+list+" ", " "+strings.ToLower(ext[1:])+" ") {
			return styles[key]
		}
	}
	return style{}
}

// eachToken calls emit with each token in a text. It skips comments, spaces, and a comma before a
// closing bracket. If indentation has a meaning, changes of depth are tokens.
func eachToken(text string, s style, emit func(string)) {
	var depths []int
	comma, nested, fresh := false, 0, true
	out := func(token string) {
		closing := token == ")" || token == "]" || token == "}"
		if comma && !closing {
			emit(",")
		}
		if comma = token == ","; !comma {
			emit(token)
		}
	}
	for at := 0; at < len(text); {
		rest := text[at:]
		if n := blankLength(rest, s); n > 0 {
			if i := strings.LastIndexByte(rest[:n], '\n'); i >= 0 {
				fresh = true
			}
			at += n
			continue
		}
		if fresh && s.indent && nested == 0 {
			depths = emitDepth(depths, indentWidth(text, at), out)
		}
		fresh = false
		n := wordLength(rest)
		if n == 0 {
			n = quotedLength(rest, s)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
			switch rest[0] {
			case '(', '[', '{':
				nested++
			case ')', ']', '}':
				nested = max(0, nested-1)
			}
		}
		out(rest[:n])
		at += n
	}
	if comma {
		emit(",")
	}
}

// blankLength returns the length of the space and comment at the start of a text.
func blankLength(s string, style style) int {
	if n := len(s) - len(strings.TrimLeft(s, " \t\r\n\f\v")); n > 0 {
		return n
	}
	for _, mark := range style.line {
		if strings.HasPrefix(s, mark) {
			if i := strings.IndexByte(s, '\n'); i >= 0 {
				return i
			}
			return len(s)
		}
	}
	if open := style.block[0]; open != "" && strings.HasPrefix(s, open) {
		if i := strings.Index(s[len(open):], style.block[1]); i >= 0 {
			return len(open) + i + len(style.block[1])
		}
		return len(s)
	}
	return 0
}

// indentWidth returns the width of the white space before a line's text.
func indentWidth(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	n := 0
	for _, c := range text[start:at] {
		if n++; c == '\t' {
			n = n/8*8 + 8
		}
	}
	return n
}

// emitDepth emits how a line's depth changes from the lines before it, for any width of a step.
func emitDepth(depths []int, depth int, emit func(string)) []int {
	for len(depths) > 0 && depths[len(depths)-1] > depth {
		depths = depths[:len(depths)-1]
		emit("\x02")
	}
	if len(depths) == 0 || depths[len(depths)-1] < depth {
		if len(depths) > 0 {
			emit("\x01")
		}
		depths = append(depths, depth)
	}
	emit("\x03")
	return depths
}

func wordLength(s string) int {
	n := strings.IndexFunc(s, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if n < 0 {
		return len(s)
	}
	return n
}

// quotedLength returns the length of the string literal at the start of s, or 0.
func quotedLength(s string, style style) int {
	for _, q := range style.long {
		if strings.HasPrefix(s, q) {
			if i := strings.Index(s[len(q):], q); i >= 0 {
				return len(q)*2 + i
			}
		}
	}
	if s[0] != '"' && s[0] != '\'' {
		return 0
	}
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}
