package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayNameKinds holds the files that may name a kind of document, and these kinds, because they are
// about that kind alone. All other files must ask the table of kinds (store/doc/kinds.go) for a
// trait. Tests, packages that only tests use, measurements and training are left out.
var mayNameKinds = map[string][]string{
	// The table.
	"store/doc/kinds.go":    {"Belief", "Code", "Commit", "Memory", "Pattern", "Persona", "Session"},
	"scrape/parse/kinds.go": {"Belief", "Pattern", "Session"},

	"cmd/internal/deliver/code.go":    {"Code"},
	"cmd/internal/deliver/commit.go":  {"Commit"},
	"cmd/internal/deliver/pattern.go": {"Pattern", "Session"},
	"cmd/internal/deliver/kinds.go":   {"Pattern"}, // the printed form for unknown kinds

	// Symbols, calls and imports, which code has.
	"ask/context.go":                {"Belief", "Code", "Pattern", "Commit"},
	"ask/notes.go":                  {"Memory"},
	"ask/request.go":                {"Belief"}, // a request without words asks for beliefs
	"ask/visits.go":                 {"Belief"}, // of linked projects, in a context
	"ask/visit/shared.go":           {"Belief", "Code", "Pattern", "Commit"},
	"ask/find.go":                   {"Code"}, // symbols
	"cmd/internal/print/listing.go": {"Code"}, // --symbols
	"cmd/internal/ui/thing.go":      {"Code"}, // callers and imports
	"oracles/bm25.go":               {"Code"}, // files that define the symbol of a question
	"oracles/evidence.go":           {"Code"}, // names of files
	"code/assay/callees.go":         {"Code"},
	"code/callers/callers.go":       {"Code"},
	"code/describe/describe.go":     {"Code"}, // links to a definition
	"code/describe/overview.go":     {"Code"},
	"code/describe/reason.go":       {"Code"},           // comments
	"code/lookup/resolve.go":        {"Code", "Commit"}, // names of symbols; a sha
	"code/describe/shown.go":        {"Code"},           // the symbol of a file that is shown
	"store/build/passages.go":       {"Code"},
	"store/rows.go":                 {"Code"}, // calls by name
	"scrape/parse/parse.go":         {"Code"}, // parsers
	"store/build/worker.go":         {"Code"},
	"belief/knowledge/reachfind.go": {"Code"},
	"belief/knowledge/reachtree.go": {"Code"},
	"belief/verify/code.go":         {"Code"},
	"store/build/writer.go":         {"Code"},

	// The order of files of code: by blend, and by votes of commits.
	"fusion/blend.go":            {"Code"},
	"oracles/temporal.go":        {"Code"},
	"code/history/touched.go":    {"Code"},
	"code/lookup/frequencies.go": {"Code"},           // sketches are of code
	"store/build/publish.go":     {"Belief", "Code"}, // the largest parts of it

	// Beliefs, and the sessions that name them.
	"cmd/internal/deliver/belief.go":            {"Belief"},
	"cmd/internal/deliver/beliefs/beliefs.go":   {"Belief"},
	"cmd/internal/deliver/beliefs/believed.go":  {"Belief"},
	"cmd/internal/deliver/beliefs/proposals.go": {"Commit"},
	"cmd/internal/beliefcmd/proposed.go":        {"Commit"},
	"belief/audit/audit.go":                     {"Belief", "Session"},
	"belief/audit/findings.go":                  {"Belief"},
	"cmd/internal/deliver/beliefs/reach.go":     {"Belief"},
	"cmd/internal/deliver/beliefs/standing.go":  {"Belief"},
	"oracles/belief.go":                         {"Belief"},
	"belief/belief.go":                          {"Belief"},
	"belief/body.go":                            {"Belief"},
	"belief/knowledge/note.go":                  {"Belief", "Session"},
	"code/describe/belief.go":                   {"Belief", "Session"},
	"scrape/parse/layer.go":                     {"Pattern"},

	// The groups of texts that a model is chosen for.
	"registry/models/groups.go": {"Belief", "Code", "Commit", "Memory", "Pattern", "Persona", "Session"},

	// The notes of a user.
	"cmd/internal/deliver/outside.go":      {"Memory", "Persona"},
	"oracles/memory.go":                    {"Memory"},
	"cmd/internal/memorycmd/writenotes.go": {"Persona"},
	"cmd/internal/memorycmd/persona.go":    {"Persona"}, // notes written in the same way
	"oracles/persona.go":                   {"Persona"},
	"ask/embedders/choice.go":              {"Persona"}, // one model for all projects
	"ask/project/model.go":                 {"Memory", "Persona"},
	"ask/project/embed.go":                 {"Memory", "Persona"},
	"ask/project/vectors.go":               {"Persona"}, // notes in a store of their own

	// The history.
	"ask/why.go":               {"Belief", "Commit"}, // decisions written in the same way
	"fusion/intent.go":         {"Commit"},           // a word of questions
	"code/lookup/texts.go":     {"Commit"},
	"store/filter.go":          {"Code", "Commit"}, // commits by the files that they touched
	"code/history/commit.go":   {"Commit"},
	"store/build/revisions.go": {"Commit"},
	"store/build/segment.go":   {"Code", "Commit"}, // average lengths, as of text.Averages
	"oracles/literals.go":      {"Code"},           // places of a text are in files of code
}

// kindsApart holds folders whose files may name any kind.
var kindsApart = []string{"bench/", "oracles/embed/train/", "oracles/oracletest/", "store/storetest/"}

func TestKindsAreNamedInFewPlaces(t *testing.T) {
	kinds := kindsOfStore(t)
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") ||
			slices.ContainsFunc(kindsApart, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
			continue
		}
		named := kindsNamed(t, file, nil, kinds)
		seen[file] = len(named) > 0
		for _, k := range named {
			if !slices.Contains(mayNameKinds[file], k) {
				t.Errorf("%s names the kind %s: ask for a trait of it (doc.Traits)", file, k)
			}
		}
		for _, k := range mayNameKinds[file] {
			if !slices.Contains(named, k) {
				t.Errorf("%s may name the kind %s and does not", file, k)
			}
		}
	}
	for file := range mayNameKinds {
		if !seen[file] {
			t.Errorf("file %q has a row in mayNameKinds and names no kind", file)
		}
	}
}

// The test itself is tested with cases that it must catch, and cases that it must let pass.
func TestNamedKindsAreCaught(t *testing.T) {
	kinds := kindsOfStore(t)
	if len(kinds) < 3 || kinds["Commit"] != "commit" {
		t.Fatalf("kinds %v", kinds)
	}
	for _, test := range []struct {
		file, body, want string
	}{
		{"actors/x.go", `if k == doc.Code { f() }`, "Code"},
		{"store/doc/x.go", `switch k { case Commit, Pattern: }`, "Commit Pattern"},
		{"store/doc/x.go", `f(a.Pattern, Assay{Pattern: "x"}, e.Code)`, ""},
		{"actors/x.go", `strings.HasPrefix(id, "pattern:")`, "Pattern"},
		{"actors/x.go", "f(`SELECT key FROM file WHERE kind = 'code'`)", "Code"},
		{"fusion/x.go", `if k == "code" { f() }`, "Code"},
		{"cmd/patina/x.go", `f("code", "commits behind", "commit")`, ""},
		{"actors/x.go", `f(k.Traits().Shape == doc.OfFiles)`, ""},
	} {
		source := "package x\nfunc _() { " + test.body + " }"
		if got := strings.Join(kindsNamed(t, test.file, source, kinds), " "); got != test.want {
			t.Errorf("%s with %s names %q, want %q", test.file, test.body, got, test.want)
		}
	}
}

// kindsOfStore returns the values of the constants of type Kind in package doc, by name.
func kindsOfStore(t *testing.T) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "store/doc/kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if typed, ok := spec.Type.(*ast.Ident); ok && typed.Name == "Kind" {
			kinds[spec.Names[0].Name] = text(spec.Values[0])
		}
		return true
	})
	return kinds
}

// kindsNamed returns the kinds that a file names, sorted: by constant, as the prefix of a doc_id,
// or as a value in SQL. In package fusion their values count, because it does not import doc. If
// source is not nil, it is read instead of the file.
func kindsNamed(t *testing.T, file string, source any, kinds map[string]string) (named []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), source, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, fusion := path.Dir(file) == "store/doc", path.Dir(file) == "fusion"
	is := func(name string) bool { return kinds[name] != "" }
	add := func(name string) { named = append(named, name) }
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		// doc.Code: with other packages and fields, only the part before the dot counts.
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "doc" && is(n.Sel.Name) {
				add(n.Sel.Name)
			}
			ast.Inspect(n.X, func(m ast.Node) bool {
				if x, ok := m.(*ast.Ident); ok && own && is(x.Name) {
					add(x.Name)
				}
				return true
			})
			return false
		case *ast.KeyValueExpr:
			if x, ok := n.Key.(*ast.Ident); ok && is(x.Name) {
				n.Key = ast.NewIdent("_")
			}
		case *ast.Field:
			n.Names = nil
		case *ast.Ident:
			if own && is(n.Name) {
				add(n.Name)
			}
		case *ast.BasicLit:
			for name, value := range kinds {
				s := text(n)
				if strings.HasPrefix(s, value+":") || strings.Contains(s, "'"+value+"'") || fusion && s == value {
					add(name)
				}
			}
		}
		return true
	})
	slices.Sort(named)
	return slices.Compact(named)
}

// text returns the value of a string literal, or "" for any other expression.
func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, err := strconv.Unquote(lit.Value)
		if err == nil {
			return s
		}
	}
	return ""
}
