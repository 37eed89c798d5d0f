package lookup

import (
	"context"
	"path"
	"slices"
	"strings"

	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// maxPathFiles is the number of files that a path may mean. A path with more means no file.
const maxPathFiles = 3

// A Placed is a file.
type Placed struct {
	Key  int64
	Path string
	Pkg  string

	yields bool // it is a test, or no code: other files with the name come first
}

// Named maps base names to code files. A nil map is empty.
type Named map[string][]Placed

// FilesNamed returns the code files with the base name of one of the paths. It leaves out tests
// unless most code is tests.
func FilesNamed(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []string,
) (Named, error) {
	all, err := allNamed(ctx, r, snap, paths)
	for name, files := range all {
		all[name] = slices.DeleteFunc(files, func(f Placed) bool { return f.yields })
	}
	return all, err
}

// allNamed returns the files of any kind with the base name of one of the paths.
func allNamed(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []string,
) (Named, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, p := range paths {
		for _, p := range asSources(p) {
			wanted[path.Base(p)] = true
		}
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	byKey := map[int64]Placed{}
	var keys []int64
	for _, f := range files {
		if wanted[path.Base(f.Path)] && snap.Members.Has(f.Key) {
			byKey[f.Key] = Placed{Key: f.Key, Path: f.Path, Pkg: f.Pkg}
			keys = append(keys, f.Key)
		}
	}
	out := Named{}
	classes, err := r.CodeClasses(ctx, keys)
	for _, key := range keys {
		class, isCode := classes[key]
		f := byKey[key]
		f.yields = !isCode || class&(doc.TestFolder|doc.TestName) != 0 && !snap.Tests
		out[path.Base(f.Path)] = append(out[path.Base(f.Path)], f)
	}
	return out, err
}

// Meant returns the files that a path may mean: those with the longest common tail, which must have
// at least two parts if the path has a folder. It returns nil if there are more than maxPathFiles.
func (n Named) Meant(p string) []Placed {
	found := n.tails(p)
	if len(found) > maxPathFiles {
		return nil
	}
	return found
}

// tails returns the files with the longest common tail. If there is no such script, it tries the
// sources from which it may be compiled.
func (n Named) tails(p string) []Placed {
	for _, p := range asSources(p) {
		if found := n.longest(p); len(found) > 0 {
			return found
		}
	}
	return nil
}

// compiledFrom maps the extension of a script to those of its possible sources.
var compiledFrom = map[string][]string{
	".js": {".ts", ".tsx", ".jsx"}, ".mjs": {".mts", ".ts"}, ".cjs": {".cts", ".ts"}, ".jsx": {".tsx"},
}

// asSources returns a path, followed by the paths of its possible sources.
func asSources(p string) []string {
	ext := path.Ext(p)
	all := []string{p}
	for _, of := range compiledFrom[ext] {
		all = append(all, strings.TrimSuffix(p, ext)+of)
	}
	return all
}

func (n Named) longest(p string) []Placed {
	most := 0
	var found []Placed
	for _, f := range n[path.Base(p)] {
		switch tail := text.CommonTail(p, f.Path); {
		case tail < most || !text.Agree(p, f.Path, tail) || isForeign(p, f, tail):
			continue
		case tail > most:
			most, found = tail, nil
		}
		found = append(found, f)
	}
	found = preferIf(found, func(f Placed) bool { return !f.yields })
	return preferIf(found, func(f Placed) bool { return strings.HasSuffix("/"+p, "/"+f.Path) })
}

// homes matches folders with installed packages, one folder for each, and those of languages.
var homes = lazyregexp.New(`.*(?:^|/)(?:node_modules(?:/@[^/]+)?|site-packages|dist-packages|gems|registry/src/[^/]+|` +
	`rustc/[^/]+|local/go|lib/go|libexec|lib/ruby)/`)

// isForeign reports whether a path is in an installed package other than the file's own. If the
// common tail does not reach to the package's folder, the name in the file's manifest decides.
func isForeign(p string, f Placed, tail int) bool {
	home := homes().FindString(p)
	if home == "" {
		return false
	}
	inside := strings.Split(p[len(home):], "/")
	if tail >= len(inside) {
		return false
	}
	if tail == 1 && len(inside) > 2 && !strings.Contains(f.Path, "/") {
		return true // the path is in a subfolder of the package
	}
	pkg := text.Unversioned(inside[0])
	return f.Pkg == "" || path.Base(f.Pkg) != pkg
}

// Traced returns, for each frame, the files that it may mean. The function decides between several
// files with one name. A frame without a path means the file of its function if only one file
// defines it.
func Traced(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, frames []text.Frame,
) ([][]Placed, error) {
	named, err := FilesNamed(ctx, r, snap, pathsOf(frames))
	if err != nil {
		return nil, err
	}
	return tracedIn(ctx, r, snap, frames, named)
}

// tracedIn is Traced for the files in named.
func tracedIn(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, frames []text.Frame, named Named,
) ([][]Placed, error) {
	out := make([][]Placed, len(frames))
	for i, f := range frames {
		found := named.tails(f.Path)
		if f.Func != "" && (len(found) > 1 || f.Path == "") {
			defined, err := frameDefiners(ctx, r, snap, f)
			if err != nil {
				return nil, err
			}
			if f.Path == "" {
				found = defined
			} else if told := inBoth(found, defined); len(told) > 0 {
				found = told
			}
		}
		if len(found) <= maxPathFiles {
			out[i] = found
		}
	}
	return out, nil
}

// frameDefiners returns the files outside tests that define the function of a frame. Without a
// path, the type must agree as well and there must be only one file.
func frameDefiners(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, f text.Frame,
) ([]Placed, error) {
	ds, err := Definitions(ctx, r, snap, xref.Name{Last: doc.LastName(f.Func)})
	if err != nil {
		return nil, err
	}
	var out []Placed
	for _, d := range ds {
		isFunction := d.Entry.Sort == doc.Function || d.Entry.Sort == doc.Method
		isTest := doc.IsTest(d.Class) && !snap.Tests
		if !isFunction || isTest || f.Path == "" && doc.BareName(d.Entry.Name) != f.Func {
			continue
		}
		if p := (Placed{Key: d.File, Path: d.Path}); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if f.Path == "" && len(out) > 1 {
		return nil, nil
	}
	return out, nil
}

// inBoth returns the files that are also in another list.
func inBoth(files, others []Placed) []Placed {
	return slices.DeleteFunc(slices.Clone(files), func(f Placed) bool {
		return !slices.ContainsFunc(others, func(o Placed) bool { return o.Key == f.Key })
	})
}

// FrameEntry returns the index of the entry for a file's innermost frame, or -1. It is the function
// of the frame nearest to its line, otherwise the innermost entry around the line. The line alone
// must not decide, because the trace may be of another version.
func FrameEntry(entries []doc.Entry, f text.Frame) int {
	best, least := -1, 0
	for i, e := range entries {
		if f.Func == "" || doc.LastName(e.Name) != doc.LastName(f.Func) {
			continue
		}
		if away := distanceTo(e, f.Line); best < 0 || away < least {
			best, least = i, away
		}
	}
	if best >= 0 {
		return best
	}
	return InnermostEntry(entries, f.Line)
}

// distanceTo returns the number of lines between an entry and a line.
func distanceTo(e doc.Entry, line int) int {
	return max(e.First-line, line-e.Last, 0)
}
