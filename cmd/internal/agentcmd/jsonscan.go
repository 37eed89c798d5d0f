package agentcmd

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A node is one JSON value with its place in the file.
type node struct {
	kind     byte // '{', '[', '"', or 0 for numbers and literals
	from, to int  // the value's bytes
	items    []item
}

// An item is a member of an object or an element of an array.
type item struct {
	key   string // of a member
	from  int    // start of the key or the element
	value node
	comma int // position of the comma after it, or -1
}

// maxDepth bounds the nesting of a file. Its scanner is recursive.
const maxDepth = 200

// scanJSON finds the values in JSON with comments and trailing commas, as editors write it. It
// returns nil for a file of only blanks and comments.
func scanJSON(file []byte) (*node, error) {
	s := &scanner{file: file, at: len(byteOrderMark(file))}
	if err := s.blanks(); err != nil {
		return nil, err
	}
	if s.at == len(file) {
		return nil, nil
	}
	root, err := s.value(0)
	if err != nil {
		return nil, err
	}
	if err := s.blanks(); err != nil {
		return nil, err
	}
	if s.at < len(file) {
		return nil, s.fault("more than one value")
	}
	return &root, nil
}

// byteOrderMark returns the byte order mark at the head of a file.
func byteOrderMark(file []byte) []byte {
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(file, mark) {
		return mark
	}
	return nil
}

// A scanner walks over one file.
type scanner struct {
	file []byte
	at   int
}

func (s *scanner) fault(what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(s.file[:min(s.at, len(s.file))], []byte("\n")), what)
}

// next returns the current byte, or 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.file) {
		return s.file[s.at]
	}
	return 0
}

// blanks skips white space and comments.
func (s *scanner) blanks() error {
	for s.at < len(s.file) {
		switch c := s.file[s.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.at++
		case c == '/':
			end := commentEnd(s.file, s.at)
			if end < 0 {
				return s.fault("a comment has no end, or is none")
			}
			s.at = end
		default:
			return nil
		}
	}
	return nil
}

// commentEnd returns the end of a comment, before its newline. It returns -1 if no comment begins
// at at, or if it has no end.
func commentEnd(file []byte, at int) int {
	rest := file[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexAny(rest, "\r\n"); n >= 0 {
			return at + n
		}
		return len(file)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return at + 2 + n + 2
		}
	}
	return -1
}

func (s *scanner) value(depth int) (node, error) {
	if depth > maxDepth {
		return node{}, s.fault("nested too deep")
	}
	switch c := s.next(); c {
	case '{', '[':
		return s.container(depth)
	case '"':
		n := node{kind: '"', from: s.at}
		_, err := s.text()
		n.to = s.at
		return n, err
	}
	n := node{from: s.at}
	for s.at < len(s.file) && !bytes.ContainsRune([]byte(" \t\r\n,:]}[{/\""), rune(s.file[s.at])) {
		s.at++
	}
	n.to = s.at
	if !json.Valid(s.file[n.from:n.to]) {
		return n, s.fault("no JSON value")
	}
	return n, nil
}

// container scans an object or an array.
func (s *scanner) container(depth int) (node, error) {
	n := node{kind: s.next(), from: s.at}
	last := n.kind + 2 // '}' follows '{' by two in ASCII, as ']' does '['
	s.at++
	for {
		if err := s.blanks(); err != nil {
			return n, err
		}
		if s.next() == last {
			s.at++
			n.to = s.at
			return n, nil
		}
		if k := len(n.items); k > 0 && n.items[k-1].comma < 0 {
			return n, s.fault("a comma is missing")
		}
		it, err := s.item(n.kind == '{', depth)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, it)
	}
}

func (s *scanner) item(member bool, depth int) (it item, err error) {
	it.from, it.comma = s.at, -1
	if member {
		if it.key, err = s.text(); err != nil {
			return it, err
		}
		if err = s.blanks(); err != nil {
			return it, err
		}
		if s.next() != ':' {
			return it, s.fault("a colon is missing")
		}
		s.at++
		if err = s.blanks(); err != nil {
			return it, err
		}
	}
	if it.value, err = s.value(depth + 1); err != nil {
		return it, err
	}
	if err = s.blanks(); err != nil {
		return it, err
	}
	if s.next() == ',' {
		it.comma = s.at
		s.at++
	}
	return it, nil
}

// text scans a string and returns its value.
func (s *scanner) text() (string, error) {
	from := s.at
	if s.next() != '"' {
		return "", s.fault("a string is missing")
	}
	for s.at++; s.at < len(s.file) && s.file[s.at] != '"'; s.at++ {
		if s.file[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.file))
	var out string
	if err := json.Unmarshal(s.file[from:s.at], &out); err != nil {
		return "", s.fault("a string is broken")
	}
	return out, nil
}

// plainValue returns a node as encoding/json would read it.
func (n node) plainValue(file []byte) any {
	switch n.kind {
	case '{':
		out := map[string]any{}
		for _, it := range n.items {
			out[it.key] = it.value.plainValue(file)
		}
		return out
	case '[':
		out := []any{}
		for _, it := range n.items {
			out = append(out, it.value.plainValue(file))
		}
		return out
	}
	var out any
	if json.Unmarshal(file[n.from:n.to], &out) != nil {
		return string(file[n.from:n.to]) // a number out of range
	}
	return out
}

// member returns the member with a name, or nil. Two members with the name are an error.
func (n node) member(name string) (found *item, err error) {
	if n.kind != '{' {
		return nil, fmt.Errorf("what should hold %q is no object", name)
	}
	for i := range n.items {
		if n.items[i].key != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%q stands there twice", name)
		}
		found = &n.items[i]
	}
	return found, nil
}
