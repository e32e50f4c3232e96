#include "CKernels.h"

#include <stddef.h>

// The same bits on every machine: no product is fused with a sum.
#pragma STDC FP_CONTRACT OFF

#define KERNEL(name) plain_##name
#include "Kernels.h"
#undef KERNEL

#if defined(__x86_64__)
#define KINDS 2
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define KERNEL(name) avx2_##name
#include "Kernels.h"
#undef KERNEL
#pragma clang attribute pop
#define CHOOSE(kind, name, ...) ((kind) > 0 ? avx2_##name(__VA_ARGS__) : plain_##name(__VA_ARGS__))
#else
// Other processors have vectors of four floats, as all of their kind do.
#define KINDS 1
#define CHOOSE(kind, name, ...) ((void)(kind), plain_##name(__VA_ARGS__))
#endif

int earshot_processor_count(void) {
#if KINDS > 1
    return __builtin_cpu_supports("avx2") ? KINDS : 1;
#else
    return KINDS;
#endif
}

void earshot_fourier(int kind, const struct earshot_fourier_plan *plan, float *real, float *imaginary) {
    CHOOSE(kind, fourier, plan, real, imaginary);
}

void earshot_frame_powers(int kind, const struct earshot_fourier_plan *plan, const struct earshot_frames *frames,
                          const float *samples, float *turned, float *real, float *imaginary, float *powers) {
    CHOOSE(kind, frame_powers, plan, frames, samples, turned, real, imaginary, powers);
}

void earshot_filter_samples(int kind, const struct earshot_filter *filter, const float *samples, int row, float *results,
                            int count) {
    CHOOSE(kind, filter_samples, filter, samples, row, results, count);
}

void earshot_add_columns(int kind, const struct earshot_columns *columns, const int32_t *x, const int32_t *y,
                         const uint8_t *levels, int count, int reach, int32_t *counts, int16_t *sums) {
    CHOOSE(kind, add_columns, columns, x, y, levels, count, reach, counts, sums);
}

float earshot_sum_signed(int kind, const float *values, const int32_t *rows, const uint8_t *bits, int count) {
    return CHOOSE(kind, sum_signed, values, rows, bits, count);
}
