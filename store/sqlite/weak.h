// SQLite is compiled in another package, so its functions are weak here: cgo links every package once by itself.

#include <stdatomic.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;

#ifdef __APPLE__
#define WEAK __attribute__((weak_import))
#else
#define WEAK __attribute__((weak))
#endif

extern long long sqlite3_value_int64(sqlite3_value *) WEAK;
extern int sqlite3_create_function_v2(sqlite3 *, char const *, int, int, void *, void (*)(sqlite3_context *, int, sqlite3_value **),
                                      void (*)(sqlite3_context *, int, sqlite3_value **), void (*)(sqlite3_context *),
                                      void (*)(void *)) WEAK;

// Numbers of sqlite3.h, which are part of its interface for good.
enum { OK = 0, ERROR = 1, NOMEM = 7, UTF8 = 1, DIRECTONLY = 0x80000 };

// What a connection carries with it. It is freed as the connection closes.
typedef struct {
	sqlite3 *db;
	atomic_int stopped; // its statements end (patina_stop)
} connection;

// patina_integers gives a connection the SQL function patina_integers (integers.c). It returns 0 or SQLite's error.
int patina_integers(sqlite3 *db);
