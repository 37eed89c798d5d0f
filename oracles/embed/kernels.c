#include "kernels.h"
#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off", "no-trapping-math")
#endif

enum {
	tile_rows = 6,        // of c in a tile of products: with TILE registers each they fill the registers
	depth_block = 128,    // rows of b that a tile reads at once: 32 KiB in the first cache
	partial_sums = 16,    // of a sum within one row
	strip_width = 8,      // registers that a sum of rows fills
	gradient_block = 256, // columns of one row's gradient, which stays in the first cache
};

// rows are in one table, by ids, or in two, by bags: the first n in table, the others behind it.
struct rows {
	float const *table, *behind;
	size_t n, dim;
	uint16_t const *ids;
	int32_t const *bags;
};

// row is the k-th of the rows, or 0 for none.
static inline __attribute__((always_inline)) float const *row(struct rows const *r, size_t k) {
	if (r->ids) return r->ids[k] ? r->table + r->ids[k] * r->dim : 0;
	size_t bag = (size_t)r->bags[k];
	return bag < r->n ? r->table + bag * r->dim : r->behind + (bag - r->n) * r->dim;
}

#define PRODUCTS (float *c, float const *a, size_t row_step, size_t column_step, float const *b, size_t rows, size_t n, size_t depth)
#define GATHER (float *dst, float const *table, size_t dim, uint16_t const *ids, float const *weights, size_t count)
#define BACKWARD (float *gradient, float const *vectors, float const *lengths, size_t rows, size_t dim)
#define UPDATE \
	(float *table, float *first, float *second, size_t dim, uint16_t const *ids, int32_t const *starts, size_t count, int32_t const *bags, \
	 float const *weights, float const *questions, float const *passages, size_t n, float beta1, float beta2, float epsilon, float rate)
#define EXPONENTIALS (float *row, size_t n, float temperature)
#define ROW_SUMS (float *sums, float const *e, size_t rows, size_t n)
#define COLUMN_SUMS (float *sums, float const *e, size_t rows, size_t n, size_t columns)
#define SLOPES (float *e, float const *by_row, float const *by_column, size_t rows, size_t n, float scale)

#define WIDTH 4
#define TILE 2
#define NAME(x) x##_any
#define TARGET
#include "kernels_wide.h"

#ifdef __x86_64__
#define WIDTH 8
#define TILE 2
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#include "kernels_wide.h"

#define WIDTH 16
#define TILE 4
#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f")))
#include "kernels_wide.h"

#define CHOOSE(name) \
	(patina_widest >= 16 && __builtin_cpu_supports("avx512f")  ? name##_avx512 \
	 : patina_widest >= 8 && __builtin_cpu_supports("avx2") ? name##_avx2 \
	                                                        : name##_any)
#else
#define CHOOSE(name) name##_any
#endif

int patina_widest = 16;

// One function a kernel chooses by the processor.
void patina_products PRODUCTS { CHOOSE(products)(c, a, row_step, column_step, b, rows, n, depth); }
float patina_gather GATHER { return CHOOSE(gather)(dst, table, dim, ids, weights, count); }
void patina_backward BACKWARD { CHOOSE(backward)(gradient, vectors, lengths, rows, dim); }
void patina_update UPDATE {
	CHOOSE(update)(table, first, second, dim, ids, starts, count, bags, weights, questions, passages, n, beta1, beta2, epsilon, rate);
}
void patina_exponentials EXPONENTIALS { CHOOSE(exponentials)(row, n, temperature); }
void patina_row_sums ROW_SUMS { CHOOSE(row_sums)(sums, e, rows, n); }
void patina_column_sums COLUMN_SUMS { CHOOSE(column_sums)(sums, e, rows, n, columns); }
void patina_slopes SLOPES { CHOOSE(slopes)(e, by_row, by_column, rows, n, scale); }
