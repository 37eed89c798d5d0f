package store

/*
#include <malloc.h>

// patina_arenas caps how many heaps glibc's allocator keeps; other C libraries have one.
static void patina_arenas(int n) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, n);
#else
	(void)n;
#endif
}
*/
import "C"

import "runtime"

// SQLite and the parsers allocate in C, on whichever thread the Go runtime happens to run them. glibc gives each new thread a heap
// of its own, up to eight a processor, and memory freed in one is not used by the others, so a process that runs long grows with the
// number of its threads. As many heaps as run at once are enough.
func init() { C.patina_arenas(C.int(runtime.GOMAXPROCS(0))) }
