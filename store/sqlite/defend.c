#include "defend.h"
#include "weak.h"

#include <stdlib.h>
#include <time.h>

extern int sqlite3_auto_extension(void (*)(void)) WEAK;
extern int sqlite3_db_config(sqlite3 *, int, ...) WEAK;
extern int sqlite3_limit(sqlite3 *, int, int) WEAK;
extern void sqlite3_progress_handler(sqlite3 *, int, int (*)(void *), void *) WEAK;
extern sqlite3 *sqlite3_context_db_handle(sqlite3_context *) WEAK;
extern long long sqlite3_memory_used(void) WEAK;
extern void *sqlite3_user_data(sqlite3_context *) WEAK;
extern void sqlite3_result_int(sqlite3_context *, int) WEAK;
extern void sqlite3_result_int64(sqlite3_context *, long long) WEAK;

// More numbers of sqlite3.h.
enum { ENABLE_TRIGGER = 1003, DEFENSIVE = 1010, DQS_DML = 1013, DQS_DDL = 1014, ENABLE_VIEW = 1015, TRUSTED_SCHEMA = 1017 };
enum { LENGTH = 0, SQL_LENGTH = 1, EXPR_DEPTH = 3, VDBE_OP = 5, ATTACHED = 7, TRIGGER_DEPTH = 10 };

static int give_up(void *unused) { return 1; }

// What a confined connection may still use. SQLite counts its memory for the whole process, so the bound is a coarse one.
typedef struct {
	long long steps, until, memory;
	int stopped; // 0, or the first bound reached: 1 steps, 2 time, 3 memory
} bounds;

enum { STRIDE = 1000 };

static int ended(void *of) { return atomic_load_explicit(&((connection *)of)->stopped, memory_order_relaxed); }

// released is the SQL function patina_released(): the connection has been looked at, its statements may run until patina_stop.
static void released(sqlite3_context *c, int n, sqlite3_value **values) {
	sqlite3_progress_handler(sqlite3_context_db_handle(c), STRIDE, ended, sqlite3_user_data(c));
}

// handle is the SQL function patina_handle().
static void handle(sqlite3_context *c, int n, sqlite3_value **values) { sqlite3_result_int64(c, (long long)(size_t)sqlite3_user_data(c)); }

static long long milliseconds(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static int within(void *of) {
	bounds *b = of;
	b->steps -= STRIDE;
	if (b->stopped == 0 && b->steps < 0) b->stopped = 1;
	if (b->stopped == 0 && milliseconds() > b->until) b->stopped = 2;
	if (b->stopped == 0 && sqlite3_memory_used() > b->memory) b->stopped = 3;
	return b->stopped;
}

// confine is the SQL function patina_confine(steps, milliseconds, bytes): from now on, statements may use no more, all together.
static void confine(sqlite3_context *c, int n, sqlite3_value **values) {
	bounds *b = sqlite3_user_data(c);
	b->steps = sqlite3_value_int64(values[0]);
	b->until = milliseconds() + sqlite3_value_int64(values[1]);
	b->memory = sqlite3_memory_used() + sqlite3_value_int64(values[2]);
	b->stopped = 0;
	sqlite3_progress_handler(sqlite3_context_db_handle(c), STRIDE, within, b);
}

// stopped is the SQL function patina_stopped(): the bound that ended a statement since the last confinement, which it lifts.
static void stopped(sqlite3_context *c, int n, sqlite3_value **values) {
	bounds *b = sqlite3_user_data(c);
	sqlite3_result_int(c, b->stopped);
	sqlite3_progress_handler(sqlite3_context_db_handle(c), 0, NULL, NULL);
}

// defend is called by SQLite for each connection, before anything is read with it.
static int defend(sqlite3 *db, char **message, void const *api) {
	static struct { int option, on; } const options[] = {
	    {DEFENSIVE, 1}, {TRUSTED_SCHEMA, 0}, {ENABLE_TRIGGER, 0}, {ENABLE_VIEW, 0}, {DQS_DML, 0}, {DQS_DDL, 0},
	};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		int error = sqlite3_db_config(db, options[i].option, options[i].on, (int *)NULL);
		if (error != OK) return error;
	}
	sqlite3_limit(db, LENGTH, PATINA_LENGTH);
	sqlite3_limit(db, SQL_LENGTH, 1 << 20);
	sqlite3_limit(db, EXPR_DEPTH, 100);
	sqlite3_limit(db, VDBE_OP, 1 << 17);
	sqlite3_limit(db, ATTACHED, 0);
	sqlite3_limit(db, TRIGGER_DEPTH, 1);
	sqlite3_progress_handler(db, PATINA_STEPS, give_up, NULL);
	bounds *b = calloc(1, sizeof *b);
	if (b == NULL) return NOMEM;
	int error = sqlite3_create_function_v2(db, "patina_confine", 3, UTF8 | DIRECTONLY, b, confine, NULL, NULL, free); // frees b on errors, too
	if (error == OK) error = sqlite3_create_function_v2(db, "patina_stopped", 0, UTF8 | DIRECTONLY, b, stopped, NULL, NULL, NULL);
	if (error != OK) return error;
	connection *self = calloc(1, sizeof *self);
	if (self == NULL) return NOMEM;
	self->db = db;
	error = sqlite3_create_function_v2(db, "patina_handle", 0, UTF8 | DIRECTONLY, self, handle, NULL, NULL, free); // frees self on errors, too
	if (error == OK) error = sqlite3_create_function_v2(db, "patina_released", 0, UTF8 | DIRECTONLY, self, released, NULL, NULL, NULL);
	if (error == OK) error = patina_integers(db);
	return error;
}

int patina_defend(void) {
	if (sqlite3_auto_extension == NULL) return -1;
	return sqlite3_auto_extension((void (*)(void))defend);
}
