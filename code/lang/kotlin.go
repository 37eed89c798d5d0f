package lang

import (
	"bytes"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

func addKotlin(register func(*Language)) {
	register(&Language{
		Name: "Kotlin", Code: true, Files: ".kt .kts", Comments: slashComments,
		TestLines: []string{"@Test"},
		Definitions: &Definitions{Heads: heads(
			`+^`+annotations+`(?:(?:public|private|protected|internal|open|abstract|final|sealed|inner|data|value`+
				`|inline|enum|annotation|expect|actual|external|fun|companion)\s+)*`+
				`(?:class|interface|object)\s+`+nameWord,
			`^`+annotations+`(?:[a-z]+\s+)*fun\s+(?:<[^()]*>\s+)?(?:[\pL_][\pL\pN_<>?,.* ]*\.)?[\x60]?`+
				nameWord+`[\x60]?\s*\(`,
			`^(?:[a-z]+\s+)*typealias\s+`+nameWord,
		)},
		Ecosystem: "Maven", TextImports: lazyregexp.New(`(?m)^[ \t]*import[ \t]+([A-Za-z_][\w.]*)`),
		Grammar: &Grammar{
			Recovers: true, LosesSilently: true, KeepsFields: true,
			Prepare: withoutGuards,
			Rules: map[string]Rule{
				"function_declaration":                 {Is: Function, Names: kotlinFunction, Body: "function_body"},
				"secondary_constructor":                {Is: Function, Names: kotlinConstructor, Body: "block"},
				"class_declaration object_declaration": {Is: Type, Ends: kotlinHead},
				"type_alias":                           {Is: Type, Name: "type", Flat: true},
				"property_declaration":                 {Is: Variable, Names: kotlinProperty},
				"variable_declaration class_parameter": {Is: Member, Names: kotlinMember},
				"enum_entry":                           {Is: Member, Names: firstIdentifier},
				"anonymous_initializer anonymous_function lambda_literal": {Is: Closure},
				"annotation":                             {Is: Attribute, Closed: true},
				"line_comment block_comment":             {Is: Comment},
				"call_expression constructor_invocation": {Is: Call, Calls: kotlinCalled},
				"package_header":                         {Binds: kotlinPackage},
				"import":                                 {Is: Import, Names: kotlinImported, Binds: kotlinBinding},
			},
			Typed: map[string]Typing{
				"parameter class_parameter property_declaration catch_block": {All: kotlinTyped},
			},
			Predeclared: text.Set(`println print listOf mapOf setOf mutableListOf mutableMapOf arrayOf emptyList
				require check error lazy let run apply also with TODO to`),
			TypesByValue: true, CallsMakeTypes: true,
		},
		Scope: Scope{
			Modules: DeclaredPackages, ByPath: true, ImplicitThis: true, SharesFolder: true,
			DeclaredTypes: true, StrictTypes: true, NominalTypes: true, ClosedNames: true, Namespaced: true,
			LocatesTypes: true, ExpectedMethods: true, Constructors: []string{"constructor"}, HiddenConstructors: true,
			// kotlin.Any, kotlin.collections, kotlin.text, kotlin.sequences and the scope functions
			// of kotlin-stdlib 2.
			BuiltinMethods: text.Set(`accept add addAll all also any append apply asReversed asSequence associate
				associateBy associateWith average chunked clear close coerceAtLeast coerceAtMost coerceIn
				compareTo component1 component2 contains containsAll containsKey copy copyOf copyOfRange
				count dec distinct distinctBy div drop dropLast dropWhile elementAt endsWith equals
				entries fill filter filterIsInstance filterKeys filterNot filterNotNull filterValues find
				first firstOrNull flatMap flatten fold forEach forEachIndexed format get getOrDefault
				getOrElse getOrNull getOrPut getValue groupBy hasNext hashCode inc indexOf indexOfFirst
				indices insert intersect invoke isBlank isEmpty isNotBlank isNotEmpty isNullOrBlank
				isNullOrEmpty iterator joinToString last lastIndexOf lastOrNull let lines lowercase map
				mapIndexed mapNotNull mapTo mapValues matches max maxBy maxOf maxOrNull min minBy minOf
				minOrNull minus next none onEach ordinal padEnd padStart partition plus plusAssign pop push
				put putAll putIfAbsent random range rangeTo read readText reduce remove removeAll
				removeFirst removeIf removeLast removePrefix removeSuffix repeat replace resume retainAll
				reversed run send set setValue shuffled single singleOrNull size slice sort sortBy sorted
				sortedBy sortedByDescending split start startsWith step sub subList substring
				substringAfter substringBefore sum sumOf take takeIf takeLast takeUnless takeWhile times
				to toByteArray toDouble toInt toList toLong toMap toMutableList toRegex toSet toString
				toTypedArray trim trimIndent trimMargin union until uppercase use value values windowed
				with withIndex write zip`),
		},
	})
}

// The grammar does not know the guard of a branch ("is A if b ->"), a lambda that is marked as
// suspending, context receivers above a declaration, and the marks of a string that takes a single
// dollar literally. It takes get, set and where for keywords where they are names: between two
// operands, before arguments, before a dot or an assignment.
var guard = lazyregexp.New(`^\s*(?:is\s+[\w.<>?*, ]+|[\w."]+)\s(if)\s.*->|\b(suspend)\s*\{|^\s*(context\([^()]*\))` +
	`|(\${2,})"|[\w)}\]]\s+(get|set)\s+[\w"]|^\s*(get)\s*(?:\(\s*[^)\s]|\{)|^\s*(where)\s*(?:\?\.|\.\w|=[^=])`)

// The groups of guard: the one that becomes a comma, and the first of those that stay names.
const (
	guardGroup = 2
	namesGroup = 10
)

// withoutGuards writes constructs that the grammar does not know in a form that it knows, with the
// same length: a guard as a second condition, a name as another one, and blanks for the others. A
// function that ends a block of one line gets the new line that the grammar needs after it, and the
// new line before a constructor on the line below its class is removed.
func withoutGuards(text []byte) []byte {
	clean, start := text, 0
	head := false // whether the line before is the head of a class, and continues
	for line := range bytes.Lines(text) {
		at := start
		start += len(line)
		found, ends := [][]int(nil), blockEnds(line)
		if mayGuard(line) {
			found = guard().FindAllSubmatchIndex(line, -1)
		}
		joins := head && bytes.Contains(line, []byte("constructor")) && classBelow().Match(line)
		head = bytes.Contains(line, []byte("class ")) && classHead().Match(line)
		if found == nil && ends == nil && !joins {
			continue
		}
		clean = ownCopy(text, clean)
		if joins {
			clean[at-1] = ' '
		}
		for _, i := range ends {
			clean[at+i] = '\n'
		}
		for _, groups := range found {
			rewriteMatch(clean[at:start], groups)
		}
	}
	return clean
}

// A class whose head ends with its name or its parameters, and a constructor on the line below.
var (
	classHead  = lazyregexp.New(`\bclass\s+\w+(?:\s*<[^{}()]*>)?\s*$`)
	classBelow = lazyregexp.New(`^\s*(?:(?:public|private|protected|internal|actual|expect)\s+` +
		`|@\w+\s+)*constructor\s*\(`)
)

// rewriteMatch rewrites one match of guard.
func rewriteMatch(line []byte, groups []int) {
	for group := 2; group < len(groups); group += 2 {
		from := groups[group]
		switch {
		case from < 0:
		case group >= namesGroup:
			line[from] = '_'
		default:
			Blank(line[from:groups[group+1]])
			if group == guardGroup {
				line[from] = ','
			}
		}
	}
}

// mayGuard reports quickly whether guard may match a line. It is called first, because few lines
// match.
func mayGuard(line []byte) bool {
	for _, word := range [...]string{
		"suspend", "context(", " get ", " set ", " get(", "\tget(", " where",
		"\twhere", "$$",
	} {
		if bytes.Contains(line, []byte(word)) {
			return true
		}
	}
	return bytes.Contains(line, []byte(" if ")) && bytes.Contains(line, []byte("->"))
}

// blockEnds returns the places of blanks before a closing brace, on a line with a function and
// after its last string.
func blockEnds(line []byte) (at []int) {
	if !bytes.Contains(line, []byte("fun ")) {
		return nil
	}
	for i := max(1, bytes.LastIndexByte(line, '"')+2); i < len(line); i++ {
		if line[i] == '}' && line[i-1] == ' ' {
			at = append(at, i-1)
		}
	}
	return at
}

// kotlinFunction names a function. One that extends a type, outside classes, is a method of the
// type.
func kotlinFunction(t *Tree, n int) []Found {
	f := Found{Node: t.Child(n, "name")}
	if t.Is(t.Parent(n), "source_file") {
		f.Scope = kotlinReceiver(t, n)
	}
	return []Found{f}
}

// kotlinReceiver returns the type that a function or a property extends, or "".
func kotlinReceiver(t *Tree, n int) string {
	for c := range t.Children(n) {
		if t.Field(c) == "name" || t.Is(c, "variable_declaration") {
			return ""
		}
		if t.Is(c, "nullable_type") {
			c = t.FirstChild(c, "user_type")
		}
		if t.Is(c, "user_type") {
			return t.Text(t.FirstChild(c, "identifier"))
		}
	}
	return ""
}

func kotlinConstructor(t *Tree, n int) []Found { return []Found{{Node: n, Name: "constructor"}} }

// kotlinHead returns the end of the head of a class, or -1.
func kotlinHead(t *Tree, n int) int {
	if b := t.FirstChild(n, "class_body", "enum_class_body"); b >= 0 {
		return t.Start(b)
	}
	return -1
}

// kotlinProperty names the properties of files and the constants of objects. All others are fields.
func kotlinProperty(t *Tree, n int) []Found {
	d := t.FirstChild(n, "variable_declaration")
	f := Found{Node: t.FirstChild(d, "identifier")}
	constant := strings.Contains(t.Text(t.FirstChild(n, "modifiers")), "const")
	top := t.Is(t.Parent(n), "source_file")
	switch {
	case constant || top && IsUpper(t.Text(f.Node)):
		f.Sort = doc.Constant
	case !top:
		return nil
	}
	if top {
		f.Scope = kotlinReceiver(t, n)
	}
	return []Found{f}
}

// kotlinMember names a field: a property, or a parameter of the constructor.
func kotlinMember(t *Tree, n int) []Found {
	if t.Is(n, "variable_declaration") && !t.Is(t.Parent(t.Parent(n)), "class_body", "enum_class_body") {
		return nil
	}
	return firstIdentifier(t, n)
}

func firstIdentifier(t *Tree, n int) []Found { return []Found{{Node: t.FirstChild(n, "identifier")}} }

// kotlinCalled returns the called name: f, a.f, A of its constructor, and _.f after an expression
// that is no name.
func kotlinCalled(t *Tree, n int) string {
	f := n + 1
	if t.Parent(f) != n {
		return ""
	}
	if t.Is(f, "user_type") {
		f = t.FirstChild(f, "identifier")
	}
	if text := t.Bytes(f); IsPath(text) {
		return strings.ReplaceAll(string(text), "?", "")
	}
	if !t.Is(f, "navigation_expression") {
		return ""
	}
	last := -1
	for c := range t.Children(f) {
		last = c
	}
	if !t.Is(last, "identifier") {
		return ""
	}
	return "_." + t.Text(last)
}

// kotlinPackage binds the package that the file declares.
func kotlinPackage(t *Tree, n int) []doc.Binding {
	return []doc.Binding{{Name: doc.PackageName, Of: t.Text(t.FirstChild(n, "qualified_identifier"))}}
}

// kotlinImported returns the name in an import: a.B, a.*.
func kotlinImported(t *Tree, n int) []Found {
	q := t.FirstChild(n, "qualified_identifier", "identifier")
	name := t.Text(q)
	if strings.HasSuffix(strings.TrimSpace(t.Text(n)), "*") {
		name += ".*"
	}
	return []Found{{Node: q, Name: name}}
}

// kotlinBinding binds the last name of an import, or its alias.
func kotlinBinding(t *Tree, n int) []doc.Binding {
	target := kotlinImported(t, n)[0].Name
	alias := ""
	for c := range t.Children(n) {
		if t.Is(c, "identifier") && t.FirstChild(n, "qualified_identifier") >= 0 {
			alias = t.Text(c)
		}
	}
	b := doc.Binding{Name: or(alias, target[strings.LastIndexByte(target, '.')+1:]), Import: target}
	if b.Name == doc.AllNames {
		b.Of = doc.AllNames
	}
	return []doc.Binding{b}
}

// kotlinTyped adds a parameter or a property with its type, or with that of its value.
func kotlinTyped(v Variables, n int) {
	d := n
	if v.Is(n, "property_declaration") {
		d = v.FirstChild(n, "variable_declaration")
	}
	name, typ := v.FirstChild(d, "identifier"), ""
	for c := range v.Children(d) {
		if name >= 0 && c > name && !v.Is(c, "block") {
			typ = or(TypeName(v.Text(c)), doc.AnyType)
			break
		}
	}
	if typ == "" && d != n {
		for c := range v.Children(n) {
			if c > d && !v.Is(c, "property_delegate", "getter", "setter", "type_constraints") {
				typ = v.ValueType(c)
				break
			}
		}
	}
	if name >= 0 {
		v.Enter(v.Text(name), typ, name)
	}
}
