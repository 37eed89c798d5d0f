// Package language names the programming language of a file, and finds its comment lines.
//
// Names, extensions and the first line decide. The names are those of GitHub's linguist.
package language

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"patina/internal/lazyregexp"
)

// A Language is a language of programming, of markup or of data.
type Language struct {
	Name    string // as GitHub's linguist spells it; empty for other text
	Code    bool   // or component templates and schemas
	comment *commentStyle
}

// languageTable has one language a line. The columns are the name, code or text, the comment style,
// extensions and whole base names. Base names have no dot in front and are compared without case.
const languageTable = `
Ada                 code dash    .adb .ads
Assembly            code asm     .s .asm .nasm
Astro               code html    .astro
Awk                 code hash    .awk
Batchfile           code batch   .bat .cmd
Bicep               code c       .bicep
C                   code c       .c .h .inc
C++                 code c       .cc .cpp .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .ino
C#                  code c       .cs .csx
Clojure             code semi    .clj .cljs .cljc .edn .bb
CMake               code hash    .cmake cmakelists.txt
CoffeeScript        code hash    .coffee
Common Lisp         code semi    .lisp .lsp .cl
Crystal             code hash    .cr
CSS                 text c       .css
CSV                 text none    .csv .tsv
CUDA                code c       .cu .cuh
Cython              code python  .pyx .pxd .pxi
D                   code c       .d
Dart                code c       .dart
Dockerfile          code hash    .dockerfile dockerfile containerfile
Elixir              code hash    .ex .exs
Elm                 code dash    .elm
Emacs Lisp          code semi    .el
Erlang              code percent .erl .hrl .escript
F#                  code ml      .fs .fsi .fsx
Fish                code hash    .fish
Fortran             code fortran .f .f77 .f90 .f95 .f03 .f08 .for
GDScript            code hash    .gd
Gherkin             text hash    .feature
GLSL                code c       .glsl .vert .frag .comp .geom
Go                  code c       .go
Go Module           text c       go.mod go.work
Go Template         text none    .tpl .gotmpl
GraphQL             code hash    .graphql .gql
Groovy              code c       .groovy .gradle jenkinsfile
Handlebars          text html    .hbs .handlebars
Haskell             code dash    .hs .lhs
HCL                 code hcl     .tf .hcl .tfvars
HTML                text html    .html .htm .xhtml
INI                 text semi    .ini .cfg .conf .properties .editorconfig
Java                code c       .java
JavaScript          code c       .js .mjs .cjs .jsx
JSON                text none    .json .jsonl .ndjson .geojson .webmanifest
JSON5               text c       .json5 .jsonc
Julia               code hash    .jl
Jupyter Notebook    code hash    .ipynb
Kotlin              code c       .kt .kts
Less                text c       .less
Lua                 code lua     .lua .rockspec
Makefile            code hash    .mk .mak makefile gnumakefile bsdmakefile justfile
Markdown            text html    .md .markdown .mdx .mkd .mdc .cursorrules .windsurfrules .clinerules .roorules .goosehints
MATLAB              code percent .m
Meson               code hash    meson.build meson_options.txt
Nim                 code hash    .nim .nims
Nix                 code hash    .nix
Objective-C++       code c       .mm
OCaml               code ml      .ml .mli .mll .mly
Odin                code c       .odin
Pascal              code ml      .pas .pp .dpr .lpr
Perl                code hash    .pl .pm .t
PHP                 code php     .php .phtml
PowerShell          code hash    .ps1 .psm1 .psd1
Prolog              code percent .pro .prolog
Protocol Buffers    code c       .proto
PureScript          code dash    .purs
Python              code python  .py .pyi .pyw .bzl sconstruct sconscript build.bazel workspace.bazel
QML                 code c       .qml
R                   code hash    .r .rmd
Racket              code semi    .rkt
Raku                code hash    .raku .rakumod
reStructuredText    text none    .rst
Ruby                code ruby    .rb .rake .gemspec .ru gemfile rakefile podfile vagrantfile brewfile fastfile
Rust                code c       .rs
Sass                text c       .sass .scss
Scala               code c       .scala .sbt .sc
Scheme              code semi    .scm .ss .sld
Shell               code hash    .sh .bash .zsh .ksh .bats .bashrc .zshrc .profile
Smalltalk           code none    .st
Solidity            code c       .sol
SQL                 code sql     .sql .psql .ddl
Starlark            code python  .star .bazel
Svelte              code html    .svelte
SVG                 text html    .svg
Swift               code c       .swift
SystemVerilog       code c       .sv .svh
Tcl                 code hash    .tcl
TeX                 text percent .tex .sty .cls .bib
Text                text none    .txt .text .log
Thrift              code c       .thrift
TOML                text hash    .toml
TSX                 code c       .tsx
TypeScript          code c       .ts .mts .cts
Verilog             code c       .v .vh
VHDL                code dash    .vhd .vhdl
Vim Script          code vim     .vim .vimrc
Visual Basic        code basic   .vb .bas .vbs
Vue                 code html    .vue
WebAssembly         code semi    .wat .wast
XML                 text html    .xml .xsd .xsl .xslt .plist .csproj .vcxproj .props .targets .pom .resx .xaml
YAML                text hash    .yml .yaml .clang-format
Zig                 code c       .zig .zon
`

// interpreters are the commands of a first line "#!", without version numbers.
var interpreters = map[string]string{
	"sh": "Shell", "bash": "Shell", "zsh": "Shell", "ksh": "Shell", "dash": "Shell", "ash": "Shell", "bats": "Shell",
	"fish": "Fish", "python": "Python", "pypy": "Python", "node": "JavaScript", "nodejs": "JavaScript", "bun": "TypeScript",
	"deno": "TypeScript", "ts-node": "TypeScript", "tsx": "TypeScript", "ruby": "Ruby", "perl": "Perl", "php": "PHP", "lua": "Lua",
	"luajit": "Lua", "awk": "Awk", "gawk": "Awk", "make": "Makefile", "tclsh": "Tcl", "wish": "Tcl", "rscript": "R", "escript": "Erlang",
	"elixir": "Elixir", "julia": "Julia", "groovy": "Groovy", "scala": "Scala", "swift": "Swift", "pwsh": "PowerShell",
	"runhaskell": "Haskell", "ocaml": "OCaml", "racket": "Racket", "guile": "Scheme", "crystal": "Crystal", "nix-shell": "Nix",
}

// byEnd and byName are the table, read when the first file is looked at.
var (
	byEnd  = sync.OnceValue(func() map[string]Language { ends, _ := languages(); return ends })
	byName = sync.OnceValue(func() map[string]Language { _, names := languages(); return names })

	languages = sync.OnceValues(func() (ends, names map[string]Language) { return readLanguages(languageTable) })
)

// readLanguages reads the table: by extension or base name, and by language.
func readLanguages(table string) (ends, names map[string]Language) {
	ends, names = map[string]Language{}, map[string]Language{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		name, rest := strings.TrimSpace(line[:20]), strings.Fields(line[20:])
		l := Language{Name: name, Code: rest[0] == "code", comment: commentStyles[rest[1]]}
		names[name] = l
		for _, end := range rest[2:] {
			ends[end] = l
		}
	}
	return ends, names
}

// Find returns the language of a name in any case, or of an extension without its dot: "go",
// "TypeScript", "py".
func Find(s string) (name string, ok bool) {
	for known := range byName() {
		if strings.EqualFold(known, s) {
			return known, true
		}
	}
	l, ok := byEnd()["."+strings.ToLower(s)]
	return l.Name, ok
}

// Named returns the language of a name in any case, as Find knows it.
func Named(s string) (l Language, ok bool) {
	name, ok := Find(s)
	if !ok {
		return Language{comment: commentStyles["none"]}, false
	}
	return byName()[name], true
}

// CommentMark returns what begins a comment line, "#" where there is no such mark.
func (l Language) CommentMark() string {
	if l.comment == nil || len(l.comment.line) == 0 {
		return "#"
	}
	return l.comment.line[0]
}

// Of returns the language of a file. Its base name decides, then its extension, then its first
// line.
func Of(name string, text []byte) Language {
	base := strings.ToLower(path.Base(name))
	if l, ok := byEnd()[base]; ok {
		return l
	}
	if l, ok := byEnd()[path.Ext(base)]; ok {
		return decideAmbiguous(path.Ext(base), l, text)
	}
	if stem, _, ok := strings.Cut(base, "."); ok && (stem == "dockerfile" || stem == "makefile") {
		return byEnd()[stem] // Dockerfile.dev
	}
	if l, ok := byName()[interpreters[interpreterOf(text)]]; ok {
		return l
	}
	return Language{comment: commentStyles["none"]}
}

// decideAmbiguous decides where languages share an extension: MATLAB and Objective-C ".m", C and
// C++ ".h", text and reStructuredText ".txt".
func decideAmbiguous(end string, l Language, text []byte) Language {
	switch {
	case end == ".m" && SomeLineStarts(text, "#import", "#include", "@interface", "@implementation", "@protocol"):
		return Language{Name: "Objective-C", Code: true, comment: commentStyles["c"]}
	case end == ".txt" && SomeLineStarts(text, ".. code-block::", ".. contents::", ".. currentmodule::", ".. module::", ".. note::", ".. toctree::"):
		return byEnd()[".rst"]
	case end == ".h" && isCPlusPlus(text):
		return byEnd()[".hpp"]
	case end == ".ts" && isXML(text): // translations of Qt
		return byName()["XML"]
	}
	return l
}

var (
	// Starts of lines, and words, of C++ that C does not have.
	cppStart = lazyregexp.New(`^(?:class\s+\w|(?:inline\s+)?namespace\b|template\s*<|using\s+(?:namespace\s+)?[\w:]+\s*[;=<]|(?:public|private|protected)(?:\s+slots|\s+Q_SLOTS)?\s*:|` +
		`virtual\s|explicit\s|friend\s|constexpr\s|enum\s+(?:class|struct)\s|signals:|concept\s+\w+\s*=)`)
	cppWord = lazyregexp.New(`\bstd::\w|\b(?:struct|union)\s+(?:[A-Z_]+\s+)?\w+\s+final\b|\b(?:struct|class)\s+\w+(?:\s+final)?\s*:\s*(?:public|private|protected|virtual)\b|` +
		`\)\s*(?:const\s*)?(?:noexcept|override)\b|\boperator\s*(?:[-+*/=<>!&|^%\[(]|bool\b|new\b|delete\b)|=\s*(?:delete|default)\s*;|\b(?:static|dynamic|reinterpret|const)_cast<|` +
		`\bnullptr\b|\b\w+::~?\w+\s*[(;,&>]|\bvirtual\s+\w|\w+\s*<\s*\w+(?:\s*,\s*\w+)*\s*>\s+\w+\s*[;=(]`)
)

// isCPlusPlus reports whether a header is one of C++: some line outside of comments and strings
// says so.
func isCPlusPlus(text []byte) bool {
	inside := false // a comment
	for line := range bytes.Lines(text) {
		var code []byte
		code, inside = withoutComment(bytes.TrimLeft(line, " \t"), inside)
		if len(code) == 0 || code[0] == '#' {
			continue
		}
		if cppStart().Match(code) || cppWord().Match(code) {
			return true
		}
	}
	return false
}

// maxHeaderLine bounds the bytes of a line that are looked at.
const maxHeaderLine = 500

// withoutComment returns the code of a line, without strings, and reports whether a comment goes on
// behind it.
func withoutComment(line []byte, inside bool) (code []byte, still bool) {
	line = line[:min(len(line), maxHeaderLine)]
	for len(line) > 0 {
		if inside {
			end := bytes.Index(line, []byte("*/"))
			if end < 0 {
				return code, true
			}
			line, inside = line[end+2:], false
			continue
		}
		at := bytes.IndexAny(line, "/\"")
		switch {
		case at < 0:
			return append(code, line...), false
		case line[at] == '"':
			code = append(code, line[:at]...)
			end := bytes.IndexByte(line[at+1:], '"')
			if end < 0 {
				return code, false
			}
			line = line[at+end+2:]
		case bytes.HasPrefix(line[at:], []byte("//")):
			return append(code, line[:at]...), false
		case bytes.HasPrefix(line[at:], []byte("/*")):
			code = append(code, line[:at]...)
			line, inside = line[at+2:], true
		default:
			code = append(code, line[:at+1]...)
			line = line[at+1:]
		}
	}
	return code, inside
}

// isXML reports whether a text begins as XML does.
func isXML(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<!DOCTYPE"))
}

// SomeLineStarts reports whether a line starts with one of some signs, leading space aside.
func SomeLineStarts(text []byte, signs ...string) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		for _, s := range signs {
			if bytes.HasPrefix(line, []byte(s)) {
				return true
			}
		}
	}
	return false
}

// interpreterOf returns the command of a first line "#!" without its version. It looks behind env
// and its flags.
func interpreterOf(text []byte) string {
	if !bytes.HasPrefix(text, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(text[2:min(len(text), 256)], []byte{'\n'})
	for _, word := range strings.Fields(string(line)) {
		command := strings.ToLower(path.Base(word))
		if command == "env" || strings.HasPrefix(command, "-") || strings.Contains(command, "=") {
			continue
		}
		return strings.TrimRight(command, "0123456789.")
	}
	return ""
}
