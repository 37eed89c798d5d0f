package store

/*
#include <malloc.h>

// Both do nothing but with glibc: other C libraries keep one heap and return what is free.
static void patina_few_heaps(int n) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, n);
#else
	(void)n;
#endif
}

static void patina_trim_heaps(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
*/
import "C"

import "runtime"

// SQLite and the parsers allocate in C, on whichever thread the Go runtime happens to run them. glibc gives each new thread a heap
// of its own, up to eight a processor, and memory freed in one is not used by the others, so a process that runs long grows with the
// number of its threads. As many heaps as run at once are enough.
func init() { C.patina_few_heaps(C.int(runtime.GOMAXPROCS(0))) }

// trimHeaps gives what is free between allocations in C back to the system. Over 1,000 updates in one process 10 MB and more would gather
// there; it takes some 2 ms.
func trimHeaps() { C.patina_trim_heaps() }
