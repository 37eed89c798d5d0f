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

// patina_update moves count rows of a table with dim columns against their gradients by Adam, and
// their moments towards them. Row ids[i] is used starts[i] to starts[i+1] times, each by a bag with a
// weight: its gradient is the sum of the bags' gradients, in this order. Those of the first n bags
// are in questions, the others' in passages.
void patina_update(float *table, float *first, float *second, size_t dim, uint16_t const *ids, int32_t const *starts, size_t count,
                   int32_t const *bags, float const *weights, float const *questions, float const *passages, size_t n, float beta1,
                   float beta2, float epsilon, float rate);

// patina_exponentials turns each x of a row of n numbers into exp((x-1)/temperature) with a relative error below 1e-6, where that
// is between 1e-36 and 2.
void patina_exponentials(float *row, size_t n, float temperature);
