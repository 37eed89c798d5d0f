package agentcmd

import (
	"bytes"
)

// styleOf returns the style in which a file is written.
func styleOf(file []byte, root *node) style {
	s := style{eol: eolOf(file), unit: "  "}
	if root == nil || len(root.items) == 0 {
		return s
	}
	first := root.items[0]
	if indent, ok := lineIndent(file, first.from, root.from); ok && indent != "" {
		s.unit = indent
	}
	s.flat = !bytes.Contains(file[root.from:root.to], []byte("\n"))
	if colon := bytes.IndexByte(file[first.from:root.to], ':'); colon >= 0 &&
		bytes.HasPrefix(file[first.from+colon+1:], []byte(" ")) {
		s.gap = " "
	}
	return s
}

// eolOf returns the line ending of a file.
func eolOf(file []byte) string {
	if n := bytes.IndexByte(file, '\n'); n > 0 && file[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineIndent returns the white space before at. It returns false if other text precedes it on the
// line, or if the line does not begin after low.
func lineIndent(file []byte, at, low int) (string, bool) {
	from := at
	for from > 0 && (file[from-1] == ' ' || file[from-1] == '\t') {
		from--
	}
	if from == 0 || file[from-1] != '\n' || from <= low {
		return "", false
	}
	return string(file[from:at]), true
}

// indentOf returns the white space at the start of the line that contains at.
func indentOf(file []byte, at int) string {
	line := file[bytes.LastIndexByte(file[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insertItem adds an item at the end of a container.
func (s style) insertItem(file []byte, holder *node, key string, value any) []byte {
	if len(holder.items) == 0 {
		return s.insertFirst(file, holder, key, value)
	}
	first, last := holder.items[0], holder.items[len(holder.items)-1]
	end, before, after := last.value.to, ",", ""
	if last.comma >= 0 { // a trailing comma stays
		end, before, after = last.comma+1, "", ","
	}
	indent, lines := lineIndent(file, last.from, holder.from)
	if !lines {
		indent, lines = lineIndent(file, first.from, holder.from)
	}
	if !lines {
		s.flat = true
		gap := s.gap
		if before == "" {
			gap = " "
		}
		return spliceBytes(file, end, end, before+gap+s.item(holder, key, value, "")+after)
	}
	at := restOfLine(file, end, holder.to-1)
	file = spliceBytes(file, at, at, s.eol+indent+s.item(holder, key, value, indent)+after)
	return spliceBytes(file, end, end, before)
}

// insertFirst adds an item to an empty container.
func (s style) insertFirst(file []byte, holder *node, key string, value any) []byte {
	at, base := holder.from+1, indentOf(file, holder.from)
	if s.flat {
		return spliceBytes(file, at, at, s.item(holder, key, value, ""))
	}
	text := s.eol + base + s.unit + s.item(holder, key, value, base+s.unit)
	if !bytes.Contains(file[at:holder.to-1], []byte("\n")) {
		text += s.eol + base
	}
	return spliceBytes(file, at, at, text)
}

// item returns the text of a member or an element.
func (s style) item(holder *node, key string, value any, indent string) string {
	if holder.kind == '[' {
		return s.formatValue(value, indent)
	}
	gap := " "
	if s.flat {
		gap = s.gap
	}
	return quoteScalar(key) + ":" + gap + s.formatValue(value, indent)
}

// restOfLine returns the end of the comments that follow at on its line.
func restOfLine(file []byte, at, high int) int {
	for p := at; p < high; {
		if c := file[p]; c == ' ' || c == '\t' {
			p++
			continue
		}
		end := commentEnd(file, p)
		if end < 0 || bytes.Contains(file[p:end], []byte("\n")) {
			break
		}
		p, at = end, end
	}
	return at
}
