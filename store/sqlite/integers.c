#include "defend.h"
#include "weak.h"

#include <string.h>

extern int sqlite3_value_type(sqlite3_value *) WEAK;
extern void *sqlite3_aggregate_context(sqlite3_context *, int) WEAK;
extern void *sqlite3_realloc64(void *, unsigned long long) WEAK;
extern void sqlite3_free(void *) WEAK;
extern void sqlite3_result_error(sqlite3_context *, char const *, int) WEAK;
extern void sqlite3_result_error_code(sqlite3_context *, int) WEAK;
extern void sqlite3_result_error_toobig(sqlite3_context *) WEAK;
extern void sqlite3_result_blob64(sqlite3_context *, void const *, unsigned long long, void (*)(void *)) WEAK;

enum { INTEGER = 1, LEAST = 4096 };

// What the rows of one aggregate have given so far.
typedef struct {
	unsigned char *bytes;
	size_t used, room;
} gathered;

// room makes room for so many bytes more. Without it, it returns 0 and has set the error.
static int room(sqlite3_context *c, gathered *g, size_t more) {
	if (g->used + more <= g->room) return 1;
	if (g->used + more > PATINA_LENGTH) {
		sqlite3_result_error_toobig(c);
		return 0;
	}
	size_t want = g->room < LEAST ? LEAST : 2 * g->room;
	unsigned char *bytes = sqlite3_realloc64(g->bytes, want);
	if (bytes == NULL) {
		sqlite3_result_error_code(c, NOMEM);
		return 0;
	}
	g->bytes = bytes;
	g->room = want;
	return 1;
}

static void step(sqlite3_context *c, int n, sqlite3_value **values) {
	gathered *g = sqlite3_aggregate_context(c, sizeof *g);
	if (g == NULL) {
		sqlite3_result_error_code(c, NOMEM);
		return;
	}
	if (!room(c, g, 8 * (size_t)n)) return;
	for (int i = 0; i < n; i++) {
		if (sqlite3_value_type(values[i]) != INTEGER) {
			sqlite3_result_error(c, "no integer", -1);
			return;
		}
		unsigned long long v = (unsigned long long)sqlite3_value_int64(values[i]);
		for (int b = 0; b < 8; b++) g->bytes[g->used++] = (unsigned char)(v >> 8 * b);
	}
}

static void end(sqlite3_context *c) {
	gathered *g = sqlite3_aggregate_context(c, 0);
	if (g == NULL || g->bytes == NULL) { // no rows
		sqlite3_result_blob64(c, "", 0, NULL);
		return;
	}
	sqlite3_result_blob64(c, g->bytes, g->used, sqlite3_free);
	g->bytes = NULL;
}

int patina_integers(sqlite3 *db) {
	return sqlite3_create_function_v2(db, "patina_integers", -1, UTF8 | DIRECTONLY, NULL, NULL, step, end, NULL);
}
