//go:build packed

package syntax

// #cgo LDFLAGS: ${SRCDIR}/../../third_party/build/packed/libgrammars.a
// #include "packed.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// parsers are those of parsers.go. In a release their tables have no bytes in the program: 34 of 37
// MB become 2, and a language is unpacked when it is first used (third_party/grammars).
var parsers = func() map[string]func() unsafe.Pointer {
	all := make(map[string]func() unsafe.Pointer, C.patina_packed_count)
	list := unsafe.Slice(C.patina_packed_first(), C.patina_packed_count)
	for i := range list {
		all[C.GoString(list[i].name)] = func() unsafe.Pointer { return unpack(&list[i]) }
	}
	return all
}()

// unpack fills the tables of a grammar and returns its parser. The caller must call it once. It
// panics if a frame is damaged, because then the program is.
func unpack(g *C.patina_packed) unsafe.Pointer {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // only unknown options fail
	}
	defer d.Close()
	for i, t := range unsafe.Slice(g.tables, g.count) {
		table := unsafe.Slice((*byte)(t.bytes), t.size)
		out, err := d.DecodeAll(unsafe.Slice((*byte)(t.frame), t.packed), table[:0])
		if err != nil || copy(table, out) != len(table) {
			panic(fmt.Sprintf("this program is damaged: table %d of the parser for %s: %v", i, C.GoString(g.name), err))
		}
	}
	return unsafe.Pointer(C.patina_packed_language(g))
}
