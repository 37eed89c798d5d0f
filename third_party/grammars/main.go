// Grammars makes the library of parsers that a release links instead of the Go modules: their large
// tables have no bytes in the program's file, and a compressed frame each, which scrape/syntax
// unpacks when a language is first used.
//
//	grammars [-cc COMMAND] [-ar COMMAND] [-flags FLAGS] [-npm FOLDER] -o FOLDER
//
// FOLDER gets libgrammars.a. The compiler may be one for another system, if it writes ELF: a
// table's bytes are read from the object into which it compiles the parser as its authors wrote it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A grammar is one parser, by the name of its language in scrape/syntax/parsers.go.
type grammar struct {
	language string
	function string // that returns the parser
	module   string // of Go, or "npm:" and a package
	folder   string // of parser.c inside of the module; "" is "src"
}

var grammars = []grammar{
	{"C", "tree_sitter_c", "github.com/tree-sitter/tree-sitter-c", ""},
	{"C#", "tree_sitter_c_sharp", "github.com/tree-sitter/tree-sitter-c-sharp", ""},
	{"C++", "tree_sitter_cpp", "github.com/tree-sitter/tree-sitter-cpp", ""},
	{"Elixir", "tree_sitter_elixir", "github.com/tree-sitter/tree-sitter-elixir", ""},
	{"Go", "tree_sitter_go", "github.com/tree-sitter/tree-sitter-go", ""},
	{"Haskell", "tree_sitter_haskell", "github.com/tree-sitter/tree-sitter-haskell", ""},
	{"Java", "tree_sitter_java", "github.com/tree-sitter/tree-sitter-java", ""},
	{"JavaScript", "tree_sitter_javascript", "github.com/tree-sitter/tree-sitter-javascript", ""},
	{"Kotlin", "tree_sitter_kotlin", "github.com/tree-sitter-grammars/tree-sitter-kotlin", ""},
	{"Lua", "tree_sitter_lua", "github.com/tree-sitter-grammars/tree-sitter-lua", ""},
	{"PHP", "tree_sitter_php", "github.com/tree-sitter/tree-sitter-php", "php/src"},
	{"Python", "tree_sitter_python", "github.com/tree-sitter/tree-sitter-python", ""},
	{"Ruby", "tree_sitter_ruby", "github.com/tree-sitter/tree-sitter-ruby", ""},
	{"Rust", "tree_sitter_rust", "github.com/tree-sitter/tree-sitter-rust", ""},
	{"Scala", "tree_sitter_scala", "github.com/tree-sitter/tree-sitter-scala", ""},
	{"Shell", "tree_sitter_bash", "github.com/tree-sitter/tree-sitter-bash", ""},
	{"Solidity", "tree_sitter_solidity", "npm:tree-sitter-solidity", ""},
	{"Swift", "tree_sitter_swift", "npm:tree-sitter-swift", ""},
	{"TSX", "tree_sitter_tsx", "github.com/tree-sitter/tree-sitter-typescript", "tsx/src"},
	{"TypeScript", "tree_sitter_typescript", "github.com/tree-sitter/tree-sitter-typescript", "typescript/src"},
	{"Zig", "tree_sitter_zig", "github.com/tree-sitter-grammars/tree-sitter-zig", ""},
}

func main() {
	var t tools
	cc := flag.String("cc", "cc", "the C compiler, with its own flags")
	ar := flag.String("ar", "ar", "the archiver")
	flags := flag.String("flags", "-O2", "flags for each parser")
	npm := flag.String("npm", "third_party/node_modules", "the folder of npm's packages")
	out := flag.String("o", "", "the folder to write into")
	flag.Parse()
	t.cc = append(strings.Fields(*cc), strings.Fields(*flags)...)
	t.ar = strings.Fields(*ar)
	if *out == "" || flag.NArg() > 0 || len(t.ar) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := t.makeLibrary(grammars, *npm, *out); err != nil {
		fmt.Fprintln(os.Stderr, "grammars:", err)
		os.Exit(1)
	}
}

// tools are commands with their first arguments.
type tools struct{ cc, ar []string }

// makeLibrary writes libgrammars.a into a folder, which is made. It must be called in the module's
// root folder.
func (t tools) makeLibrary(list []grammar, npm, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	work := filepath.Join(out, "work")
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	header, err := filepath.Abs("scrape/syntax/packed.h")
	if err != nil {
		return err
	}
	objects := make([][]string, len(list))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, g := range list {
		group.Go(func() error {
			from, err := g.find(npm)
			if err == nil {
				objects[i], err = t.pack(g, from, header, work)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", g.language, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "grammars.c"), index(list, header), 0o644); err != nil {
		return err
	}
	if err := t.compile(work, "grammars.c", "grammars.o"); err != nil {
		return err
	}
	command := append(t.ar[1:len(t.ar):len(t.ar)], "rcs", "../libgrammars.a", "grammars.o")
	for _, of := range objects {
		command = append(command, of...)
	}
	if err := os.RemoveAll(filepath.Join(out, "libgrammars.a")); err != nil {
		return err
	}
	if err := start(work, t.ar[0], command...); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

// find returns the folder of parser.c.
func (g grammar) find(npm string) (string, error) {
	folder := g.folder
	if folder == "" {
		folder = "src"
	}
	if name, ok := strings.CutPrefix(g.module, "npm:"); ok {
		return filepath.Abs(filepath.Join(npm, name, folder))
	}
	// It is what the go command downloads, and replaced as go.mod says.
	command := exec.Command("go", "mod", "download", "-json", g.module)
	command.Stderr = os.Stderr
	out, err := command.Output()
	var module struct{ Dir string }
	if err = errors.Join(err, json.Unmarshal(out, &module)); err != nil {
		return "", fmt.Errorf("where is %s? %w", g.module, err)
	}
	return filepath.Join(module.Dir, folder), nil
}

// index returns the C file that names all grammars.
func index(list []grammar, header string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "#include %q\n", header)
	for _, g := range list {
		fmt.Fprintf(&b, "extern const void *%s(void);\n", g.function)
		fmt.Fprintf(&b, "extern const patina_table %s_tables[];\n", g.function)
	}
	fmt.Fprintf(&b, "const patina_packed patina_packed_grammars[] = {\n")
	for _, g := range list {
		fmt.Fprintf(&b, "\t{%q, %s, %s_tables, %d},\n", g.language, g.function, g.function, len(packed))
	}
	fmt.Fprintf(&b, "};\nconst size_t patina_packed_count = %d;\n", len(list))
	return []byte(b.String())
}
