package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"patina/code/lang"
)

// parserTable names every language that has a parser.
const parserTable = "scrape/syntax/parsers.go"

// mayNameLanguages lists the files outside of code/lang that may name a language, and which ones,
// with the reason. All others ask the Language. Tests, measurements and training are left out.
var mayNameLanguages = map[string]string{
	// It reads these formats of components and pages, each in its own way.
	"scrape/markup/markup.go":   "Astro, HTML, JavaScript, TSX, TypeScript, Vue",
	"scrape/markup/template.go": "Astro, HTML, Pascal, Svelte, Vue", // Pascal writes names so

	// A client's name of a tool.
	"cmd/internal/agentcmd/clients.go": "Shell",

	// A language whose rules of colours are code.
	"cmd/internal/ui/paint/rules.go": "Go",

	// Manifests, and the registries that they name.
	"code/manifest/python.go":  "Python",
	"registry/mother/facts.go": "Go",
}

func TestLanguagesAreNamedInOnePlace(t *testing.T) {
	names := languageNames()
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") || file == parserTable || strings.HasPrefix(file, "code/lang/") ||
			slices.ContainsFunc(kindsApart, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
			continue
		}
		named := strings.Join(languagesNamed(t, file, nil, names), ", ")
		if row, ok := mayNameLanguages[file]; row != named {
			t.Errorf("%s names %q, and its row says %q: ask lang.Named for what you need to know", file, named, row)
		} else if ok {
			seen[file] = true
		}
	}
	for file := range mayNameLanguages {
		if !seen[file] {
			t.Errorf("file %q has a row in mayNameLanguages and names no language", file)
		}
	}
}

// languageNames returns the names of programming languages, components and pages.
func languageNames() map[string]bool {
	names := map[string]bool{}
	for l := range lang.All {
		if l.Code || l.Template != "" {
			names[l.Name] = true
		}
	}
	return names
}

// languagesNamed returns the languages that a file names in a string or a declaration.
func languagesNamed(t *testing.T, file string, source any, names map[string]bool) (named []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string) {
		if names[name] && !slices.Contains(named, name) {
			named = append(named, name)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec: // "C"
			return false
		case *ast.FuncDecl:
			add(n.Name.Name)
		case *ast.TypeSpec:
			add(n.Name.Name)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name.Name)
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				name, _ := strconv.Unquote(n.Value)
				add(name)
				for word := range strings.FieldsSeq(name) { // a list of names, or a sentence
					if !names[strings.ReplaceAll(word, "_", " ")] {
						return true
					}
				}
				for word := range strings.FieldsSeq(name) {
					add(strings.ReplaceAll(word, "_", " "))
				}
			}
		}
		return true
	})
	slices.Sort(named)
	return named
}

// The test itself is tested with cases that it must catch, and cases that it must let pass.
func TestNamedLanguagesAreCaught(t *testing.T) {
	names := languageNames()
	for _, test := range []struct{ body, want string }{
		{`if l == "Rust" { f() }`, "Rust"},
		{`switch l { case "Go", "C#": }`, "C#, Go"},
		{`const Kotlin = 1`, "Kotlin"},
		{`text.Set("Perl Visual_Basic")`, "Perl, Visual Basic"},
		{`group.Go(f); f("Markdown", "rust", "in Rust")`, ""},
	} {
		source := "package x\nfunc y() { " + test.body + " }\n"
		if got := strings.Join(languagesNamed(t, "x.go", source, names), ", "); got != test.want {
			t.Errorf("%s names %q, want %q", test.body, got, test.want)
		}
	}
}

// The table in docs/indexing.md says of each language what its parser gives.
func TestDocumentedLanguages(t *testing.T) {
	const page = "docs/indexing.md"
	said := map[string][]string{}
	for _, row := range tableRows(t, page, "parsers") {
		for name := range strings.SplitSeq(row[0], ", ") {
			said[name] = row[1:]
		}
	}
	for l := range lang.All {
		if l.Grammar == nil && l.Template == "" {
			continue
		}
		row := said[l.Name]
		if len(row) < 4 {
			t.Errorf("%s does not say what the parser of %s gives", page, l.Name)
			continue
		}
		f := l.Facts()
		for i, gives := range []bool{f.Symbols, f.Calls, f.Imports, f.Bindings} {
			if (row[i] == "yes") != gives {
				t.Errorf("%s says %q of %s in column %d, and its table gives %t", page, row[i], l.Name, i+1, gives)
			}
		}
		delete(said, l.Name)
	}
	delete(said, "every other language")
	for name := range said {
		t.Errorf("%s has a row for %s, which has no parser", page, name)
	}
}
