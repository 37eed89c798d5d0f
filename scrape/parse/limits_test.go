package parse

import (
	"strings"
	"testing"
)

// limited has a file for each reader: every grammar, Go's own parser, the splitter, documents,
// settings and plain text.
var limited = []string{
	"x.c", "x.cpp", "x.cs", "x.ex", "x.go", "x.hs", "x.java", "x.js", "x.kt", "x.lua", "x.php", "x.py", "x.rb", "x.rs",
	"x.scala", "x.sh", "x.swift", "x.ts", "x.tsx", "x.zig", "x.pl", "x.sql", "x.html", "x.md", "AGENTS.md", "x.rst",
	"x.toml", "x.yaml", "x.json", "x.ini", "x.txt",
}

// Texts that are deeper, longer or fuller of operators than any real one must be read, or read as
// plain text if that costs too much. No reader may break, or make more of a text than its words.
// The cost of larger ones is in bench/history/speed.md, "Parsers at their limits".
func TestLimits(t *testing.T) {
	rows := func(unit string, n int) string { return strings.Repeat(strings.Repeat(unit, 80/len(unit))+"\n", n) }
	shapes := map[string]string{
		"nested":    "x = " + rows("(", 125) + "1\n" + rows(")", 125),
		"one line":  strings.Repeat("a b ", 5_000),
		"operators": rows("+ - * / && || == ", 60),
		"headings":  strings.Repeat("# a\n", 500),
		"functions": strings.Repeat("def f(x): fn f() { func f() {\n", 60),
		"marks":     rows("*_`[](#", 60),
	}
	for _, name := range limited {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for shape, text := range shapes {
				switch name {
				case "x.php":
					text = "<?php\n" + text
				case "x.go":
					text = "package x\n\nvar " + text
				}
				file, trouble := Parse(Input{Path: name, Text: []byte(text)})
				if trouble == ParserPanic {
					t.Errorf("%s: %s", shape, trouble)
				}
				checkFile(t, file)
				if words := len(strings.Fields(text)); len(file.Chunks) > words || len(file.Entries) > words {
					t.Errorf("%s: %d chunks and %d entries of %d words",
						shape, len(file.Chunks), len(file.Entries), words)
				}
			}
		})
	}
}
