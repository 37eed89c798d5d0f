package language

import (
	"bytes"

	"patina/scrape/chunk"
)

// A commentStyle is how a family of languages marks comments. Only whole lines count: a line of
// code with a comment behind it is code.
type commentStyle struct {
	line   []string    // starts of comment lines
	blocks [][2]string // opening and closing marks; one opens at the start of a line
}

var commentStyles = map[string]*commentStyle{
	"none":    {},
	"asm":     {line: []string{"//", "#", ";", "@"}, blocks: [][2]string{{"/*", "*/"}}},
	"basic":   {line: []string{"'", "REM "}},
	"batch":   {line: []string{"::", "REM ", "rem ", "@REM ", "@rem "}},
	"c":       {line: []string{"//"}, blocks: [][2]string{{"/*", "*/"}}},
	"dash":    {line: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}},
	"fortran": {line: []string{"!"}},
	"hash":    {line: []string{"#"}, blocks: [][2]string{{"<#", "#>"}, {"#=", "=#"}, {`@doc """`, `"""`}, {`@moduledoc """`, `"""`}}},
	"hcl":     {line: []string{"#", "//"}, blocks: [][2]string{{"/*", "*/"}}},
	"html":    {blocks: [][2]string{{"<!--", "-->"}}},
	"lua":     {line: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}}},
	"ml":      {line: []string{"//"}, blocks: [][2]string{{"(*", "*)"}}},
	"percent": {line: []string{"%"}, blocks: [][2]string{{"%{", "%}"}, {"/*", "*/"}}},
	"php":     {line: []string{"//", "#"}, blocks: [][2]string{{"/*", "*/"}}},
	"python":  {line: []string{"#"}, blocks: [][2]string{{`"""`, `"""`}, {"'''", "'''"}, {`r"""`, `"""`}}},
	"ruby":    {line: []string{"#"}, blocks: [][2]string{{"=begin", "=end"}}},
	"semi":    {line: []string{";", "#"}, blocks: [][2]string{{"#|", "|#"}}},
	"sql":     {line: []string{"--", "#"}, blocks: [][2]string{{"/*", "*/"}}},
	"vim":     {line: []string{`"`}},
}

// CommentLines reports for each line, counted from 0, whether it is a comment. It knows no strings:
// a line in a long string may be taken for a comment. Its words are found all the same.
func (l Language) CommentLines(src *chunk.Source) []bool {
	marked := make([]bool, src.Lines())
	closing := ""
	for i := range marked {
		line := bytes.TrimSpace(src.Line(i + 1))
		if closing != "" {
			marked[i] = true
			if bytes.Contains(line, []byte(closing)) {
				closing = ""
			}
			continue
		}
		marked[i], closing = l.comment.starts(line)
	}
	return marked
}

// starts reports whether a line is a comment, and returns the end of a block that it leaves open.
// Blocks come first: in Lua one starts like a line comment.
func (s *commentStyle) starts(line []byte) (comment bool, closing string) {
	for _, b := range s.blocks {
		if !bytes.HasPrefix(line, []byte(b[0])) {
			continue
		}
		if bytes.Contains(line[len(b[0]):], []byte(b[1])) {
			return true, ""
		}
		return true, b[1]
	}
	for _, mark := range s.line {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true, ""
		}
	}
	return false, ""
}
