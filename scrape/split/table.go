package split

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"patina/internal/lazyregexp"
	"patina/store/text"
)

// A grammar says what the definitions of a language look like.
type grammar struct {
	heads  []head
	whole  bool // names may have dots and slashes
	sticky bool // loose lines belong to the definition above: statements are long and not indented
}

// A head is a pattern of lines that define something. Its first group that matches is the name; the
// others go before it. Without a name the line only ends what is above.
type head struct {
	pattern func() *regexp.Regexp
	holds   bool // definitions inside of it count: a class, a module
	loose   bool // no keyword: what begins or is named like a statement does not count
}

// Parts of the patterns.
const (
	word = `([\pL_$][\pL\pN_$]*)`
	path = `([\pL_$][\pL\pN_$.:']*[!?]?)`
	// What may stand before a keyword.
	modifiers = `(?:(?:export|default|declare|pub|public|private|protected|internal|static|async|abstract|final|sealed|partial|unsafe|` +
		`inline|open|data|override|virtual|extern|external|const|local|global|mutable|pure|recursive|elemental|shared)\s+)*`
	annotations = `(?:@[\pL_][\pL\pN_.:]*(?:\([^()]*\))?\s+)*`
	visible     = `(?:pub(?:\([^)]*\))?\s+)?`
	functions   = `(?:func|fun|fn|function|def|defn|sub|subroutine|proc|procedure|method|macro|task|template|iterator|rule|event|modifier|constructor|operator|converter)`
	containers  = `(?:class|struct|enum|union|interface|trait|protocol|module|namespace|object|record|package|contract|library|impl|extension|mixin|` +
		`actor|entity|architecture|component|role|program|unit|instance|service|message|category|class_name|typeclass)`
)

var (
	anyHeads = newRows(
		`+(?i)^`+modifiers+containers+`\s+(?:(?:body|class|struct|object|interface)\s+)?["']?`+path,
		`(?i)^`+modifiers+functions+`!?\s+(?:\([^)]*\)\s*)?["']?`+path,
		`^`+modifiers+`(?:type|typedef|alias|newtype)\s+`+path,
	)
	lispHeads = []head{newRow(`^\(def[\pL\pN*!?+/:-]*\s+(?:\^\S+\s+)*\(*([^\s\[\](){}"';]+)`, false), newRow(`^\((?:ns|in-ns|provide|library|module|testing)\s+'?([^\s()]+)`, false)}
	// A type, a name and parameters, where the line does not end with a semicolon.
	cHead  = newLooseHead(`^(?:@\w+\s+)*[\pL_][\pL\pN_<>,.:?*&\[\] ]*[\s*&]([\pL_~$][\pL\pN_:~$]*)\s*(?:<[^>()]*>)?\([^;]*$`)
	cHeads = append(append([]head{}, anyHeads...), cHead)
)

// newRow compiles a pattern when it is first asked for.
func newRow(pattern string, holds bool) head {
	return head{pattern: lazyregexp.New(pattern), holds: holds}
}

// newLooseHead makes the head of a pattern without a keyword.
func newLooseHead(pattern string) head {
	h := newRow(pattern, false)
	h.loose = true
	return h
}

// newRows makes heads of patterns, with "+" before one inside of which definitions count.
func newRows(patterns ...string) (list []head) {
	for _, p := range patterns {
		holds := strings.HasPrefix(p, "+")
		list = append(list, newRow(strings.TrimPrefix(p, "+"), holds))
	}
	return list
}

// styles are sheets: a rule for one class or id defines it, others only use what they name.
var styles = &grammar{whole: true, heads: newRows(
	`+^[a-zA-Z]*[.#]([\pL_-][\pL\pN_-]*)\s*(?:[{,]|$)`,
	`^@(?:-\w+-)?(?:keyframes|mixin|function|property|counter-style|layer)\s+(-*[\pL_][\pL\pN_-]*)`,
	`^(--[\pL\pN_-]+)\s*:`, `^[$@%]([\pL_][\pL\pN_-]*)\s*(?::[^:]|\{)`,
)}

// table has a row for each language whose definitions do not look like those of most.
var table = map[string]*grammar{
	"R": {whole: true, heads: newRows(
		`+^[\x60"']?([\pL.][\pL\pN._]*)[\x60"']?\s*(?:<-|=)\s*(?:R6Class|R6::R6Class|ggproto|ggplot2::ggproto|setRefClass|new_class)\(`,
		`^[\x60"']?([\pL.%\[][\pL\pN._\[\]<>$+*/:%|&-]*)[\x60"']?\s*(?:<<?-|=)\s*(?:function\b|\\\()`,
		`^set(?:Generic|Method|Class|ClassUnion|Validity|AsMethod)\(\s*["']([^"']+)`,
		`^(?:test_that|describe)\(\s*["']([^"']+)`,
	)},
	"Perl": {heads: newRows(
		`^(?:sub|method|func|fun|around|before|after)\s+["']?`+path,
		`^(?:package|class|role)\s+`+path,
		`^has\s+\[?\s*(?:qw[/(])?["']?\+?(\w+)`,
		`^(?:__END__|__DATA__|=head1)\b`,
	)},
	"Dart": {heads: append(newRows(
		`+^(?:(?:abstract|base|final|sealed|interface|augment|macro)\s+)*(?:mixin\s+)?(?:class|mixin|enum|extension(?:\s+type)?(?:\s+const)?)\s+`+word,
		`^typedef\s+(?:.*\s)?`+word+`\s*(?:<[^=]*>)?\s*(?:=|\()`,
		`^(?:(?:static|external|abstract|@\w+)\s+)*(?:[\pL_][\pL\pN_<>,.?\[\] ]*\s)?(?:get|set)\s+`+word,
		`^(?:[\pL_][\pL\pN_<>,.?\[\] ]*\s)operator\s*([=<>+*/%~^|&\[\]-]+)\s*\(`,
	), cHead, newLooseHead(`^[\pL_][\pL\pN_<>,.?\[\] ]*\s([\pL_$][\pL\pN_$]*)\(.*\)\s*(?:async\s*)?=>`),
		newLooseHead(`^(?:(?:static|external|const|factory|@\w+)\s+)*([\pL_$][\pL\pN_$.]*)\((?:[^;]*(?:\{|=>|,|\(|:)|[^;]*\)\s*(?:async|sync\*?|async\*)?)$`))},
	"Julia": {heads: newRows(
		`+^(?:bare)?module\s+`+word,
		`^(?:@[\pL.]+\s+)*(?:function|macro)\s+\(?`+path,
		`^(?:@[\pL.]+\s+)*(?:mutable\s+)?struct\s+`+word, `^(?:abstract|primitive)\s+type\s+`+word, `^const\s+`+word+`\s*=`,
		`^(?:@[\pL.]+\s+)*([\pL_][\pL\pN_.!]*)(?:\{[^}]*\})?\([^=]*\)(?:::[^=\s]+)?(?:\s+where\s[^=]*)?\s*=(?:[^=]|$)`,
		`^@testset\s+(?:[\pL.]+\s+)?"([^"]+)"`,
	)},
	"OCaml": {heads: newRows(
		`^let(?:\s+rec|%\w+)?\s+(?:\(\s*([^)\s]+)\s*\)|([a-z_][\pL\pN_']*))`, `^let\b`,
		`^and\s+(?:\(\s*([^)\s]+)\s*\)|(?:(?:'\w+|\([^)]*\))\s+)?([a-z_][\pL\pN_']*))`,
		`+^module(?:\s+type|\s+rec)*\s+([A-Z][\pL\pN_']*)`,
		`^type(?:\s+nonrec)?\s+(?:(?:[+-]?'\w+|\([^)]*\)|_)\s+)?([a-z_][\pL\pN_']*)`,
		`^(?:val|external|exception|method[!]?|class(?:\s+type|\s+virtual)*)\s+(?:private\s+|virtual\s+)*(?:\(\s*([^)\s]+)\s*\)|([\pL_][\pL\pN_']*))`,
		`^(?:open|include)\b`,
	)},
	"SQL": {sticky: true, heads: newRows(
		`(?i)^create\s+(?:(?:or\s+(?:replace|alter)|global|local|temp|temporary|unlogged|unique|clustered|nonclustered|materialized|recursive|`+
			`virtual|external|foreign|constraint|editionable|force|definer\s*=\s*\S+)\s+)*(?:table|view|index|function|procedure|proc|trigger|type|`+
			`sequence|schema|extension|package(?:\s+body)?|domain|aggregate|role|user|policy|event|database|operator|cast|rule|server|publication)\s+`+
			`(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([\pL\pN_."\x60\[\]$@:]+)`,
		`(?i)^(?:alter|drop)\s+(?:table|view|index|function|type|sequence|policy)\s+(?:if\s+exists\s+)?(?:only\s+)?([\pL\pN_."\x60\[\]$]+)`,
		`(?i)^(?:insert|grant|revoke|comment\s+on|copy)\b`,
		`^\{%-?\s*(?:macro|test|snapshot|materialization)\s+([\pL_][\pL\pN_]*)`,
	)},
	"HCL": {heads: newRows(
		`+^(locals)\s*\{`, `^([\pL_][\pL\pN_-]*)\s*=[^=>]`,
		`^(resource|data|ephemeral|action)\s+"([^"]+)"\s+"([^"]+)"\s*\{`,
		`^(?:variable|output|module|provider|check|job|group|task|source|build)\s+"([^"]+)"`,
		`^(terraform|moved|import|removed)\s*\{`, `^[\pL_][\pL\pN_-]*\s*(?:"([^"]+)"\s*)*\{`,
	)},
	"Protocol Buffers": {heads: newRows(`+^(?:message|enum|service|extend)\s+`+path, `^rpc\s+`+word)},
	"Thrift":           {heads: newRows(`+^(?:struct|union|exception|enum|service)\s+`+path, `^(?:typedef|const)\s+\S+\s+`+word)},
	"GraphQL":          {heads: newRows(`^(?:extend\s+)?(?:type|input|enum|interface|union|scalar|directive|fragment|query|mutation|subscription|schema)\s+@?` + word)},
	"Makefile": {whole: true, heads: newRows(
		`^(?:export\s+|override\s+)*define\s+([^\s=]+)`,
		`^([\pL\pN_$/%][\pL\pN_./%$(){}@+-]*)(?:\s+[\pL\pN_./%$(){}@+-]+)*\s*&?::?(?:[^=:]|$)`,
	)},
	"CMake":      {whole: true, heads: newRows(`(?i)^(?:function|macro)\s*\(\s*"?([\pL\pN_]+)`, `(?i)^(?:add_executable|add_library|add_custom_target|add_test|project|option)\s*\(\s*"?([\pL\pN_.${}:-]+)`)},
	"Dockerfile": {whole: true, heads: newRows(`(?i)^from\s+.*\s+as\s+(\S+)`, `(?i)^from\s+(\S+)`)},
	"Erlang":     {heads: newRows(`^([a-z][\pL\pN_@]*)\([^.]*(?:->.*|,)?$`, `^-(?:record|define|type|opaque|callback|spec)\s*\(?\s*([\pL_][\pL\pN_@]*)`)},
	"F#": {heads: newRows(
		`+^(?:module|namespace)\s+(?:rec\s+|private\s+|internal\s+|public\s+)*`+path, `+^(?:type|and)\s+(?:private\s+|internal\s+)?`+path,
		`^let(?:\s+(?:rec|inline|private|internal|mutable))*\s+(?:\(\s*([^)\s]+)\s*\)|([\pL_][\pL\pN_']*))`,
		`^(?:static\s+)?(?:member|override|abstract|default)(?:\s+(?:inline|private|internal))*\s+(?:[\pL_]\w*\.)?([\pL_][\pL\pN_']*)`,
	)},
	"Elm":        {heads: newRows(`^(?:type(?:\s+alias)?|port)\s+`+word, `^`+word+`\s+:\s`, `^([a-z][\pL\pN_]*)(?:\s+[\pL_({\[][^=]*)?\s*=$`)},
	"PureScript": {heads: newRows(`^(?:data|newtype|type|class|instance|foreign\s+import(?:\s+data)?)\s+`+path, `^`+word+`\s+::`)},
	"Fortran": {heads: newRows(
		`+(?i)^(?:module|program|submodule\s*\([^)]*\))\s+([a-z_]\w*)$`,
		`(?i)^(?:(?:pure|elemental|recursive|impure|module|integer|real|logical|complex|character|double\s+precision|type|class)(?:\s*\([^)]*\))?(?:\s*\*\s*\d+)?\s+)*(?:subroutine|function)\s+([a-z_]\w*)`,
		`(?i)^type(?:\s*,[^:]*)?\s*(?:::)?\s*([a-z_]\w*)$`, `(?i)^interface\s+([a-z_]\w*)`,
	)},
	"MATLAB":     {heads: newRows(`+^classdef\s+(?:\([^)]*\)\s*)?`+word, `^function\s+(?:[^=(]*=\s*)?`+path, `^%%\s+(\S.*)`)},
	"Vim Script": {heads: newRows(`^(?:export\s+)?(?:fu|func|function|def)!?\s+([\pL_#:][\pL\pN_#:.<>]*)`, `^command!?\s+(?:-\S+\s+)*`+word, `^augroup\s+`+word)},
	"Nix": {heads: newRows(
		`+^([\pL_][\pL\pN_'.-]*)\s*=\s*(?:.*[\s:])?(?:let|rec\s*\{|\{)$`,
		`^([\pL_][\pL\pN_'-]*)\s*=\s*(?:[\pL_][\pL\pN_'-]*|\{[^{}]*\}(?:\s*@\s*[\pL_]\w*)?|[\pL_]\w*\s*@\s*\{[^{}]*\})\s*:(?:\s|$)`,
		`^([\pL_][\pL\pN_'.-]*)\s*=\s*(?:.*[{(:\[]|rec)\s*$`,
	)},
	"Go Template": {whole: true, heads: newRows(`^\{\{-?\s*(?:define|block)\s+"([^"]+)"`)},
	"Bicep":       {heads: newRows(`^(?:targetScope|(?:resource|param|var|output|module|func|type)\s+` + word + `)`)},
	"CSS":         styles,
	"Sass":        styles,
	"Less":        styles,
	"Assembly":    {heads: newRows(`^([\pL_.$][\pL\pN_.$@]*):`, `(?i)^([\pL_]\w*)\s+(?:proc|macro)\b`, `(?i)^\.?macro\s+([\pL_]\w*)`)},
	// Languages with a parser: for what lies inside of its errors.
	"Kotlin": {heads: newRows(
		`+^`+annotations+`(?:(?:public|private|protected|internal|open|abstract|final|sealed|inner|data|value|inline|enum|annotation|expect|`+
			`actual|external|fun|companion)\s+)*(?:class|interface|object)\s+`+word,
		`^`+annotations+`(?:[a-z]+\s+)*fun\s+(?:<[^()]*>\s+)?(?:[\pL_][\pL\pN_<>?,.* ]*\.)?[\x60]?`+word+`[\x60]?\s*\(`,
		`^(?:[a-z]+\s+)*typealias\s+`+word,
	)},
	"Shell": {heads: newRows(`^(?:function\s+)?([\pL_][\pL\pN_:.-]*)\s*\(\s*\)`, `^function\s+([\pL_][\pL\pN_:.-]*)`)},
	"Rust": {heads: newRows(`^`+visible+`(?:(?:default|const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+`+word, `+^`+visible+`(?:unsafe\s+)?(?:struct|enum|union|trait)\s+`+word,
		`^macro_rules!\s*`+word)},
	"Zig":    {heads: newRows(`^(?:(?:pub|export|extern|inline)\s+)*fn\s+`+word, `+^(?:pub\s+)?const\s+`+word+`\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union)\b`)},
	"Elixir": {heads: newRows(`+^def(?:module|protocol|impl)\s+([A-Z][\pL\pN_.]*)`, `^def(?:p|macrop?|guardp?|delegate)?\s+([a-z_][\pL\pN_]*[!?]?)`)},
	"C++": {heads: newRows(`+^(?:template\s*<[^;{]*>\s*)?(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:(?:alignas\([^)]*\)|\[\[[^\]]*\]\]|[A-Z][A-Z0-9_]+(?:\([^)]*\))?)\s+)*` +
		word + `(?:\s+final)?\s*(?::[^:;][^;]*)?\{?$`)},
	"Objective-C":  {heads: append(newRows(`+^@(?:interface|implementation|protocol)\s+`+word, `^[-+]\s*\([^)]*\)\s*`+word), cHead)},
	"Tcl":          {heads: newRows(`^(?:proc|method|oo::class\s+create|namespace\s+eval)\s+([^\s{]+)`)},
	"Odin":         {heads: newRows(`^` + word + `\s*::\s*(?:#\w+\s+)*(?:proc|struct|enum|union|distinct|bit_set)\b`)},
	"CoffeeScript": {heads: newRows(`+^(?:module\.exports\s*=\s*|exports\.)?class\s+`+path, `^@?`+path+`\s*[:=]\s*(?:\([^)]*\)\s*)?[-=]>`)},
	"Nim":          {heads: newRows(`^(?:proc|func|method|template|macro|iterator|converter)\s+\x60?([\pL_][\pL\pN_]*|[^\s\x60(]+)`, `^([\pL_]\w*)\*?(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|concept)\b`, `^test\s+"([^"]+)"`)},
	"Prolog":       {heads: newRows(`^([a-z]\w*)\(.*:-`, `^([a-z]\w*)\s*:-`)},
	"PowerShell":   {heads: newRows(`+(?i)^class\s+`+word, `(?i)^(?:function|filter|workflow)\s+([\pL_][\pL\pN_:-]*)`, `(?i)^(?:describe|context|it)\s+['"]([^'"]+)`)},
}

// Languages whose definitions look like those of another row.
var like = map[string][]head{}

func init() {
	for _, l := range strings.Fields("Clojure Racket Scheme") {
		like[l] = lispHeads
	}
	like["Emacs Lisp"], like["Common Lisp"] = lispHeads, lispHeads
	for _, l := range []string{"D", "CUDA", "GLSL", "Objective-C++", "Groovy", "QML", "Solidity", "Cython", "Odin"} {
		like[l] = cHeads
	}
	like["Objective-C++"] = table["Objective-C"].heads
}

// grammars are made when a language is first met.
var grammars sync.Map // name → *grammar

// grammarOf returns the patterns of a language; those of most languages for one that has no row.
func grammarOf(language string) *grammar {
	if language == "" {
		return nil
	}
	if g := table[language]; g != nil {
		return g
	}
	if g, ok := grammars.Load(language); ok {
		return g.(*grammar)
	}
	heads := like[language]
	if heads == nil {
		heads = anyHeads
	}
	g, _ := grammars.LoadOrStore(language, &grammar{heads: heads})
	return g.(*grammar)
}

// control are words that stand where a type or a name of a definition would.
var control = text.Set(`if for while switch catch return assert else do try case throw await yield new using lock foreach with elif
	elseif unless until loop match when super this and or not in is as import export require include print default`)

// definition returns the name that a line defines, "" for a border without a name. holds is true if
// definitions inside count.
func (g *grammar) definition(line []byte) (name string, holds, ok bool) {
	for _, h := range g.heads {
		m := h.pattern().FindSubmatch(line)
		if m == nil {
			continue
		}
		var names []string
		for _, group := range m[1:] {
			if len(group) > 0 {
				names = append(names, string(group))
			}
		}
		if len(names) == 0 {
			return "", false, true
		}
		name = nameOf(names, g.whole)
		if first, _, _ := strings.Cut(string(line), " "); h.loose && (control[name] || control[strings.TrimRight(first, "(")]) {
			continue
		}
		return name, h.holds, name != ""
	}
	return "", false, false
}

// nameOf joins the groups of a pattern: of Terraform's resource the type and the name, else the
// last part of a path, unless names are whole. Signs of quoting are left out, and the mark "#".
func nameOf(groups []string, whole bool) string {
	if len(groups) == 3 {
		return cleanName(groups[1], whole) + "." + cleanName(groups[2], whole)
	}
	return cleanName(groups[len(groups)-1], whole)
}

func cleanName(name string, whole bool) string {
	if !whole && strings.ContainsFunc(name, unicode.IsLetter) { // or an operator
		name = strings.Trim(name, "\"'`[]{}<>(),;:")
	}
	if i := strings.LastIndexAny(name, ".:#"); !whole && i >= 0 && i+1 < len(name) && !strings.Contains(name, " ") {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r == '#' || r == '\uFFFD' || r < ' ' {
			return -1
		}
		return r
	}, name)
	return strings.ToValidUTF8(name[:min(len(name), nameBytes)], "")
}
