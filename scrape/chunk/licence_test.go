package chunk

import (
	"strings"
	"testing"

	"patina/store/doc"
)

// The notice above a file's code is not searched. Comments about the code are, wherever they are.
func TestNotice(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"block": {"/*\n * Copyright (c) 2007 A. Writer\n * Permission to use and copy is granted\n */\n\n" +
			"/* Walks the tree. */\nint f;\n", "Walks the tree."},
		"one comment": {
			"# Copyright 2020 A\n# SPDX-License-Identifier: MIT\n#\n# Reads dates.\nx = 1\n", "Reads dates.",
		},
		"only about code": {"// Reads dates.\nint f;\n", "Reads dates."},
		"in the code":     {"int f;\n// Copies the licence into the cart.\n", "Copies the licence into the cart."},
		"two notices":     {"// Copyright A\n\n// All rights reserved.\n\n// Reads.\nint f;\n", "Reads."},
		"interpreter":     {"#!/bin/sh\n# Copyright A\n\n# Reads.\nf\n", "Reads."},
	} {
		src := NewSource([]byte(c.source))
		comment := make([]bool, src.Lines())
		for n := range comment {
			line := strings.TrimSpace(string(src.Line(n + 1)))
			comment[n] = strings.HasPrefix(line, "#") || strings.HasPrefix(line, "/") || strings.HasPrefix(line, "*")
		}
		var doc string
		for _, made := range (&Cutter{Src: src, Comment: comment}).Cut([]Span{{
			Entry: -1, First: 1, Last: src.Lines(),
		}}) {
			doc += made.Doc
		}
		if strings.Contains(doc, "Copyright") || strings.Contains(doc, "rights") || !strings.Contains(doc, c.want) {
			t.Errorf("%s: doc %q, want it to hold %q and no notice", name, doc, c.want)
		}
	}
}

// A file that has only a notice still has its lines in one chunk.
func TestOnlyNotice(t *testing.T) {
	src := NewSource([]byte("// Copyright A\n"))
	got := (&Cutter{Src: src, Comment: []bool{true}}).Cut(nil)
	want := doc.Chunk{Entry: -1, First: 1, Last: 1}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
