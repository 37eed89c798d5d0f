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

void patina_dots(patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst) {
	for (size_t i = 0; i < n; i++) {
		double product;
		dot(rows + i * dimension, q, dimension, &product);
		dst[i] = (int32_t)product;
	}
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

void patina_dots_sum(patina_dot dot, int8_t const *rows, size_t n, int8_t const *q, size_t dimension, int32_t *dst,
                     uint64_t sum[2 * patina_lanes]) {
	enum { at_once = 32 }; // rows that stay in the first cache
	for (size_t i = 0; i < n; i += at_once) {
		size_t m = n - i < at_once ? n - i : at_once;
		patina_sum(rows + i * dimension, m * dimension, sum);
		patina_dots(dot, rows + i * dimension, m, q, dimension, dst + i);
	}
}

#endif
