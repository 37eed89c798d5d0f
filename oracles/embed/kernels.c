#include "kernels.h"
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")
#endif

enum {
	lanes = 16,
	depth_block = 512, // columns multiplied at once
	row_block = 64,    // rows of b kept in the second cache while rows of a pass: 128 KiB
	gradient_block = 256, // columns of one row's gradient, which stays in the first cache
};

typedef float lane __attribute__((vector_size(lanes * sizeof(float))));

// inner is always inlined: what it is inlined into says for which processor it is compiled.
#define INNER static inline __attribute__((always_inline))

INNER void load(lane *v, float const *x) { memcpy(v, x, sizeof *v); }

// total is the sum of all lanes.
INNER float total(lane const *v) {
	float s[lanes];
	memcpy(s, v, sizeof *v);
	for (int half = lanes / 2; half > 0; half /= 2)
		for (int i = 0; i < half; i++) s[i] += s[i + half];
	return s[0];
}

// tile adds to c the products of two rows of a with two of b, over size columns.
INNER void tile(float *c0, float *c1, float const *a0, float const *a1, float const *b0, float const *b1, size_t size) {
	lane s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0};
	size_t k = 0;
	for (; k + lanes <= size; k += lanes) {
		lane x0, x1, y0, y1;
		load(&x0, a0 + k);
		load(&x1, a1 + k);
		load(&y0, b0 + k);
		load(&y1, b1 + k);
		s00 += x0 * y0;
		s01 += x0 * y1;
		s10 += x1 * y0;
		s11 += x1 * y1;
	}
	float t00 = total(&s00), t01 = total(&s01), t10 = total(&s10), t11 = total(&s11);
	for (; k < size; k++) {
		t00 += a0[k] * b0[k];
		t01 += a0[k] * b1[k];
		t10 += a1[k] * b0[k];
		t11 += a1[k] * b1[k];
	}
	c0[0] += t00;
	c1[0] += t10;
	c0[1] += t01;
	c1[1] += t11;
}

// single is tile for one row of each.
INNER float single(float const *a, float const *b, size_t size) {
	lane s = {0};
	size_t k = 0;
	for (; k + lanes <= size; k += lanes) {
		lane x, y;
		load(&x, a + k);
		load(&y, b + k);
		s += x * y;
	}
	float t = total(&s);
	for (; k < size; k++) t += a[k] * b[k];
	return t;
}

INNER void products(float *c, float const *a, float const *b, size_t rows, size_t n, size_t depth) {
	memset(c, 0, rows * n * sizeof *c);
	for (size_t k = 0; k < depth; k += depth_block) {
		size_t size = depth - k < depth_block ? depth - k : depth_block;
		for (size_t j0 = 0; j0 < n; j0 += row_block) {
			size_t end = n - j0 < row_block ? n : j0 + row_block;
			for (size_t i = 0; i < rows; i += 2) {
				size_t j = j0;
				float const *x = a + i * depth + k;
				float *out = c + i * n;
				if (i + 2 <= rows)
					for (; j + 2 <= end; j += 2)
						tile(out + j, out + n + j, x, x + depth, b + j * depth + k, b + (j + 1) * depth + k, size);
				for (; j < end; j++) {
					out[j] += single(x, b + j * depth + k, size);
					if (i + 2 <= rows) out[n + j] += single(x + depth, b + j * depth + k, size);
				}
			}
		}
	}
}

INNER void add(float *restrict dst, float const *restrict x, float w, size_t n) {
	for (size_t i = 0; i < n; i++) dst[i] += w * x[i];
}

INNER void gather(float *dst, float const *table, size_t dim, uint16_t const *ids, float const *weights, size_t count) {
	for (size_t k = 0; k < count; k++)
		if (ids[k]) add(dst, table + ids[k] * dim, weights[k], dim);
}

INNER void adam(float *restrict row, float const *restrict gradient, float *restrict first, float *restrict second, size_t n, float beta1,
                float beta2, float epsilon, float rate) {
	float rest1 = 1 - beta1, rest2 = 1 - beta2;
	for (size_t i = 0; i < n; i++) {
		float g = gradient[i], m = beta1 * first[i] + rest1 * g, v = beta2 * second[i] + rest2 * g * g;
		first[i] = m;
		second[i] = v;
		row[i] -= rate * m / (sqrtf(v) + epsilon);
	}
}

// update sums the gradient of a part of a row and uses it at once: it is never written to memory.
INNER void update(float *table, float *first, float *second, size_t dim, uint16_t const *ids, int32_t const *starts, size_t count,
                  int32_t const *bags, float const *weights, float const *questions, float const *passages, size_t n, float beta1,
                  float beta2, float epsilon, float rate) {
	float gradient[gradient_block];
	for (size_t i = 0; i < count; i++) {
		for (size_t from = 0; from < dim; from += gradient_block) {
			size_t at = ids[i] * dim + from, size = dim - from < gradient_block ? dim - from : gradient_block;
			memset(gradient, 0, size * sizeof *gradient);
			for (int32_t k = starts[i]; k < starts[i + 1]; k++) {
				size_t bag = (size_t)bags[k];
				float const *x = bag < n ? questions + bag * dim : passages + (bag - n) * dim;
				add(gradient, x + from, weights[k], size);
			}
			adam(table + at, gradient, first + at, second + at, size, beta1, beta2, epsilon, rate);
		}
	}
}

// exponentials reduces x to r + n·ln 2 with |r| <= ln 2 / 2, takes Cephes' polynomial of exp(r), and adds n to the exponent.
INNER void exponentials(float *row, size_t n, float temperature) {
	for (size_t i = 0; i < n; i++) {
		float x = (row[i] - 1) / temperature;
		float k = (x * 1.44269504f + 12582912.0f) - 12582912.0f; // rounds to an integer: 1.5·2²³
		float r = x - k * 0.693359375f + k * 2.12194440e-4f;     // ln 2 in two parts
		float p = 1.9875691500e-4f;
		p = p * r + 1.3981999507e-3f;
		p = p * r + 8.3334519073e-3f;
		p = p * r + 4.1665795894e-2f;
		p = p * r + 1.6666665459e-1f;
		p = p * r + 5.0000001201e-1f;
		p = p * r * r + r + 1;
		int32_t bits = ((int32_t)k + 127) * (1 << 23); // 2ᵏ
		float power;
		memcpy(&power, &bits, sizeof power);
		row[i] = p * power;
	}
}

#define PRODUCTS (float *c, float const *a, float const *b, size_t rows, size_t n, size_t depth)
#define GATHER (float *dst, float const *table, size_t dim, uint16_t const *ids, float const *weights, size_t count)
#define EXPONENTIALS (float *row, size_t n, float temperature)
#define UPDATE \
	(float *table, float *first, float *second, size_t dim, uint16_t const *ids, int32_t const *starts, size_t count, int32_t const *bags, \
	 float const *weights, float const *questions, float const *passages, size_t n, float beta1, float beta2, float epsilon, float rate)

// For each kernel one function a width of registers, and one that chooses.
#ifdef __x86_64__
#define KERNEL(name, parameters, call) \
	__attribute__((target("avx2"))) static void name##_avx2 parameters { name call; } \
	__attribute__((target("avx512f"))) static void name##_avx512 parameters { name call; } \
	void patina_##name parameters { \
		if (__builtin_cpu_supports("avx512f")) name##_avx512 call; \
		else if (__builtin_cpu_supports("avx2")) name##_avx2 call; \
		else name call; \
	}
#else
#define KERNEL(name, parameters, call) \
	void patina_##name parameters { name call; }
#endif

KERNEL(products, PRODUCTS, (c, a, b, rows, n, depth))
KERNEL(gather, GATHER, (dst, table, dim, ids, weights, count))
KERNEL(update, UPDATE, (table, first, second, dim, ids, starts, count, bags, weights, questions, passages, n, beta1, beta2, epsilon, rate))
KERNEL(exponentials, EXPONENTIALS, (row, n, temperature))
