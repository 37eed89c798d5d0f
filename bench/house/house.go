package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// House holds the counts of a Go tree.
type House struct {
	Lines   map[string]int                        // of each package, by its folder
	Methods map[string]int                        // of each type, by "folder.Type"
	Files   map[string]map[string]bool            // that hold methods of each type
	Defined map[string]map[string]bool            // packages of each unexported function
	Names   struct{ Functions, Methods []string } // unexported ones

	Complexity []int          // McCabe's cyclomatic number of each function
	Code, Wide int            // lines of code, and those over wideColumns
	Words      int            // in comments
	Said       map[string]int // how often comments say each of the patterns in Sayings
}

// wideColumns is the width over which a line of code is wide, with tabs of four columns.
const wideColumns = 120

// manyPackages is the number of packages that must define a name for it to count as common.
const manyPackages = 5

// Sayings are patterns that are counted in comments, by name. The first three are habits that make
// sentences hard to read. The others are the words of a contract.
var Sayings = []struct {
	Name    string
	Pattern *regexp.Regexp
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`)},
	{"stand, lie", regexp.MustCompile(`(?i)\b(stands?|lies?)\b`)},
	{"none", regexp.MustCompile(`(?i)\bnone\b`)},
	{"must, should", regexp.MustCompile(`(?i)\b(must|should)\b`)},
	{"because", regexp.MustCompile(`(?i)\bbecause\b`)},
	{"nil", regexp.MustCompile(`(?i)\bnil\b`)},
}

// adjectives are names that say neither what a function does nor what it returns: prepositions,
// participles, pronouns and adjectives.
var adjectives = func() map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(`in of at on over within under beside inside outside below above near after before as by for
		to whole all each other same own none seen held wanted named listed described written asked typed known foreign blank
		empty plain lazy first last enough wide lone deep less more most many few some such here there where what which whose
		that this then now again likely sure firm bare raw lowered shown put taken given gone left kept lent spared counted
		dated gathered drawn awaited admitted released understood fused linked joined moved opened made told said began ended
		met heard`) {
		m[w] = true
	}
	return m
}()

// Measure reads the Go files below a folder, which must exist. skip lists folders below it that are
// left out, with slashes, and may be nil. It returns an error if a file cannot be read or parsed.
func Measure(root string, skip []string) (*House, error) {
	h := &House{
		Lines: map[string]int{}, Methods: map[string]int{}, Files: map[string]map[string]bool{},
		Defined: map[string]map[string]bool{}, Said: map[string]int{},
	}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && (isSkipped(d.Name()) || slices.Contains(skip, rel)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.HasSuffix(rel, ".pb.go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return h.addFile(rel, source)
	})
	return h, err
}

// isSkipped reports whether folders of a name never contain code of the tree itself.
func isSkipped(folder string) bool {
	return strings.HasPrefix(folder, ".") || slices.Contains([]string{
		"vendor", "testdata", "node_modules", "examples",
		"third_party",
	}, folder)
}

func (h *House) addFile(name string, source []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	folder := path.Dir(name)
	h.Lines[folder] += strings.Count(string(source), "\n")
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			h.addFunction(folder, name, f)
		}
	}
	for line := range strings.Lines(string(source)) {
		h.addLine(strings.TrimRight(line, "\n"))
	}
	return nil
}

func (h *House) addFunction(folder, file string, f *ast.FuncDecl) {
	h.Complexity = append(h.Complexity, complexity(f))
	name := f.Name.Name
	if f.Recv != nil {
		of := folder + "." + receiverName(f.Recv.List[0].Type)
		h.Methods[of]++
		addTo(h.Files, of, file)
	}
	if ast.IsExported(name) || name == "main" || name == "init" || name == "_" {
		return
	}
	addTo(h.Defined, name, folder)
	if f.Recv != nil {
		h.Names.Methods = append(h.Names.Methods, name)
	} else {
		h.Names.Functions = append(h.Names.Functions, name)
	}
}

func addTo(m map[string]map[string]bool, key, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

// receiverName returns the name of a receiver's type, without a pointer and type parameters.
func receiverName(x ast.Expr) string {
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// complexity returns McCabe's cyclomatic number of a function: one more than its branches (T. J.
// McCabe, "A Complexity Measure", IEEE Transactions on Software Engineering, 1976).
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func (h *House) addLine(line string) {
	text := strings.TrimSpace(line)
	switch {
	case text == "":
	case strings.HasPrefix(text, "//go:"):
	case strings.HasPrefix(text, "//"):
		h.Words += len(strings.Fields(text[2:]))
		for _, s := range Sayings {
			h.Said[s.Name] += len(s.Pattern.FindAllString(text[2:], -1))
		}
	default:
		h.Code++
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > wideColumns {
			h.Wide++
		}
	}
}

// Common returns the unexported names that manyPackages packages or more define, sorted.
func (h *House) Common() (names []string) {
	for name, in := range h.Defined {
		if len(in) >= manyPackages {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// OneWord returns the percentage of unexported functions whose name is one word.
func (h *House) OneWord() float64 { return percentage(h.Names.Functions, isOneWord) }

// Adjectives returns the percentages of unexported functions and of methods that are named by an
// adjective, a preposition, a pronoun or a participle.
func (h *House) Adjectives() (functions, methods float64) {
	isAdjective := func(name string) bool { return adjectives[name] }
	return percentage(h.Names.Functions, isAdjective), percentage(h.Names.Methods, isAdjective)
}

func isOneWord(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLower(r) })
}

func percentage(names []string, ok func(string) bool) float64 {
	n := 0
	for _, name := range names {
		if ok(name) {
			n++
		}
	}
	return 100 * float64(n) / float64(max(1, len(names)))
}

// PerThousand returns how often comments match a pattern of Sayings, per 1,000 words.
func (h *House) PerThousand(name string) float64 {
	return 1000 * float64(h.Said[name]) / float64(max(1, h.Words))
}

// largest returns the greatest count and its key. Of equal counts, it is the first by name.
func largest(counts map[string]int) (key string, n int) {
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if counts[k] > n {
			key, n = k, counts[k]
		}
	}
	return key, n
}

// Write writes the figures, one on each line.
func (h *House) Write(w io.Writer) error {
	sizes := slices.Sorted(maps.Values(h.Lines))
	total := 0
	for _, n := range sizes {
		total += n
	}
	quantile := func(sorted []int, q float64) int {
		if len(sorted) == 0 {
			return 0
		}
		return sorted[int(q*float64(len(sorted)-1))]
	}
	slices.Sort(h.Complexity)
	widest, lines := largest(h.Lines)
	most, methods := largest(h.Methods)
	functionAdjectives, methodAdjectives := h.Adjectives()
	var said []string
	for _, s := range Sayings {
		said = append(said, fmt.Sprintf("%s %.1f", s.Name, h.PerThousand(s.Name)))
	}
	common := h.Common()
	_, err := fmt.Fprintf(w, `packages %d, lines %d
lines of a package: median %d, most %d (%s)
most methods of a type: %d in %d files (%s)
cyclomatic complexity: nine in ten at most %d, greatest %d
unexported functions %d, with a one-word name %.1f%%
named by an adjective, preposition, pronoun or participle: %.1f%% of functions, %.1f%% of %d methods
unexported names in %d packages or more: %d (%s)
per 1,000 words of comments: %s
lines of code over %d columns: %.2f%%
`,
		len(h.Lines), total,
		quantile(sizes, 0.5), lines, widest,
		methods, len(h.Files[most]), most,
		quantile(h.Complexity, 0.9), quantile(h.Complexity, 1),
		len(h.Names.Functions), h.OneWord(),
		functionAdjectives, methodAdjectives, len(h.Names.Methods),
		manyPackages, len(common), strings.Join(common, " "),
		strings.Join(said, ", "),
		wideColumns, 100*float64(h.Wide)/float64(max(1, h.Code)))
	return err
}
