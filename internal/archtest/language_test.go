package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// commentColumns is the highest number of columns of a line with a comment.
const commentColumns = 100

// Comments must fit into 100 columns and say "reports whether", as in the Go standard library.
func TestCommentsArePlain(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, ".pb.go") { // generated
			continue
		}
		for _, fault := range commentFaults(t, file, readFile(t, file)) {
			t.Error(fault)
		}
	}
}

// bannedForms are turns of phrase that a reader has to translate. Name the thing instead, or
// say that there is no such thing.
var bannedForms = regexp.MustCompile(`(?i)(there )?\bis none\b|\bgives? none\b|\bof what\b|\bwhat stands\b|\bof which nothing\b`)

// commentFaults returns the faults in a file's comments, with their positions.
func commentFaults(t *testing.T, file, source string) (faults []string) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, filepath.FromSlash(file), source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(source, "\n")
	for _, group := range parsed.Comments {
		if isPreamble(parsed, group) {
			continue
		}
		text := strings.Join(strings.Fields(group.Text()), " ")
		for _, m := range bannedForms.FindAllString(text, -1) {
			if !strings.Contains(strings.ToLower(m), "there is none") {
				faults = append(faults, files.Position(group.Pos()).String()+": say it in plain words: "+strconv.Quote(m))
			}
		}
		if strings.Contains(text, "tells whether") {
			faults = append(faults, files.Position(group.Pos()).String()+`: write "reports whether"`)
		}
		for n := files.Position(group.Pos()).Line; n <= files.Position(group.End()).Line; n++ {
			line := strings.TrimSuffix(lines[n-1], "\r")
			if utf8.RuneCountInString(line) > commentColumns && !strings.HasPrefix(line, "//go:") {
				faults = append(faults, files.Position(group.Pos()).String()+": comment line over 100 columns: "+line)
			}
		}
	}
	return faults
}

// isPreamble reports whether a comment is C code for cgo.
func isPreamble(file *ast.File, group *ast.CommentGroup) bool {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Doc == group && g.Tok == token.IMPORT {
			return g.Specs[0].(*ast.ImportSpec).Path.Value == `"C"`
		}
	}
	return false
}

func TestCommentFaults(t *testing.T) {
	long := strings.Repeat("word ", 21)
	for _, test := range []struct {
		source string
		want   int
	}{
		{"// Package x is fine.\npackage x\n", 0},
		{"// Package x " + long + "\npackage x\n", 1},
		{"package x\n\nvar a = 1 // " + long + "\n", 1},
		{"package x\n\nvar a = \"// tells whether " + long + "\"\n", 0},
		{"package x\n\n// is tells\n// whether it is.\nfunc is() {}\n", 1},
		{"package x\n\n// is reports whether it is.\nfunc is() {}\n", 0},
		{"package x\n\n/*\n#cgo " + long + "\n*/\nimport \"C\"\n", 0},
		{"package x\n\n/*\n" + long + "\n*/\nimport \"fmt\"\n", 1},
	} {
		if got := commentFaults(t, "x.go", test.source); len(got) != test.want {
			t.Errorf("%q: %q, want %d faults", test.source, got, test.want)
		}
	}
}
