package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A release must have every language that other builds have.
func TestLanguagesAreThoseOfOtherBuilds(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "scrape", "syntax", "parsers.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			name, err := strconv.Unquote(pair.Key.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, name)
		}
		return true
	})
	for _, g := range grammars {
		got = append(got, g.language)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%q, and parsers.go has %q", got, want)
	}
}

// The smallest grammar is packed as a release packs it: the object must have its tables without
// bytes, and the frames must unpack to what the compiler made of the authors' file.
func TestGrammarIsPacked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tables are read from ELF")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip(err)
	}
	lua := grammars[slices.IndexFunc(grammars, func(g grammar) bool { return g.language == "Lua" })]
	t.Chdir(filepath.Join("..", ".."))
	from, err := lua.find("")
	if err != nil {
		t.Fatal(err)
	}
	header, err := filepath.Abs("scrape/syntax/packed.h")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	objects, err := tools{cc: []string{cc, "-O1"}}.pack(lua, from, header, work)
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 2 {
		t.Errorf("%q is no parser with its scanner", objects)
	}
	tables, err := readTables(filepath.Join(work, lua.function+"-whole.o"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tables["ts_small_parse_table"]); n < 20_000 {
		t.Errorf("the parser's table has %d bytes", n)
	}
	// A table without bytes cannot be read, but its frame is among the object's bytes.
	if _, err := readTables(filepath.Join(work, objects[0])); err == nil {
		t.Error("the tables of the packed parser have bytes")
	}
	object, err := os.ReadFile(filepath.Join(work, objects[0]))
	if err != nil {
		t.Fatal(err)
	}
	var unpacked []string
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	source, err := os.ReadFile(filepath.Join(work, lua.function+".c"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(source), "static const unsigned char packed_")[1:] {
		name, rest, _ := strings.Cut(part, "[")
		_, rest, _ = strings.Cut(rest, "{")
		list, _, _ := strings.Cut(rest, "}")
		var frame []byte
		for number := range strings.SplitSeq(strings.TrimSpace(list), ",") {
			if number = strings.TrimSpace(number); number != "" {
				b, err := strconv.ParseUint(number, 10, 8)
				if err != nil {
					t.Fatal(err)
				}
				frame = append(frame, byte(b))
			}
		}
		if !bytes.Contains(object, frame) {
			t.Errorf("the object has no frame of %s", name)
		}
		out, err := d.DecodeAll(frame, nil)
		if err != nil || !bytes.Equal(out, tables[name]) {
			t.Errorf("%s unpacks to %d bytes of %d: %v", name, len(out), len(tables[name]), err)
		}
		unpacked = append(unpacked, name)
	}
	if want := slices.Sorted(maps.Keys(tables)); !slices.Equal(slices.Sorted(slices.Values(unpacked)), want) {
		t.Errorf("frames of %q, not of %q", unpacked, want)
	}
}

// A parser whose tables are written otherwise must not be linked with tables that stay empty.
func TestOtherFormIsRefused(t *testing.T) {
	tables := map[string][]byte{}
	var good strings.Builder
	for _, name := range packed {
		tables[name] = make([]byte, 6)
		good.WriteString("static const uint16_t " + name + "[] = {\n  [0] = 1, 2,\n  3,\n};\n\n")
	}
	out, err := empty([]byte(good.String()), tables)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "static uint16_t ts_lex_modes[6 / sizeof(uint16_t)];\n") || strings.Contains(string(out), "3,") {
		t.Errorf("the parser is %s", out)
	}
	for name, change := range map[string][2]string{
		"another qualifier": {"static const uint16_t ts_lex_modes", "const uint16_t ts_lex_modes"},
		"no table":          {"ts_parse_actions", "ts_actions"},
		"no end":            {"};\n\nstatic const uint16_t ts_parse_actions", "}; \n\nstatic const uint16_t ts_parse_actions"},
	} {
		if _, err := empty([]byte(strings.Replace(good.String(), change[0], change[1], 1)), tables); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
