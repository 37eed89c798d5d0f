package excerpt

import (
	"testing"

	"patina/store/doc"
	"patina/store/text"
)

const pool = `import threading
from pool import limits

POOL_LIMIT = 8  # connections of the pool

class Pool:
    def __del__(self): self.close()  # closes connections of the pool

    def take(self):
        """Takes a connection of the pool."""
        while len(self.open) >= 8:
            self.wait()
        return self.open.pop()
`

// A function that answers comes before a part that only has the words.
func TestFunctionsComeBeforeSlightParts(t *testing.T) {
	file := func() *Text {
		return &Text{
			Lines: text.CutLines(pool),
			Entries: []doc.Entry{
				{Name: "POOL_LIMIT", Sort: doc.Constant, First: 4, Line: 4, Last: 4, Parent: -1},
				{Name: "Pool.__del__", Sort: doc.Method, First: 7, Line: 7, Last: 7, Parent: -1},
				{Name: "Pool.take", Sort: doc.Method, First: 9, Line: 9, Last: 13, Parent: -1},
			},
			Chunks: []doc.Span{{First: 1, Last: 13}},
		}
	}
	for _, test := range []struct {
		name  string
		words []string
		want  string
	}{
		{"constant", []string{"pool", "connect", "limit"}, "Pool.take"},
		{"destructor", []string{"pool", "connect", "close"}, "Pool.take"},
		{"a function has none of the words", []string{"limit", "threading"}, "POOL_LIMIT"},
	} {
		f := file()
		c, ok := NewWords(weights(test.words...)).Choose(f, []Found{{Chunks: []int{0}}}, 1)
		got := ""
		if ok && c.Entry >= 0 {
			got = f.Entries[c.Entry].Name
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	f := file()
	for n, want := range map[int]bool{1: true, 4: false} {
		if got := f.slight(&Part{Entry: None, In: None, First: n, Last: n + 1}); got != want {
			t.Errorf("lines from %d: slight %v", n, got)
		}
	}
}

// The head of a file has nothing to read, but a comment that describes the file has.
func TestHeads(t *testing.T) {
	for content, want := range map[string]bool{
		"/*\n * Copyright (C) 2009 The Authors\n * Licensed under these terms\n */\n\nimport a.b;\n": true,
		"// SPDX-License-Identifier: MIT\n\n":                                                        true,
		"# Copyright 2020\n# All rights reserved\n\nfrom a import b\n":                               true,
		"// Package pool keeps connections.\n\nimport a\n":                                           true,
		"// Copyright 2020\n\n// Package pool keeps connections.\n":                                  false,
		"// Package pool keeps connections.\n":                                                       false,
		"// Copyright 2020\nint x = licence();\n":                                                    false,
		"\n\n": false,
	} {
		f := &Text{Lines: text.CutLines(content)}
		if got := f.isHead(&Part{Entry: None, In: None, First: 1, Last: f.Lines.Len()}); got != want {
			t.Errorf("%q: head %v", content, got)
		}
	}
}

const mixed = `//! A pool of connections.

/// Takes one.
pub fn take(size: usize) -> usize {
    if size > 8 { wait(size) }
    size
}

#[test]
fn pool_gives_connections() {
    // a pool of connections waits for its connections
    assert_eq!(pool_of_connections(), 8);
}

#[cfg(test)]
mod tests {
    fn connections_of_pool() -> usize {
        let pool = connections(8);
        pool.connections
    }
}
`

// A test in a file of code yields to other code, unless tests are asked for.
func TestTestsYield(t *testing.T) {
	file := &Text{
		Lines: text.CutLines(mixed),
		Entries: []doc.Entry{
			{Name: "take", Sort: doc.Function, First: 3, Line: 4, Last: 7, Parent: -1},
			{Name: "pool_gives_connections", Sort: doc.Function, First: 9, Line: 10, Last: 13, Parent: -1},
			{Name: "connections_of_pool", Sort: doc.Function, First: 17, Line: 17, Last: 20, Parent: -1},
		},
		Chunks: []doc.Span{{First: 1, Last: 21}},
	}
	for _, test := range []struct {
		tests, whole bool
		want         string
	}{{false, false, "take"}, {true, false, ""}, {false, true, ""}} {
		words := NewWords(weights("wait", "pool", "connect"))
		words.Tests, file.Test = test.tests, test.whole
		c, ok := words.Choose(file, []Found{{Chunks: []int{0}}}, 1)
		if !ok || (c.Entry == 0) != (test.want == "take") {
			t.Errorf("%+v: entry %d", test, c.Entry)
		}
	}
	for entry, want := range []bool{false, true, true} {
		e := file.Entries[entry]
		if got := file.tests(&Part{Entry: entry, In: None, First: e.First, Last: e.Last}); got != want {
			t.Errorf("%s is a test: %v", e.Name, got)
		}
	}
}

func TestCodeBlock(t *testing.T) {
	for _, test := range []struct {
		name, body string
		from, to   int
	}{
		{"fenced", "Use it:\n\n```go\na()\nb()\n```\n\n```\nlater\n```\n", 4, 5},
		{"never closed", "~~~\na()\n", 2, 2},
		{"empty", "```\n```\n", 0, 0},
		{"directive", "Text.\n\n.. code-block:: python\n   :caption: x\n\n   a()\n\n   b()\n\nText.\n", 6, 8},
		{"literal block", "For example::\n\n    a()\n\nText.\n", 3, 3},
		{"a directive of another sort", ".. note::\n\n   Text.\n", 0, 0},
		{"none", "Only text.\n", 0, 0},
	} {
		if from, to := CodeBlock(text.CutLines(test.body), 1, 100); from != test.from || to != test.to {
			t.Errorf("%s: lines %d to %d, want %d to %d", test.name, from, to, test.from, test.to)
		}
	}
}
