package prose

import (
	"fmt"
	"strings"
	"testing"
)

const lines = `# Session: The cache
**ID**: 20240101-120000
**Started**: 2024-01-01T12:00:00Z
**Git Branch**: main
**Starting Commit**: abcdef1

## Previous Session Context
What another session says.

## Goals
- [ ] find the leak

## Activity Log
### 12:10 - Looked
**Work Completed**: read the cache.
` + "```\n## no heading\n```" + `

### 12:40 - Fixed
It was the clock.

## Empty
`

const header = `---
type: session
id: "20250101-000000"
title: 'Of yaml'
created: 2025-01-01
git:
  branch: work
  starting_commit: 1234567
---

## Activity Log
### 09:00 - One
Text.
`

// told returns a session in a line, with its blocks.
func told(s Session) string {
	out := fmt.Sprintf("%s|%s|%s|%s|%s", s.ID, s.Title, s.Started, s.Branch, s.Head)
	for _, b := range s.Blocks {
		out += fmt.Sprintf("\n%d-%d %s", b.First, b.Last, b.Title)
	}
	return out
}

func TestSessionParse(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"lines": {lines, "x|The cache|2024-01-01T12:00:00Z|main|abcdef1\n10-11 Goals\n14-18 12:10 - Looked\n" +
			"20-21 12:40 - Fixed"},
		"header":  {header, "x|Of yaml|2025-01-01|work|1234567\n12-13 09:00 - One"},
		"neither": {"Some words.\n\n## A heading\nText.\n#### deeper\nMore.\n", "x|x|||\n1-1 x\n3-6 A heading"},
		"empty":   {"", "x|x|||"},
		"one":     {"text", "x|x|||\n1-1 x"},
		"previous": {
			"## Previous Session Context: x\nOld.\n### Log\nOld.\n#### y\nOld.\n```\n## z\n```\n# Notes\nNew.\n" +
				"## Goals\nMore.\n",
			"x|Notes|||\n11-11 Notes\n12-13 Goals",
		},
		"both": {
			"---\ntitle: a\n---\n# Session: b\n**Started**: 2024\n**Title**: c\n## Goals\nText.\n",
			"x|a|2024||\n7-8 Goals",
		},
		"returns": {"# Session: a\r\n**ID**: b\r\n\r\n## Goals\r\nText.\r\n", "x|a|||\n4-5 Goals"},
		"deep":    {"## Log\n### 1\n### 2\nText.\n", "x|x|||\n3-4 2"},
		"no end":  {"---\ntitle: a\n# b\ntext\n", "x|b|||\n1-2 b\n3-4 b"},
	} {
		if got := told(ParseSession("layer/sessions/x.md", test.text)); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

func TestIsPath(t *testing.T) {
	for path, want := range map[string]bool{
		"layer/sessions/a.md": true, "layer/sessions/x/a.md": false, "layer/sessions/a.txt": false,
		"sessions/a.md": false,
	} {
		if IsSession(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// A record of any size must be read in one pass, and its number of blocks is limited.
func TestParseIsBounded(t *testing.T) {
	s := ParseSession("layer/sessions/x.md", strings.Repeat("## "+strings.Repeat("é", 300)+"\ntext\n", 20_000))
	if len(s.Blocks) > maxSessionBlocks || len(s.Blocks) == 0 || len(s.Blocks[0].Title) > maxValue ||
		s.Blocks[len(s.Blocks)-1].Last != 40_000 {
		t.Errorf("%d blocks, the last %+v", len(s.Blocks), s.Blocks[len(s.Blocks)-1])
	}
}

// A record of ten megabytes must be readable in any shape, line by line.
func TestParseLarge(t *testing.T) {
	const size = 10 << 20
	for name, unit := range map[string]string{"line": "x", "lines": "word\n", "bold": "**a**: b\n", "fences": "```\n", "headings": "## a\n", "marks": "#"} {
		s := ParseSession("layer/sessions/x.md", strings.Repeat(unit, size/len(unit)))
		if len(s.Blocks) > maxSessionBlocks || len(s.Title) > maxValue {
			t.Errorf("%s: %d blocks, a title of %d bytes", name, len(s.Blocks), len(s.Title))
		}
	}
}

// Blocks must be in the text, in order, and must not overlap.
func FuzzSessionParse(f *testing.F) {
	f.Add(lines)
	f.Add(header)
	f.Add("## \n### x\n---\n**a**: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := ParseSession("layer/sessions/x.md", text)
		n, last := strings.Count(text, "\n")+1, 0
		for _, b := range s.Blocks {
			if b.First <= last || b.Last < b.First || b.Last > n || len(b.Title) > maxValue {
				t.Fatalf("block %+v after line %d of %d", b, last, n)
			}
			last = b.Last
		}
		if s.ID == "" || s.Title == "" {
			t.Fatalf("%+v", s)
		}
	})
}
