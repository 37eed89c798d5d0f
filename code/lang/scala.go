package lang

import (
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

func addScala(register func(*Language)) {
	register(&Language{
		Name: "Scala", Code: true, Files: ".scala .sbt .sc", Interpreters: "scala", Comments: slashComments,
		TestLines: []string{"@Test", "test(\""},
		Ecosystem: "Maven", TextImports: lazyregexp.New(`(?m)^[ \t]*import[ \t]+([A-Za-z_][\w.]*)`),
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: map[string]Rule{
				"function_definition function_declaration":                                           {Is: Function},
				"class_definition trait_definition object_definition enum_definition package_object": {Is: Type},
				"type_definition":      {Is: Type, Flat: true, Ends: scalaAlias},
				"given_definition":     {Is: Constant, Ends: scalaAlias},
				"extension_definition": {Is: Namespace, Names: scalaExtended},
				"val_definition var_definition val_declaration var_declaration": {Is: Variable, Names: scalaValue},
				"class_parameter simple_enum_case full_enum_case":               {Is: Member},
				"lambda_expression":     {Is: Closure},
				"annotation":            {Is: Attribute, Closed: true},
				"comment block_comment": {Is: Comment},
				"call_expression":       {Is: Call, Calls: scalaCalled},
				"instance_expression":   {Is: Call, Calls: scalaNew},
				"infix_expression":      {Is: Call, Calls: scalaInfix},
				"package_clause":        {Binds: scalaPackage},
				"import_declaration":    {Is: Import, Names: scalaImported, Binds: scalaBindings},
			},
			Typed: map[string]Typing{
				"parameter class_parameter val_definition var_definition val_declaration " +
					"var_declaration": {Parts: scalaTyped},
			},
			Predeclared: text.Set(`println print require assert assume Some None List Seq Map Set Option Array
				Right Left Vector this super`),
			TypesByValue: true, CallsMakeTypes: true,
		},
		Scope: Scope{
			Modules: DeclaredPackages, ByPath: true, RelativePackages: true, ImplicitThis: true, SharesFolder: true,
			DeclaredTypes: true, StrictTypes: true, NominalTypes: true, ClosedNames: true, Namespaced: true,
			LocatesTypes: true, PropertiesAreTypes: true,
			// scala.Any, scala.collection, scala.Option, scala.util, StringOps and Future of the
			// library of Scala 2.13 and 3.
			BuiltinMethods: text.Set(`addAll addOne andThen apply appended asInstanceOf canEqual clear collect
				collectFirst combinations compare compareTo compose concat contains copy copyToArray count
				diff distinct drop dropRight dropWhile empty endsWith equals exists fill filter
				filterNot find flatMap flatten fold foldLeft foldRight forall foreach format get
				getOrElse getOrElseUpdate groupBy grouped hasNext hashCode head headOption indexOf
				indexWhere indices init insert intersect isDefined isEmpty isInstanceOf iterator
				keys keySet last lastIndexOf lastOption left length lift lines map mapValues max
				maxBy min minBy mkString next nonEmpty onComplete orElse padTo partition patch permutations
				prepended product productIterator put range recover recoverWith reduce reduceLeft
				remove replace replaceAll result reverse right run scanLeft size slice sliding sort sortBy
				sortWith sorted span split splitAt startsWith stripMargin stripPrefix stripSuffix sum
				tail tails take takeRight takeWhile tapEach to toArray toBuffer toDouble toInt toList
				toLong toLowerCase toMap toOption toRight toSeq toSet toString toUpperCase toVector
				transform transpose trim union unapply unzip update updated value values view withFilter
				zip zipWithIndex`),
		},
	})
}

// scalaAlias returns the end of the head of a type alias or a given, or -1.
func scalaAlias(t *Tree, n int) int {
	for _, field := range []string{"type", "body"} {
		if c := t.Child(n, field); c >= 0 {
			return t.Start(c)
		}
	}
	return -1
}

// scalaExtended names the type that an extension adds to.
func scalaExtended(t *Tree, n int) []Found {
	p := t.FirstChild(t.Child(n, "parameters"), "parameter")
	typ := t.Child(p, "type")
	for t.Is(typ, "generic_type") {
		typ = t.Child(typ, "type")
	}
	return []Found{{Node: typ}}
}

// scalaValue names the values of files and objects. Those of classes are fields, and those of
// functions are left out. A capital or "final" makes a constant.
func scalaValue(t *Tree, n int) []Found {
	pattern := max(t.Child(n, "pattern"), t.Child(n, "name"))
	if !t.Is(pattern, "identifier") || t.Text(pattern) == "" { // "val =" has a name of no letters
		return nil
	}
	p := t.Parent(n)
	if t.Is(p, "template_body") && !t.Is(t.Parent(p), "object_definition", "package_object") ||
		t.Is(p, "block", "indented_block", "case_clause", "enum_body") {
		return nil
	}
	f := Found{Node: pattern}
	name := t.Text(pattern)
	if !t.Is(n, "var_definition", "var_declaration") && (name[0] >= 'A' && name[0] <= 'Z' ||
		strings.Contains(t.Text(t.FirstChild(n, "modifiers")), "final")) {
		f.Sort = doc.Constant
	}
	return []Found{f}
}

// scalaCalled returns the called name: f, a.f, and _.f after an expression that is no name.
func scalaCalled(t *Tree, n int) string {
	f := t.Child(n, "function")
	for range 3 {
		if t.Is(f, "generic_function") {
			f = t.Child(f, "function")
		}
	}
	if f < 0 || t.Is(f, "call_expression") {
		return "" // a second list of arguments
	}
	if text := t.Bytes(f); IsPath(text) {
		return string(text)
	}
	if last := t.Child(f, "field"); last >= 0 && t.Is(f, "field_expression") {
		return "_." + t.Text(last)
	}
	return ""
}

// scalaNew returns the class of "new C(…)", or "".
func scalaNew(t *Tree, n int) string {
	c := t.FirstChild(n, "type_identifier", "stable_type_identifier", "generic_type")
	for t.Is(c, "generic_type") {
		c = t.Child(c, "type")
	}
	if c < 0 || !IsPath(t.Bytes(c)) {
		return ""
	}
	return t.Text(c)
}

// scalaInfix returns the method of "a method b". It returns "" for operators of signs.
func scalaInfix(t *Tree, n int) string {
	op := t.Child(n, "operator")
	if !t.Is(op, "identifier") {
		return ""
	}
	if left := t.Child(n, "left"); left >= 0 && IsPath(t.Bytes(left)) {
		return t.Text(left) + "." + t.Text(op)
	}
	return "_." + t.Text(op)
}

// scalaPackage binds a package that the file declares. One in braces is left out, because it has
// only a part of the file.
func scalaPackage(t *Tree, n int) []doc.Binding {
	if t.Child(n, "body") >= 0 {
		return nil
	}
	return []doc.Binding{{Name: doc.PackageName, Of: t.Text(t.Child(n, "name"))}}
}

// scalaImported spells out an import: a.{B, C => D} is a.B and a.C.
func scalaImported(t *Tree, n int) (list []Found) {
	for _, b := range scalaBindings(t, n) {
		list = append(list, Found{Node: n, Name: b.Import})
	}
	return list
}

// scalaBindings binds the names of an import, and those that it renames.
func scalaBindings(t *Tree, n int) (list []doc.Binding) {
	text := strings.TrimSpace(strings.TrimPrefix(t.Text(n), "import"))
	for _, p := range spellOut(strings.Join(strings.Fields(text), " ")) {
		name, alias, renamed := strings.Cut(p, "=>")
		if !renamed {
			name, alias, _ = strings.Cut(p, " as ")
		}
		name, alias = strings.ReplaceAll(name, " ", ""), strings.TrimSpace(alias)
		i := strings.LastIndexByte(name, '.')
		if i <= 0 || name[i+1:] == "" {
			continue
		}
		if last := name[i+1:]; last == "_" || last == "*" || last == "given" {
			list = append(list, doc.Binding{Name: doc.AllNames, Import: name[:i] + ".*", Of: doc.AllNames})
			continue
		}
		list = append(list, doc.Binding{Name: or(alias, name[i+1:]), Import: name})
	}
	return list
}

// scalaTyped returns the name of a value and its type.
func scalaTyped(t *Tree, n int) (name, of, holder int) {
	return max(t.Child(n, "pattern"), t.Child(n, "name")), t.Child(n, "type"), n
}
