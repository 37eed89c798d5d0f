// One call a file: parse, walk the tree, hand back a flat array. Calls from Go for each node cost more than the parsing.
//
// The functions of tree-sitter are weak here: this package is linked alone when cgo looks at its types, and gets the real ones
// from go-tree-sitter, which tree.go imports.

#define _POSIX_C_SOURCE 200112L // for clock_gettime

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
	jmp_buf full;
} arena;

static _Thread_local arena *current; // set during a parse; nothing else allocates through tree-sitter

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

// The scanner of the language that a thread parses. No scanner reads more than the text in one go: one that does stands at
// the end of the text and never comes back (Kotlin's, behind an annotation, "@Jvm"), and there the parser asks nobody whether
// it may go on.
static _Thread_local struct {
	bool (*scan)(void *, TSLexer *, const bool *);
	void (*advance)(TSLexer *, bool);
	uint64_t length, read;
} scanner;

static void counted_advance(TSLexer *lexer, bool skip) {
	if (scanner.read++ > scanner.length) longjmp(current->full, 1);
	scanner.advance(lexer, skip);
}

static bool bounded_scan(void *payload, TSLexer *lexer, const bool *valid) {
	scanner.advance = lexer->advance;
	scanner.read = 0;
	lexer->advance = counted_advance;
	bool found = scanner.scan(payload, lexer, valid);
	lexer->advance = scanner.advance;
	return found;
}

// Returns a language whose scanner is bounded.
static TSLanguage bounded(const TSLanguage *language, uint32_t length) {
	TSLanguage l = {0};
	memcpy(&l, language, language->abi_version < 15 ? offsetof(TSLanguage, name) : sizeof l);
	scanner.scan = l.external_scanner.scan;
	scanner.length = (uint64_t)length + 1024; // scanners look at the end more than once
	if (scanner.scan) l.external_scanner.scan = bounded_scan;
	return l;
}

// What one parse may cost.
typedef struct {
	uint64_t steps, limit;
	int64_t deadline; // of the thread's CPU, in nanoseconds
} budget;

static int64_t cpu(void) {
	struct timespec t;
	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Called by the parser every hundred operations.
static bool spend(TSParseState *state) {
	budget *b = state->payload;
	return ++b->steps > b->limit || cpu() > b->deadline;
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
__attribute__((noinline)) static void parse(patina_tree *t, const void *language, input in, budget b, uint32_t nodes) {
	TSParser *parser = ts_parser_new();
	if (!ts_parser_set_language(parser, language)) {
		ts_parser_delete(parser);
		t->outcome = patina_no_language;
		return;
	}
	TSTree *tree = ts_parser_parse_with_options(parser, NULL, (TSInput){&in, read_text, TSInputEncodingUTF8, NULL},
		(TSParseOptions){&b, spend});
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
	TSLanguage bound = bounded(language, length);
	arena memory = {.limit = limits.bytes};
	memory.list.next = memory.list.last = &memory.list;
	current = &memory;
	if (setjmp(memory.full) == 0) {
		budget b = {0, limits.steps, cpu() + limits.nanoseconds};
		parse(&t, &bound, (input){text, length}, b, limits.nodes);
	} else {
		while (memory.list.next != &memory.list) give(memory.list.next + 1);
		t.outcome = patina_too_costly;
	}
	current = NULL;
	if (t.outcome != patina_parsed) {
		free(t.nodes);
		t.nodes = NULL;
		t.count = 0;
	}
	return t;
}
