package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A jsonEdit is one member of an object, or one element of a list, in a file of JSON. Comments and
// trailing commas may stand in the file.
type jsonEdit struct {
	path []string // to the member, or to the list
	list bool     // the value is an element
	mark string   // what an element of ours holds, edited or not
	head object   // what a new file must begin with
	with any
}

// whole is a new file.
func (e jsonEdit) whole() any {
	if ours, ok := e.wrapped(e.path).(object); ok {
		return append(slices.Clone(e.head), ours...)
	}
	return e.head
}

// wrapped is the value below the rest of its path.
func (e jsonEdit) wrapped(rest []string) any {
	v := e.with
	if e.list {
		v = []any{v}
	}
	for i := len(rest) - 1; i >= 0; i-- {
		v = object{{rest[i], v}}
	}
	return v
}

func (e jsonEdit) text() string { return style{eol: "\n", unit: "  "}.text(e.whole(), "") }

func (e jsonEdit) name() string { return strings.Join(e.path, ".") }

// reach follows the path as far as it goes. trail holds the containers from the root on; its last
// one lies at path[:len(trail)-1].
func (e jsonEdit) reach(root *node) (trail []*node, err error) {
	trail = []*node{root}
	for _, key := range e.path {
		it, err := trail[len(trail)-1].member(key)
		if err != nil {
			return nil, err
		}
		if it == nil {
			return trail, nil
		}
		trail = append(trail, &it.value)
	}
	return trail, nil
}

// find returns the containers around our item, which is the index in the last of them. The index
// is -1 where it is missing.
func (e jsonEdit) find(file []byte, root *node) (trail []*node, index int, state State, err error) {
	trail, err = e.reach(root)
	if err != nil || len(trail) <= len(e.path) {
		return trail, -1, Missing, err
	}
	want := plain(e.with)
	if !e.list {
		last, holder := trail[len(trail)-1], trail[len(trail)-2]
		for i := range holder.items {
			if &holder.items[i].value == last {
				index = i
			}
		}
		state = Edited
		if covers(last.plain(file), want) {
			state = Intact
		}
		return trail[:len(trail)-1], index, state, nil
	}
	list := trail[len(trail)-1]
	if list.kind != '[' {
		return nil, -1, "", fmt.Errorf("%q is no list", e.name())
	}
	index, state = -1, Missing
	for i, it := range list.items {
		if covers(it.value.plain(file), want) {
			return trail, i, Intact, nil
		}
		if bytes.Contains(file[it.value.from:it.value.to], []byte(e.mark)) {
			index, state = i, Edited
		}
	}
	return trail, index, state, nil
}

func (e jsonEdit) put(file []byte) ([]byte, State, error) {
	root, err := scanJSON(file)
	if err != nil {
		return nil, "", err
	}
	look := styleOf(file, root)
	if root == nil {
		head := file
		if len(bytes.TrimPrefix(file, bom(file))) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
			head = join(file, []byte(look.eol))
		}
		return join(head, []byte(look.text(e.whole(), "")+look.eol)), Missing, nil
	}
	trail, _, state, err := e.find(file, root)
	if err != nil || state != Missing {
		return file, state, err
	}
	holder, rest := trail[len(trail)-1], e.path[len(trail)-1:]
	if len(rest) == 0 {
		return look.insert(file, holder, "", e.with), Missing, nil
	}
	if holder.kind != '{' {
		return nil, "", fmt.Errorf("what should hold %q is no object", rest[0])
	}
	return look.insert(file, holder, rest[0], e.wrapped(rest[1:])), Missing, nil
}

// styleOf reads how a file is written.
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
	if colon := bytes.IndexByte(file[first.from:root.to], ':'); colon >= 0 && bytes.HasPrefix(file[first.from+colon+1:], []byte(" ")) {
		s.gap = " "
	}
	return s
}

// eolOf is the line ending of a file.
func eolOf(file []byte) string {
	if n := bytes.IndexByte(file, '\n'); n > 0 && file[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineIndent returns the white space before a place, if nothing else stands before it on its line
// and the line begins after low.
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

// indentOf is the white space at the head of the line in which a place lies.
func indentOf(file []byte, at int) string {
	line := file[bytes.LastIndexByte(file[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insert adds an item at the end of a container.
func (s style) insert(file []byte, holder *node, key string, value any) []byte {
	member := func(s style, indent string) string {
		if holder.kind == '[' {
			return s.text(value, indent)
		}
		gap := " "
		if s.flat {
			gap = s.gap
		}
		return quoted(key) + ":" + gap + s.text(value, indent)
	}
	n := len(holder.items)
	if n == 0 {
		at, base := holder.from+1, indentOf(file, holder.from)
		if s.flat {
			return splice(file, at, at, member(s, ""))
		}
		text := s.eol + base + s.unit + member(s, base+s.unit)
		if !bytes.Contains(file[at:holder.to-1], []byte("\n")) {
			text += s.eol + base
		}
		return splice(file, at, at, text)
	}
	last := holder.items[n-1]
	end, before, after := last.value.to, ",", ""
	if last.comma >= 0 { // a trailing comma stays one
		end, before, after = last.comma+1, "", ","
	}
	indent, lines := lineIndent(file, last.from, holder.from)
	if !lines {
		indent, lines = lineIndent(file, holder.items[0].from, holder.from)
	}
	if !lines {
		s.flat = true
		gap := s.gap
		if before == "" {
			gap = " "
		}
		return splice(file, end, end, before+gap+member(s, "")+after)
	}
	at := end
	for p := end; p < holder.to-1; { // comments on the line of the last item stay with it
		switch c := file[p]; {
		case c == ' ' || c == '\t':
			p++
			continue
		case c == '/':
			if stop := commentEnd(file, p); stop > 0 && !bytes.Contains(file[p:stop], []byte("\n")) {
				p, at = stop, stop
				continue
			}
		}
		break
	}
	file = splice(file, at, at, s.eol+indent+member(s, indent)+after)
	return splice(file, end, end, before)
}

func (e jsonEdit) cut(file, origin []byte) ([]byte, State, error) {
	root, err := scanJSON(file)
	if err != nil || root == nil {
		return file, Missing, err
	}
	trail, index, state, err := e.find(file, root)
	if err != nil || state != Intact {
		return file, state, err
	}
	var past *node
	if origin != nil {
		if past, err = scanJSON(origin); err != nil {
			past, origin = nil, nil
		}
	}
	if file, err = removed(file, origin, trail, past, e.path, index); err != nil || past != nil || e.head == nil {
		return file, state, err
	}
	if root, err = scanJSON(file); err == nil && root != nil && covers(root.plain(file), plain(e.head)) {
		file = rootless(file, origin, root)
	}
	return file, state, err
}

// rootless is a file without its value, which was ours alone.
func rootless(file, origin []byte, root *node) []byte {
	end := root.to
	if rest := file[end:]; bytes.HasPrefix(rest, []byte("\r\n")) {
		end += 2
	} else if bytes.HasPrefix(rest, []byte("\n")) {
		end++
	}
	out := splice(file, root.from, end, "")
	if origin != nil && dense(string(out)) == dense(string(origin)) {
		return origin
	}
	return out
}

var errMoved = errors.New("the file is built otherwise than before")

// removed takes an item out of the last container of a trail, and the containers that are empty
// then and were not there in the original.
func removed(file, origin []byte, trail []*node, past *node, path []string, index int) ([]byte, error) {
	holder := trail[len(trail)-1]
	if len(holder.items) > 1 {
		return without(file, holder, index), nil
	}
	it := holder.items[0]
	from, to := leading(file, holder, it.from), it.value.to
	if it.comma >= 0 {
		to = it.comma + 1
	}
	inner := string(file[holder.from+1:from]) + string(file[to:holder.to-1])
	before, err := jsonEdit{path: path[:min(len(trail)-1, len(path))]}.past(past)
	switch {
	case err != nil:
		return nil, err
	case before != nil && before.kind == holder.kind:
		if old := string(origin[before.from+1 : before.to-1]); len(before.items) == 0 && dense(old) == dense(inner) {
			inner = old
		}
		return splice(file, holder.from+1, holder.to-1, inner), nil
	case dense(inner) != "":
		return splice(file, holder.from+1, holder.to-1, inner), nil // somebody left a comment in it
	case len(trail) == 1:
		return rootless(file, origin, holder), nil
	}
	up := trail[len(trail)-2]
	for i := range up.items {
		if &up.items[i].value == holder {
			return removed(file, origin, trail[:len(trail)-1], past, path, i)
		}
	}
	return nil, errMoved
}

// past returns the container at the edit's path in the original, or nil.
func (e jsonEdit) past(root *node) (*node, error) {
	if root == nil {
		return nil, nil
	}
	trail, err := e.reach(root)
	if err != nil {
		return nil, nil // the original held something else there
	}
	if len(trail) <= len(e.path) {
		return nil, nil
	}
	return trail[len(trail)-1], nil
}

// dense is a text without its white space.
func dense(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// leading returns where the line break before an item begins, or the blanks before it.
func leading(file []byte, holder *node, at int) int {
	from := at
	for from > holder.from+1 && (file[from-1] == ' ' || file[from-1] == '\t') {
		from--
	}
	if from > holder.from+1 && file[from-1] == '\n' {
		from--
		if from > holder.from+1 && file[from-1] == '\r' {
			from--
		}
	}
	return from
}

// without removes one of several items, with one comma.
func without(file []byte, holder *node, index int) []byte {
	it := holder.items[index]
	from := leading(file, holder, it.from)
	_, lines := lineIndent(file, it.from, holder.from)
	if it.comma >= 0 {
		to := it.comma + 1
		if !lines && index == 0 {
			from = it.from
			for to < holder.to-1 && (file[to] == ' ' || file[to] == '\t') {
				to++
			}
		}
		return splice(splice(file, it.comma, to, ""), from, it.value.to, "")
	}
	file = splice(file, from, it.value.to, "")
	comma := holder.items[index-1].comma
	return splice(file, comma, comma+1, "")
}

// splice returns a copy of a file with other bytes between two places.
func splice(file []byte, from, to int, text string) []byte {
	return join(file[:from], []byte(text), file[to:])
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
