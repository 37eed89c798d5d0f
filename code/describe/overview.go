package describe

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// An Overview counts the content of a folder. Its lists are complete. The caller must choose how
// many items to show.
type Overview struct {
	Folder      string // relative to the root; empty for the whole project
	Files       int
	Lines       int
	Languages   []Tally // most files first; "" is other text
	Packages    []Tally // by name in manifests, most files first
	Folders     []Tally // the direct subfolders, most files first, with everything in them
	Central     []Central
	EntryPoints []EntryPoint
	Tests       []Tally // folders with test files, most first; Files counts test files
	Readme      *doc.Description
}

// A Tally counts the files and lines of one language or folder.
type Tally struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// A Central file is one on which others depend or that changes often. Its weight is the sum of
// both, each relative to the highest in the overview.
type Central struct {
	Path    string `json:"path"`
	Users   int    `json:"users"`   // other files that import it or certainly call it, without tests
	Commits int    `json:"commits"` // number of commits that touched it
}

// An EntryPoint is a place where a program starts or a reader should start.
type EntryPoint struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol"` // name of the main function; empty for the main file of a folder
	Line   int    `json:"line"`
}

// Orient returns the overview of a folder, or of the whole project if folder is "". A filter
// narrows the listed files but not who counts as a user. Generated and vendored files, tests and
// examples are not central. Orient returns lookup.ErrNoDocument if no indexed file is in the
// folder.
func (s *Survey) Orient(ctx context.Context, r *store.Reader, folder string, f doc.Filter) (Overview, error) {
	o := Overview{Folder: folder}
	if err := f.Check(); err != nil {
		return o, err
	}
	readme := ""
	for i := range s.files {
		x := &s.files[i]
		listed := doc.ListedFile{Path: x.path, Language: x.language, Pkg: x.pkg}
		if (folder == "" || strings.HasPrefix(x.path, folder+"/")) && f.Keeps(listed) {
			o.addFile(x)
		}
		if readme == "" && x.readme != "" && imports.FolderOf(x.path) == folder {
			readme = x.readme
		}
	}
	if o.Files == 0 {
		return o, lookup.ErrNoDocument
	}
	o.sort()
	if readme == "" {
		return o, nil
	}
	ds, err := Describe(ctx, r, []Want{{DocID: readme}})
	if err != nil {
		return o, err
	}
	o.Readme = &ds[0]
	return o, nil
}

func (o *Overview) addFile(x *outlined) {
	o.Files++
	o.Lines += x.lines
	o.Languages = addTally(o.Languages, x.language, x.lines)
	if x.pkg != "" {
		o.Packages = addTally(o.Packages, x.pkg, x.lines)
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(x.path, o.Folder), "/")
	if below, _, ok := strings.Cut(rest, "/"); ok {
		o.Folders = addTally(o.Folders, path.Join(o.Folder, below), x.lines)
	}
	if doc.IsTest(x.class) {
		o.Tests = addTally(o.Tests, imports.FolderOf(x.path), x.lines)
		return
	}
	if x.kind != doc.Code || x.language == "" || x.class&notOwnCode != 0 {
		return
	}
	o.EntryPoints = append(o.EntryPoints, x.entries...)
	if x.class&doc.Example == 0 && !text.Routine(x.path) && !lang.Named(x.language).Builds && x.users+x.commits > 0 {
		o.Central = append(o.Central, Central{x.path, x.users, x.commits})
	}
}

// notOwnCode marks files that are never central and never an entry point.
const notOwnCode = doc.PathOnly | doc.OtherText | doc.Generated | doc.Vendored

// readmeSection returns the doc_id of the first section of a README with a summary, otherwise of
// its first section. It returns "" for other files.
func readmeSection(x *surveyed) string {
	base := strings.ToLower(path.Base(x.Path))
	isReadme := strings.TrimSuffix(base, path.Ext(base)) == "readme" && x.kind != doc.Code
	if !isReadme || len(x.Entries) == 0 {
		return ""
	}
	says := func(e doc.Entry) bool { // neither a badge nor a list of links
		return e.Summary != "" && !strings.ContainsRune("[!<|", rune(e.Summary[0]))
	}
	best := max(0, slices.IndexFunc(x.Entries, says))
	return x.kind.PartID(x.Path, x.Entries[best].Name)
}

func addTally(ts []Tally, name string, lines int) []Tally {
	i := slices.IndexFunc(ts, func(t Tally) bool { return t.Name == name })
	if i < 0 {
		i = len(ts)
		ts = append(ts, Tally{Name: name})
	}
	ts[i].Files++
	ts[i].Lines += lines
	return ts
}

func (o *Overview) sort() {
	for _, ts := range [][]Tally{o.Languages, o.Packages, o.Folders, o.Tests} {
		slices.SortFunc(ts, func(a, b Tally) int {
			return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name))
		})
	}
	mostUsers, mostCommits := 1, 1
	for _, c := range o.Central {
		mostUsers, mostCommits = max(mostUsers, c.Users), max(mostCommits, c.Commits)
	}
	weight := func(c Central) float64 {
		return float64(c.Users)/float64(mostUsers) + float64(c.Commits)/float64(mostCommits)
	}
	slices.SortFunc(o.Central, func(a, b Central) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.Path, b.Path))
	})
	// Programs come first, then main files of folders, each from the top down. Programs that only
	// serve the work on the project come last.
	order := func(e EntryPoint) int {
		n := strings.Count(e.Path, "/")
		if e.Symbol == "" {
			n += 100
		}
		if besideFolder(e.Path) {
			n += 1000
		}
		return n
	}
	slices.SortFunc(o.EntryPoints, func(a, b EntryPoint) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.Path, b.Path))
	})
}

// beside are names of folders with programs that only serve the work on the project.
var beside = text.Set(`example examples demo demos sample samples tests test testdata scripts bench
	benches benchmarks ci docker`)

func besideFolder(p string) bool {
	return slices.ContainsFunc(strings.Split(imports.FolderOf(p), "/"), func(s string) bool {
		return len(s) > 1 && s[0] == '.' || beside.Has(strings.Trim(strings.ToLower(s), "_"))
	})
}
