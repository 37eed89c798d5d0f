// What this package calls of tree-sitter's C library (ABI of version 0.25), declared here so that no header has to be found
// at build time. The types that travel by value have the library's layout; the goldens would not survive another one.
#ifndef PATINA_RUNTIME_H
#define PATINA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef uint16_t TSSymbol, TSFieldId;

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree, *id; uint32_t context[3]; } TSTreeCursor;

// Of parser.h: what a scanner reads with, and the tables of a language, which hold the scanner.
typedef struct TSLexer TSLexer;
struct TSLexer {
	int32_t lookahead;
	TSSymbol result_symbol;
	void (*advance)(TSLexer *, bool skip);
	void (*mark_end)(TSLexer *);
	uint32_t (*get_column)(TSLexer *);
	bool (*is_at_included_range_start)(const TSLexer *);
	bool (*eof)(const TSLexer *);
	void (*log)(const TSLexer *, const char *, ...);
};
typedef struct {
	uint32_t abi_version, counts[8];
	uint16_t max_alias_sequence_length;
	const void *tables[12];
	const uint16_t *lex_modes; // of each state, for the lexer and for the scanner; in the first one the parser is lost
	bool (*lex_fn)(TSLexer *, uint16_t state);
	const void *keyword_lex_fn;
	TSSymbol keyword_capture_token;
	struct {
		const bool *states;
		const TSSymbol *symbol_map;
		void *(*create)(void);
		void (*destroy)(void *);
		bool (*scan)(void *, TSLexer *, const bool *symbol_whitelist);
		unsigned (*serialize)(void *, char *);
		void (*deserialize)(void *, const char *, unsigned);
	} external_scanner;
	const void *primary_state_ids;
	// Not there before version 15.
	const char *name;
	const TSSymbol *reserved_words;
	uint16_t max_reserved_word_set_size;
	uint32_t supertype_count;
	const void *supertypes[3];
	struct { uint8_t major_version, minor_version, patch_version; } metadata;
} TSLanguage;

enum { TSInputEncodingUTF8 = 0 };
typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t at, TSPoint position, uint32_t *length);
	unsigned encoding; // an enum in the library
	uint32_t (*decode)(const uint8_t *text, uint32_t length, int32_t *code_point);
} TSInput;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *state); } TSParseOptions;

void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, TSSymbol);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, TSFieldId);

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *old, TSInput, TSParseOptions);

TSNode ts_tree_root_node(const TSTree *);
void ts_tree_delete(TSTree *);

TSSymbol ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_has_error(TSNode);

TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
TSFieldId ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);

#endif
