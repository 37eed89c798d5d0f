#include <stddef.h>
#include <stdint.h>

// All kernels give the same bits on every processor: each sum has sixteen partial sums in a fixed
// order, however wide the registers are, and no product is fused with a sum.

// patina_products writes into row r of c (rows × n) the inner products of row r of a (rows × depth)
// with the rows of b (n × depth).
void patina_products(float *c, float const *a, float const *b, size_t rows, size_t n, size_t depth);

// patina_gather adds to dst the rows ids of a table with dim columns, each times its weight. Id 0
// adds nothing.
void patina_gather(float *dst, float const *table, size_t dim, uint16_t const *ids, float const *weights, size_t count);

// patina_scatter adds to the rows slots[ids] of a table with dim columns a vector of size numbers,
// each times its weight, from column from on. Id 0 adds nothing.
void patina_scatter(float *table, size_t dim, size_t from, size_t size, float const *vector, int32_t const *slots, uint16_t const *ids,
                    float const *weights, size_t count);

// patina_adam moves a row of n numbers against its gradient, and its moments towards it.
void patina_adam(float *row, float const *gradient, float *first, float *second, size_t n, float beta1, float beta2, float epsilon, float rate);

// patina_exponentials turns each x of a row of n numbers into exp((x-1)/temperature) with a relative error below 1e-6, where that
// is between 1e-36 and 2.
void patina_exponentials(float *row, size_t n, float temperature);
