package lang

import (
	"regexp"
	"strings"

	"patina/internal/lazyregexp"
)

// Definitions describe the lines that define something, for languages without a parser and for text
// that a parser did not understand.
type Definitions struct {
	Heads  []Head
	Whole  bool // names may have dots and slashes
	Sticky bool // loose lines belong to the definition above: statements are long and not indented
}

// A Head is a pattern of lines that define something. Its first group that matches is the name, and
// further ones are joined to it. Without a name the line only ends the definition above.
type Head struct {
	Pattern func() *regexp.Regexp
	Holds   bool // definitions inside it count: a class, a module
	Loose   bool // no keyword: a line that begins or is named like a statement does not count
}

// Parts of the patterns.
const (
	nameWord = `([\pL_$][\pL\pN_$]*)`
	namePath = `([\pL_$][\pL\pN_$.:']*[!?]?)`
	// Words that may precede a keyword.
	modifiers = `(?:(?:export|default|declare|pub|public|private|protected|internal|static|async|abstract|final` +
		`|sealed|partial|unsafe|inline|open|data|override|virtual|extern|external|const|local|global|mutable|pure` +
		`|recursive|elemental|shared)\s+)*`
	annotations = `(?:@[\pL_][\pL\pN_.:]*(?:\([^()]*\))?\s+)*`
	visible     = `(?:pub(?:\([^)]*\))?\s+)?`
	functions   = `(?:func|fun|fn|function|def|defn|sub|subroutine|proc|procedure|method|macro|task|template` +
		`|iterator|rule|event|modifier|constructor|operator|converter)`
	containers = `(?:class|struct|enum|union|interface|trait|protocol|module|namespace|object|record|package` +
		`|contract|library|impl|extension|mixin|actor|entity|architecture|component|role|program|unit|instance` +
		`|service|message|category|class_name|typeclass)`
)

// Definitions that several languages share.
var (
	// commonDefinitions are those of a language that has no definitions of its own.
	commonDefinitions = &Definitions{Heads: heads(
		`+(?i)^`+modifiers+containers+`\s+(?:(?:body|class|struct|object|interface)\s+)?["']?`+namePath,
		`(?i)^`+modifiers+functions+`!?\s+(?:\([^)]*\)\s*)?["']?`+namePath,
		`^`+modifiers+`(?:type|typedef|alias|newtype)\s+`+namePath,
	)}
	lispDefinitions = &Definitions{Heads: heads(
		`^\(def[\pL\pN*!?+/:-]*\s+(?:\^\S+\s+)*\(*([^\s\[\](){}"';]+)`,
		`^\((?:ns|in-ns|provide|library|module|testing)\s+'?([^\s()]+)`,
	)}
	// A type, a name and parameters, if the line does not end with a semicolon.
	cHead = looseHead(`^(?:@\w+\s+)*[\pL_][\pL\pN_<>,.:?*&\[\] ]*[\s*&]` +
		`([\pL_~$][\pL\pN_:~$]*)\s*(?:<[^>()]*>)?\([^;]*$`)
	cDefinitions         = &Definitions{Heads: append(append([]Head{}, commonDefinitions.Heads...), cHead)}
	objectiveDefinitions = &Definitions{Heads: append(heads(
		`+^@(?:interface|implementation|protocol)\s+`+nameWord,
		`^[-+]\s*\([^)]*\)\s*`+nameWord),
		cHead,
	)}
	// In a sheet a rule for one class or id defines it. Other rules only use the names.
	sheetDefinitions = &Definitions{Whole: true, Heads: heads(
		`+^[a-zA-Z]*[.#]([\pL_-][\pL\pN_-]*)\s*(?:[{,]|$)`,
		`^@(?:-\w+-)?(?:keyframes|mixin|function|property|counter-style|layer)\s+(-*[\pL_][\pL\pN_-]*)`,
		`^(--[\pL\pN_-]+)\s*:`, `^[$@%]([\pL_][\pL\pN_-]*)\s*(?::[^:]|\{)`,
	)}
)

// looseHead returns the head of a pattern without a keyword.
func looseHead(pattern string) Head { return Head{Pattern: lazyregexp.New(pattern), Loose: true} }

// heads returns the heads of patterns. "+" before a pattern means that definitions inside it count.
// A pattern is compiled at its first use.
func heads(patterns ...string) (list []Head) {
	for _, p := range patterns {
		pattern, holds := strings.CutPrefix(p, "+")
		list = append(list, Head{Pattern: lazyregexp.New(pattern), Holds: holds})
	}
	return list
}
