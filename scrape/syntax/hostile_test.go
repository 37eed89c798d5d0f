package syntax

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"patina/code/lang"
)

// samples returns the path of one golden sample for each language, by its name: the first whose
// name begins with "cache", else the first.
var samples = sync.OnceValue(func() map[string]string {
	const folder = "../parse/testdata/golden"
	files, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	found := map[string]string{}
	for _, start := range []string{"cache", ""} {
		for _, f := range files {
			language := lang.Of(strings.TrimSuffix(f.Name(), ".txt"), nil).Name
			if strings.HasPrefix(strings.ToLower(f.Name()), start) && found[language] == "" {
				found[language] = filepath.Join(folder, f.Name())
			}
		}
	}
	return found
})

func example(t testing.TB, language string) []byte {
	t.Helper()
	text, err := os.ReadFile(samples()[language])
	if err != nil {
		t.Fatalf("no sample of %s: %v", language, err)
	}
	return text
}

// check checks the promises on which readers of an outline rely.
func check(t testing.TB, language string, text []byte) {
	t.Helper()
	if language == "PHP" && !bytes.HasPrefix(text, []byte("<?php")) {
		text = append([]byte("<?php\n"), text...)
	}
	o, err := Read(language, text)
	if err != nil {
		return // too costly is an answer
	}
	inside := func(at int) bool { return at >= 0 && at <= len(text) }
	for i, s := range o.Symbols {
		if s.Name == "" || !inside(s.Start) || !inside(s.End) || s.Start > s.At || s.At > s.End || s.Parent < -1 ||
			s.Parent >= i {
			t.Fatalf("%s: symbol %d of %q: %+v", language, i, text[:min(len(text), 200)], s)
		}
		if len(s.Title) > titleBytes || len(s.Doc) > docBytes || len(s.Name) > 2*lang.NameBytes+1 {
			t.Fatalf("%s: symbol %q is too long", language, s.Name)
		}
	}
	last := 0
	for _, c := range o.Calls {
		if c.Name == "" || !inside(c.At) || c.At < last || c.Symbol < -1 || c.Symbol >= len(o.Symbols) {
			t.Fatalf("%s: call %+v", language, c)
		}
		last = c.At
	}
	for _, r := range o.Comments {
		if !inside(r.Start) || !inside(r.End) || r.Start > r.End {
			t.Fatalf("%s: comment %+v", language, r)
		}
	}
}

// Every language must have an example, and its symbols must be found there.
func TestEveryLanguage(t *testing.T) {
	for _, language := range Languages() {
		o, err := Read(language, example(t, language))
		if err != nil {
			t.Fatal(language, err)
		}
		if len(o.Symbols) < 3 || len(o.Calls) == 0 || len(o.Imports) == 0 && language != "TSX" {
			t.Errorf("%s: %d symbols, %d calls, %d imports", language, len(o.Symbols), len(o.Calls), len(o.Imports))
		}
	}
}

func TestTruncated(t *testing.T) {
	for _, language := range Languages() {
		text := example(t, language)
		for end := 0; end < len(text); end += 97 {
			check(t, language, text[:end])
			check(t, language, text[end:])
		}
	}
}

// Nested texts are as deep as they are long. Neither the parser nor the reader may use the stack
// for that.
func TestNested(t *testing.T) {
	depth := 100_000
	if testing.Short() {
		depth = 20_000
	}
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, unit := range []string{"(", "{", "a.b(", "class A {", "\"", "$("} {
				check(t, language, []byte(strings.Repeat(unit, depth)))
			}
			for _, pair := range []string{"()", "{}"} {
				check(t, language, []byte("x = "+strings.Repeat(pair[:1], depth)+"1"+strings.Repeat(pair[1:], depth)+
					"\n"))
			}
			for _, unit := range []string{"()=>f(", "class A{m(){", "a = "} { // as long as allowed
				check(t, language, []byte(strings.Repeat(unit, maxBytes/16/len(unit))))
			}
			for _, unit := range []string{"a = 1, "} {
				check(t, language, []byte("const int var "+strings.Repeat(unit, 50_000)+"b;"))
			}
			var indented bytes.Buffer
			for i := range 1000 {
				indented.WriteString(strings.Repeat(" ", i) + "if x:\n")
			}
			check(t, language, indented.Bytes())
		})
	}
}

func TestHostileBytes(t *testing.T) {
	for _, language := range Languages() {
		text := example(t, language)
		half := len(text) / 2
		for name, bad := range map[string][]byte{
			"empty": {}, "NUL": {0}, "newline": {'\n'}, "CR": bytes.ReplaceAll(text, []byte{'\n'}, []byte{'\r', '\n'}),
			"NUL inside":   append(append(bytes.Clone(text[:half]), 0), text[half:]...),
			"bad UTF-8":    append(append(bytes.Clone(text[:half]), 0xff, 0xfe, 0xc3), text[half:]...),
			"bad at end":   append(bytes.Clone(text), 0xe2, 0x82),
			"high":         bytes.Repeat([]byte{0xff}, 10_000),
			"all bytes":    allBytes(),
			"a long line":  bytes.Repeat([]byte("f(x) + "), 20_000),
			"a huge line":  bytes.Repeat([]byte("f(x) + "), 800_000), // 5 MB: refused
			"one word":     bytes.Repeat([]byte("a"), 1_000_000),
			"all at once":  bytes.ReplaceAll(text, []byte{'\n'}, []byte{' '}),
			"many times":   bytes.Repeat(text, 30),
			"only quotes":  bytes.Repeat([]byte(`"'`), 3_000),
			"heredocs":     bytes.Repeat([]byte("<<EOF <<-'X' <<~Y\n"), 1_000),
			"only colons":  bytes.Repeat([]byte("::"), 20_000),
			"only words":   bytes.Repeat([]byte("a b "), 20_000),
			"only numbers": bytes.Repeat([]byte("1 "), 20_000),
		} {
			t.Run(language+"/"+name, func(t *testing.T) { t.Parallel(); check(t, language, bad) })
		}
	}
}

// Nodes that the parser makes up for missing ones have no text.
func TestMissingNames(t *testing.T) {
	for _, language := range Languages() {
		for _, text := range []string{
			"val =0", "let = 0", "var =", "fun (", "func (", "class {", "def =", "import", "a = (){", ".()", "x.()",
			"protocol{funcA$(){00}",
		} {
			check(t, language, []byte(text))
		}
	}
}

// A scanner that stays at the end of a text for ever must be stopped.
func TestScannerEnds(t *testing.T) {
	text := example(t, "Kotlin")
	at := bytes.Index(text, []byte("@JvmStatic"))
	if at < 0 {
		t.Fatal("the example has no annotation")
	}
	if _, err := Read("Kotlin", text[:at+len("@Jvm")]); err != ErrTooCostly {
		t.Errorf("error %v, want %v: is the scanner mended?", err, ErrTooCostly)
	}
}

func allBytes() []byte {
	b := make([]byte, 0, 65_536)
	for i := range 65_536 {
		b = append(b, byte(i*i>>3^i))
	}
	return b
}

func TestTooLarge(t *testing.T) {
	if _, err := Read("C", make([]byte, maxBytes+1)); err != ErrTooCostly {
		t.Errorf("error %v, want %v", err, ErrTooCostly)
	}
}

// Trees are outside Go's memory. If they stayed, ten thousand of them would take some 300 MB.
func TestNothingStays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	parseAll := func(times int) {
		for _, language := range Languages() {
			text := bytes.Repeat(example(t, language), 2)
			broken := append(bytes.Clone(text), "((({"...)
			for range times {
				check(t, language, text)
				check(t, language, broken)
			}
		}
	}
	parseAll(40)
	before := resident(t)
	parseAll(400)
	if grown := resident(t) - before; grown > 32<<20 {
		t.Errorf("%d parses left %d MiB", 800*len(Languages()), grown>>20)
	}
}

func resident(t *testing.T) int {
	runtime.GC()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// The declarations of runtime.h must be those of the linked library: the same layouts, the same
// signatures.
func TestHeaderFits(t *testing.T) {
	const uses = `
#include <stddef.h>
_Static_assert(sizeof(TSNode) == 32 && offsetof(TSNode, id) == 16 && offsetof(TSNode, tree) == 24, "node");
_Static_assert(sizeof(TSTreeCursor) == 32 && offsetof(TSTreeCursor, id) == 8, "cursor");
_Static_assert(offsetof(TSTreeCursor, context) == 16, "cursor");
_Static_assert(sizeof(TSInput) == 32 && offsetof(TSInput, read) == 8, "input");
_Static_assert(offsetof(TSInput, encoding) == 16 && offsetof(TSInput, decode) == 24, "input");
_Static_assert(sizeof(TSParseOptions) == 16 && offsetof(TSParseOptions, progress_callback) == 8, "options");
_Static_assert(offsetof(TSParseState, payload) == 0 && sizeof(TSPoint) == 8, "others");
_Static_assert(sizeof(TSSymbol) == 2 && sizeof(TSFieldId) == 2, "others");
_Static_assert(sizeof(TSLexer) == 56 && offsetof(TSLexer, advance) == 8 && offsetof(TSLexer, eof) == 40, "lexer");
_Static_assert(offsetof(TSLanguage, external_scanner.scan) == 200 && offsetof(TSLanguage, name) == 232, "language");
_Static_assert(sizeof(TSLanguage) == 288, "language");
_Static_assert(TSInputEncodingUTF8 == 0, "encoding");
TSTree *(*a)(TSParser *, const TSTree *, TSInput, TSParseOptions) = ts_parser_parse_with_options;
bool (*b)(TSParser *, const TSLanguage *) = ts_parser_set_language;
TSTreeCursor (*c)(TSNode) = ts_tree_cursor_new;
TSNode (*d)(const TSTreeCursor *) = ts_tree_cursor_current_node;
TSFieldId (*e)(const TSTreeCursor *) = ts_tree_cursor_current_field_id;
TSNode (*f)(const TSTree *) = ts_tree_root_node;
const char *(*g)(const TSLanguage *, TSSymbol) = ts_language_symbol_name;
const char *(*h)(const TSLanguage *, TSFieldId) = ts_language_field_name_for_id;
bool (*i)(TSTreeCursor *) = ts_tree_cursor_goto_next_sibling;
bool (*j)(TSNode) = ts_node_has_error;
uint32_t (*k)(TSNode) = ts_node_start_byte;
`
	for _, header := range []string{"runtime.h", filepath.Join(moduleFolder(t), "include/tree_sitter/api.h")} {
		path, err := filepath.Abs(header)
		if err != nil {
			t.Fatal(err)
		}
		uses := uses
		if header != "runtime.h" { // the types of grammars are in a header of their own
			uses = "#include \"" + filepath.Join(moduleFolder(t), "src/parser.h") + "\"\n" + uses
		}
		c := exec.Command("cc", "-fsyntax-only", "-Werror", "-std=c11", "-x", "c", "-")
		c.Stdin = strings.NewReader("#include \"" + path + "\"\n" + uses)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(header), err, out)
		}
	}
}

func moduleFolder(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tree-sitter/go-tree-sitter").Output()
	if err != nil {
		t.Skip(err)
	}
	return strings.TrimSpace(string(out))
}

func FuzzRead(f *testing.F) {
	languages := Languages()
	for i, language := range languages {
		f.Add(byte(i), example(f, language))
	}
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		check(t, languages[int(which)%len(languages)], text)
	})
}
