#include "session.h"
#include "defend.h"
#include "weak.h"

#include <stdlib.h>

typedef struct sqlite3_stmt sqlite3_stmt;

extern int sqlite3_prepare_v3(sqlite3 *, char const *, int, unsigned, sqlite3_stmt **, char const **) WEAK;
extern int sqlite3_finalize(sqlite3_stmt *) WEAK;
extern int sqlite3_reset(sqlite3_stmt *) WEAK;
extern int sqlite3_step(sqlite3_stmt *) WEAK;
extern int sqlite3_bind_parameter_count(sqlite3_stmt *) WEAK;
extern int sqlite3_bind_int64(sqlite3_stmt *, int, long long) WEAK;
extern int sqlite3_bind_double(sqlite3_stmt *, int, double) WEAK;
extern int sqlite3_bind_null(sqlite3_stmt *, int) WEAK;
extern int sqlite3_bind_text(sqlite3_stmt *, int, char const *, int, void (*)(void *)) WEAK;
extern int sqlite3_bind_blob(sqlite3_stmt *, int, void const *, int, void (*)(void *)) WEAK;
extern int sqlite3_column_count(sqlite3_stmt *) WEAK;
extern int sqlite3_data_count(sqlite3_stmt *) WEAK;
extern int sqlite3_column_type(sqlite3_stmt *, int) WEAK;
extern long long sqlite3_column_int64(sqlite3_stmt *, int) WEAK;
extern double sqlite3_column_double(sqlite3_stmt *, int) WEAK;
extern void const *sqlite3_column_blob(sqlite3_stmt *, int) WEAK;
extern unsigned char const *sqlite3_column_text(sqlite3_stmt *, int) WEAK;
extern int sqlite3_column_bytes(sqlite3_stmt *, int) WEAK;
extern int sqlite3_extended_errcode(sqlite3 *) WEAK;
extern int sqlite3_system_errno(sqlite3 *) WEAK;
extern char const *sqlite3_errmsg(sqlite3 *) WEAK;
extern char const *sqlite3_errstr(int) WEAK;

// More numbers of sqlite3.h.
enum { SCHEMA = 17, RANGE = 25, PERSISTENT = 1 };

// SQLite copies what it is given.
#define TRANSIENT ((void (*)(void *))-1)

static connection *of(long long handle) { return (connection *)(size_t)handle; }

patina_statement *patina_prepare(long long handle, char const *query, int length, int *error) {
	sqlite3_stmt *compiled = NULL;
	*error = sqlite3_prepare_v3(of(handle)->db, query, length, PERSISTENT, &compiled, NULL);
	if (*error == OK && compiled == NULL) *error = ERROR; // an empty text
	if (*error != OK) return NULL;
	int columns = sqlite3_column_count(compiled);
	patina_statement *s = malloc(sizeof *s + (size_t)columns * sizeof *s->values);
	if (s == NULL) {
		*error = NOMEM;
		sqlite3_finalize(compiled);
		return NULL;
	}
	*s = (patina_statement){compiled, (patina_value *)(s + 1), columns, sqlite3_bind_parameter_count(compiled)};
	return s;
}

void patina_finalize(patina_statement *s) {
	sqlite3_finalize(s->compiled);
	free(s);
}

void patina_rest(patina_statement *s) { sqlite3_reset(s->compiled); }

static int bind(sqlite3_stmt *compiled, int i, patina_argument const *a, char const *bytes) {
	switch (a->type) {
	case PATINA_INTEGER: return sqlite3_bind_int64(compiled, i, a->integer);
	case PATINA_REAL: return sqlite3_bind_double(compiled, i, a->real);
	case PATINA_TEXT: return sqlite3_bind_text(compiled, i, a->length > 0 ? bytes + a->integer : "", a->length, TRANSIENT);
	case PATINA_BLOB: return sqlite3_bind_blob(compiled, i, a->length > 0 ? bytes + a->integer : "", a->length, TRANSIENT);
	default: return sqlite3_bind_null(compiled, i);
	}
}

int patina_first(patina_statement *s, patina_argument const *arguments, int n, char const *bytes) {
	if (n != s->parameters) return RANGE;
	for (int i = 0; i < n; i++) {
		int error = bind(s->compiled, i + 1, &arguments[i], bytes);
		if (error != OK) return error;
	}
	return patina_next(s);
}

int patina_next(patina_statement *s) {
	int result = sqlite3_step(s->compiled);
	if (result == PATINA_DONE) sqlite3_reset(s->compiled);
	if (result != PATINA_ROW) return result;
	if (sqlite3_data_count(s->compiled) != s->columns) return SCHEMA; // compiled again for another schema
	for (int i = 0; i < s->columns; i++) {
		patina_value *v = &s->values[i];
		v->type = sqlite3_column_type(s->compiled, i);
		switch (v->type) {
		case PATINA_INTEGER: v->integer = sqlite3_column_int64(s->compiled, i); break;
		case PATINA_REAL: v->real = sqlite3_column_double(s->compiled, i); break;
		case PATINA_TEXT:
		case PATINA_BLOB:
			v->bytes = v->type == PATINA_TEXT ? sqlite3_column_text(s->compiled, i) : sqlite3_column_blob(s->compiled, i);
			v->length = sqlite3_column_bytes(s->compiled, i);
			if (v->bytes == NULL && v->length > 0) return NOMEM;
		}
	}
	return PATINA_ROW;
}

char const *patina_fault(long long handle, int error, int *extended, int *system) {
	sqlite3 *db = of(handle)->db;
	*extended = sqlite3_extended_errcode(db);
	*system = sqlite3_system_errno(db);
	if ((*extended & 0xff) == (error & 0xff)) return sqlite3_errmsg(db);
	*extended = error; // found here, not by SQLite
	return sqlite3_errstr(error);
}

void patina_stop(long long handle, int stopped) { atomic_store(&of(handle)->stopped, stopped); }
