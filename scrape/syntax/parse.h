#ifndef PATINA_PARSE_H
#define PATINA_PARSE_H

#include <stddef.h>
#include <stdint.h>

// A node of the tree, named kinds only, in the order of the text. parent and next are indexes: next is the first node behind
// this one's descendants.
typedef struct {
	uint32_t start, end; // bytes
	int32_t parent, next;
	uint16_t kind, field;
} patina_node;

// What parsing a text gave. nodes belongs to the caller, who frees it.
typedef struct {
	patina_node *nodes;
	uint32_t count;
	int32_t outcome;  // patina_parsed, or why there are no nodes
	int32_t broken;   // 1 if the text has syntax errors
	uint64_t work;    // that it took
} patina_tree;

enum { patina_parsed = 0, patina_too_costly = 1, patina_no_memory = 2, patina_no_language = 3 };

// Makes tree-sitter allocate by our functions, straight from the C library and within a parse's limit. Nothing else in the
// process may use tree-sitter from then on.
void patina_allocator(void);

// What a parse may cost before it is given up.
typedef struct {
	uint64_t work;       // in the units of parse.c
	size_t bytes;        // of memory at once
	uint32_t nodes;
	int32_t scans; // 1 if the scanner is asked for anything behind errors alone
} patina_limits;

patina_tree patina_parse(const void *language, const char *text, uint32_t length, patina_limits limits);

// The names of kinds and fields, NULL above the last.
uint32_t patina_kinds(const void *language);
uint32_t patina_fields(const void *language);
const char *patina_kind(const void *language, uint16_t id);
const char *patina_field(const void *language, uint16_t id);

#endif
