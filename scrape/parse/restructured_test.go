package parse

import (
	"fmt"
	"strings"
	"testing"

	"patina/scrape/chunk"
)

// The reader must find the same headings as docutils, at the same levels.
func TestRestructuredHeadings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"levels by first sight", "A\n=\n\nB\n-\n\nC\n=\n\nD\n~\n\nE\n-\n", "1 A, 2 B, 1 C, 3 D, 2 E"},
		{"a line above is a level of its own", "===\n A\n===\n\nB\n===\n", "1 A, 2 B"},
		{"a short line of four signs is enough", "A long title\n====\n", "1 A long title"},
		{"three are not", "A long title\n===\n", ""},
		{"lines that differ", "=====\nA\n====\n", "1 A"},
		{"a transition", "one\n\n----\n\ntwo\n", ""},
		{"the second line of a paragraph", "one\ntwo\n---\n", ""},
		{"below a title", "A\n=\nB\n-\n", "1 A, 2 B"},
		{"behind a label", ".. _x:\nA\n=\n", "1 A"},
		{"below an item", "- one\n-----\n", ""},
		{"indented", "x\n\n    A\n    =\n", ""},
		{"in a directive", ".. code::\n\n  A\n  =\n\nB\n=\n", "1 B"},
		{"in a doctest", ">>> f()\nA\n=\n\nB\n=\n", "1 B"},
		{"in a table", "== ==\nA  B\n== ==\nx  y\n-----\nz  w\n== ==\n\nB\n=\n", "1 B"},
		{"a table that never ends", "== ==\nA\n==\n", ""},
		{"in a grid", "+---+\n| A |\n+---+\nB\n=\n", "1 B"},
		{"marks", "A ``b`` :meth:`~c.d`, `e <f>`_ *g* **h** i_ \\*j\n================================================\n", "1 A b d, e g h i *j"},
		{"wide characters", "缓存\n====\n", "1 缓存"},
		{"line ends of Windows", "A\r\n=\r\n", "1 A"},
	} {
		r := &restReader{src: chunk.NewSource([]byte(c.text))}
		r.scan("name")
		var got []string
		for _, h := range r.headings {
			if h.level > 0 {
				got = append(got, fmt.Sprint(h.level, " ", h.text))
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}
