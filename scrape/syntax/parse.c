// One call a file: parse, walk the tree, hand back a flat array. Calls from Go for each node cost more than the parsing.
//
// The functions of tree-sitter are weak here: this package is linked alone when cgo looks at its types, and gets the real ones
// from go-tree-sitter, which tree.go imports.

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "runtime.h"

#pragma weak ts_language_field_count
#pragma weak ts_language_field_name_for_id
#pragma weak ts_language_symbol_count
#pragma weak ts_language_symbol_name
#pragma weak ts_node_end_byte
#pragma weak ts_node_has_error
#pragma weak ts_node_is_named
#pragma weak ts_node_start_byte
#pragma weak ts_node_symbol
#pragma weak ts_parser_delete
#pragma weak ts_parser_new
#pragma weak ts_parser_parse_with_options
#pragma weak ts_parser_set_language
#pragma weak ts_set_allocator
#pragma weak ts_tree_cursor_current_field_id
#pragma weak ts_tree_cursor_current_node
#pragma weak ts_tree_cursor_delete
#pragma weak ts_tree_cursor_goto_first_child
#pragma weak ts_tree_cursor_goto_next_sibling
#pragma weak ts_tree_cursor_goto_parent
#pragma weak ts_tree_cursor_new
#pragma weak ts_tree_delete
#pragma weak ts_tree_root_node

// The memory of one parse. Ambiguous grammars can take all there is: 60 KB of "()=>f(" in Java took 24 GB. What is over the
// limit leaves the parser by longjmp, from frames of C alone, and its blocks are freed from the list.
typedef struct block {
	struct block *next, *last;
	size_t size;
	size_t unused; // keeps what follows aligned to 16 bytes
} block;

typedef struct {
	block list; // a ring
	size_t live, limit;
	uint64_t work, most;
	jmp_buf full;
} arena;

static _Thread_local arena *current; // set during a parse; nothing else allocates through tree-sitter

// What a parse does is counted, never timed: the same text has the same tree on any machine, however busy. A unit is about a
// nanosecond where it was measured.
enum {
	work_of_step = 3000,     // a hundred operations of the parser
	work_of_character = 5,   // that is read, again and again where the parser looks at it again
	work_of_block = 50,      // of memory that is taken
	work_of_eight_bytes = 6, // of it: lists of nodes are copied as they grow
	work_of_symbol = 10,     // of the grammar, where an error makes the parser try them all
};

static void spend(uint64_t work) {
	current->work += work;
	if (current->work > current->most) longjmp(current->full, 1);
}

static void account(block *b, size_t size) {
	b->size = size;
	b->next = &current->list;
	b->last = current->list.last;
	b->last->next = b->next->last = b;
	current->live += size;
}

static void forget(block *b) {
	b->last->next = b->next;
	b->next->last = b->last;
	current->live -= b->size;
}

static block *fits(block *b) {
	if (!b) longjmp(current->full, 1);
	return b;
}

static void *take(size_t size) {
	if (current->live + size > current->limit) longjmp(current->full, 1);
	spend(work_of_block + size / 8 * work_of_eight_bytes);
	block *b = fits(malloc(sizeof *b + size));
	account(b, size);
	return b + 1;
}

static void *take_zeroed(size_t n, size_t size) {
	if (size && n > SIZE_MAX / size) longjmp(current->full, 1);
	return memset(take(n * size), 0, n * size);
}

static void give(void *at) {
	if (!at) return;
	block *b = (block *)at - 1;
	forget(b);
	free(b);
}

static void *resize(void *at, size_t size) {
	if (!at) return take(size);
	block *b = (block *)at - 1;
	spend(work_of_block + size / 8 * work_of_eight_bytes);
	if (size > b->size && current->live + size - b->size > current->limit) longjmp(current->full, 1);
	forget(b);
	block *moved = realloc(b, sizeof *b + size);
	if (!moved) { // the old one is still there, and must be freed with the rest
		account(b, b->size);
		longjmp(current->full, 1);
	}
	account(moved, size);
	return moved + 1;
}

void patina_allocator(void) { ts_set_allocator(take, take_zeroed, resize, give); }

uint32_t patina_kinds(const void *language) { return ts_language_symbol_count(language); }
uint32_t patina_fields(const void *language) { return ts_language_field_count(language); }
const char *patina_kind(const void *language, uint16_t id) { return ts_language_symbol_name(language, id); }
const char *patina_field(const void *language, uint16_t id) { return ts_language_field_name_for_id(language, id); }

typedef struct {
	const char *text;
	uint32_t length;
} input;

static const char *read_text(void *payload, uint32_t at, TSPoint position, uint32_t *length) {
	(void)position;
	input *in = payload;
	*length = at < in->length ? in->length - at : 0;
	return *length ? in->text + at : "";
}

// The functions of a language and of the parser that a thread reads a text with, and how much they read. They are wrapped, so
// that each character counts that is read, again and again where a text makes the parser look at it again.
//
// No scanner reads more than the text in one go: one that does stands at the end of the text and never comes back (Kotlin's,
// behind an annotation, "@Jvm"), and there the parser asks nobody whether it may go on.
static _Thread_local struct {
	bool (*scan)(void *, TSLexer *, const bool *);
	bool (*lex)(TSLexer *, uint16_t);
	void (*advance)(TSLexer *, bool);
	uint32_t (*column)(TSLexer *);
	uint16_t lost;        // the state of the lexer behind an error
	const bool *any;      // what the scanner may find there: anything
	uint64_t work_lost;   // of what the parser tries there
	uint64_t length, scanned;
} reading;

static void counted_advance(TSLexer *lexer, bool skip) {
	if (reading.scanned++ > reading.length) longjmp(current->full, 1);
	spend(work_of_character);
	reading.advance(lexer, skip);
}

// The lexer reads the line again to find a column.
static uint32_t counted_column(TSLexer *lexer) {
	uint32_t column = reading.column(lexer);
	spend(column * (uint64_t)work_of_character);
	return column;
}

// Wraps the lexer's own functions. They stay wrapped: a parser sets them once.
static void count(TSLexer *lexer) {
	reading.scanned = 0;
	if (lexer->advance == counted_advance) return;
	reading.advance = lexer->advance;
	reading.column = lexer->get_column;
	lexer->advance = counted_advance;
	lexer->get_column = counted_column;
}

static bool counted_scan(void *payload, TSLexer *lexer, const bool *valid) {
	count(lexer);
	if (valid == reading.any) spend(reading.work_lost);
	return reading.scan(payload, lexer, valid);
}

static bool counted_lex(TSLexer *lexer, uint16_t state) {
	count(lexer);
	if (state == reading.lost) spend(reading.work_lost);
	return reading.lex(lexer, state);
}

// Returns a language whose reading is counted, and begins to count.
static TSLanguage counted(const TSLanguage *language, uint32_t length, bool scans) {
	TSLanguage l = {0};
	memcpy(&l, language, language->abi_version < 15 ? offsetof(TSLanguage, name) : sizeof l);
	reading.scan = l.external_scanner.scan;
	reading.lex = l.lex_fn;
	reading.length = (uint64_t)length + 1024; // scanners look at the end more than once
	reading.lost = l.lex_modes[0];
	// A grammar whose scanner is asked for anything in good texts, too (Haskell), names no state.
	reading.any = l.external_scanner.states && scans ? l.external_scanner.states + (size_t)l.counts[3] * l.lex_modes[1] : NULL;
	reading.work_lost = (uint64_t)work_of_symbol * ts_language_symbol_count(language);
	if (reading.scan) l.external_scanner.scan = counted_scan;
	l.lex_fn = counted_lex;
	return l;
}

// Called by the parser every hundred operations, unless something leaves it by longjmp before.
static bool step(TSParseState *state) {
	(void)state;
	current->work += work_of_step;
	return current->work > current->most;
}

// An open is a node that the walk is inside of. index is its place in the array, or that of its nearest named ancestor.
typedef struct {
	int32_t index;
	int32_t named; // 1 if index is its own
} open;

// Fills in nodes. Nesting is held on the heap: a text can nest as deep as it is long.
static int32_t walk(patina_tree *t, TSTree *tree, uint32_t limit) {
	uint32_t room = 1 << 10, depth = 0, deepest = 1 << 8;
	t->nodes = malloc(room * sizeof *t->nodes);
	open *stack = take(deepest * sizeof *stack);
	if (!t->nodes) {
		give(stack);
		return patina_no_memory;
	}
	int32_t outcome = patina_parsed;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	for (;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		open here = {depth ? stack[depth - 1].index : -1, ts_node_is_named(n)};
		if (here.named) {
			if (t->count == limit) {
				outcome = patina_too_costly;
				break;
			}
			if (t->count == room) {
				patina_node *more = realloc(t->nodes, (size_t)room * 2 * sizeof *more);
				if (!more) {
					outcome = patina_no_memory;
					break;
				}
				t->nodes = more;
				room *= 2;
			}
			t->nodes[t->count] = (patina_node){ts_node_start_byte(n), ts_node_end_byte(n), here.index, 0,
				ts_node_symbol(n), ts_tree_cursor_current_field_id(&c)};
			here.index = t->count++;
		}
		if (depth == deepest) {
			deepest *= 2;
			stack = resize(stack, (size_t)deepest * sizeof *stack);
		}
		stack[depth++] = here;
		if (ts_tree_cursor_goto_first_child(&c)) continue;
		for (;;) { // leave nodes until there is a next one
			open left = stack[--depth];
			if (left.named) t->nodes[left.index].next = t->count;
			if (depth == 0) goto done;
			if (ts_tree_cursor_goto_next_sibling(&c)) break;
			ts_tree_cursor_goto_parent(&c);
		}
	}
done:
	ts_tree_cursor_delete(&c);
	give(stack);
	return outcome;
}

// Parses into t, which a frame of its own keeps in memory over a longjmp. All that it takes through tree-sitter it gives back, unless it leaves by longjmp.
__attribute__((noinline)) static void parse(patina_tree *t, const void *language, input in, uint32_t nodes) {
	TSParser *parser = ts_parser_new();
	if (!ts_parser_set_language(parser, language)) {
		ts_parser_delete(parser);
		t->outcome = patina_no_language;
		return;
	}
	TSTree *tree = ts_parser_parse_with_options(parser, NULL, (TSInput){&in, read_text, TSInputEncodingUTF8, NULL},
		(TSParseOptions){NULL, step});
	if (!tree) {
		t->outcome = patina_too_costly;
	} else {
		t->broken = ts_node_has_error(ts_tree_root_node(tree));
		t->outcome = walk(t, tree, nodes);
		ts_tree_delete(tree);
	}
	ts_parser_delete(parser);
}

patina_tree patina_parse(const void *language, const char *text, uint32_t length, patina_limits limits) {
	patina_tree t = {0};
	TSLanguage bound = counted(language, length, limits.scans);
	arena memory = {.limit = limits.bytes, .most = limits.work};
	memory.list.next = memory.list.last = &memory.list;
	current = &memory;
	if (setjmp(memory.full) == 0) {
		parse(&t, &bound, (input){text, length}, limits.nodes);
	} else {
		while (memory.list.next != &memory.list) give(memory.list.next + 1);
		t.outcome = patina_too_costly;
	}
	t.work = memory.work;
	current = NULL;
	if (t.outcome != patina_parsed) {
		free(t.nodes);
		t.nodes = NULL;
		t.count = 0;
	}
	return t;
}
