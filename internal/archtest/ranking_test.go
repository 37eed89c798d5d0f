package archtest

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every constant in the table of docs/constants.md must have the value and the file given there.
func TestRankingConstants(t *testing.T) {
	rows := tableRows(t, "docs/constants.md", "constants")
	if len(rows) < 50 {
		t.Fatalf("%d constants", len(rows))
	}
	packages := map[string]*goPackage{}
	for _, row := range rows {
		name, file := strings.Trim(row[0], "`"), strings.Trim(row[2], "`")
		dir := path.Dir(file)
		if packages[dir] == nil {
			packages[dir] = readPackage(t, dir)
		}
		got, where := packages[dir].value(name)
		want, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case got == nil:
			t.Errorf("%s: no constant in %s; docs/constants.md needs one of %q", name, dir, filesDeclaring(t, name))
		case where != path.Base(file):
			t.Errorf("%s: in %s/%s, docs/constants.md says %s", name, dir, where, file)
		case float(got) != want:
			t.Errorf("%s: %v, docs/constants.md says %s", name, got, row[1])
		}
	}
}

// filesDeclaring returns the files that may declare a constant, so that an error can say where it
// is now.
func filesDeclaring(t *testing.T, name string) (files []string) {
	t.Helper()
	name, _, _ = strings.Cut(name, "[")
	declared := regexp.MustCompile(`(?m)^\s*(?:const |var )?` + name + `\b.*=`)
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") && declared.MatchString(readFile(t, file)) {
			files = append(files, file)
		}
	}
	return files
}

// float returns the value of a numeric constant, rounded like the compiler does.
func float(v constant.Value) float64 {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	return f
}

// Each demotion's factor, and the words that lift it, must be as in docs/ranking.md.
func TestRankingDemotions(t *testing.T) {
	rows := tableRows(t, "docs/ranking.md", "demotions")
	table := demotionTable(t)
	if len(rows) != len(table.Elts) {
		t.Fatalf("%d rows, the code has %d", len(rows), len(table.Elts))
	}
	for i, row := range rows {
		fields := table.Elts[i].(*ast.CompositeLit).Elts
		if factor := fields[1].(*ast.BasicLit).Value; factor != row[1] {
			t.Errorf("%s: factor %s, docs/ranking.md says %s", row[0], factor, row[1])
		}
		var words []string
		ast.Inspect(fields[2], func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				word, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				words = append(words, word)
			}
			return true
		})
		if got := strings.Join(words, " "); got != row[2] {
			t.Errorf("%s: lifted by %q, docs/ranking.md says %q", row[0], got, row[2])
		}
	}
}

// demotionTable returns the variable "demotions", of which the module has one.
func demotionTable(t *testing.T) *ast.CompositeLit {
	t.Helper()
	for _, file := range goFiles(t) {
		if path.Base(file) != "demotion.go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if spec := valueSpec(d, "demotions"); spec != nil {
				return spec.Values[0].(*ast.CompositeLit)
			}
		}
	}
	t.Fatal("no demotion.go declares demotions")
	return nil
}

// valueSpec returns the specification in a declaration that gives one name its value, or nil.
func valueSpec(d ast.Decl, name string) *ast.ValueSpec {
	group, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, s := range group.Specs {
		if spec, ok := s.(*ast.ValueSpec); ok && spec.Names[0].Name == name && len(spec.Values) == 1 {
			return spec
		}
	}
	return nil
}

var rankingCitation = regexp.MustCompile(`docs/ranking\.md, ((?:(?: and )?"[^"]+")+)`)

// Headings cited in comments must exist in docs/ranking.md.
func TestRankingCitations(t *testing.T) {
	page := readFile(t, "docs/ranking.md")
	wrapped := regexp.MustCompile(`\n\s*//\s*`)
	cited := 0
	for _, file := range goFiles(t) {
		source := wrapped.ReplaceAllString(readFile(t, file), " ")
		for _, m := range rankingCitation.FindAllStringSubmatch(source, -1) {
			for i, heading := range strings.Split(m[1], `"`) {
				if i%2 == 0 {
					continue
				}
				cited++
				if !strings.Contains(page, "\n## "+heading+"\n") {
					t.Errorf("%s cites %q, docs/ranking.md has no such heading", file, heading)
				}
			}
		}
	}
	if cited < 20 {
		t.Errorf("%d citations", cited)
	}
}

// tableRows returns the cells of a table between two marks in a page.
func tableRows(t *testing.T, page, mark string) (rows [][]string) {
	t.Helper()
	_, rest, ok := strings.Cut(readFile(t, page), "<!-- "+mark+" -->\n")
	table, _, closed := strings.Cut(rest, "<!-- /"+mark+" -->")
	if !ok || !closed {
		t.Fatalf("%s has no table %q", page, mark)
	}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for c := range cells {
			cells[c] = strings.TrimSpace(cells[c])
		}
		if i >= 2 { // after the heading and the line below it
			rows = append(rows, cells)
		}
	}
	return rows
}

// A goPackage is one package, checked without its imports, which is enough to know its constants.
type goPackage struct {
	files *token.FileSet
	info  types.Info
	trees []*ast.File
}

func readPackage(t *testing.T, dir string) *goPackage {
	t.Helper()
	p := &goPackage{files: token.NewFileSet()}
	p.info = types.Info{Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	for _, file := range goFiles(t) {
		if path.Dir(file) != dir || strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(p.files, filepath.FromSlash(file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.trees = append(p.trees, tree)
	}
	check := types.Config{
		Importer: noImports{},
		Error:    func(error) {}, // mostly about imports: go vet checks the code
	}
	_, _ = check.Check(dir, p.files, p.trees, &p.info)
	return p
}

// noImports is an importer that always fails.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

var constantName = regexp.MustCompile(`^(\w+)(?:\[(\w+)\])?$`)

// value returns a constant ("K1") or an element of a table ("codeWeights[lexical]", "Weights[0]"),
// and the file that declares it. It returns nil if there is no such constant.
func (p *goPackage) value(name string) (v constant.Value, file string) {
	m := constantName.FindStringSubmatch(name)
	if m == nil {
		return nil, ""
	}
	for _, tree := range p.trees {
		for _, d := range tree.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok == token.IMPORT || group.Tok == token.TYPE {
				continue
			}
			for _, s := range group.Specs {
				spec := s.(*ast.ValueSpec)
				at := slices.IndexFunc(spec.Names, func(n *ast.Ident) bool { return n.Name == m[1] })
				if at >= 0 {
					return p.valueOf(spec, at, m[2]), path.Base(filepath.ToSlash(p.files.Position(spec.Pos()).Filename))
				}
			}
		}
	}
	return nil, ""
}

// valueOf returns the value of a specification's i-th name, or of its element with a key if key is
// not empty.
func (p *goPackage) valueOf(spec *ast.ValueSpec, i int, key string) constant.Value {
	if key == "" {
		if c, ok := p.info.Defs[spec.Names[i]].(*types.Const); ok {
			return c.Val()
		}
		return nil
	}
	table, ok := spec.Values[i].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for at, e := range table.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == key {
				return p.info.Types[kv.Value].Value
			}
		} else if strconv.Itoa(at) == key {
			return p.info.Types[e].Value
		}
	}
	return nil
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
