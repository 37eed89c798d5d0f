// Command callers compares "patina assay callers" with a language server. It measures which calls
// found by the server are found too, and which calls reported as certain the server does not know.
//
//	go run ./bench/callers -repo DIR -language Go -- gopls
//	go run ./bench/callers -language Python -- python3 bench/callers/jedi_server.py
//	go run ./bench/callers -language TypeScript -- typescript-language-server --stdio
//	go run ./bench/callers -language Java -certain -n 30
//
// The last line draws certain calls, one for each function, for a reader to judge. All need -tags
// sqlite_fts5. The tree must have been scraped, and must not have changed since. Calls that the
// server finds in packages that are not installed do not count. A reference counts as a call by
// name if an opening parenthesis follows the name, perhaps after type parameters.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// waits bounds one answer of the server, which may have to read the whole tree first.
const waits = 3 * time.Minute

func main() {
	repo := flag.String("repo", ".", "the scraped tree")
	language := flag.String("language", "Go", "language of the functions")
	n := flag.Int("n", 50, "functions to ask for")
	seed := flag.Uint64("seed", 1, "of the draw")
	certain := flag.Bool("certain", false, "ask no server: draw n certain calls to be judged by reading")
	zeros := flag.Int("zeros", 10, "with -certain: symbols without a call to list as well")
	verbose := flag.Bool("v", false, "print each call that one of the two lacks")
	flag.Parse()
	listed := -1
	if *certain {
		listed = *zeros
	}
	if err := run(*repo, *language, *n, listed, *seed, *verbose, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "callers:", err)
		os.Exit(1)
	}
}

// run compares with a server. If zeros is not negative, it draws calls to be judged instead.
func run(repo, language string, n, zeros int, seed uint64, verbose bool, server []string) error {
	if len(server) == 0 && zeros < 0 {
		return fmt.Errorf("name the language server behind --")
	}
	root, err := filepath.Abs(repo)
	if err != nil {
		return err
	}
	ctx := context.Background()
	x, err := open(ctx, root)
	if err != nil {
		return err
	}
	defer x.close()
	functions, err := x.functions(ctx, language)
	if err != nil {
		return err
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	draw.Shuffle(len(functions), func(i, j int) {
		functions[i], functions[j] = functions[j], functions[i]
	})
	if zeros >= 0 {
		return drawCertain(ctx, x, root, functions, n, zeros, draw)
	}
	peer, err := start(root, server)
	if err != nil {
		return err
	}
	defer peer.stop()
	var all counts
	asked := 0
	for _, d := range functions {
		if asked == n {
			break
		}
		theirs, err := peer.calls(d, language)
		switch {
		case errors.Is(err, errRefused): // for another platform, or generated elsewhere
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", d.Path, err)
		}
		theirs = slices.DeleteFunc(theirs, func(s site) bool { return !x.holds(s.path) })
		if len(theirs) == 0 {
			continue
		}
		for i, s := range theirs {
			theirs[i].entry = x.entryAt(s.path, s.line)
		}
		asked++
		ours, err := x.calls(ctx, d)
		if err != nil {
			return err
		}
		c := compare(theirs, ours)
		all.add(c)
		if verbose {
			c.print(doc.SymbolID(d.Path, d.Entry.Name))
		}
	}
	fmt.Printf("%s, %s: %d functions of %d, %s\n", filepath.Base(root), language, asked, len(functions), all)
	return nil
}

// A site is the place of a call. entry is the symbol around it, or "".
type site struct {
	path    string
	line    int
	entry   string
	certain bool
}

// counts are numbers of call sites.
type counts struct {
	theirs, found, certain     int // of theirs: all that were found, and those found as certain
	ours, oursKnown            int // certain ones, and those that the server has too
	missed, candidates, extras []site
}

func (c *counts) add(d counts) {
	c.theirs, c.found, c.certain = c.theirs+d.theirs, c.found+d.found, c.certain+d.certain
	c.ours, c.oursKnown = c.ours+d.ours, c.oursKnown+d.oursKnown
}

func (c counts) String() string {
	share := func(a, b int) string {
		if b == 0 {
			return "none"
		}
		return fmt.Sprintf("%d of %d (%.3f)", a, b, float64(a)/float64(b))
	}
	return fmt.Sprintf("calls found: %s, as certain: %s; certain calls that the server has too: %s",
		share(c.found, c.theirs), share(c.certain, c.theirs), share(c.oursKnown, c.ours))
}

func (c counts) print(id string) {
	for what, sites := range map[string][]site{"missed": c.missed, "candidate": c.candidates, "extra": c.extras} {
		for _, s := range sites {
			fmt.Printf("%s\t%s\t%s:%d\n", what, id, s.path, s.line)
		}
	}
}

// compare matches calls by line, otherwise by the symbol around them: for a call in a chain over
// several lines, patina reports the line of the chain's beginning and the server that of the name.
func compare(theirs, ours []site) (c counts) {
	match := func(s site, in []site) (best *site) {
		for i := range in {
			o := &in[i]
			if o.path != s.path || o.line != s.line && (o.entry == "" || o.entry != s.entry) {
				continue
			}
			if best == nil || o.certain && !best.certain {
				best = o
			}
		}
		return best
	}
	for _, s := range theirs {
		c.theirs++
		switch o := match(s, ours); {
		case o == nil:
			c.missed = append(c.missed, s)
		case o.certain:
			c.found, c.certain = c.found+1, c.certain+1
		default:
			c.found++
			c.candidates = append(c.candidates, s)
		}
	}
	for _, s := range ours {
		if !s.certain {
			continue
		}
		c.ours++
		if match(s, theirs) != nil {
			c.oursKnown++
		} else {
			c.extras = append(c.extras, s)
		}
	}
	return c
}

// An index is the index of a scraped tree, pinned for reading.
type index struct {
	store *store.Store
	pin   *store.Pin
	r     *store.Reader
	snap  *store.Snapshot
	files map[string]*imports.File
}

func open(ctx context.Context, root string) (*index, error) {
	s, err := store.Open(filepath.Join(root, ".patina"))
	if err != nil {
		return nil, err
	}
	x := &index{store: s, files: make(map[string]*imports.File)}
	if x.pin, err = s.Pin(ctx, 1); err == nil {
		x.r = x.pin.Readers[0]
		x.snap, err = x.r.Snapshot(ctx)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return x, nil
}

func (x *index) close() {
	x.pin.Close()
	_ = x.store.Close()
}

func (x *index) holds(path string) bool { return x.files[path] != nil }

// functions lists the functions and methods of a language outside of tests.
func (x *index) functions(ctx context.Context, language string) (out []xref.Definition, err error) {
	files, err := x.r.Files(ctx, x.snap)
	if err != nil {
		return nil, err
	}
	var keys []int64
	for _, f := range files {
		if imports.Family(f.Language) == imports.Family(language) && x.snap.Members.Has(f.Key) {
			keys = append(keys, f.Key)
		}
	}
	slices.Sort(keys)
	err = callers.FactRows(ctx, x.r, x.snap, keys, "", func(f imports.File) error {
		x.files[f.Path] = &f
		if doc.IsTest(f.Class) || f.Class&(doc.Vendored|doc.Example) != 0 || f.Language != language {
			return nil
		}
		for i, e := range f.Entries {
			if (e.Sort == doc.Function || e.Sort == doc.Method) && !e.Declares {
				out = append(out, xref.NewDefinition(f, i))
			}
		}
		return nil
	})
	slices.SortFunc(out, func(a, b xref.Definition) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Ordinal-b.Ordinal)
	})
	return out, err
}

// calls returns the calls that may mean a definition. If several definitions are equally possible,
// the calls of each include it.
func (x *index) calls(ctx context.Context, d xref.Definition) (out []site, err error) {
	last := doc.LastName(d.Entry.Name)
	defs, err := lookup.Defined(ctx, x.r, x.snap, last)
	if err != nil {
		return nil, err
	}
	called, _, err := callers.CallersOf(ctx, x.r, x.snap, last, []xref.Definition{d}, defs, 1<<30)
	for _, c := range called {
		out = append(out, site{c.In.Path, c.Call.Line, x.entryAt(c.In.Path, c.Call.Line), c.Edge.Certain})
	}
	return out, err
}

// entryAt returns the name of the innermost symbol around a line, or "".
func (x *index) entryAt(path string, line int) string {
	f := x.files[path]
	if f == nil {
		return ""
	}
	best := -1
	for i, e := range f.Entries {
		if e.First <= line && line <= e.Last &&
			(best < 0 || e.Last-e.First <= f.Entries[best].Last-f.Entries[best].First) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	return f.Entries[best].Name
}
