package agentcmd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A jsonEdit is one member of an object, or one element of a list, in a JSON file. The file may
// contain comments and trailing commas.
type jsonEdit struct {
	path []string // to the member, or to the list
	list bool     // the value is an element
	mark string   // contained in each element of ours, edited or not
	head object   // the required start of a new file
	with any
}

// newFile returns the content of a new file.
func (e jsonEdit) newFile() any {
	if ours, ok := e.wrapped(e.path).(object); ok {
		return append(slices.Clone(e.head), ours...)
	}
	return e.head
}

// wrapped returns the value inside the containers of the rest of its path.
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

func (e jsonEdit) entryText() string {
	return style{eol: "\n", unit: "  "}.formatValue(e.newFile(), "")
}

func (e jsonEdit) name() string { return strings.Join(e.path, ".") }

// reach follows the path as far as it exists. trail holds the containers from the root on, so its
// last one is at path[:len(trail)-1].
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

// findIn returns the containers around our item, and its index in the last of them. The index is -1
// if the item is missing.
func (e jsonEdit) findIn(file []byte, root *node) (trail []*node, index int, state State, err error) {
	trail, err = e.reach(root)
	if err != nil || len(trail) <= len(e.path) {
		return trail, -1, Missing, err
	}
	want := plainValue(e.with)
	if !e.list {
		last, holder := trail[len(trail)-1], trail[len(trail)-2]
		for i := range holder.items {
			if &holder.items[i].value == last {
				index = i
			}
		}
		state = Edited
		if coversValue(last.plainValue(file), want) {
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
		if coversValue(it.value.plainValue(file), want) {
			return trail, i, Intact, nil
		}
		if bytes.Contains(file[it.value.from:it.value.to], []byte(e.mark)) {
			index, state = i, Edited
		}
	}
	return trail, index, state, nil
}

func (e jsonEdit) putInto(file []byte) ([]byte, State, error) {
	root, err := scanJSON(file)
	if err != nil {
		return nil, "", err
	}
	look := styleOf(file, root)
	if root == nil {
		head := file
		if len(bytes.TrimPrefix(file, byteOrderMark(file))) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
			head = joinBytes(file, []byte(look.eol))
		}
		return joinBytes(head, []byte(look.formatValue(e.newFile(), "")+look.eol)), Missing, nil
	}
	trail, _, state, err := e.findIn(file, root)
	if err != nil || state != Missing {
		return file, state, err
	}
	holder, rest := trail[len(trail)-1], e.path[len(trail)-1:]
	if len(rest) == 0 {
		return look.insertItem(file, holder, "", e.with), Missing, nil
	}
	if holder.kind != '{' {
		return nil, "", fmt.Errorf("what should hold %q is no object", rest[0])
	}
	return look.insertItem(file, holder, rest[0], e.wrapped(rest[1:])), Missing, nil
}

// spliceBytes returns a copy of a file with file[from:to] replaced by text.
func spliceBytes(file []byte, from, to int, text string) []byte {
	return joinBytes(file[:from], []byte(text), file[to:])
}

func joinBytes(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
