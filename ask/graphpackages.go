package ask

import (
	"context"
	"path"
	"strings"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/lang"
	"patina/graph"
	"patina/scrape/class"
	"patina/store/doc"
)

// foldedNodes is the number of folders up to which a map of packages shows deeper ones by itself.
const foldedNodes = 60

// packageGraph returns the folders of code and which of them import each other. Request.Depth is
// the number of their parts that count, and deeper folders are part of those. With 0 it is as large
// as a readable drawing allows. Tests do not count.
func (c *Call) packageGraph(ctx context.Context, e api.Service, r Request) (*graph.Graph, error) {
	var facts [2]*api.AssayAnswer
	for i, question := range []string{"inventory", "imports"} {
		var err error
		facts[i], err = e.Assay(ctx, api.AssayRequest{ReadOptions: c.Within(), Query: assay.Query{Type: question, Pattern: "."}})
		if err != nil {
			return nil, err
		}
	}
	t := &tally{files: map[string]int{}, languages: map[string]int{}, users: map[[2]string]int{}}
	t.countFiles(facts[0].Facts.Facts, facts[1].Facts.Facts)
	g := t.makeGraph(r.Depth)
	g.Title = "packages of " + facts[0].Index.Project + " by imports"
	switch {
	case len(t.files) == 0:
		g.AddNote("no code is in the index: patina scrape reads the folder")
	case len(t.users) == 0:
		g.AddNote("no import leads to a file of this project")
	default:
		dropLone(g, "folder", "imports")
	}
	for _, name := range facts[1].Unknown {
		if n := t.languages[name]; n > 0 && n*unknownShare >= t.sum {
			g.AddNote("the imports of " + name + " are not known: " + plural(n, "file"))
		}
	}
	return g, nil
}

// unknownShare is the least share of files, as a divisor, of a language that is named because its
// imports are not known.
const unknownShare = 10

// A tally counts files and imports by folder.
type tally struct {
	sum       int // files
	files     map[string]int
	languages map[string]int    // files of each
	users     map[[2]string]int // files of the first that import the second
}

func (t *tally) countFiles(files, imports []assay.Fact) {
	for _, f := range files {
		if lang.Of(f.Path, nil).Code && !isTestPath(f.Path) {
			t.sum++
			t.files[path.Dir(f.Path)]++
			t.languages[f.Written]++
		}
	}
	for _, x := range imports {
		if x.Target == "" || isTestPath(x.Path) {
			continue
		}
		to := x.Target
		if t.files[to] == 0 { // the import names a file
			to = path.Dir(to)
		}
		if from := path.Dir(x.Path); t.files[from] > 0 && t.files[to] > 0 {
			t.users[[2]string{from, to}]++
		}
	}
}

// isTestPath reports whether a path looks like that of a test.
func isTestPath(name string) bool {
	return class.OfPath(name)&(doc.TestFolder|doc.TestName) != 0
}

// makeGraph returns the graph of folders with at most depth parts, 0 for as many as are readable.
func (t *tally) makeGraph(depth int) *graph.Graph {
	if depth == 0 {
		for depth = 1; depth < MostDepth && len(t.folded(depth+1)) <= foldedNodes; {
			depth++
		}
	}
	g, inside := &graph.Graph{}, t.folded(depth)
	users := map[string]int{}
	for way, n := range t.users {
		from, to := foldPath(way[0], depth), foldPath(way[1], depth)
		if from == to {
			continue
		}
		users[to] += n
		g.Edges = append(g.Edges, graph.Edge{From: from, To: to, Kind: graph.Imports, Weight: float64(n)})
	}
	for folder, files := range inside {
		under := plural(files, "file")
		if users[folder] > 0 {
			under += ", imported by " + graph.Thousands(users[folder])
		}
		g.Nodes = append(g.Nodes, graph.Node{
			ID: folder, Kind: "folder", Label: folder, Under: under, Weight: float64(files + 5*users[folder]),
		})
	}
	return g
}

// folded returns the folders with at most depth parts, and their files.
func (t *tally) folded(depth int) map[string]int {
	out := map[string]int{}
	for folder, n := range t.files {
		out[foldPath(folder, depth)] += n
	}
	return out
}

// foldPath returns the first parts of a folder.
func foldPath(folder string, depth int) string {
	parts := strings.Split(folder, "/")
	return strings.Join(parts[:min(depth, len(parts))], "/")
}
