package scrape_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"patina/code/assay"
	"patina/scrape"
	"patina/store"
)

const edges = `
-- go.mod --
module example.org/app
-- queue/queue.go --
// Package queue keeps jobs.
package queue

import "fmt"

type Queue struct{ n int }

func New() *Queue { return &Queue{} }

func (q *Queue) Push(job string) { q.grow(); fmt.Println(job) }

func (q *Queue) grow() { q.n++ }

func (q *Queue) Close() {}
-- queue/stack.go --
package queue

type Stack struct{}

func (s *Stack) Close() {}
-- main.go --
package main

import (
	"strings"

	"example.org/app/queue"
)

func main() {
	q := queue.New()
	q.Push("a")
	defer q.Close()
	strings.Split("a", ",")
	build()
}

func build() {}
-- other/other.go --
package other

import "example.org/lib/queue"

func Split() { queue.New(); x.Push() }
-- py/shop/__init__.py --
from .cart import Cart
-- py/shop/cart.py --
"""A cart."""
from .money import total

class Cart:
    def add(self, item):
        self.check(item)
        return total([item])

    def check(self, item):
        pass

def open_cart():
    return Cart()
-- py/shop/money.py --
def total(items):
    def inner(x):
        return x
    return inner(items)
-- py/app.py --
import shop
from shop import money

def run(cart):
    cart.add(1)
    money.total([])
    shop.open_cart()
-- ts/clock.ts --
export function now(): number { return 0 }
export class Clock { tick() { this.wind(); } wind() {} }
-- ts/view.ts --
import { now, Clock } from "./clock"
export function show(c: Clock) { now(); c.tick(); new Clock(); }
-- ts/alone.ts --
export function idle() { now(); }
`

// project scrapes an archive and returns a reader of its store.
func project(t *testing.T, archive string) *store.Reader {
	t.Helper()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, f.Data, 0o644))
	}
	dir := filepath.Join(root, ".patina")
	_, err := scrape.Run(context.Background(), scrape.Options{Root: root, StoreDir: dir})
	check(t, err)
	s, err := store.Open(dir)
	check(t, err)
	p, err := s.Pin(context.Background(), 1)
	check(t, err)
	t.Cleanup(func() { p.Close(); check(t, s.Close()) })
	return p.Readers[0]
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, r *store.Reader, question, pattern string) *assay.Facts {
	t.Helper()
	f, err := assay.Ask(context.Background(), r, assay.Query{Type: question, Pattern: pattern})
	check(t, err)
	return f
}

// lines formats facts as in the tables below. "?" marks a candidate.
func lines(f *assay.Facts) []string {
	var out []string
	for _, x := range f.Facts {
		var s string
		switch f.Type {
		case "callers":
			s = x.DocID + " " + x.Written + " " + x.Target
		case "callees":
			s = x.Written + " " + x.DocID
		case "imports", "importers":
			s = x.Path + " " + x.Written + " " + x.Target
		default:
			s = x.DocID
		}
		if x.Candidate {
			s = "? " + s
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func TestAssayKnowsTheEdges(t *testing.T) {
	r := project(t, edges)
	for _, c := range []struct {
		question, pattern string
		want              []string
	}{
		// Go: the receiver's type, an import's package, the module in its path.
		{"callers", "queue.New", []string{"main.go::main queue.New queue/queue.go::New"}},
		{"callers", "grow", []string{"queue/queue.go::Queue.Push q.grow queue/queue.go::Queue.grow"}},
		{"callers", "Queue.Push", []string{
			"main.go::main q.Push queue/queue.go::Queue.Push",
			"? other/other.go::Split x.Push queue/queue.go::Queue.Push",
		}},
		{"callers", "Queue.Close", []string{"main.go::main q.Close queue/queue.go::Queue.Close"}},
		{"callers", "strings.Split", []string{"? main.go::main strings.Split"}},
		{"callers", "Split", nil},
		{"callers", "main.go::build", []string{"main.go::main build main.go::build"}},
		{"callees", "Queue.Push", []string{"q.grow queue/queue.go::Queue.grow", "fmt.Println"}},
		{"callees", "main", []string{
			"queue.New queue/queue.go::New", "q.Push queue/queue.go::Queue.Push", "q.Close queue/queue.go::Queue.Close",
			"strings.Split", "build main.go::build",
		}},
		{"imports", "main.go", []string{"main.go strings", "main.go example.org/app/queue queue"}},
		{"importers", "queue/queue.go", []string{"main.go example.org/app/queue queue/queue.go"}},
		{"importers", "strings", []string{"main.go strings"}},
		// Python: modules, re-exporting packages, self, local functions.
		{"callers", "total", []string{
			"py/shop/cart.py::Cart.add total py/shop/money.py::total",
			"py/app.py::run money.total py/shop/money.py::total",
		}},
		{"callers", "Cart.check", []string{"py/shop/cart.py::Cart.add self.check py/shop/cart.py::Cart.check"}},
		{"callers", "Cart.add", []string{"py/app.py::run cart.add py/shop/cart.py::Cart.add"}},
		{"callers", "inner", []string{"py/shop/money.py::total inner py/shop/money.py::inner"}},
		{"callers", "py/shop/cart.py::Cart", []string{"py/shop/cart.py::open_cart Cart py/shop/cart.py::Cart"}},
		{"importers", "py/shop/__init__.py", []string{"py/app.py shop py/shop/__init__.py"}},
		{"importers", "py/shop/money.py", []string{
			"py/shop/cart.py .money py/shop/money.py", "? py/app.py shop py/shop/money.py",
		}},
		// TypeScript: relative imports, this.
		{"callers", "now", []string{"ts/view.ts::show now ts/clock.ts::now"}},
		{"callers", "Clock", []string{"ts/view.ts::show Clock ts/clock.ts::Clock"}},
		{"callers", "Clock::tick", []string{"ts/view.ts::show c.tick ts/clock.ts::Clock.tick"}},
		{"callers", "wind", []string{"ts/clock.ts::Clock.tick this.wind ts/clock.ts::Clock.wind"}},
		// Existing names.
		{"types", "ts", []string{"ts/clock.ts::Clock"}},
		{"functions", "ts/clock.ts", []string{
			"ts/clock.ts::now", "ts/clock.ts::Clock.tick", "ts/clock.ts::Clock.wind",
		}},
		{"functions", "Clo*", []string{"queue/queue.go::Queue.Close", "queue/stack.go::Stack.Close"}},
		{"inventory", "queue", []string{"queue/queue.go", "queue/stack.go"}},
		{"inventory", "**/*.ts", []string{"ts/alone.ts", "ts/clock.ts", "ts/view.ts"}},
		{"callers", "nosuch", nil},
		{"co-changes", "main.go", nil},
	} {
		if got := lines(ask(t, r, c.question, c.pattern)); !slices.Equal(got, c.want) {
			t.Errorf("%s of %q\n got %s\nwant %s", c.question, c.pattern, strings.Join(got, "\n     "),
				strings.Join(c.want, "\n     "))
		}
	}
}

// The posting lists must lead to every caller that a scan over all facts finds.
func TestCallersAreTheCalleesTurnedRound(t *testing.T) {
	r := project(t, edges)
	callees, callers := map[string]bool{}, map[string]bool{}
	names := map[string]bool{}
	for _, file := range ask(t, r, "inventory", ".").Facts {
		for _, x := range ask(t, r, "callees", file.Path).Facts {
			if x.DocID != "" {
				callees[fmt.Sprint(x.Target, x.Written, x.DocID, x.Candidate)] = true
			}
		}
		for _, question := range []string{"functions", "types"} {
			for _, x := range ask(t, r, question, file.Path).Facts {
				names[x.DocID] = true
			}
		}
	}
	for id := range names {
		for _, x := range ask(t, r, "callers", id).Facts {
			callers[fmt.Sprint(x.DocID, x.Written, x.Target, x.Candidate)] = true
		}
	}
	if len(callees) < 12 {
		t.Errorf("only %d edges", len(callees))
	}
	for e := range callees {
		if !callers[e] {
			t.Errorf("not among the callers: %s", e)
		}
	}
	for e := range callers {
		if !callees[e] {
			t.Errorf("not among the callees: %s", e)
		}
	}
}

// A file whose name is a glob that would take hours to match must be found by its name.
func TestFileNamedLikeALongGlob(t *testing.T) {
	name := "*" + strings.Repeat("{a,b}", 40) + ".go"
	r := project(t, "-- "+name+" --\npackage a\n\nimport \"fmt\"\n\nfunc F() { fmt.Println() }\n"+
		"-- aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.c --\nint x;\n")
	for _, query := range []string{"imports", "inventory", "importers"} {
		f, err := assay.Ask(context.Background(), r, assay.Query{Type: query, Pattern: name})
		check(t, err)
		if query != "importers" && (len(f.Facts) != 1 || f.Facts[0].Path != name) || len(f.Notes) != 1 {
			t.Errorf("%s: %+v", query, f)
		}
	}
}
