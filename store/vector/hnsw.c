#if __has_include("usearch.h") // dots.c says what is missing

#include "hnsw.h"
#include "usearch.h"
#include <stdlib.h>
#include <string.h>

struct patina_graph {
	usearch_index_t index;
	int8_t const *rows;
	size_t count; // of rows
	size_t dimension;
	patina_dot dot;
};

// A node stands for a vector in USearch, 8 bytes: the number of a row, or the address of a question
// with the highest bit set.
typedef uint64_t node;
#define QUESTION ((node)1 << 63)

static int8_t const *row_of(patina_graph const *g, void const *at) {
	node n;
	memcpy(&n, at, sizeof n); // a saved graph may stand at any address
	return n & QUESTION ? (int8_t const *)(uintptr_t)(n & ~QUESTION) : g->rows + (n < g->count ? n : 0) * g->dimension;
}

static float distance(void const *a, void const *b, void *state) {
	patina_graph const *g = state;
	double product;
	g->dot(row_of(g, a), row_of(g, b), g->dimension, &product);
	return (float)-product;
}

patina_graph *patina_graph_new(int8_t const *rows, size_t count, size_t dimension, size_t capacity, size_t connectivity, size_t expansion_add,
                               size_t threads, char const **error) {
	patina_graph *g = calloc(1, sizeof *g);
	if (g == NULL) {
		*error = "out of memory";
		return NULL;
	}
	g->rows = rows, g->count = count, g->dimension = dimension, g->dot = patina_kernel();
	usearch_init_options_t options = {
	    .metric_kind = usearch_metric_ip_k,
	    .quantization = usearch_scalar_i8_k,
	    .dimensions = sizeof(node),
	    .connectivity = connectivity,
	    .expansion_add = expansion_add,
	    .expansion_search = 1, // a search follows as many candidates as it is asked for
	};
	g->index = usearch_init(&options, error);
	if (*error == NULL) usearch_reserve(g->index, capacity, error);
	if (*error == NULL) usearch_change_threads_add(g->index, threads, error);
	if (*error == NULL) usearch_change_threads_search(g->index, threads, error);
	if (*error == NULL) usearch_change_metric(g->index, (usearch_metric_t)distance, g, usearch_metric_ip_k, error);
	if (*error == NULL) return g;
	patina_graph_free(g);
	return NULL;
}

char const *patina_graph_add(patina_graph *g, uint64_t first, uint64_t end) {
	usearch_error_t error = NULL;
	for (node n = first; n < end && error == NULL; n++) {
		int8_t const *row = g->rows + n * g->dimension;
		double product;
		g->dot(row, row, g->dimension, &product);
		if (product != 0) usearch_add(g->index, n, &n, usearch_scalar_i8_k, &error);
	}
	return error;
}

char const *patina_graph_save(patina_graph *g, char const *path, size_t *size) {
	usearch_error_t error = NULL;
	*size = usearch_serialized_length(g->index, &error);
	if (error == NULL) usearch_save(g->index, path, &error);
	return error;
}

char const *patina_graph_view(patina_graph *g, void const *saved, size_t size) {
	usearch_error_t error = NULL;
	usearch_view_buffer(g->index, saved, size, &error);
	// The view has chosen a metric of its own.
	if (error == NULL) usearch_change_metric(g->index, (usearch_metric_t)distance, g, usearch_metric_ip_k, &error);
	return error;
}

char const *patina_graph_search(patina_graph *g, int8_t const *q, size_t k, uint64_t *rows, int32_t *dots, size_t *found) {
	usearch_error_t error = NULL;
	node question = QUESTION | (node)(uintptr_t)q;
	float *distances = malloc(k * sizeof *distances);
	if (distances == NULL) return "out of memory";
	*found = usearch_search(g->index, &question, usearch_scalar_i8_k, k, rows, distances, &error);
	free(distances); // of floats: a product of long rows has more digits
	for (size_t i = 0; i < *found; i++) {
		if (rows[i] >= g->count) return "it names a row that is not there";
		patina_dots(patina_level(), g->dot, g->rows + rows[i] * g->dimension, 1, q, g->dimension, &dots[i]);
	}
	return error;
}

void patina_graph_free(patina_graph *g) {
	usearch_error_t error = NULL;
	if (g->index != NULL) usearch_free(g->index, &error);
	free(g);
}

char const *patina_acceleration(void) {
	usearch_error_t error = NULL;
	usearch_init_options_t options = {.metric_kind = usearch_metric_ip_k, .quantization = usearch_scalar_i8_k, .dimensions = 256};
	usearch_index_t index = usearch_init(&options, &error);
	if (error != NULL) return error;
	char const *name = usearch_hardware_acceleration(index, &error);
	usearch_free(index, &error);
	return name;
}

char const *patina_exact_search(int8_t const *rows, size_t n, int8_t const *q, size_t dimension, size_t k, uint64_t *found,
                                float *distances) {
	usearch_error_t error = NULL;
	usearch_exact_search(rows, n, dimension, q, 1, dimension, usearch_scalar_i8_k, dimension, usearch_metric_ip_k, k, 1,
	                     found, k * sizeof *found, distances, k * sizeof *distances, &error);
	return error;
}

#endif
