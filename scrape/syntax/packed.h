#ifndef PATINA_PACKED_H
#define PATINA_PACKED_H

#include <stddef.h>

// A table of a parser. It has no bytes in the program's file: before the first use the frame, of zstd, is unpacked into it.
typedef struct {
	void *bytes;
	size_t size;
	const void *frame;
	size_t packed; // bytes of the frame
} patina_table;

// A parser whose tables are packed.
typedef struct {
	const char *name; // as in parsers.go
	const void *(*language)(void);
	const patina_table *tables;
	size_t count;
} patina_packed;

// third_party/grammars writes these two, for "make PACKED=1".
extern const patina_packed patina_packed_grammars[];
extern const size_t patina_packed_count;

static inline const void *patina_packed_language(const patina_packed *g) { return g->language(); }
// cgo takes an array of unknown length for an empty one.
static inline const patina_packed *patina_packed_first(void) { return patina_packed_grammars; }

#endif
