#if !__has_include("simsimd/simsimd.h")
#error "USearch is not there yet: run make once, it builds third_party/build"
#else

#include "dots.h"
#include "simsimd/simsimd.h"
#include <string.h>

patina_dot patina_kernel(void) {
	simsimd_kernel_punned_t kernel = NULL;
	simsimd_capability_t used;
	simsimd_find_kernel_punned(simsimd_metric_dot_k, simsimd_datatype_i8_k, simsimd_capabilities(), simsimd_cap_any_k, &kernel, &used);
	return (patina_dot)kernel;
}

int patina_level(void) {
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return patina_avx512;
	if (__builtin_cpu_supports("avx2")) return patina_avx2;
	if (__builtin_cpu_supports("ssse3")) return patina_tables;
	return patina_plain;
#elif defined(__aarch64__)
	return patina_tables;
#else
	return patina_plain;
#endif
}

enum {
	most_wide = 1024, // components of a question that is kept as 16 bits
	in_advance = 8,   // rows whose bytes are asked for before they are multiplied
	cache_line = 64,
};

// row is the i-th of the rows with the numbers in of, or of all.
static inline int8_t const *row(int8_t const *rows, int32_t const *of, size_t i, size_t dimension) {
	return rows + (of ? (size_t)of[i] : i) * dimension;
}

// ask_for asks for a row before it is needed. Those in order come by themselves.
static inline void ask_for(int8_t const *rows, int32_t const *of, size_t i, size_t n, size_t dimension) {
	if (of == NULL || i >= n) return;
	for (size_t b = 0; b < dimension; b += cache_line) __builtin_prefetch(row(rows, of, i, dimension) + b);
}

// The products of 16 bits, which compilers make of this loop, do not wait for each other as those of
// SimSIMD do: a third of the time (bench/history/speed.md, "Meaning").
#define DOTS(name) \
	static void name(int8_t const *rows, int32_t const *of, size_t n, int16_t const *q, size_t words, int32_t *dst) { \
		size_t dimension = words * 64; \
		for (size_t i = 0; i < in_advance; i++) ask_for(rows, of, i, n, dimension); \
		for (size_t i = 0; i < n; i++) { \
			ask_for(rows, of, i + in_advance, n, dimension); \
			int8_t const *r = row(rows, of, i, dimension); \
			int32_t product = 0; \
			for (size_t k = 0; k < dimension; k++) product += (int16_t)r[k] * q[k]; \
			dst[i] = product; \
		} \
	}

#ifdef __x86_64__
__attribute__((target("avx2"))) DOTS(dots_32)
__attribute__((target("avx512bw,avx512vl,prefer-vector-width=512"))) DOTS(dots_64)
#endif

void patina_dots_of(int level, patina_dot dot, int8_t const *rows, int32_t const *of, size_t n, int8_t const *q, size_t dimension,
                    int32_t *dst) {
#ifdef __x86_64__
	if (level >= patina_avx2 && dimension <= most_wide) {
		int16_t wide[most_wide];
		for (size_t k = 0; k < dimension; k++) wide[k] = q[k];
		return (level == patina_avx2 ? dots_32 : dots_64)(rows, of, n, wide, dimension / 64, dst);
	}
#endif
	for (size_t i = 0; i < in_advance; i++) ask_for(rows, of, i, n, dimension);
	for (size_t i = 0; i < n; i++) {
		double product;
		ask_for(rows, of, i + in_advance, n, dimension);
		dot(row(rows, of, i, dimension), q, dimension, &product);
		dst[i] = (int32_t)product;
	}
}

void patina_dots(int level, patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst) {
	patina_dots_of(level, dot, rows, NULL, n, q, dimension, dst);
}

// The checksum with registers of 16, 32 and 64 bytes. Each has a name: the compiler would keep an
// array in memory.
#define LOAD(k)  \
	word a##k, b##k; \
	memcpy(&a##k, (char *)sum + k * sizeof(word), sizeof(word)); \
	memcpy(&b##k, (char *)(sum + patina_lanes) + k * sizeof(word), sizeof(word));
#define ADD(k) \
	memcpy(&w, bytes + i + k * sizeof(word), sizeof(word)); \
	a##k += w; \
	b##k += a##k;
#define STORE(k) \
	memcpy((char *)sum + k * sizeof(word), &a##k, sizeof(word)); \
	memcpy((char *)(sum + patina_lanes) + k * sizeof(word), &b##k, sizeof(word));
#define FOUR(each) each(0) each(1) each(2) each(3)
#define TWO(each) each(0) each(1)
#define ONE(each) each(0)
#define SUM(name, width, parts) \
	static void name(int8_t const *bytes, size_t n, uint64_t sum[2 * patina_lanes]) { \
		typedef uint64_t word __attribute__((vector_size(width))); \
		word w; \
		parts(LOAD) \
		for (size_t i = 0; i + 8 * patina_lanes <= n; i += 8 * patina_lanes) { parts(ADD) } \
		parts(STORE) \
	}

SUM(sum_16, 16, FOUR)
#ifdef __x86_64__
__attribute__((target("avx2"))) SUM(sum_32, 32, TWO)
__attribute__((target("avx512f"))) SUM(sum_64, 64, ONE)
#endif

void patina_sum(int8_t const *bytes, size_t n, uint64_t sum[2 * patina_lanes]) {
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512f")) return sum_64(bytes, n, sum);
	if (__builtin_cpu_supports("avx2")) return sum_32(bytes, n, sum);
#endif
	sum_16(bytes, n, sum);
}

void patina_dots_sum(int level, patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst,
                     uint64_t sum[2 * patina_lanes]) {
	enum { at_once = 32 }; // rows that stay in the first cache
	for (size_t i = 0; i < n; i += at_once) {
		size_t m = n - i < at_once ? n - i : at_once;
		patina_sum(rows + i * dimension, m * dimension, sum);
		patina_dots(level, dot, rows + i * dimension, m, q, dimension, dst + i);
	}
}

#endif
