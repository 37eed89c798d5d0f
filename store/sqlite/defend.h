#include <stddef.h>

// The longest value of a row, in bytes.
#define PATINA_LENGTH (16 << 20)

// How many steps of the virtual machine of SQLite a statement may take until the connection is released: reading ours takes some hundreds.
#define PATINA_STEPS 20000

// patina_defend makes SQLite guard every connection that is opened from now on. It returns 0 or SQLite's error.
int patina_defend(void);
