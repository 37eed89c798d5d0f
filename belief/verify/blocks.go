package verify

import (
	"strings"

	"patina/store/markdown"
)

const (
	// maxBlocks bounds the checks of one file. No known file has more than four.
	maxBlocks = 100
	// maxBlock bounds the text of one check, in bytes.
	maxBlock = 64 << 10
)

// Blocks returns the checks in a Markdown text: fenced blocks whose info string begins with the
// word "verify". It is tolerant. Attributes may be in any order and in any quotes, and missing ones
// are empty. A block without an end reaches to the end of the file. more is the number of blocks
// beyond maxBlocks.
func Blocks(source string) (checks []Check, more int) {
	var open *Check
	var fence string
	var body strings.Builder
	finish := func() {
		open.Query = strings.TrimSpace(body.String())
		if len(checks) < maxBlocks {
			checks = append(checks, *open)
		} else {
			more++
		}
		open = nil
		body.Reset()
	}
	inside := "" // the fence of another block
	n := 0
	for line := range strings.Lines(source) {
		n++
		mark, info := fenceOf(line)
		closes := func(opened string) bool { return info == "" && strings.HasPrefix(mark, opened) }
		switch {
		case open != nil && closes(fence):
			finish()
		case open != nil:
			if body.Len() <= maxBlock {
				body.WriteString(line)
			}
		case inside != "":
			if closes(inside) {
				inside = ""
			}
		case mark != "":
			if attributes, ok := isVerifyBlock(info); ok {
				c := checkOf(attributes)
				c.Line, open, fence = n, &c, mark
			} else {
				inside = mark
			}
		}
	}
	if open != nil {
		finish()
	}
	return checks, more
}

// fenceOf returns the marks that open or close a fenced block, at least three, and the text after
// them.
func fenceOf(line string) (mark, info string) {
	indented := strings.TrimLeft(line, " ")
	if len(line)-len(indented) > 3 {
		return "", ""
	}
	n := markdown.Marks(indented)
	return indented[:n], strings.TrimSpace(indented[n:])
}

// isVerifyBlock reports whether an info string begins with the word "verify", and returns the rest.
func isVerifyBlock(info string) (attributes string, ok bool) {
	word, rest, _ := strings.Cut(info, " ")
	return rest, strings.EqualFold(word, "verify")
}

// checkOf parses attributes: name="value", in single, double or no quotes.
func checkOf(s string) (c Check) {
	for {
		s = strings.TrimLeft(s, " \t,")
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return c
		}
		var value string
		value, s = valueOf(strings.TrimLeft(rest, " \t"))
		if words := strings.Fields(name); len(words) > 0 { // words before the name are ignored
			switch strings.ToLower(words[len(words)-1]) {
			case "type":
				c.Type = strings.ToLower(value)
			case "label":
				c.Label = value
			case "expect":
				c.Expect = value
			}
		}
	}
}

// valueOf parses a value. Without a closing quote, it reaches to the end of the line.
func valueOf(s string) (value, rest string) {
	if s == "" {
		return "", ""
	}
	if s[0] == '"' || s[0] == '\'' {
		value, rest, _ = strings.Cut(s[1:], s[:1])
		return value, rest
	}
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
