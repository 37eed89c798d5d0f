package describe

import (
	"context"
	"path"
	"strings"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// A Survey holds the facts about every file of one generation that overviews need. Making one takes
// seconds in a large tree, because it counts who uses each file. It is small and immutable. An
// engine should keep it as long as its generation.
type Survey struct {
	files []outlined // by path
}

// An outlined is a file of a survey.
type outlined struct {
	path, language, pkg string
	kind                doc.Kind
	class               doc.Class
	lines               int
	users, commits      int
	entries             []EntryPoint
	readme              string // doc_id of the section to show, if it is a README
}

// NewSurvey reads every file of a generation.
func NewSurvey(ctx context.Context, r *store.Reader) (*Survey, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	all, err := surveyFiles(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	modules, err := callers.Modules(ctx, r, snap)
	if err != nil {
		return nil, err
	}
	commits, err := countTouches(ctx, r, snap, all)
	if err != nil {
		return nil, err
	}
	files := make([]*imports.File, len(all))
	for i := range all {
		files[i] = &all[i].File
	}
	declared := make([]imports.File, len(all))
	for i := range all {
		declared[i] = all[i].File
	}
	modules.Declare(declared)
	used := xref.Users(files, modules)
	s := &Survey{files: make([]outlined, len(all))}
	for i := range all {
		x := &all[i]
		s.files[i] = outlined{
			path: x.Path, language: x.Language, pkg: x.pkg, kind: x.kind, class: x.Class, lines: x.lines,
			users: used[i], commits: commits[x.Path], entries: entryPoints(x), readme: readmeSection(x),
		}
	}
	return s, nil
}

// A surveyed is a file with all the facts from which a survey is made.
type surveyed struct {
	imports.File
	kind  doc.Kind
	pkg   string
	lines int
}

// surveyFiles reads every file of the view.
func surveyFiles(ctx context.Context, r *store.Reader, snap *store.Snapshot) ([]surveyed, error) {
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
		if x.Entries, err = format.DecodeEntries(entries); err != nil {
			return nil, err
		}
		if x.FileFacts, err = format.DecodeFacts(facts); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, store.Damaged(rows.Err())
}

// countTouches counts the commits of the view that touched each of its files, under any path.
func countTouches(
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
	left, err := r.AllMoves(ctx, snap.Members)
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

// entryPoints returns the main function of a file, or the file itself if it is the main file of its
// folder.
func entryPoints(x *surveyed) []EntryPoint {
	if path.Base(x.Path) == "build.rs" { // Cargo runs it before a build
		return nil
	}
	for _, e := range x.Entries {
		isMain := strings.EqualFold(doc.LastName(e.Name), "main")
		if isMain && (e.Sort == doc.Function || e.Sort == doc.Method) {
			return []EntryPoint{{x.Path, e.Name, e.Line}}
		}
	}
	if path.Base(x.Path) == "__main__.py" || path.Base(x.Path) == "doc.go" || imports.IsIndex(x.Path) {
		return []EntryPoint{{Path: x.Path, Line: 1}}
	}
	return nil
}
