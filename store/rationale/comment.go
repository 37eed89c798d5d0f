package rationale

import (
	"strings"

	"patina/store/scrape/prose"
	"patina/store/text"
)

// A Sentence is an explanation in a file, with its lines from 1.
type Sentence struct {
	Text        string
	First, Last int
}

// The limits of one search.
const (
	maxLines    = 3_000 // that are looked at
	maxLine     = 1_000 // bytes; a longer one is no comment
	maxComments = 100   // that are read
	maxFound    = 50
)

// InComments returns the sentences in which the comments among some lines say why. first is the
// number of the first line. Only comments on lines of their own count. documents reports whether a
// line belongs to the documentation of a definition: that says what, for users. In which files to
// look, by kind and class, is for the caller to say.
func InComments(language string, lines []string, first int, documents func(line int) bool) (found []Sentence) {
	read := 0
	lines = lines[:min(len(lines), maxLines)]
	for i := 0; i < len(lines) && read < maxComments && len(found) < maxFound; {
		texts, n := comment(language, lines[i:])
		if n == 0 {
			i++
			continue
		}
		block := strings.Join(texts, "\n")
		if texts != nil && may(block) && !isLegal(block) && !documents(first+i) {
			read++
			for _, s := range sentences(texts) {
				s.First, s.Last = s.First+first+i-1, s.Last+first+i-1
				found = append(found, s)
			}
		}
		i += n
	}
	return found[:min(len(found), maxFound)]
}

// sentences finds the explanations in the lines of a comment.
func sentences(texts []string) (found []Sentence) {
	for _, b := range prose.Read(prose.Markdown, []byte(strings.Join(texts, "\n"))).Blocks {
		if b.Kind != prose.Paragraph && b.Kind != prose.Item {
			continue
		}
		for _, s := range b.Sentences() {
			if ofComment(s.Text) {
				found = append(found, Sentence{s.Text, s.First, s.Last})
			}
		}
	}
	return found
}

var (
	legal  = text.Lazy(`(?i)copyright|licen[sc]e|spdx-|all rights reserved|warranty`)
	wishes = text.Lazy(`(?i)^\W*(?:todo|fixme|xxx|tbd)\b|\bone day\b|\bin the future\b`)
)

// isLegal reports whether a comment is a licence.
func isLegal(block string) bool {
	return holdsAny(block, "copyright", "licen", "spdx-", "all rights", "warranty") && legal().MatchString(block)
}

// ofComment is the rule for comments: an alternative or a constraint, and a cause or what leads to
// one.
func ofComment(s string) bool {
	return sized(s, minCommentWords) && !strings.HasSuffix(s, "?") && may(s) && !wishes().MatchString(s) &&
		(caused(s) || reference().MatchString(s)) && (alternative().MatchString(s) || constraint().MatchString(s))
}

// comment returns the texts of the comment with which some lines begin, and its number of lines: 0
// where they begin with something else. The texts are nil for documentation and directives.
func comment(language string, lines []string) (texts []string, n int) {
	mark := marks[language]
	if mark == "" {
		mark = "//"
	}
	bare := strings.TrimSpace(lines[0])
	if mark == "//" && strings.HasPrefix(bare, "/*") {
		return starred(lines)
	}
	isDoc := false
	for n < len(lines) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(lines[n]), mark)
		if !ok || len(lines[n]) > maxLine || directive(rest) {
			break
		}
		isDoc = isDoc || mark == "//" && rest != "" && (rest[0] == '/' && strings.Trim(rest, "/") != "" || rest[0] == '!')
		texts = append(texts, strings.TrimPrefix(strings.TrimLeft(rest, mark[:1]), " "))
		n++
	}
	if isDoc {
		texts = nil
	}
	return texts, n
}

// directive reports whether the text behind a mark is for a program: "//go:embed", "#include".
func directive(rest string) bool {
	return strings.HasPrefix(rest, "!") && strings.Contains(rest, "/bin/") || strings.HasPrefix(rest, "go:") || strings.HasPrefix(rest, "include") ||
		strings.HasPrefix(rest, "define") || strings.HasPrefix(rest, "pragma") || strings.HasPrefix(rest, " type:") || strings.HasPrefix(rest, " noqa")
}

// starred reads a comment "/* … */" on lines of its own.
func starred(lines []string) (texts []string, n int) {
	isDoc := false
	for ; n < len(lines); n++ {
		bare := strings.TrimSpace(lines[n])
		if n == 0 {
			isDoc = strings.HasPrefix(bare, "/**") && !strings.HasPrefix(bare, "/***") && bare != "/**/" || strings.HasPrefix(bare, "/*!")
			bare = bare[2:]
		}
		before, after, closed := strings.Cut(bare, "*/")
		if closed && strings.TrimSpace(after) != "" { // code behind it
			return nil, n + 1
		}
		texts = append(texts, strings.TrimPrefix(strings.TrimLeft(before, "*"), " "))
		if closed {
			n++
			break
		}
	}
	if isDoc {
		texts = nil
	}
	return texts, n
}

// marks begin the comments of languages that do not use "//".
var marks = byMark(map[string]string{
	"#":  "Awk CMake CoffeeScript Crystal Cython Dockerfile Elixir Fish GDScript GraphQL HCL Julia Makefile Meson Nim Nix Perl PowerShell Python R Raku Ruby Shell Starlark Tcl TOML YAML",
	"--": "Ada Elm Haskell Lua PureScript SQL VHDL",
	";":  "Assembly Clojure Common_Lisp Emacs_Lisp Racket Scheme WebAssembly",
	"%":  "Erlang MATLAB Prolog TeX",
	`"`:  "Vim_Script",
	"!":  "Fortran",
})

func byMark(of map[string]string) map[string]string {
	out := map[string]string{}
	for mark, names := range of {
		for name := range strings.FieldsSeq(names) {
			out[strings.ReplaceAll(name, "_", " ")] = mark
		}
	}
	return out
}
