// The kernels for one width of registers. kernels.c includes this once for each, with
//   WIDTH   floats in a register
//   TILE    registers side by side in a tile of products
//   NAME(x) a name of its own for x
//   TARGET  for which processor

typedef float NAME(vector) __attribute__((vector_size(WIDTH * sizeof(float)), aligned(sizeof(float)), may_alias));

// load and store would be calls; these are operands.
#define AT(x) (*(NAME(vector) const *)(x))
#define PUT(x) (*(NAME(vector) *)(x))
#define INNER TARGET static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

// tile adds to rows of c, each of width registers, the products of depth numbers in as many rows of a with rows of b.
INNER void NAME(tile)(float *c, float const *a, size_t row_step, size_t column_step, float const *b, size_t n, size_t depth,
                      size_t const rows, size_t const width) {
	NAME(vector) s[tile_rows][TILE];
	UNROLL for (size_t i = 0; i < rows; i++)
		UNROLL for (size_t j = 0; j < width; j++) s[i][j] = AT(c + i * n + j * WIDTH);
	for (size_t k = 0; k < depth; k++) {
		NAME(vector) y[TILE];
		UNROLL for (size_t j = 0; j < width; j++) y[j] = AT(b + k * n + j * WIDTH);
		UNROLL for (size_t i = 0; i < rows; i++) {
			float x = a[i * row_step + k * column_step];
			UNROLL for (size_t j = 0; j < width; j++) s[i][j] += x * y[j];
		}
	}
	UNROLL for (size_t i = 0; i < rows; i++)
		UNROLL for (size_t j = 0; j < width; j++) PUT(c + i * n + j * WIDTH) = s[i][j];
}

// band is tile for whole rows of c.
INNER void NAME(band)(float *c, float const *a, size_t row_step, size_t column_step, float const *b, size_t n, size_t depth, size_t const rows) {
	size_t j = 0;
	for (; j + TILE * WIDTH <= n; j += TILE * WIDTH) NAME(tile)(c + j, a, row_step, column_step, b + j, n, depth, rows, TILE);
	for (; j + WIDTH <= n; j += WIDTH) NAME(tile)(c + j, a, row_step, column_step, b + j, n, depth, rows, 1);
	for (; j < n; j++)
		for (size_t i = 0; i < rows; i++) {
			float s = c[i * n + j];
			for (size_t k = 0; k < depth; k++) s += a[i * row_step + k * column_step] * b[k * n + j];
			c[i * n + j] = s;
		}
}

TARGET static void NAME(products) PRODUCTS {
	memset(c, 0, rows * n * sizeof *c);
	for (size_t k = 0; k < depth; k += depth_block) {
		size_t size = depth - k < depth_block ? depth - k : depth_block, i = 0;
		float const *x = a + k * column_step, *y = b + k * n;
		for (; i + tile_rows <= rows; i += tile_rows) NAME(band)(c + i * n, x + i * row_step, row_step, column_step, y, n, size, tile_rows);
		for (; i < rows; i++) NAME(band)(c + i * n, x + i * row_step, row_step, column_step, y, n, size, 1);
	}
}

// partial_sums of equal number on every processor are added in one order.
INNER float NAME(folded)(NAME(vector) const *s) {
	float t[partial_sums];
	memcpy(t, s, sizeof t);
	for (size_t half = partial_sums / 2; half > 0; half /= 2)
		for (size_t j = 0; j < half; j++) t[j] += t[j + half];
	return t[0];
}

// product is the inner product of x and y.
INNER float NAME(product)(float const *x, float const *y, size_t n) {
	NAME(vector) s[partial_sums / WIDTH] = {0};
	size_t i = 0;
	for (; i + partial_sums <= n; i += partial_sums)
		UNROLL for (size_t j = 0; j < partial_sums / WIDTH; j++) s[j] += AT(x + i + j * WIDTH) * AT(y + i + j * WIDTH);
	float t = NAME(folded)(s);
	for (; i < n; i++) t += x[i] * y[i];
	return t;
}

// total is the sum of a row.
INNER float NAME(total)(float const *x, size_t n) {
	NAME(vector) s[partial_sums / WIDTH] = {0};
	size_t i = 0;
	for (; i + partial_sums <= n; i += partial_sums)
		UNROLL for (size_t j = 0; j < partial_sums / WIDTH; j++) s[j] += AT(x + i + j * WIDTH);
	float t = NAME(folded)(s);
	for (; i < n; i++) t += x[i];
	return t;
}

// strip sums width registers of rows, each times its weight.
INNER void NAME(strip)(float *dst, struct rows const *r, size_t column, float const *weights, size_t count, size_t const width) {
	NAME(vector) s[strip_width] = {0};
	for (size_t k = 0; k < count; k++) {
		float const *x = row(r, k);
		if (x)
			UNROLL for (size_t j = 0; j < width; j++) s[j] += weights[k] * AT(x + column + j * WIDTH);
	}
	UNROLL for (size_t j = 0; j < width; j++) PUT(dst + j * WIDTH) = s[j];
}

// sum is strip for columns from to to.
INNER void NAME(sum)(float *dst, struct rows const *r, size_t from, size_t to, float const *weights, size_t count) {
	size_t i = from;
	for (; i + strip_width * WIDTH <= to; i += strip_width * WIDTH) NAME(strip)(dst + i - from, r, i, weights, count, strip_width);
	for (; i + WIDTH <= to; i += WIDTH) NAME(strip)(dst + i - from, r, i, weights, count, 1);
	for (; i < to; i++) {
		float s = 0;
		for (size_t k = 0; k < count; k++) {
			float const *x = row(r, k);
			if (x) s += weights[k] * x[i];
		}
		dst[i - from] = s;
	}
}

TARGET static float NAME(gather) GATHER {
	struct rows r = {.table = table, .dim = dim, .ids = ids};
	NAME(sum)(dst, &r, 0, dim, weights, count);
	float square = NAME(product)(dst, dst, dim);
	if (!(square >= FLT_MIN && square <= FLT_MAX)) {
		memset(dst, 0, dim * sizeof *dst);
		return 0;
	}
	float length = sqrtf(square), scale = 1 / length;
	for (size_t i = 0; i < dim; i++) dst[i] *= scale;
	return length;
}

TARGET static void NAME(backward) BACKWARD {
	for (size_t i = 0; i < rows; i++, gradient += dim, vectors += dim) {
		float by = lengths[i] == 0 ? 0 : 1 / lengths[i], along = NAME(product)(gradient, vectors, dim);
		for (size_t k = 0; k < dim; k++) gradient[k] = (gradient[k] - along * vectors[k]) * by;
	}
}

// inverse_root is 1/sqrt(x) with a relative error below 5e-6: two steps of Newton's method from a guess by the exponent.
INNER float NAME(inverse_root)(float x) {
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = 0x5f375a86 - (bits >> 1);
	float y;
	memcpy(&y, &bits, sizeof y);
	y *= 1.5f - 0.5f * x * y * y;
	return y * (1.5f - 0.5f * x * y * y);
}

INNER void NAME(adam)(float *restrict row, float const *restrict gradient, float *restrict first, float *restrict second, size_t n, float beta1,
                      float beta2, float epsilon, float rate) {
	float rest1 = 1 - beta1, rest2 = 1 - beta2, least = epsilon * epsilon;
	for (size_t i = 0; i < n; i++) {
		float g = gradient[i], m = beta1 * first[i] + rest1 * g, v = beta2 * second[i] + rest2 * g * g;
		first[i] = m;
		second[i] = v;
		row[i] -= rate * m * NAME(inverse_root)(v + least);
	}
}

// update sums the gradient of a part of a row and uses it at once: it is never written to memory.
TARGET static void NAME(update) UPDATE {
	float gradient[gradient_block];
	for (size_t i = 0; i < count; i++) {
		size_t first_use = (size_t)starts[i], uses = (size_t)starts[i + 1] - first_use;
		struct rows r = {.table = questions, .behind = passages, .n = n, .dim = dim, .bags = bags + first_use};
		for (size_t from = 0; from < dim; from += gradient_block) {
			size_t at = ids[i] * dim + from, to = dim - from < gradient_block ? dim : from + gradient_block;
			NAME(sum)(gradient, &r, from, to, weights + first_use, uses);
			NAME(adam)(table + at, gradient, first + at, second + at, to - from, beta1, beta2, epsilon, rate);
		}
	}
}

// exponentials reduces x to r + n·ln 2 with |r| <= ln 2 / 2, takes Cephes' polynomial of exp(r), and adds n to the exponent.
TARGET static void NAME(exponentials) EXPONENTIALS {
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

TARGET static void NAME(row_sums) ROW_SUMS {
	for (size_t i = 0; i < rows; i++) sums[i] = NAME(total)(e + i * n, n);
}

TARGET static void NAME(column_sums) COLUMN_SUMS {
	memset(sums, 0, columns * sizeof *sums);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++) sums[j] += e[i * n + j];
}

TARGET static void NAME(slopes) SLOPES {
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < n; j++) e[i * n + j] *= scale * (by_row[i] + by_column[j]);
}

#undef AT
#undef PUT
#undef INNER
#undef UNROLL
#undef NAME
#undef TARGET
#undef WIDTH
#undef TILE
