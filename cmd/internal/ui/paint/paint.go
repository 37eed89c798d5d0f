// Package paint colours code for pages: it marks the words of a text by their role.
//
// The rules of the languages are chroma's (third_party/web), but those of Go and Markdown, which
// chroma has only as code. A text is never changed, and whatever is in it stays text.
package paint

import (
	"html"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"

	"patina/third_party/web"
)

// longest bounds a coloured line, in bytes. A longer one is shown without colours, because rules
// may take long for it.
const longest = 4 << 10

// Lines returns each line of a text as HTML, with its words in spans of the classes k (keyword), s
// (string), c (comment), n (number), f (function), t (type), a (added), d (deleted) and h
// (heading). A language is named as in package lang. Lines are plain for an unknown language, for
// rules that fail, and after the time within. They end at line feeds alone, and bytes that are no
// UTF-8 become U+FFFD.
func Lines(language, text string, within time.Duration) []string {
	lines := strings.Split(strings.ToValidUTF8(strings.TrimSuffix(text, "\n"), "\uFFFD"), "\n")
	out := coloured(language, lines, time.Now().Add(within))
	return append(out, plain(lines[len(out):])...)
}

// coloured returns the first lines as HTML, as far as the rules and the time go.
func coloured(language string, lines []string, until time.Time) (out []string) {
	defer func() {
		if recover() != nil { // rules that cannot go on panic: they lead into a language without rules
			out = nil
		}
	}()
	lexer := lexerOf(language)
	if lexer == nil || slices.ContainsFunc(lines, func(l string) bool { return len(l) > longest }) {
		return nil
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, strings.Join(lines, "\n")+"\n")
	if err != nil {
		return nil
	}
	var b strings.Builder
	read := 0
	for t := tokens(); t != chroma.EOF && len(out) < len(lines); t = tokens() {
		if read++; read%64 == 0 && time.Now().After(until) {
			break
		}
		class := classOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				out = append(out, b.String())
				b.Reset()
			}
			writeSpan(&b, class, part)
		}
	}
	return out[:min(len(out), len(lines))]
}

// Plain returns a text as HTML, without colours.
func Plain(text string) string { return html.EscapeString(text) }

func plain(lines []string) (out []string) {
	for _, l := range lines {
		out = append(out, Plain(l))
	}
	return out
}

// writeSpan writes a part of a line.
func writeSpan(b *strings.Builder, class, text string) {
	switch {
	case text == "":
	case class == "":
		b.WriteString(html.EscapeString(text))
	default:
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(text) + `</span>`)
	}
}

// classOf returns the class of a type of tokens, or "" for ordinary text.
func classOf(t chroma.TokenType) string {
	switch t {
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameDecorator:
		return "f"
	case chroma.NameClass, chroma.NameTag, chroma.NameNamespace, chroma.KeywordType, chroma.NameBuiltin,
		chroma.NameBuiltinPseudo, chroma.NameAttribute, chroma.NameException:
		return "t"
	case chroma.GenericInserted:
		return "a"
	case chroma.GenericDeleted:
		return "d"
	case chroma.GenericHeading, chroma.GenericSubheading, chroma.GenericStrong:
		return "h"
	}
	switch t.Category() {
	case chroma.Keyword:
		return "k"
	case chroma.Comment:
		return "c"
	}
	switch t.SubCategory() {
	case chroma.LiteralString:
		return "s"
	case chroma.LiteralNumber:
		return "n"
	}
	return ""
}

// files names the rules of a language whose file is not called as the language is.
var files = map[string]string{
	"shell": "bash", "dockerfile": "docker", "json5": "json", "jupyter notebook": "json", "tsx": "typescript",
	"protocol buffers": "protocol_buffer", "vim script": "viml", "visual basic": "vb_net", "webassembly": "wat",
	"emacs lisp": "emacslisp", "f#": "fsharp", "objective-c++": "objective-c", "pascal": "objectpascal",
	"svelte": "vue", "astro": "vue", "cuda": "c++", "svg": "xml", "less": "scss", "starlark": "python",
	"assembly": "nasm",
}

// known keeps the rules that were read, by language. A language without rules has nil.
var known sync.Map

// lexerOf returns the rules of a language, or nil.
func lexerOf(language string) chroma.Lexer {
	name := strings.ToLower(language)
	if x, ok := known.Load(name); ok {
		l, _ := x.(chroma.Lexer)
		return l
	}
	l := readLexer(name)
	known.Store(name, l)
	return l
}

// readLexer returns the rules of a language, or nil for an unknown language.
func readLexer(name string) chroma.Lexer {
	file, ok := files[name]
	if !ok {
		file = strings.ReplaceAll(name, " ", "_")
	}
	return rules().Get(file)
}

// rules has the rules of all languages, because those of one may lead into another. A lexer reads
// its own when it is first used.
var rules = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	all.Register(goLexer())
	all.Register(markdownLexer())
	for _, name := range web.Languages() {
		if l, err := chroma.NewXMLLexer(web.Lexers{}, name+".xml"); err == nil {
			l.Config().Aliases = append(l.Config().Aliases, name)
			all.Register(l)
		}
	}
	return all
})
