package agentcmd

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
)

func (e jsonEdit) cutFrom(file, origin []byte) ([]byte, State, error) {
	root, err := scanJSON(file)
	if err != nil || root == nil {
		return file, Missing, err
	}
	trail, index, state, err := e.findIn(file, root)
	if err != nil || state != Intact {
		return file, state, err
	}
	var past *node
	if origin != nil {
		if past, err = scanJSON(origin); err != nil {
			past, origin = nil, nil
		}
	}
	if file, err = removeItem(file, origin, trail, past, e.path, index); err != nil || past != nil || e.head == nil {
		return file, state, err
	}
	if root, err = scanJSON(file); err == nil && root != nil && coversValue(root.plainValue(file), plainValue(e.head)) {
		file = withoutRoot(file, origin, root)
	}
	return file, state, err
}

// withoutRoot returns a file without its value, which was all ours.
func withoutRoot(file, origin []byte, root *node) []byte {
	end := root.to
	if rest := file[end:]; bytes.HasPrefix(rest, []byte("\r\n")) {
		end += 2
	} else if bytes.HasPrefix(rest, []byte("\n")) {
		end++
	}
	out := spliceBytes(file, root.from, end, "")
	if origin != nil && dropSpace(string(out)) == dropSpace(string(origin)) {
		return origin
	}
	return out
}

var errMoved = errors.New("the file is built otherwise than before")

// removeItem removes an item from the last container of a trail. It also removes containers that
// are then empty, unless the original had them.
func removeItem(file, origin []byte, trail []*node, past *node, path []string, index int) ([]byte, error) {
	holder := trail[len(trail)-1]
	if len(holder.items) > 1 {
		return removeAt(file, holder, index), nil
	}
	it := holder.items[0]
	from, to := leadingBreak(file, holder, it.from), it.value.to
	if it.comma >= 0 {
		to = it.comma + 1
	}
	inner := string(file[holder.from+1:from]) + string(file[to:holder.to-1])
	before, err := jsonEdit{path: path[:min(len(trail)-1, len(path))]}.past(past)
	switch {
	case err != nil:
		return nil, err
	case before != nil && before.kind == holder.kind:
		if old := string(origin[before.from+1 : before.to-1]); len(before.items) == 0 &&
			dropSpace(old) == dropSpace(inner) {
			inner = old
		}
		return spliceBytes(file, holder.from+1, holder.to-1, inner), nil
	case dropSpace(inner) != "":
		return spliceBytes(file, holder.from+1, holder.to-1, inner), nil // somebody left a comment in it
	case len(trail) == 1:
		return withoutRoot(file, origin, holder), nil
	}
	up := trail[len(trail)-2]
	for i := range up.items {
		if &up.items[i].value == holder {
			return removeItem(file, origin, trail[:len(trail)-1], past, path, i)
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
		return nil, nil // the original had another value there
	}
	if len(trail) <= len(e.path) {
		return nil, nil
	}
	return trail[len(trail)-1], nil
}

// dropSpace returns a text without its white space.
func dropSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// leadingBreak returns the start of the line break before an item, or of the blanks before it.
func leadingBreak(file []byte, holder *node, at int) int {
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

// removeAt removes one of several items, with one comma.
func removeAt(file []byte, holder *node, index int) []byte {
	it := holder.items[index]
	from := leadingBreak(file, holder, it.from)
	_, lines := lineIndent(file, it.from, holder.from)
	if it.comma >= 0 {
		to := it.comma + 1
		if !lines && index == 0 {
			from = it.from
			for to < holder.to-1 && (file[to] == ' ' || file[to] == '\t') {
				to++
			}
		}
		return spliceBytes(spliceBytes(file, it.comma, to, ""), from, it.value.to, "")
	}
	file = spliceBytes(file, from, it.value.to, "")
	comma := holder.items[index-1].comma
	return spliceBytes(file, comma, comma+1, "")
}
