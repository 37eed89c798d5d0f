package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// A mutation replaces one operator of a function.
type mutation struct {
	path, function string // as the index names them
	offset, length int    // of the operator
	with           string
	what           string
}

// operators are the replacements of binary operators.
var operators = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.GEQ: "<", token.GTR: "<=", token.LEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+",
}

// mutationsIn returns one mutation of each function outside of tests that has an operator, in an
// order drawn by the seed.
func mutationsIn(tree string, seed uint64) (all []mutation, err error) {
	draw := rand.New(rand.NewPCG(seed, seed))
	err = filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != tree && (strings.HasPrefix(base, ".") || base == "testdata" || base == "vendor" || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		if d.IsDir() || path.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		found, err := mutationsOf(tree, name, draw)
		all = append(all, found...)
		return err
	})
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, err
}

// mutationsOf returns one mutation of each function of a file.
func mutationsOf(tree, name string, draw *rand.Rand) (out []mutation, err error) {
	rel, err := filepath.Rel(tree, name)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name == "main" || f.Name.Name == "init" {
			continue
		}
		var places []mutation
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && operators[b.Op] != "" {
				places = append(places, mutation{
					path: filepath.ToSlash(rel), function: nameOfFunction(f), offset: set.Position(b.OpPos).Offset,
					length: len(b.Op.String()), with: operators[b.Op], what: b.Op.String() + " to " + operators[b.Op],
				})
			}
			return true
		})
		if len(places) > 0 {
			out = append(out, places[draw.IntN(len(places))])
		}
	}
	return out, nil
}

// nameOfFunction returns the name of a function in an index: "f" or "Type.f".
func nameOfFunction(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		}
		return f.Name.Name
	}
}

// testMutated runs the tests with the mutation, and takes it back.
func (m mutation) testMutated(ctx context.Context, tree string) (passes map[string]bool, err error) {
	name := filepath.Join(tree, filepath.FromSlash(m.path))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	mutated := string(text[:m.offset]) + m.with + string(text[m.offset+m.length:])
	if err := os.WriteFile(name, []byte(mutated), 0o644); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(name, text, 0o644)) }()
	return runTests(ctx, tree)
}

// longestTests bounds one run of all tests. A mutation that makes them longer does not count.
const longestTests = 3 * time.Minute

// runTests runs all tests of a tree. It returns whether each top-level test passes, by keyOf. A
// package that does not compile is an error; one that panics has only the tests that ended.
func runTests(ctx context.Context, tree string) (passes map[string]bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, longestTests)
	defer cancel()
	module, err := moduleOf(ctx, tree)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-timeout=60s", "./...")
	cmd.Dir = tree
	var out bytes.Buffer
	cmd.Stdout = &out
	runErr := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	passes = map[string]bool{}
	for d := json.NewDecoder(&out); ; {
		var event struct{ Action, Package, Test, Output string }
		if err := d.Decode(&event); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if event.Action == "build-fail" || strings.Contains(event.Output, "[build failed]") {
			return nil, errors.New("it does not compile")
		}
		if event.Test == "" || strings.Contains(event.Test, "/") {
			continue
		}
		folder := strings.TrimPrefix(strings.TrimPrefix(event.Package, module), "/")
		key := keyOf(path.Clean("./"+folder), event.Test)
		switch event.Action {
		case "pass", "skip":
			passes[key] = true
		case "fail":
			passes[key] = false
		}
	}
	if len(passes) == 0 {
		return nil, fmt.Errorf("no tests ran: %w", runErr)
	}
	return passes, nil
}

// moduleOf returns the path of the module of a tree.
func moduleOf(ctx context.Context, tree string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m")
	cmd.Dir = tree
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
