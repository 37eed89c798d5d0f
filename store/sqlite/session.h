#include <stddef.h>

// One value of a row. Its bytes are SQLite's until the next step.
typedef struct {
	void const *bytes;
	long long integer;
	double real;
	int length, type;
} patina_value;

// One value for a parameter. The bytes of a text or blob stand in a buffer, from integer on.
typedef struct {
	long long integer;
	double real;
	int length, type;
} patina_argument;

// A compiled statement with the values of its current row.
typedef struct {
	void *compiled;
	patina_value *values;
	int columns, parameters;
} patina_statement;

// SQLite's types of values, and its results of a step.
enum { PATINA_INTEGER = 1, PATINA_REAL = 2, PATINA_TEXT = 3, PATINA_BLOB = 4, PATINA_NULL = 5, PATINA_ROW = 100, PATINA_DONE = 101 };

// A handle is what the SQL function patina_handle() returns on a connection (defend.c). It holds until the connection closes.

// patina_prepare compiles one statement. It returns NULL after an error, whose code it sets, and for an empty text.
patina_statement *patina_prepare(long long handle, char const *query, int length, int *error);

// patina_first runs a statement from its beginning to its first row. patina_next goes on to the next one. Both return PATINA_ROW with its
// values, PATINA_DONE, after which the statement is at rest, or an error.
int patina_first(patina_statement *s, patina_argument const *arguments, int n, char const *bytes);
int patina_next(patina_statement *s);

// patina_rest ends a run before its last row, or after an error.
void patina_rest(patina_statement *s);

void patina_finalize(patina_statement *s);

// patina_fault returns the message of the error that came with a code from these functions, with its codes: SQLite's and that of the system.
char const *patina_fault(long long handle, int error, int *extended, int *system);

// patina_stop ends what runs on a connection, and all that will run until it is called with 0. Any thread may call it.
void patina_stop(long long handle, int stopped);
