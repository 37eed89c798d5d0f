package xref_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"patina/code/imports"
	"patina/store/doc"
)

// languages are those of the files in the tables, by extension.
var languages = map[string]string{
	".go": "Go", ".py": "Python", ".js": "JavaScript", ".ts": "TypeScript", ".rs": "Rust",
	".java": "Java", ".php": "PHP", ".c": "C", ".h": "C", ".cpp": "C++", ".rb": "Ruby",
	".cs": "C#", ".md": "Markdown", ".sh": "Bash", ".lua": "Lua", ".zig": "Zig", ".ex": "Elixir", ".hs": "Haskell",
	".kt": "Kotlin", ".scala": "Scala", ".swift": "Swift",
}

// resolver makes one of a view: paths by words, and manifests by their path.
func resolver(paths string, manifests map[string]string) *imports.Resolver {
	var files []doc.ListedFile
	for i, p := range strings.Fields(paths) {
		files = append(files, doc.ListedFile{
			Key: int64(i + 1), Path: p, Language: languages[path.Ext(p)],
		})
	}
	var named imports.Manifests
	for p, body := range manifests {
		named.Read(p, body)
	}
	return imports.NewResolver(files, named)
}

func goModule(folder, name string) map[string]string {
	return map[string]string{path.Join(folder, "go.mod"): "// A module.\nmodule " + name + " // note\n"}
}

// A tiny is a file of a table. Definitions are "sort name" or "sort name: signature", with a ">"
// before nested ones. Bindings are "name = name there @ import". Calls are "caller: name", with ""
// for a call outside of all definitions.
type tiny struct {
	path     string
	defines  []string
	binds    string
	imports  string
	calls    []string
	testFile bool
	typed    string // "entry variable Type" for each, separated by ", "
}

func (f tiny) file(t *testing.T, key int64) *imports.File {
	t.Helper()
	out := &imports.File{Key: key, Path: f.path, Language: languages[path.Ext(f.path)]}
	if f.testFile {
		out.Class = doc.TestName | doc.TestCode
	}
	for _, d := range f.defines {
		out.Entries = appendEntry(out.Entries, d)
	}
	out.Imports = strings.Fields(f.imports)
	if f.binds != "" {
		for b := range strings.SplitSeq(f.binds, ", ") {
			name, rest, _ := strings.Cut(b, " = ")
			of, imported, ok := strings.Cut(rest, "@")
			if !ok {
				t.Fatalf("binding %q", b)
			}
			out.Bindings = append(out.Bindings, doc.Binding{Name: name, Import: imported, Of: of})
			if imported != "" {
				out.Imports = append(out.Imports, imported)
			}
		}
	}
	if f.typed != "" {
		for y := range strings.SplitSeq(f.typed, ", ") {
			w := strings.Fields(y)
			at := slices.IndexFunc(out.Entries, func(e doc.Entry) bool { return e.Name == w[0] })
			out.Typed = append(out.Typed, doc.Typed{Entry: at, Name: w[1], Type: w[2]})
		}
	}
	for _, c := range f.calls {
		caller, name, ok := strings.Cut(c, ": ")
		at := slices.IndexFunc(out.Entries, func(e doc.Entry) bool { return e.Name == caller })
		if !ok || at < 0 && caller != "" {
			t.Fatalf("call %q", c)
		}
		call := doc.Call{Caller: at, Name: name, Line: 1}
		if at >= 0 {
			call.Line = out.Entries[at].Last
		}
		out.Calls = append(out.Calls, call)
	}
	return out
}

// appendEntry parses one definition and appends it, ten lines below the last one.
func appendEntry(entries []doc.Entry, written string) []doc.Entry {
	deep := len(written) - len(strings.TrimLeft(written, ">"))
	head, title, _ := strings.Cut(strings.TrimSpace(written[deep:]), ": ")
	sort, name, _ := strings.Cut(head, " ")
	line := 10 * (len(entries) + 1)
	declares := sort == "prototype" || sort == "proto" // of a function, of a method
	if declares {
		sort = map[string]string{"prototype": "function", "proto": "method"}[sort]
	}
	e := doc.Entry{
		Name: name, Sort: doc.Sort(sort), Title: title,
		First: line, Line: line, Last: line + 5, Parent: -1, Declares: declares,
	}
	if deep > 0 { // the last one that lies one level higher
		e.Parent = len(entries) - 1
		for at := e.Parent; depth(entries, at) >= deep; at = entries[at].Parent {
			e.Parent = entries[at].Parent
		}
		for at := e.Parent; at >= 0; at = entries[at].Parent {
			entries[at].Last = e.Last + 1
		}
	}
	return append(entries, e)
}

func depth(entries []doc.Entry, at int) int {
	n := 0
	for at = entries[at].Parent; at >= 0; at = entries[at].Parent {
		n++
	}
	return n
}
