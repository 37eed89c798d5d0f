package scrape_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unreadForms are files that no parser reads, by the name under which answers report them.
var unreadForms = map[string]string{
	"lib/x.dart": "Dart", "lib/x.jl": "Julia", "lib/x.pl": "Perl", "lib/x.clj": "Clojure", "lib/x.ml": "OCaml",
	"lib/x.erl": "Erlang", "lib/x.fs": "F#", "lib/x.nim": "Nim", "lib/x.groovy": "Groovy",
	"lib/x.coffee": "CoffeeScript", "lib/x.vim": "Vim Script", "x.sql": "SQL", "x.graphql": "GraphQL",
	"x.proto": "Protocol Buffers", "Makefile": "Makefile", "CMakeLists.txt": "CMake", "Dockerfile": "Dockerfile",
	"x.tf": "HCL", "x.nix": "Nix", "x.m": "MATLAB", "x.r": "R", "x.hbs": "Handlebars", "views/x.ejs": ".ejs",
	"views/x.html.erb": ".erb", "views/x.liquid": ".liquid", "views/x.j2": ".j2", "views/x.pug": ".pug",
	"views/x.cshtml": ".cshtml", "docs/x.mdx": "MDX", "x.yaml": "YAML", "x.toml": "TOML", "x.json": "JSON",
	"x.ini": "INI", "x.xml": "XML", "Procfile": "Procfile", "views/x.component.html": "HTML", "x.templ": ".templ",
	"src/x.vue": "Vue",
}

// textIn returns a text of a format that contains some names as words.
func textIn(path string, names ...string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case strings.HasSuffix(path, ".html"):
			fmt.Fprintf(&b, "<b (click)=\"%s()\">x</b>\n", name)
		case strings.HasSuffix(path, ".vue"):
			fmt.Fprintf(&b, "p {{ %s() }}\n", name)
		case strings.HasSuffix(path, ".json"):
			fmt.Fprintf(&b, "{\"run\": \"%s\"}\n", name)
		case strings.HasSuffix(path, ".toml"):
			fmt.Fprintf(&b, "[a%d]\nrun = \"lib:%s\"\n", i, name)
		default:
			fmt.Fprintf(&b, "a%d: <%% %s %%>\n", i, name)
		}
	}
	if strings.HasSuffix(path, ".vue") {
		return "<template lang=\"pug\">\n" + b.String() + "</template>\n"
	}
	return b.String()
}

// An answer must not be 0 if a file of the project that no parser reads contains the name as a
// word. If such files contain only a longer name, it must be.
func TestNeverZeroBesideUnread(t *testing.T) {
	forms := slices.Sorted(maps.Keys(unreadForms))
	nameOf := func(i int) string { return fmt.Sprintf("weigh%dParcel", i) }
	archive := &txtar.Archive{}
	add := func(path, body string) {
		archive.Files = append(archive.Files, txtar.File{Name: path, Data: []byte(body)})
	}
	var longer []string
	for i := range forms {
		longer = append(longer, nameOf(i)+"s")
	}
	for i, path := range forms {
		add(path, textIn(path, append(longer, nameOf(i))...))
		add("src/"+nameOf(i)+".ts", "export function "+nameOf(i)+"() {}\n")
		add("lib/"+nameOf(i)+"Twice.ts", "export function "+nameOf(i)+"Twice() {}\n")
		add("docs/"+nameOf(i)+".md", "Call "+nameOf(i)+"Twice to begin.\n")
	}
	r := project(t, string(txtar.Format(archive)))
	for i, path := range forms {
		name := nameOf(i)
		for question, pattern := range map[string]string{
			"callers": name, "references": name, "importers": "src/" + name + ".ts",
		} {
			out := ask(t, r, question, pattern)
			if len(out.Facts) > 0 || !slices.Equal(out.Unknown, []string{unreadForms[path]}) {
				t.Errorf("%s of %s beside %s: %d facts, not known for %q",
					question, pattern, path, len(out.Facts), out.Unknown)
			}
			if none := ask(t, r, question, strings.Replace(pattern, "src/"+name, "lib/"+name+"Twice",
				1)); question == "importers" && len(none.Unknown) > 0 {
				t.Errorf("%s of %sTwice: not known for %q", question, name, none.Unknown)
			}
		}
		if none := ask(t, r, "callers", name+"Twice"); len(none.Unknown) > 0 {
			t.Errorf("callers of %sTwice: not known for %q", name, none.Unknown)
		}
	}
}

// A file that was too costly to parse, and generated code that is indexed by names alone, may
// contain a call.
func TestNotKnownForCostlyAndGenerated(t *testing.T) {
	r := project(t, string(txtar.Format(&txtar.Archive{Files: []txtar.File{
		{Name: "a.py", Data: []byte("def weigh(): pass\ndef lift(): pass\ndef drop(): pass\n")},
		{Name: "big.py", Data: []byte("from a import weigh\nweigh()\n" +
			strings.Repeat("# filler\nx = [1, 2, 3]\n", 60_000))},
		{Name: "gen_pb2.py", Data: []byte("# @generated\nimport a\na.lift()\n")},
		{Name: "comment.py", Data: []byte("# drop() is not called\n")},
		{Name: "settings.yml", Data: []byte("a: 1\n")},
	}})))
	for name, want := range map[string][]string{"weigh": {"Python"}, "lift": {"generated Python"}, "drop": nil} {
		out := ask(t, r, "callers", name)
		if len(out.Facts) > 0 || !slices.Equal(out.Unknown, want) {
			t.Errorf("callers of %s: %+v; want them not known for %q", name, out, want)
		}
	}
}
