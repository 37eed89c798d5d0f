#include "signs.h"
#include <string.h>

void patina_signs(int8_t const *rows, size_t n, size_t dimension, uint64_t *signs) {
	for (size_t w = 0; w < n * dimension / 64; w++) {
		uint64_t word = 0;
		for (int b = 0; b < 64; b += 8) {
			uint64_t eight;
			memcpy(&eight, rows + w * 64 + b, 8);
			// The top bits of eight bytes, gathered in the highest byte.
			word |= (((eight & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56) << b;
		}
		signs[w] = word;
	}
}

#define INNER static inline __attribute__((always_inline))

// hamming counts the signs in which each row differs from q, and how many rows differ in each number.
INNER void hamming(uint64_t const *signs, size_t n, uint64_t const *q, size_t words, uint16_t *apart, size_t *rows_apart) {
	for (size_t i = 0; i < n; i++) {
		unsigned d = 0;
		for (size_t w = 0; w < words; w++) d += __builtin_popcountll(signs[i * words + w] ^ q[w]);
		apart[i] = d;
		rows_apart[d]++;
	}
}

// count is hamming, without an inner loop for the built-in model's dimension.
#define COUNT(name) \
	static void name(uint64_t const *signs, size_t n, uint64_t const *q, size_t words, uint16_t *apart, size_t *rows_apart) { \
		if (words == 4) hamming(signs, n, q, 4, apart, rows_apart); \
		else hamming(signs, n, q, words, apart, rows_apart); \
	}
COUNT(count)
#ifdef __x86_64__
__attribute__((target("popcnt"))) COUNT(count_popcnt)
#endif

void patina_near(patina_dot dot, int8_t const *rows, uint64_t const *signs, size_t n, int8_t const *q, size_t dimension, size_t most,
                 uint16_t *apart, int32_t *dst) {
	uint64_t of_q[patina_most_signed / 64];
	size_t rows_apart[patina_most_signed + 1] = {0}, words = dimension / 64, limit = 0, seen = 0;
	patina_signs(q, 1, dimension, of_q);
#ifdef __x86_64__
	if (__builtin_cpu_supports("popcnt")) count_popcnt(signs, n, of_q, words, apart, rows_apart);
	else
#endif
		count(signs, n, of_q, words, apart, rows_apart);
	while (limit < dimension && (seen += rows_apart[limit]) < most) limit++;
	// The rows that are multiplied lie far from each other: their bytes are asked for in advance.
	enum { in_advance = 8, cache_line = 64 };
	size_t next = 0, asked = 0;
	for (size_t i = 0; i < n; i++) {
		if (apart[i] > limit) {
			dst[i] = INT32_MIN;
			continue;
		}
		for (; asked < in_advance && next < n; next++) {
			if (apart[next] > limit) continue;
			for (size_t b = 0; b < dimension; b += cache_line) __builtin_prefetch(rows + next * dimension + b);
			asked++;
		}
		asked--;
		double product;
		dot(rows + i * dimension, q, dimension, &product);
		dst[i] = (int32_t)product;
	}
}
