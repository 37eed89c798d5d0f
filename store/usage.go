package store

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A usage finds which files use which, by what the files say: what they import, and for languages whose packages are folders,
// whose names they call. It is built from names alone, so it is a count to rank by and no proof.
type usage struct {
	files   []surveyed
	byPath  map[string]int
	byStem  map[string][]int          // last part of a module's name → files
	modules map[string]string         // Go: module path → its folder
	names   map[string]map[string]int // folder and language → last part of a symbol's name → the one file that defines it, or several
}

// several marks a name that more than one file of a folder defines.
const several = -1

// A surveyed file is what an overview reads of one file.
type surveyed struct {
	key       int64
	path      string
	kind      Kind
	language  string
	pkg       string
	class     Class
	functions int
	lines     int
	entries   []Entry
	imports   []string
	calls     []Call
}

func (f *surveyed) folder() string { return folderOf(f.path) }

// isPackage tells whether the files of a folder see each other without imports.
func isPackage(language string) bool {
	return language == "Go" || language == "Java" || language == "C#"
}

// isFront tells whether a file stands for its folder: index.ts, __init__.py, mod.rs.
func isFront(p string) bool {
	base := path.Base(p)
	return slices.Contains([]string{"index", "__init__", "mod", "lib"}, strings.TrimSuffix(base, path.Ext(base)))
}

// moduleOf is a file's name as imports spell it: no extension, no front's own name, no "src" folders.
func moduleOf(p string) string {
	m := strings.TrimSuffix(p, path.Ext(p))
	if isFront(p) {
		m = folderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

func newUsage(files []surveyed, modules map[string]string) *usage {
	u := &usage{files, make(map[string]int), make(map[string][]int), modules, make(map[string]map[string]int)}
	for i := range files {
		f := &files[i]
		u.byPath[f.path] = i
		if f.kind != Code || f.language == "" {
			continue
		}
		last := path.Base(moduleOf(f.path))
		u.byStem[last] = append(u.byStem[last], i)
		if !isPackage(f.language) || isTest(f.class, 0) {
			continue
		}
		home := f.folder() + "\x00" + f.language
		if u.names[home] == nil {
			u.names[home] = make(map[string]int)
		}
		for _, e := range f.entries {
			n := lastName(e.Name)
			if at, ok := u.names[home][n]; ok && at != i {
				u.names[home][n] = several
			} else {
				u.names[home][n] = i
			}
		}
	}
	return u
}

// users counts for each file the others that use it, tests left out.
func (u *usage) users() []int {
	out := make([]int, len(u.files))
	for i := range u.files {
		f := &u.files[i]
		if f.kind != Code || isTest(f.class, 0) {
			continue
		}
		used := make(map[int]bool)
		folders := make(map[string]bool)
		if isPackage(f.language) {
			folders[f.folder()] = true
		}
		for _, target := range f.imports {
			if f.language == "Go" {
				if d, ok := u.goFolder(target); ok {
					folders[d] = true
				}
			} else if at := u.resolve(f, target); at >= 0 {
				used[at] = true
			}
		}
		for d := range folders {
			u.called(f, d, used)
		}
		delete(used, i)
		for at := range used {
			out[at]++
		}
	}
	return out
}

// called adds the files of a folder that define what f calls. A call through a package that f imports is one of that package
// only; of another package than its own f sees what is exported.
func (u *usage) called(f *surveyed, folder string, used map[int]bool) {
	defined := u.names[folder+"\x00"+f.language]
	for _, c := range f.calls {
		name := lastName(c.Name)
		at, ok := defined[name]
		if !ok || at == several {
			continue
		}
		if f.language == "Go" {
			through := f.imported(strings.TrimSuffix(strings.TrimSuffix(c.Name, name), "."))
			home := folder == f.folder()
			if through != "" && (home || !strings.HasSuffix("/"+through, "/"+path.Base(folder)) && folder != "") || !home && !exported(name) {
				continue
			}
		}
		used[at] = true
	}
}

// imported returns the import of a Go file whose package goes by a name, or "".
func (f *surveyed) imported(name string) string {
	if name == "" {
		return ""
	}
	for _, target := range f.imports {
		if path.Base(target) == name {
			return target
		}
	}
	return ""
}

func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// goFolder is the folder of a package of this repository.
func (u *usage) goFolder(target string) (string, bool) {
	for at := target; at != "." && at != "/"; at = path.Dir(at) {
		if root, ok := u.modules[at]; ok {
			return strings.Trim(root+strings.TrimPrefix(target, at), "/"), true
		}
	}
	return "", false
}

// resolve finds the file that an import names, or -1. The relative place counts first, then the file whose name ends like the
// target, the nearest one where several do; a tie finds none.
func (u *usage) resolve(f *surveyed, target string) int {
	parts, relative := u.spelled(f, target)
	if parts == "" {
		return -1
	}
	for _, base := range []string{path.Join(f.folder(), target), target, path.Join(f.folder(), parts)} {
		if at, ok := u.byPath[base]; ok {
			return at
		}
		if at := u.exactly(f, base); at >= 0 {
			return at
		}
	}
	if relative || f.language == "C#" {
		return -1
	}
	least := 1
	switch f.language {
	case "Java", "PHP":
		least = 2
	case "Rust":
	default: // a module is named whole
		least = strings.Count(parts, "/") + 1
	}
	for strings.Count(parts, "/")+1 >= least && parts != "." {
		if at := u.nearest(f, parts); at >= 0 {
			return at
		}
		parts = path.Dir(parts)
	}
	return -1
}

// spelled turns a target into parts with slashes, and tells whether it is relative to the file and nowhere else.
func (u *usage) spelled(f *surveyed, target string) (parts string, relative bool) {
	switch f.language {
	case "Python":
		up := len(target) - len(strings.TrimLeft(target, "."))
		parts = strings.ReplaceAll(target[up:], ".", "/")
		if up > 0 {
			return path.Join(strings.Repeat("../", up-1), parts, "."), true
		}
		return parts, false
	case "Rust":
		if first, _, _ := strings.Cut(target, "::"); slices.Contains([]string{"std", "core", "alloc"}, first) {
			return "", false
		}
		target = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(target, "crate::"), "self::"), "super::")
		return strings.ReplaceAll(target, "::", "/"), false
	case "Java":
		return strings.ReplaceAll(target, ".", "/"), false
	case "PHP":
		return strings.TrimSuffix(strings.Trim(strings.ReplaceAll(target, `\`, "/"), "/"), ".php"), false
	case "C", "C++":
		return target, false
	case "Ruby":
		return strings.TrimSuffix(target, ".rb"), strings.HasPrefix(target, ".")
	}
	if !strings.HasPrefix(target, ".") { // a package of JavaScript, a command of a shell
		return "", false
	}
	for _, ext := range []string{".js", ".mjs", ".cjs", ".jsx"} { // TypeScript names what it will be compiled to
		target = strings.TrimSuffix(target, ext)
	}
	return target, true
}

// exactly finds the file of the same family whose module lies at a place.
func (u *usage) exactly(f *surveyed, place string) int {
	for _, at := range u.byStem[path.Base(place)] {
		x := &u.files[at]
		p := strings.TrimSuffix(x.path, path.Ext(x.path))
		if isFront(x.path) && p != place {
			p = x.folder()
		}
		if p == place && related(x.language, f.language) {
			return at
		}
	}
	return -1
}

// related tells whether files of one language can import those of the other.
func related(a, b string) bool {
	family := func(l string) string {
		switch l {
		case "C", "C++":
			return "C"
		case "JavaScript", "TypeScript", "TSX", "JSX":
			return "JavaScript"
		}
		return l
	}
	return family(a) == family(b)
}

// nearest finds the file whose module ends with parts and whose folder shares most with the file's own. A module of one word
// must lie where its language looks: a standard library's "json" is not some folder's json.rb.
func (u *usage) nearest(f *surveyed, parts string) int {
	best, shared, tie := -1, -1, false
	name := parts
	if f.language == "C" || f.language == "C++" {
		name = strings.TrimSuffix(parts, path.Ext(parts))
	}
	for _, at := range u.byStem[path.Base(name)] {
		x := &u.files[at]
		m := moduleOf(x.path)
		if !related(x.language, f.language) || m != name && !strings.HasSuffix(m, "/"+name) {
			continue
		}
		if name != parts && path.Ext(x.path) != path.Ext(parts) { // a header is no source
			continue
		}
		if !strings.Contains(parts, "/") && f.language != "Rust" && name == parts && m != name && m != "lib/"+name {
			continue
		}
		n := commonFolders(x.path, f.path)
		switch {
		case n > shared:
			best, shared, tie = at, n, false
		case n == shared:
			tie = true
		}
	}
	if tie {
		return -1
	}
	return best
}

func commonFolders(a, b string) int {
	as, bs := strings.Split(folderOf(a), "/"), strings.Split(folderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}
