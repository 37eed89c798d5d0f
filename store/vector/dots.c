#if !__has_include("simsimd/simsimd.h")
#error "USearch is not there yet: run make once, it builds third_party/build"
#else

#include "dots.h"
#include "simsimd/simsimd.h"

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

#endif
