package parse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readers has one name for each reader of this package, with an example.
var readers = map[string]string{
	"x.go": "service.go.txt", "x.md": "guide.md", "x.rst": "guide.rst", "x.raku": "tool.txt", "x.dart": "Cache.java",
}

// Hostile texts: each reader must return a file that the store can rely on, and must not panic. The
// readers of package syntax have tests of their own.
func TestHostile(t *testing.T) {
	const depth = 100_000
	inputs := map[string][]byte{
		"empty": {}, "newlines": []byte("\n\n\r\n"),
		"a line of 5 MB": bytes.Repeat([]byte("f(x) + \"a b c\" "), 5<<20/15),
		"one word":       bytes.Repeat([]byte("a"), 1<<20), "backslashes": bytes.Repeat([]byte(`"\`), 1<<16),
		"broken": bytes.Repeat([]byte("a\xff\xfe\xc3 "), 1<<16), "signs": []byte(strings.Repeat("====\n", 1<<16)),
		"headings":   []byte(strings.Repeat("a\n=\n\nb\n-\n\n", 1<<14)),
		"borders":    []byte(strings.Repeat("== ==\n", 1<<16)),
		"labels":     []byte(strings.Repeat(".. _a:\n", 1<<16) + "a\n=\n"),
		"paragraphs": []byte(strings.Repeat("a\n", 1<<16)),
	}
	for _, unit := range []string{"(", "{", "[", "<", "> ", "- ", "* ", "`", "**", "func(){", "struct{a ", "if x {\n", "%(", "${", "\"'"} {
		inputs["nested "+unit] = []byte("package a\nvar a = " + strings.Repeat(unit, depth))
	}
	for name, example := range readers {
		text, err := os.ReadFile(filepath.Join("testdata/golden", example))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := func(text []byte) {
				file, trouble := Parse(Input{Path: name, Text: text})
				if trouble == ParserPanic {
					t.Errorf("the reader panicked on %q", text[:min(len(text), 50)])
				}
				checkFile(t, file)
			}
			for _, text := range inputs {
				read(text)
			}
			for end := 0; end < len(text); end += 13 {
				read(text[:end])
				read(text[end:])
			}
		})
	}
}
