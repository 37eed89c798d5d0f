#include <stddef.h>
#include <stdint.h>

// All kernels give the same bits on every processor: the order of each sum is fixed, however wide
// the registers are, and no product is fused with a sum.

// patina_widest is the most floats in a register that is used. Tests lower it.
extern int patina_widest;

// patina_products writes into row r of c (rows × n) the sums over depth of a[r·row_step + k·column_step] times row k of b
// (depth × n), from the first k to the last.
void patina_products(float *c, float const *a, size_t row_step, size_t column_step, float const *b, size_t rows, size_t n, size_t depth);

// patina_gather writes into dst the sum of the rows ids of a table with dim columns, each times its weight, as a unit vector. Id 0
// adds nothing. It returns the length of the sum. If its square is not finite, or too small to have all its digits, it returns 0 and dst is zero:
// no cosine lies outside of [-1, 1] by more than rounding.
float patina_gather(float *dst, float const *table, size_t dim, uint16_t const *ids, float const *weights, size_t count);

// patina_backward turns gradients by unit vectors into those by the sums behind them, which had these lengths: without the part along
// the vector, divided by the length. Of length 0 the gradient is zero.
void patina_backward(float *gradient, float const *vectors, float const *lengths, size_t rows, size_t dim);

// patina_update moves count rows of a table with dim columns against their gradients by Adam, and
// their moments towards them. Row ids[i] is used starts[i] to starts[i+1] times, each by a bag with a
// weight: its gradient is the sum of the bags' gradients, in this order. Those of the first n bags
// are in questions, the others' in passages. The root of the second moment has a relative error below 5e-6, and
// epsilon is added under it, as its square.
void patina_update(float *table, float *first, float *second, size_t dim, uint16_t const *ids, int32_t const *starts, size_t count,
                   int32_t const *bags, float const *weights, float const *questions, float const *passages, size_t n, float beta1,
                   float beta2, float epsilon, float rate);

// patina_exponentials turns each x of a row of n numbers into exp((x-1)/temperature) with a relative error below 1e-6, where that
// is between 1e-36 and 2.
void patina_exponentials(float *row, size_t n, float temperature);

// patina_row_sums writes the sums of rows of n numbers.
void patina_row_sums(float *sums, float const *e, size_t rows, size_t n);

// patina_column_sums writes the sums of the first columns of rows, which have n numbers.
void patina_column_sums(float *sums, float const *e, size_t rows, size_t n, size_t columns);

// patina_slopes multiplies each number of rows of n with scale times the sum of by_row of its row and by_column of its column.
void patina_slopes(float *e, float const *by_row, float const *by_column, size_t rows, size_t n, float scale);
