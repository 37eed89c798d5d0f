package syntax

// #cgo CFLAGS: -O2 -std=c11
// #include <stdlib.h>
// #include "parse.h"
import "C"

import (
	"cmp"
	"iter"
	"runtime"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // used by parse.c; its init runs first
)

func init() {
	// go-tree-sitter sends each allocation of the C library through Go: a third of all the time.
	C.patina_allocator()
}

const (
	maxBytes = 1 << 20 // of a text; larger ones are data, and parse at 6 MB/s
	maxNodes = 1 << 20 // 24 MiB for each text that is being read
	// Work is counted in the units of parse.c, about 2 ns each. It stops texts whose errors make the
	// parser read the same bytes, or copy the same nodes, again and again: 20,000 quotes in
	// JavaScript. Of 2,131 files of sixteen languages none took half of it.
	workFree      = 100_000_000
	workPerByte   = 700
	memoryFree    = 16 << 20
	memoryPerByte = 200
)

// A node is a node of a tree. The memory layout is that of patina_node.
type node struct {
	start, end   uint32
	parent, next int32
	kind, field  uint16
}

// A tree is a parsed text. Nodes are named by their index; -1 is none. It must be freed.
type tree struct {
	*grammar
	text   []byte
	nodes  []node
	broken bool
	work   uint64 // that the parser did, the same for the same text
	memory unsafe.Pointer
}

func parseText(g *grammar, text []byte) (*tree, error) {
	if len(text) > cmp.Or(g.most, maxBytes) {
		return nil, ErrTooCostly
	}
	g.once.Do(g.compile)
	read := text
	if g.prepare != nil {
		read = g.prepare(text)
	}
	if len(read) == 0 {
		read = []byte{0}
	}
	limits := C.patina_limits{
		work:  C.uint64_t(workFree + workPerByte*len(text)),
		bytes: C.size_t(memoryFree + memoryPerByte*len(text)),
		nodes: maxNodes,
		scans: 1,
	}
	if g == grammars["Haskell"] {
		limits.scans = 0
	}
	parsed := C.patina_parse(g.compiled.language, (*C.char)(unsafe.Pointer(unsafe.SliceData(read))), C.uint32_t(len(text)), limits)
	runtime.KeepAlive(read)
	switch parsed.outcome {
	case C.patina_parsed:
	case C.patina_no_language:
		panic("the grammar does not fit the version of tree-sitter")
	default:
		return nil, ErrTooCostly
	}
	return &tree{
		grammar: g, text: text, broken: parsed.broken != 0, work: uint64(parsed.work), memory: unsafe.Pointer(parsed.nodes),
		nodes: unsafe.Slice((*node)(unsafe.Pointer(parsed.nodes)), int(parsed.count)),
	}, nil
}

func (t *tree) free() {
	C.free(t.memory)
	t.nodes, t.memory = nil, nil
}

// kind returns the kind of a node, "" of none.
func (t *tree) kind(n int) string {
	if n < 0 {
		return ""
	}
	if k := int(t.nodes[n].kind); k < len(t.compiled.kinds) {
		return t.compiled.kinds[k]
	}
	return "ERROR"
}

// is reports whether a node is of one of the kinds.
func (t *tree) is(n int, kinds ...string) bool {
	k := t.kind(n)
	for _, other := range kinds {
		if k == other {
			return true
		}
	}
	return false
}

func (t *tree) parent(n int) int {
	if n < 0 {
		return -1
	}
	return int(t.nodes[n].parent)
}

// children yields the named children of a node.
func (t *tree) children(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n < 0 {
			return
		}
		for c := n + 1; c < int(t.nodes[n].next); c = int(t.nodes[c].next) {
			if !yield(c) {
				return
			}
		}
	}
}

// child returns the first child in a field, or -1.
func (t *tree) child(n int, field string) int {
	for c := range t.children(n) {
		if t.field(c) == field {
			return c
		}
	}
	return -1
}

// field returns the field of its parent that a node is in, or "".
func (t *tree) field(n int) string { return t.compiled.fields[t.nodes[n].field] }

// firstChild returns the first child of one of the kinds, or -1.
func (t *tree) firstChild(n int, kinds ...string) int {
	for c := range t.children(n) {
		if t.is(c, kinds...) {
			return c
		}
	}
	return -1
}

// textOf returns the text of a node, "" of none.
func (t *tree) textOf(n int) string {
	if n < 0 {
		return ""
	}
	return string(t.text[t.nodes[n].start:t.nodes[n].end])
}

// kindsAndFields reads the names of a language's kinds and fields, by number.
func kindsAndFields(language unsafe.Pointer) (kinds, fields []string) {
	for i := range uint32(C.patina_kinds(language)) {
		kinds = append(kinds, C.GoString(C.patina_kind(language, C.uint16_t(i))))
	}
	for i := range uint32(C.patina_fields(language)) + 1 {
		// Number 0 has no name.
		fields = append(fields, C.GoString(C.patina_field(language, C.uint16_t(i))))
	}
	return kinds, fields
}
