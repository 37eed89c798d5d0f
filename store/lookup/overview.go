package lookup

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"patina/store"
	"patina/store/text"
	"patina/store/xref"
)

// An Overview counts the content of a folder. Its lists are complete: how many items are shown is
// for the caller to say.
type Overview struct {
	Folder      string // relative to the root; empty for the whole project
	Files       int
	Lines       int
	Languages   []Tally // most files first; "" is other text
	Packages    []Tally // as manifests name them, most files first; files in none are not counted
	Folders     []Tally // the folders right below, most files first, each with all that is in it
	Central     []Central
	EntryPoints []EntryPoint
	Tests       []Tally // folders with test files, most first; Files counts test files
	Readme      *store.Description
}

// A Tally counts the files and lines of one language or folder.
type Tally struct {
	Name  string
	Files int
	Lines int
}

// A Central file is one that others depend on or that changes often: the two, each against the most
// that a file of the overview has, are added.
type Central struct {
	Path    string
	Users   int // other files that import it or certainly call it, without tests
	Commits int // that touched it
}

// An EntryPoint is where a reader or a machine starts.
type EntryPoint struct {
	Path   string
	Symbol string // "main"; empty for the file that stands for its folder
	Line   int
}

// Orient surveys a folder of the project, the whole of it for "". A filter narrows what is listed,
// not who counts as a user. Generated and vendored files, tests and examples are not central.
// ErrNoDocument says that nothing indexed lies there.
func Orient(ctx context.Context, r *store.Reader, folder string, f store.Filter) (Overview, error) {
	o := Overview{Folder: folder}
	if err := f.Check(); err != nil {
		return o, err
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return o, err
	}
	all, err := survey(ctx, r, snap)
	if err != nil {
		return o, err
	}
	modules, err := modules(ctx, r, snap)
	if err != nil {
		return o, err
	}
	commits, err := touches(ctx, r, snap, all)
	if err != nil {
		return o, err
	}
	files := make([]*xref.File, len(all))
	for i := range all {
		files[i] = &all[i].File
	}
	used := xref.Users(files, modules)
	here := func(x *surveyed) bool {
		listed := store.ListedFile{Path: x.Path, Language: x.Language, Pkg: x.pkg}
		return (folder == "" || strings.HasPrefix(x.Path, folder+"/")) && f.Keeps(listed)
	}
	for i := range all {
		if x := &all[i]; here(x) {
			o.add(x, used[i], commits[x.Path])
		}
	}
	if o.Files == 0 {
		return o, ErrNoDocument
	}
	o.sort()
	o.Readme, err = readme(ctx, r, folder, all)
	return o, err
}

// add counts one file.
func (o *Overview) add(x *surveyed, users, commits int) {
	o.Files++
	o.Lines += x.lines
	o.Languages = tally(o.Languages, x.Language, x.lines)
	if x.pkg != "" {
		o.Packages = tally(o.Packages, x.pkg, x.lines)
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(x.Path, o.Folder), "/")
	if below, _, ok := strings.Cut(rest, "/"); ok {
		o.Folders = tally(o.Folders, path.Join(o.Folder, below), x.lines)
	}
	if store.IsTest(x.Class) {
		o.Tests = tally(o.Tests, xref.FolderOf(x.Path), x.lines)
		return
	}
	if x.kind != store.Code || x.Language == "" || x.Class&notOwnCode != 0 {
		return
	}
	o.EntryPoints = append(o.EntryPoints, entryPoints(x)...)
	if x.Class&store.Example == 0 && !text.Routine(x.Path) && !builds[x.Language] && users+commits > 0 {
		o.Central = append(o.Central, Central{x.Path, users, commits})
	}
}

// notOwnCode marks files that are neither central nor an entry point.
const notOwnCode = store.PathOnly | store.OtherText | store.Generated | store.Vendored

// entryPoints returns the main function of a file, or the file itself if it stands for its folder.
func entryPoints(x *surveyed) []EntryPoint {
	if path.Base(x.Path) == "build.rs" { // Cargo's, before it builds
		return nil
	}
	for _, e := range x.Entries {
		isMain := strings.EqualFold(store.LastName(e.Name), "main")
		if isMain && (e.Sort == store.Function || e.Sort == store.Method) {
			return []EntryPoint{{x.Path, e.Name, e.Line}}
		}
	}
	if path.Base(x.Path) == "__main__.py" || path.Base(x.Path) == "doc.go" || xref.IsIndex(x.Path) {
		return []EntryPoint{{Path: x.Path, Line: 1}}
	}
	return nil
}

func tally(ts []Tally, name string, lines int) []Tally {
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
	// Programs first, then files that stand for a folder; those near the top before deep ones.
	// Programs that only serve the work on the project come last.
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

// builds are languages of files that say how a project is built: they change often, and nothing
// uses them.
var builds = text.Set(`Makefile CMake Meson Dockerfile Starlark`)

// beside are folders of programs that only serve the work on the project.
var beside = text.Set(`example examples demo demos sample samples tests test testdata scripts bench
	benches benchmarks ci docker`)

func besideFolder(p string) bool {
	return slices.ContainsFunc(strings.Split(xref.FolderOf(p), "/"), func(s string) bool {
		return len(s) > 1 && s[0] == '.' || beside[strings.Trim(strings.ToLower(s), "_")]
	})
}

// A surveyed file holds the facts about one file that an overview needs.
type surveyed struct {
	xref.File
	kind  store.Kind
	pkg   string
	lines int
}

// survey reads every file of the view.
func survey(ctx context.Context, r *store.Reader, snap *store.Snapshot) ([]surveyed, error) {
	rows, err := r.Query(ctx, `SELECT key, path, kind, language, package, class, lines, entries, facts
		FROM file ORDER BY path`)
	if err != nil {
		return nil, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []surveyed
	for rows.Next() {
		var x surveyed
		var entries, facts []byte
		err := rows.Scan(&x.Key, &x.Path, &x.kind, &x.Language, &x.pkg, &x.Class, &x.lines,
			&entries, &facts)
		if err != nil {
			return nil, store.Damaged(err)
		}
		if !snap.Members.Has(x.Key) {
			continue
		}
		if x.Entries, err = store.DecodeEntries(entries); err != nil {
			return nil, err
		}
		if x.FileFacts, err = store.DecodeFacts(facts); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, store.Damaged(rows.Err())
}

// touches counts the commits of the view that touched each of its files, whatever its path was
// then.
func touches(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, files []surveyed,
) (map[string]int, error) {
	here := make(map[string]bool, len(files))
	for i := range files {
		here[files[i].Path] = true
	}
	names, err := r.PathNames(ctx)
	if err != nil {
		return nil, err
	}
	left, err := store.AllMoves(ctx, r.Conn, snap.Members)
	if err != nil {
		return nil, store.Damaged(err)
	}
	held := func(id int64) bool { return here[names[id]] }
	out := make(map[string]int)
	const query = `SELECT path, revision FROM touch`
	return out, store.Damaged(r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var id, commit int64
		err := scan(&id, &commit)
		switch {
		case err != nil || !snap.Members.Has(commit):
		case held(id) || !left.By(id, commit): // else the new path is touched too
			out[names[left.Now(id, commit, held)]]++
		}
		return err
	}))
}

// readme describes the first section of a folder's own README that says something, or nil.
func readme(
	ctx context.Context, r *store.Reader, folder string, all []surveyed,
) (*store.Description, error) {
	for i := range all {
		x := &all[i]
		base := strings.ToLower(path.Base(x.Path))
		isReadme := strings.TrimSuffix(base, path.Ext(base)) == "readme" && x.kind != store.Code
		if !isReadme || xref.FolderOf(x.Path) != folder || len(x.Entries) == 0 {
			continue
		}
		best := 0
		says := func(e store.Entry) bool { // no badge, no link list
			return e.Summary != "" && !strings.ContainsRune("[!<|", rune(e.Summary[0]))
		}
		if at := slices.IndexFunc(x.Entries, says); at >= 0 {
			best = at
		}
		ds, err := Describe(ctx, r, []Want{{DocID: x.kind.PartID(x.Path, x.Entries[best].Name)}})
		if err != nil {
			return nil, err
		}
		return &ds[0], nil
	}
	return nil, nil
}
