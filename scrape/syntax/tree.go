package syntax

// #cgo CFLAGS: -O2 -std=c11
// #include <stdlib.h>
// #include "parse.h"
import "C"

import (
	"cmp"
	"runtime"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // used by parse.c; its init runs first

	"patina/code/lang"
)

func init() {
	// Go's allocator is replaced because go-tree-sitter sends each allocation of the C library
	// through Go, which takes a third of the whole time.
	C.patina_allocator()
}

const (
	maxBytes = 1 << 20 // of a text; larger ones are data, and parse at 6 MB/s
	maxNodes = 1 << 20 // 24 MiB for each text that is being read
	// Work is counted in the units of parse.c, about 2 ns each. The limit stops texts whose errors
	// make the parser read the same bytes, or copy the same nodes, again and again: 20,000 quotes
	// in JavaScript. Of 2,131 files of sixteen languages no file took half of it.
	workFree      = 100_000_000
	workPerByte   = 700
	memoryFree    = 16 << 20
	memoryPerByte = 200
)

// A tree is a lang.Tree outside Go's memory. The caller must free it.
type tree struct {
	lang.Tree
	*grammar
	broken bool
	work   uint64 // of the parser, the same for the same text
	memory unsafe.Pointer
}

// The memory layout of lang.Node must be that of patina_node.
const _ = -(unsafe.Sizeof(lang.Node{}) ^ C.sizeof_patina_node)

func parseText(g *grammar, text []byte) (*tree, error) {
	if len(text) > cmp.Or(g.MaxBytes, maxBytes) {
		return nil, ErrTooCostly
	}
	g.once.Do(g.compile)
	read := text
	if g.Prepare != nil {
		read = g.Prepare(text)
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
	if g.NoEndlessScans {
		limits.scans = 0
	}
	parsed := C.patina_parse(g.language, (*C.char)(unsafe.Pointer(unsafe.SliceData(read))), C.uint32_t(len(text)),
		limits)
	runtime.KeepAlive(read)
	switch parsed.outcome {
	case C.patina_parsed:
	case C.patina_no_language:
		panic("the grammar does not fit the version of tree-sitter")
	default:
		return nil, ErrTooCostly
	}
	nodes := unsafe.Slice((*lang.Node)(unsafe.Pointer(parsed.nodes)), int(parsed.count))
	return &tree{
		Tree:    lang.Tree{Source: text, Nodes: nodes, Kinds: g.kinds, Fields: g.fields},
		grammar: g, broken: parsed.broken != 0, work: uint64(parsed.work), memory: unsafe.Pointer(parsed.nodes),
	}, nil
}

func (t *tree) free() {
	C.free(t.memory)
	t.Nodes, t.memory = nil, nil
}

// kindsAndFields returns the names of a language's kinds and fields, by number.
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
