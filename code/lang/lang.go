// Package lang has all facts about each language: one file a language, which adds one Language.
// Readers must ask that value, and must name no language themselves.
//
// A Language says how its files are named, how comments, tests and definitions look, what the nodes
// of its grammar mean, where imports lead, and by which rules names are seen. A language without a
// parser is a line of plain.go.
//
// It leaves to others: parsing (scrape/syntax), following imports and calls (code/xref). It is data
// and pure functions, links no parser, and may be used concurrently.
package lang

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Language is a language of programming, of markup or of data. It must not be changed.
type Language struct {
	Name string // as GitHub's linguist spells it; empty for other text
	Code bool   // or component templates and schemas

	// Files are extensions with their dot and whole base names without one, separated by blanks and
	// in lower case.
	Files string
	// ReExports are the base names of files that mostly re-export definitions of other files.
	// Declarations are the endings of files that declare code of other files. Both have the form of
	// Files.
	ReExports, Declarations string
	Interpreters            string // commands of a first line "#!", without version numbers

	Comments Comments
	// SummaryMarks open a line of a comment, longest first; nil means the usual marks.
	SummaryMarks []string
	TestLines    []string // starts of lines in test code
	// TestNames are the starts of names by which a runner finds test functions, before a capital or
	// the end. Nil means that "test" begins them, in any case.
	TestNames   []string
	Definitions *Definitions // nil: those of most languages

	Grammar *Grammar // nil without a parser
	// Template is the language of the expressions in a component or a page, whose scripts are read
	// instead of the text itself. It is "" for any other language.
	Template string

	// Exports reports whether a function is visible outside its module by the first letter of its
	// name. It is nil if a modifier decides.
	Exports func(first rune) bool
	// Ecosystem is the one whose registries name its packages. TextImports finds imports that the
	// index does not store in the form of such names.
	Ecosystem   string
	TextImports func() *regexp.Regexp

	// Family is the language whose Scope it shares, because they call each other; "" means itself.
	Family string
	Scope  Scope
	// NoSelf says that "this" and "self" are variables like others. GlobalNames says that names may
	// be registered for all files of a project.
	NoSelf, GlobalNames bool

	// ReadByCompiler says that scrape/parse reads it with the package of its compiler, and uses the
	// parser only for texts with syntax errors.
	ReadByCompiler bool
	// HeadersMayBe is another language that a header may be in, or "".
	HeadersMayBe string

	Prose       Prose
	Document    bool // it explains something to people, with examples
	IsPage      bool // a text of it has whole programs next to each other
	Notebook    bool // a text of it is a program in another language
	Minified    bool // programs write it on one line, although it is no code
	NoUses      bool // its texts contain names without using them: prose, styles, records
	Settings    bool // configuration and builds: they may name a function, and most often do not
	Builds      bool // it says how a project is built: it changes often, and nothing uses it
	Records     bool // a large file of it is data
	StyleSheet  bool // its rules are short, and cut by lines alone
	NotImported bool // nobody imports its files by a name without their extension
}

// Prose is a format of written text.
type Prose uint8

// The formats whose sections are read.
const (
	NoProse Prose = iota
	Markdown
	Restructured
)

// known returns every language by its name. The tables are made at the first call, because they
// cost a start more than those of any other package. It panics if two languages have one name.
var known = sync.OnceValue(func() map[string]*Language {
	all := map[string]*Language{}
	for _, add := range []func(register func(*Language)){
		addC, addComponents, addCpp, addCsharp, addElixir, addGolang, addHaskell, addJava, addJavascript,
		addKotlin, addLua, addPhp, addPlain, addPython, addRuby, addRust, addScala, addShell, addSolidity,
		addSwift, addTypescript, addZig,
	} {
		add(func(l *Language) {
			if all[l.Name] != nil {
				panic(fmt.Sprintf("lang: %s is added twice", l.Name))
			}
			all[l.Name] = l
		})
	}
	return all
})

// other is the language of files without a language.
var other = &Language{}

// byFile and byInterpreter are made at their first use.
var (
	byFile = sync.OnceValue(func() map[string]*Language {
		return byWords(func(l *Language) string { return l.Files })
	})
	byReExport = sync.OnceValue(func() map[string]*Language {
		return byWords(func(l *Language) string { return l.ReExports })
	})
	declarations = sync.OnceValue(func() (ends []string) {
		for end := range byWords(func(l *Language) string { return l.Declarations }) {
			ends = append(ends, end)
		}
		return ends
	})
	byInterpreter = sync.OnceValue(func() map[string]*Language {
		return byWords(func(l *Language) string { return l.Interpreters })
	})
)

// byWords maps the words of a field to their languages. It panics if two languages have the same
// word.
func byWords(field func(l *Language) string) map[string]*Language {
	out := map[string]*Language{}
	for _, l := range known() {
		for word := range strings.FieldsSeq(field(l)) {
			if out[word] != nil {
				panic(fmt.Sprintf("lang: %s and %s both have %q", l.Name, out[word].Name, word))
			}
			out[word] = l
		}
	}
	return out
}

// ReExports reports whether files with a base name mostly re-export definitions of other files.
// base must be in lower case.
func ReExports(base string) bool { return byReExport()[base] != nil }

// Declares reports whether a file with a base name declares code of other files. base must be in
// lower case.
func Declares(base string) bool {
	return slices.ContainsFunc(declarations(), func(end string) bool { return strings.HasSuffix(base, end) })
}

// Named returns the language with an exact name. For an unknown name it returns the language of
// other text, whose Name is "". It never returns nil.
func Named(name string) *Language {
	if l := known()[name]; l != nil {
		return l
	}
	return other
}

// All yields every language, in no order.
func All(yield func(*Language) bool) {
	for _, l := range known() {
		if !yield(l) {
			return
		}
	}
}

// Find returns the language with a name in any case, or with an extension without its dot: "go",
// "TypeScript", "py". If ok is false, it is the language of other text.
func Find(s string) (l *Language, ok bool) {
	for name, l := range known() {
		if strings.EqualFold(name, s) {
			return l, true
		}
	}
	if l, ok = byFile()["."+strings.ToLower(s)]; ok {
		return l, true
	}
	return other, false
}

// Of returns the language of a file, never nil. Its base name decides, then its extension, then its
// first line. text may be nil.
func Of(name string, text []byte) *Language {
	base := strings.ToLower(path.Base(name))
	if l := byFile()[base]; l != nil {
		return l
	}
	if l := byFile()[path.Ext(base)]; l != nil {
		return decideAmbiguous(path.Ext(base), l, text)
	}
	if stem, _, ok := strings.Cut(base, "."); ok && (stem == "dockerfile" || stem == "makefile") {
		return byFile()[stem] // Dockerfile.dev
	}
	if l := byInterpreter()[interpreterOf(text)]; l != nil {
		return l
	}
	return other
}

// DefinitionsOrCommon returns the patterns of the lines that define something, never nil.
func (l *Language) DefinitionsOrCommon() *Definitions {
	if l.Definitions == nil {
		return commonDefinitions
	}
	return l.Definitions
}

// Parser returns the grammar with which texts of a language are read. For a component or a page it
// is that of its scripts. It returns nil if there is no parser.
func (l *Language) Parser() *Grammar {
	if l.Template != "" {
		return Named(l.Template).Grammar
	}
	return l.Grammar
}

// HoldsTests reports whether some line of a text starts like test code.
func (l *Language) HoldsTests(text []byte) bool {
	return len(l.TestLines) > 0 && someLineStarts(text, l.TestLines...)
}

// MayBe returns another language that a file may be in, by its name, or "".
func (l *Language) MayBe(name string) string {
	if l.HeadersMayBe == "" || path.Ext(name) == ".c" {
		return ""
	}
	return l.HeadersMayBe
}
