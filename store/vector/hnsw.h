#include <stddef.h>
#include <stdint.h>
#include "dots.h"

// A patina_graph is a USearch index without vectors. It holds the numbers of rows, and its metric
// looks the rows up in the mapped file. So an index is only the graph, and no row is in memory twice.
typedef struct patina_graph patina_graph;

// patina_graph_new returns an empty graph over count rows, with this capacity, for this number of
// concurrent threads, or NULL and the error.
patina_graph *patina_graph_new(int8_t const *rows, size_t count, size_t dimension, size_t capacity, size_t connectivity, size_t expansion_add,
                               size_t threads, char const **error);

// patina_graph_add links the rows from first to end, without rows of zeros. It returns NULL or the
// error, like the functions below.
char const *patina_graph_add(patina_graph *g, uint64_t first, uint64_t end);

char const *patina_graph_save(patina_graph *g, char const *path, size_t *size);

// patina_graph_view takes a saved graph in memory, which must stay there.
char const *patina_graph_view(patina_graph *g, void const *saved, size_t size);

// patina_graph_search finds up to k rows near q, and their products. It follows k candidates. found
// gets the number of rows.
char const *patina_graph_search(patina_graph *g, int8_t const *q, size_t k, uint64_t *rows, int32_t *dots, size_t *found);

void patina_graph_free(patina_graph *g);

// patina_acceleration names the instruction set that USearch uses for these rows.
char const *patina_acceleration(void);

// patina_exact_search is USearch's exact search for one question. It is not safe for concurrent use.
char const *patina_exact_search(int8_t const *rows, size_t n, int8_t const *q, size_t dimension, size_t k, uint64_t *found,
                                float *distances);
