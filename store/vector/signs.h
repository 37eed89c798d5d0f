#include "dots.h"

enum { patina_most_signed = 4096 }; // components

// patina_signs writes for each of n rows of dimension bytes its signs: a bit a component, 1 where it is below zero, in dimension/64
// words.
void patina_signs(int8_t const *rows, size_t n, size_t dimension, uint64_t *signs);

// patina_near writes the product with q of at least most rows with the most signs of q (all, if there are fewer), and INT32_MIN
// for all others. apart is room for n numbers.
void patina_near(patina_dot dot, int8_t const *rows, uint64_t const *signs, size_t n, int8_t const *q, size_t dimension, size_t most,
                 uint16_t *apart, int32_t *dst);
