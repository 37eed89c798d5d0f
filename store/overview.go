package store

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
)

// An Overview says what a folder holds. Its lists are complete: how much of them is shown is for the caller to say.
type Overview struct {
	Folder      string // relative to the root; empty for the whole project
	Files       int
	Lines       int
	Languages   []Tally // most files first; "" is other text
	Packages    []Tally // as manifests name them, most files first; what belongs to none is not counted
	Folders     []Tally // the folders right below, most files first, each with all that is in it
	Central     []Central
	EntryPoints []EntryPoint
	Tests       []Tally // folders that hold test files, most first; Files counts those
	Readme      *Description
}

// A Tally counts the files and lines of one language or folder.
type Tally struct {
	Name  string
	Files int
	Lines int
}

// A Central file is one that others depend on or that changes often: the two, each against the most that a file of the
// overview has, are added.
type Central struct {
	Path    string
	Users   int // files of the project, tests left out, that import it or call what it alone defines in its package
	Commits int // that touched it
}

// An EntryPoint is where a reader or a machine starts.
type EntryPoint struct {
	Path   string
	Symbol string // "main"; empty for the file that stands for its folder
	Line   int
}

// Orient surveys a folder of the project, the whole of it for "". A filter narrows what is listed, not who counts as a user.
// Generated and vendored files, tests and examples are not central. ErrNoDocument says that nothing indexed lies there.
func (r *Reader) Orient(ctx context.Context, folder string, f Filter) (Overview, error) {
	o := Overview{Folder: folder}
	if err := f.Check(); err != nil {
		return o, err
	}
	snap, err := r.snapshot(ctx)
	if err != nil {
		return o, err
	}
	all, err := r.survey(ctx, snap)
	if err != nil {
		return o, err
	}
	modules, err := r.modules(ctx, snap)
	if err != nil {
		return o, err
	}
	commits, err := r.touches(ctx, snap, all)
	if err != nil {
		return o, err
	}
	used := users(all, modules)
	here := func(x *surveyed) bool {
		return (folder == "" || strings.HasPrefix(x.path, folder+"/")) && f.keeps(listedFile{path: x.path, language: x.lang, pkg: x.pkg})
	}
	for i := range all {
		if x := &all[i]; here(x) {
			o.add(x, used[i], commits[x.path])
		}
	}
	if o.Files == 0 {
		return o, ErrNoDocument
	}
	o.sort()
	o.Readme, err = r.readme(ctx, folder, all)
	return o, err
}

// add counts one file.
func (o *Overview) add(x *surveyed, users, commits int) {
	o.Files++
	o.Lines += x.lines
	o.Languages = tally(o.Languages, x.lang, x.lines)
	if x.pkg != "" {
		o.Packages = tally(o.Packages, x.pkg, x.lines)
	}
	if below, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(x.path, o.Folder), "/"), "/"); ok {
		o.Folders = tally(o.Folders, path.Join(o.Folder, below), x.lines)
	}
	if isTest(x.class, 0) {
		o.Tests = tally(o.Tests, x.folder(), x.lines)
		return
	}
	if x.kind != Code || x.lang == "" || x.class&(PathOnly|OtherText|Generated|Vendored) != 0 {
		return
	}
	o.EntryPoints = append(o.EntryPoints, entryPoints(x)...)
	if x.class&Example == 0 && !routine(x.path) && !builds[x.lang] && users+commits > 0 {
		o.Central = append(o.Central, Central{x.path, users, commits})
	}
}

// entryPoints are the main function of a file, or the file itself if it stands for its folder.
func entryPoints(x *surveyed) []EntryPoint {
	if path.Base(x.path) == "build.rs" { // Cargo's, before it builds
		return nil
	}
	for _, e := range x.entries {
		if name := strings.ToLower(lastName(e.Name)); name == "main" && (e.Sort == Function || e.Sort == Method) {
			return []EntryPoint{{x.path, e.Name, e.Line}}
		}
	}
	if path.Base(x.path) == "__main__.py" || path.Base(x.path) == "doc.go" || isFront(x.path) {
		return []EntryPoint{{Path: x.path, Line: 1}}
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
		slices.SortFunc(ts, func(a, b Tally) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name)) })
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
	// Programs first, then what stands for a folder; the nearer to the top the better, and what only serves the work on it last.
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

// builds are languages of files that say how a project is built: they change often, and nothing uses them.
var builds = map[string]bool{"Makefile": true, "CMake": true, "Meson": true, "Dockerfile": true, "Starlark": true}

// beside are folders of programs that are not what the project is for.
var beside = words(`example examples demo demos sample samples tests test testdata scripts bench benches benchmarks ci docker`)

func besideFolder(p string) bool {
	return slices.ContainsFunc(strings.Split(folderOf(p), "/"), func(s string) bool {
		return len(s) > 1 && s[0] == '.' || beside[strings.Trim(strings.ToLower(s), "_")]
	})
}

// survey reads every file of the view.
func (r *Reader) survey(ctx context.Context, snap *snapshot) ([]surveyed, error) {
	rows, err := r.conn.QueryContext(ctx, `SELECT key, path, kind, language, package, class, functions, lines, entries, facts FROM file ORDER BY path`)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var out []surveyed
	for rows.Next() {
		var x surveyed
		var entries, facts []byte
		if err := rows.Scan(&x.key, &x.path, &x.kind, &x.lang, &x.pkg, &x.class, &x.functions, &x.lines, &entries, &facts); err != nil {
			return nil, damaged(err)
		}
		if !snap.members.has(x.key) {
			continue
		}
		if x.entries, err = decodeEntries(entries); err != nil {
			return nil, err
		}
		if x.fileFacts, err = decodeFacts(facts); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, damaged(rows.Err())
}

// touches counts the commits of the view that touched each of its files, whatever its path was then.
func (r *Reader) touches(ctx context.Context, snap *snapshot, files []surveyed) (map[string]int, error) {
	here := make(map[string]bool, len(files))
	for i := range files {
		here[files[i].path] = true
	}
	names, err := r.pathNames(ctx)
	if err != nil {
		return nil, err
	}
	left, err := allMoves(ctx, r.conn, snap.members)
	if err != nil {
		return nil, damaged(err)
	}
	held := func(id int64) bool { return here[names[id]] }
	out := make(map[string]int)
	return out, damaged(r.eachRow(ctx, `SELECT path, revision FROM touch`, nil, func(scan func(...any) error) error {
		var id, commit int64
		err := scan(&id, &commit)
		switch {
		case err != nil || !snap.members.has(commit):
		case held(id) || !left.by(id, commit): // else the new path is touched too
			out[names[left.now(id, commit, held)]]++
		}
		return err
	}))
}

// readme describes the first section of a folder's own README that says something, or nil.
func (r *Reader) readme(ctx context.Context, folder string, all []surveyed) (*Description, error) {
	for i := range all {
		x := &all[i]
		base := strings.ToLower(path.Base(x.path))
		if x.folder() != folder || x.kind == Code || strings.TrimSuffix(base, path.Ext(base)) != "readme" || len(x.entries) == 0 {
			continue
		}
		best := 0
		says := func(e Entry) bool { return e.Summary != "" && !strings.ContainsRune("[!<|", rune(e.Summary[0])) } // no badge, no link list
		if at := slices.IndexFunc(x.entries, says); at >= 0 {
			best = at
		}
		ds, err := r.Describe(ctx, []Want{{DocID: x.kind.PartID(x.path, x.entries[best].Name)}})
		if err != nil {
			return nil, err
		}
		return &ds[0], nil
	}
	return nil, nil
}
