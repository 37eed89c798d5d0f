#include <stddef.h>
#include <stdint.h>

// A patina_dot is a kernel of SimSIMD: the product of two rows of n bytes.
typedef void (*patina_dot)(void const *a, void const *b, uint64_t n, double *result);

// patina_kernel is the best kernel for this processor.
patina_dot patina_kernel(void);

// A level is what a processor can do. A higher one can do all that a lower one can. Results are the
// same at all levels.
enum { patina_plain, patina_tables, patina_avx2, patina_avx512 };

// patina_level is the level of this processor: patina_tables looks up sixteen bytes at once.
int patina_level(void);

// patina_dots writes the product of each of n rows with q. A dimension is a multiple of 64. dot is used below patina_avx2, and for
// questions of more than 1,024 components.
void patina_dots(int level, patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst);

// patina_dots_of is patina_dots for n rows that lie apart: those with the numbers in of.
void patina_dots_of(int level, patina_dot dot, int8_t const *rows, int32_t const *of, size_t n, int8_t const *q, size_t dimension,
                    int32_t *dst);

// A checksum has patina_lanes sums of words, and as many sums of these sums.
enum { patina_lanes = 8 };

// patina_sum adds n bytes, a multiple of 64, to a checksum.
void patina_sum(int8_t const *bytes, size_t n, uint64_t sum[2 * patina_lanes]);

// patina_dots_sum computes patina_dots and patina_sum, and reads the rows once.
void patina_dots_sum(int level, patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst,
                     uint64_t sum[2 * patina_lanes]);
