#include "dots.h"

enum {
	patina_most_signed = 1024, // components
	patina_signs_block = 64,   // rows
};

// patina_signs writes the signs of each of n rows: a bit a component, 1 where it is below zero. Rows
// lie in blocks: the first eight signs of its 64 rows, a byte each, then the next eight. The last
// block is not filled up.
void patina_signs(int8_t const *rows, size_t n, size_t dimension, uint8_t *signs);

// patina_apart writes for each row of so many blocks how far its signs are from q: the weights of
// the components whose signs differ, added up. A weight is 0 to 15, in proportion to the component of q.
// All levels write the same.
void patina_apart(int level, uint8_t const *signs, size_t blocks, int8_t const *q, size_t dimension, uint16_t *apart);

// patina_near finds the rows that are least apart from q, at most so many, and returns how many it
// found. It writes their numbers, in order, and their products with q. Of rows that are as far
// apart, the first are taken. apart is room for all rows of the blocks, near for one more than most.
size_t patina_near(int level, patina_dot dot, int8_t const *rows, uint8_t const *signs, size_t n, int8_t const *q, size_t dimension,
                   size_t most, uint16_t *apart, int32_t *near, int32_t *dst);
