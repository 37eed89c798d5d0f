#include "signs.h"
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
	heaviest = 15,           // weight of a component: four of them, twice, fit a byte
	tables = 2 * 16,         // bytes of the two tables for eight signs
	block = patina_signs_block,
};

void patina_signs(int8_t const *rows, size_t n, size_t dimension, uint8_t *signs) {
	size_t bytes = dimension / 8;
	for (size_t i = 0; i < n; i++) {
		uint8_t *first = signs + i / block * block * bytes + i % block;
		for (size_t j = 0; j < bytes; j++) {
			uint64_t eight;
			memcpy(&eight, rows + i * dimension + j * 8, 8);
			// The top bits of eight bytes, gathered in the highest byte.
			first[j * block] = ((eight & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56;
		}
	}
}

// tabulate writes two tables for each eight components: the weights that differ from q, added up,
// for all that the first four signs may be, and the last four.
static void tabulate(int8_t const *q, size_t dimension, uint8_t *table) {
	int top = 1;
	for (size_t k = 0; k < dimension; k++)
		if (abs(q[k]) > top) top = abs(q[k]);
	for (size_t k = 0; k < dimension; k += 4, table += 16) {
		memset(table, 0, 16);
		for (int b = 0; b < 4; b++) {
			int weight = (2 * heaviest * abs(q[k + b]) + top) / (2 * top);
			for (int x = 0; x < 16; x++)
				if ((x >> b & 1) != (q[k + b] < 0)) table[x] += weight;
		}
	}
}

static void apart_plain(uint8_t const *signs, size_t blocks, size_t bytes, uint8_t const *table, uint16_t *apart) {
	for (; blocks > 0; blocks--, signs += bytes * block, apart += block) {
		uint16_t sums[block] = {0};
		for (size_t j = 0; j < bytes; j++)
			for (size_t r = 0; r < block; r++) {
				uint8_t x = signs[j * block + r];
				sums[r] += table[j * tables + (x & 15)] + table[j * tables + 16 + (x >> 4)];
			}
		memcpy(apart, sums, sizeof sums);
	}
}

// A kernel looks up as many rows at once as a register has bytes. Sums of four tables fit a byte;
// those of the rows at even places and of the others are then added up apart, as 16 bits. even has
// the others as well, in its upper bytes.
#define APART(name, width, repeat, look_up) \
	static void name(uint8_t const *signs, size_t blocks, size_t bytes, uint8_t const *table, uint16_t *apart) { \
		typedef uint8_t narrow __attribute__((vector_size(width))); \
		typedef uint16_t wide __attribute__((vector_size(width))); \
		for (; blocks > 0; blocks--, signs += (bytes - 1) * block) \
			for (size_t part = 0; part < block / width; part++, signs += width, apart += width) { \
				wide even = {0}, odd = {0}; \
				for (size_t j = 0; j < bytes; j += 2) { \
					uint8_t const *t = table + j * tables; \
					narrow x, y, sum; \
					memcpy(&x, signs + j * block, width); \
					memcpy(&y, signs + (j + 1) * block, width); \
					sum = look_up(repeat(t), x & 15) + look_up(repeat(t + 16), (narrow)((wide)x >> 4) & 15) + \
					      look_up(repeat(t + 32), y & 15) + look_up(repeat(t + 48), (narrow)((wide)y >> 4) & 15); \
					even += (wide)sum; \
					odd += (wide)sum >> 8; \
				} \
				even -= odd << 8; \
				for (size_t r = 0; r < width / 2; r++) apart[2 * r] = even[r], apart[2 * r + 1] = odd[r]; \
			} \
	}

#ifdef __x86_64__
#define LOAD(t) _mm_loadu_si128((__m128i const *)(t))
#define LOOK_UP_16(t, x) (narrow)_mm_shuffle_epi8(t, (__m128i)(x))
#define LOAD_TWICE(t) _mm256_broadcastsi128_si256(LOAD(t))
#define LOOK_UP_32(t, x) (narrow)_mm256_shuffle_epi8(t, (__m256i)(x))
__attribute__((target("ssse3"))) APART(apart_16, 16, LOAD, LOOK_UP_16)
__attribute__((target("avx2"))) APART(apart_32, 32, LOAD_TWICE, LOOK_UP_32)
#elif defined(__aarch64__)
#define LOOK_UP_16(t, x) (narrow)vqtbl1q_u8(t, (uint8x16_t)(x))
APART(apart_16, 16, vld1q_u8, LOOK_UP_16)
#endif

void patina_apart(int level, uint8_t const *signs, size_t blocks, int8_t const *q, size_t dimension, uint16_t *apart) {
	uint8_t table[patina_most_signed / 8 * tables];
	tabulate(q, dimension, table);
#ifdef __x86_64__
	if (level >= patina_avx2) return apart_32(signs, blocks, dimension / 8, table, apart);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
	if (level >= patina_tables) return apart_16(signs, blocks, dimension / 8, table, apart);
#endif
	apart_plain(signs, blocks, dimension / 8, table, apart);
}

// least writes the numbers of the rows that are least apart, at most so many, in order.
static size_t least(uint16_t const *apart, size_t n, size_t farthest, size_t most, int32_t *near) {
	uint32_t rows_apart[patina_most_signed * heaviest + 1];
	size_t limit = 0, closer = 0, found = 0;
	memset(rows_apart, 0, (farthest + 1) * sizeof *rows_apart);
	for (size_t i = 0; i < n; i++) rows_apart[apart[i]]++;
	while (limit < farthest && closer + rows_apart[limit] < most) closer += rows_apart[limit++];
	size_t ties = most - closer; // of the rows that are as far as the limit
	for (size_t i = 0; i < n; i++) { // without branches: what comes next cannot be foreseen
		size_t tie = apart[i] == limit && ties > 0;
		near[found] = i;
		found += apart[i] < limit || tie;
		ties -= tie;
	}
	return found;
}

size_t patina_near(int level, patina_dot dot, int8_t const *rows, uint8_t const *signs, size_t n, int8_t const *q, size_t dimension,
                   size_t most, uint16_t *apart, int32_t *near, int32_t *dst) {
	patina_apart(level, signs, (n + block - 1) / block, q, dimension, apart);
	size_t found = least(apart, n, dimension * heaviest, most, near);
	patina_dots_of(level, dot, rows, near, found, q, dimension, dst);
	return found;
}
