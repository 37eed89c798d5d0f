package xref_test

import (
	"slices"
	"strings"
	"testing"

	"patina/code/imports"
	"patina/code/xref"
)

// A file is used by imports, and in Go and Java by certain calls.
func TestUsers(t *testing.T) {
	for _, c := range []struct {
		name      string
		manifests map[string]string
		files     []tiny
		want      []int
	}{
		{
			"calls in a package of Go", app,
			[]tiny{
				{path: "q/a.go", defines: []string{"function grow"}},
				{path: "q/b.go", calls: []string{": grow", ": grow"}},
				{path: "q/c.go", calls: []string{": grow", ": shrink"}},
				{path: "q/a_test.go", calls: []string{": grow"}, testFile: true},
			},
			[]int{2, 0, 0, 0},
		},
		{
			"an import of Go alone uses no file", app,
			[]tiny{{path: "q/a.go", defines: []string{"function New"}}, {path: "main.go", imports: "x.org/app/q"}},
			[]int{0, 0},
		},
		{
			"calls across packages of Go", app,
			[]tiny{
				{path: "q/a.go", defines: []string{"function New"}},
				{path: "q/b.go", defines: []string{"function Old"}},
				{path: "main.go", imports: "x.org/app/q", calls: []string{": q.New"}},
			},
			[]int{1, 0, 0},
		},
		{
			"candidates do not count", app,
			[]tiny{queue, stack, {path: "main.go", imports: "x.org/app/queue", calls: []string{": x.Close"}}},
			[]int{0, 0, 0},
		},
		{
			"imports of Python", nil,
			[]tiny{money, {path: "shop/cart.py", imports: ".money"}, {path: "app.py", imports: "shop.money json"}},
			[]int{2, 0, 0},
		},
		{
			"a file does not use itself", nil,
			[]tiny{{path: "a.py", imports: "a"}},
			[]int{0},
		},
		{
			"package of Java: one of its files", nil,
			[]tiny{{path: "org/x/A.java"}, {path: "org/x/B.java"}, {path: "C.java", imports: "org.x.*"}},
			[]int{1, 0, 0},
		},
	} {
		var paths []string
		var files []*imports.File
		for i, f := range c.files {
			paths = append(paths, f.path)
			files = append(files, f.file(t, int64(i+1)))
		}
		got := xref.Users(files, resolver(strings.Join(paths, " "), c.manifests))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
