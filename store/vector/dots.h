#include <stddef.h>
#include <stdint.h>

// A patina_dot is a kernel of SimSIMD: the product of two rows of n bytes.
typedef void (*patina_dot)(void const *a, void const *b, uint64_t n, double *result);

// patina_kernel is the best kernel for this processor.
patina_dot patina_kernel(void);

// patina_dots writes the product of each of n rows with q.
void patina_dots(patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst);

// A checksum has patina_lanes sums of words, and as many sums of these sums.
enum { patina_lanes = 8 };

// patina_sum adds n bytes, a multiple of 64, to a checksum.
void patina_sum(int8_t const *bytes, size_t n, uint64_t sum[2 * patina_lanes]);

// patina_dots_sum computes patina_dots and patina_sum, and reads the rows once.
void patina_dots_sum(patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst,
                     uint64_t sum[2 * patina_lanes]);
