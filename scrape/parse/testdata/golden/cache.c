/* A cache. */
#include <stdio.h>
#include "cache.h"

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static const char *names[] = {"a", "b"};
int count, *last;

/* An entry. */
typedef struct entry {
	int key;
	void (*drop)(struct entry *);
} entry_t;

enum mode { FAST, SAFE };
typedef int (*compare)(const void *, const void *);

LIB_EXPORT int cache_get(struct cache *c, int key);

#ifdef LIMIT
/*
 * Opens a cache.
 */
static struct cache *
cache_open(const char *path)
{
	struct stat st;
	if (stat(path, &st)) return NULL;
	return c->ops->open(path);
}
#endif

typedef struct hooks {
    void *(LIB_CDECL *allocate)(size_t size);
} hooks;

int LIB_CDECL main(void) { return 0; }
