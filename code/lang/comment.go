package lang

import "bytes"

// Comments are the marks of comments. Only whole lines count: a line of code that ends with a
// comment is code.
type Comments struct {
	Lines  []string    // starts of comment lines, the usual one first
	Blocks [][2]string // opening and closing marks; one opens at the start of a line
}

// Styles that several languages share.
var (
	asmComments     = Comments{Lines: []string{";", "//", "#", "@"}, Blocks: [][2]string{{"/*", "*/"}}}
	basicComments   = Comments{Lines: []string{"'", "REM "}}
	batchComments   = Comments{Lines: []string{"::", "REM ", "rem ", "@REM ", "@rem "}}
	slashComments   = Comments{Lines: []string{"//"}, Blocks: [][2]string{{"/*", "*/"}}}
	dashComments    = Comments{Lines: []string{"--"}, Blocks: [][2]string{{"{-", "-}"}}}
	fortranComments = Comments{Lines: []string{"!"}}
	hashComments    = Comments{Lines: []string{"#"}, Blocks: [][2]string{
		{"<#", "#>"}, {"#=", "=#"}, {`@doc """`, `"""`}, {`@moduledoc """`, `"""`},
	}}
	hclComments     = Comments{Lines: []string{"#", "//"}, Blocks: [][2]string{{"/*", "*/"}}}
	htmlComments    = Comments{Blocks: [][2]string{{"<!--", "-->"}}}
	mlComments      = Comments{Lines: []string{"//"}, Blocks: [][2]string{{"(*", "*)"}}}
	percentComments = Comments{Lines: []string{"%"}, Blocks: [][2]string{{"%{", "%}"}, {"/*", "*/"}}}
	pythonComments  = Comments{Lines: []string{"#"}, Blocks: [][2]string{
		{`"""`, `"""`}, {"'''", "'''"}, {`r"""`, `"""`},
	}}
	semicolonComments = Comments{Lines: []string{";", "#"}, Blocks: [][2]string{{"#|", "|#"}}}
	sqlComments       = Comments{Lines: []string{"--", "#"}, Blocks: [][2]string{{"/*", "*/"}}}
	vimComments       = Comments{Lines: []string{`"`}}
)

// Mark returns the mark that begins a comment line, or "#" if there is no such mark.
func (c *Comments) Mark() string {
	if len(c.Lines) == 0 {
		return "#"
	}
	return c.Lines[0]
}

// Starts reports whether a line is a comment. line must have no white space around it. closing is
// the mark that ends a block which the line leaves open, or "". Blocks are tried first, because in
// Lua one starts like a line comment.
func (c *Comments) Starts(line []byte) (comment bool, closing string) {
	for _, b := range c.Blocks {
		if !bytes.HasPrefix(line, []byte(b[0])) {
			continue
		}
		if bytes.Contains(line[len(b[0]):], []byte(b[1])) {
			return true, ""
		}
		return true, b[1]
	}
	for _, mark := range c.Lines {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true, ""
		}
	}
	return false, ""
}
