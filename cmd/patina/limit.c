// Before Go's runtime begins: with too little address space it ends with forty lines of its own.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// least is what the runtime reserves, with the program and room for small indexes (measured: it
// starts from 900 MB on).
#define LEAST (1UL << 30)

__attribute__((constructor)) static void check_address_space(void) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < LEAST) {
		fprintf(stderr, "patina: the address space is limited to %lu kB, and %lu kB are needed\n"
			"patina: hint: raise the limit: ulimit -v %lu; to bound memory, use a cgroup\n",
			(unsigned long)(limit.rlim_cur >> 10), LEAST >> 10, 2 * LEAST >> 10);
		_exit(2);
	}
}
