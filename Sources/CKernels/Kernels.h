// The kernels, compiled once for each kind of processor: `KERNEL(name)` is the name that this kind gets.
//
// Vectors stay inside functions that are inlined: how they are passed differs between kinds.

typedef float KERNEL(lanes) __attribute__((vector_size(4 * EARSHOT_LANES), aligned(4), may_alias));
typedef uint16_t KERNEL(shorts) __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint32_t KERNEL(masks) __attribute__((vector_size(32), aligned(4), may_alias));
#define LANES KERNEL(lanes)
#define MASKS KERNEL(masks)
#define SHORTS KERNEL(shorts)
#define INLINE static inline __attribute__((always_inline))

INLINE void KERNEL(half_pass)(const struct earshot_fourier_plan *plan, LANES *re, LANES *im) {
    int half = plan->size / 2;
    for (int n = 0; n < half; n++) {
        float c = plan->half_turns[2 * n], s = plan->half_turns[2 * n + 1];
        LANES x = re[n] - re[n + half], y = im[n] - im[n + half];
        re[n] += re[n + half];
        im[n] += im[n + half];
        re[n + half] = x * c - y * s;
        im[n + half] = x * s + y * c;
    }
}

INLINE void KERNEL(butterfly)(LANES *re, LANES *im, int i0, int step, const float *w) {
    int i1 = i0 + step, i2 = i1 + step, i3 = i2 + step;
    LANES sum_re = re[i0] + re[i2], sum_im = im[i0] + im[i2];
    LANES gap_re = re[i0] - re[i2], gap_im = im[i0] - im[i2];
    LANES cross_re = re[i1] + re[i3], cross_im = im[i1] + im[i3];
    // (b − d) turned by −90 degrees.
    LANES turn_re = im[i1] - im[i3], turn_im = re[i3] - re[i1];
    re[i0] = sum_re + cross_re;
    im[i0] = sum_im + cross_im;
    LANES x = gap_re + turn_re, y = gap_im + turn_im;
    re[i1] = x * w[0] - y * w[1];
    im[i1] = x * w[1] + y * w[0];
    x = sum_re - cross_re, y = sum_im - cross_im;
    re[i2] = x * w[2] - y * w[3];
    im[i2] = x * w[3] + y * w[2];
    x = gap_re - turn_re, y = gap_im - turn_im;
    re[i3] = x * w[4] - y * w[5];
    im[i3] = x * w[5] + y * w[4];
}

INLINE void KERNEL(last_pass)(LANES *re, LANES *im, int size) {
    for (int n = 0; n < size; n += 4) {
        LANES sum_re = re[n] + re[n + 2], sum_im = im[n] + im[n + 2];
        LANES gap_re = re[n] - re[n + 2], gap_im = im[n] - im[n + 2];
        LANES cross_re = re[n + 1] + re[n + 3], cross_im = im[n + 1] + im[n + 3];
        LANES turn_re = im[n + 1] - im[n + 3], turn_im = re[n + 3] - re[n + 1];
        re[n] = sum_re + cross_re;
        im[n] = sum_im + cross_im;
        re[n + 1] = gap_re + turn_re;
        im[n + 1] = gap_im + turn_im;
        re[n + 2] = sum_re - cross_re;
        im[n + 2] = sum_im - cross_im;
        re[n + 3] = gap_re - turn_re;
        im[n + 3] = gap_im - turn_im;
    }
}

/// The passes of radix 4 over one part. Each quarter of a part is gone through to the end before the next: it stays in the cache.
static void KERNEL(passes)(LANES *re, LANES *im, int length, const float *turns) {
    if (length == 4) KERNEL(last_pass)(re, im, 4);
    if (length <= 4) return;
    int quarter = length / 4;
    if (length <= 64) {
        // Small enough to go through pass by pass.
        for (int part = length; part > 4; turns += 6 * (part / 4), part /= 4) {
            for (int base = 0; base < length; base += part) {
                for (int n = 0; n < part / 4; n++) KERNEL(butterfly)(re, im, base + n, part / 4, turns + 6 * n);
            }
        }
        KERNEL(last_pass)(re, im, length);
        return;
    }
    for (int n = 0; n < quarter; n++) KERNEL(butterfly)(re, im, n, quarter, turns + 6 * n);
    for (int part = 0; part < 4; part++) {
        KERNEL(passes)(re + part * quarter, im + part * quarter, quarter, turns + 6 * quarter);
    }
}

static void KERNEL(fourier)(const struct earshot_fourier_plan *plan, float *real, float *imaginary) {
    LANES *re = (LANES *)real, *im = (LANES *)imaginary;
    if (!plan->half_turns) {
        KERNEL(passes)(re, im, plan->size, plan->turns);
        return;
    }
    int half = plan->size / 2;
    KERNEL(half_pass)(plan, re, im);
    KERNEL(passes)(re, im, half, plan->turns);
    KERNEL(passes)(re + half, im + half, half, plan->turns);
}

/// Makes columns of eight rows.
INLINE void KERNEL(transpose)(LANES *rows) {
    LANES pair[8], four[8];
    for (int n = 0; n < 8; n += 2) {
        pair[n] = __builtin_shufflevector(rows[n], rows[n + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[n + 1] = __builtin_shufflevector(rows[n], rows[n + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int n = 0; n < 8; n += 4) {
        four[n] = __builtin_shufflevector(pair[n], pair[n + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        four[n + 1] = __builtin_shufflevector(pair[n], pair[n + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        four[n + 2] = __builtin_shufflevector(pair[n + 1], pair[n + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        four[n + 3] = __builtin_shufflevector(pair[n + 1], pair[n + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int n = 0; n < 4; n++) {
        rows[n] = __builtin_shufflevector(four[n], four[n + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[n + 4] = __builtin_shufflevector(four[n], four[n + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Lays samples out so that the same place of neighboring blocks is side by side.
INLINE void KERNEL(turn)(const struct earshot_frames *frames, const float *samples, float *turned) {
    int hop = frames->hop, blocks = frames->blocks, end = frames->batch_size;
    for (int block = 0; block < blocks; block += 8) {
        int place = 0;
        for (; place + 8 <= hop && (block + 7) * hop + place + 8 <= end; place += 8) {
            const float *from = samples + block * hop + place;
            LANES rows[8];
            for (int n = 0; n < 8; n++) rows[n] = *(const LANES *)(from + n * hop);
            KERNEL(transpose)(rows);
            for (int n = 0; n < 8; n++) *(LANES *)(turned + (place + n) * blocks + block) = rows[n];
        }
        for (; place < hop; place++) {
            for (int n = block; n < block + 8 && n * hop + place < end; n++) turned[place * blocks + n] = samples[n * hop + place];
        }
    }
}

static void KERNEL(frame_powers)(const struct earshot_fourier_plan *plan, const struct earshot_frames *frames, const float *samples,
                                 float *turned, float *real, float *imaginary, float *powers) {
    LANES *re = (LANES *)real, *im = (LANES *)imaginary, *out = (LANES *)powers;
    int half = frames->size / 2, blocks = frames->blocks;
    KERNEL(turn)(frames, samples, turned);
    // Lane l holds the frame that begins l hops later, so its sample j of block q is in block q + l: eight neighboring floats of what
    // was turned. Even samples are real parts, odd ones imaginary parts.
    for (int begin = 0, block = 0; begin < frames->size; begin += frames->hop, block++) {
        int end = begin + frames->hop < frames->size ? begin + frames->hop : frames->size;
        const float *row = turned + block;
        for (int n = begin; n < end; n++, row += blocks) {
            LANES sample = *(const LANES *)row * frames->window[n];
            if (n & 1) im[n / 2] = sample; else re[n / 2] = sample;
        }
    }
    KERNEL(fourier)(plan, real, imaginary);
    for (int bin = frames->first_bin; bin < frames->end_bin; bin++) {
        int here = frames->order[bin], there = frames->order[half - bin];
        float c = frames->split[2 * bin], s = frames->split[2 * bin + 1];
        // Sum and difference of the bin and the conjugate of its mirror.
        LANES even_re = re[here] + re[there], even_im = im[here] - im[there];
        LANES odd_re = im[here] + im[there], odd_im = re[there] - re[here];
        LANES x = even_re + odd_re * c - odd_im * s;
        LANES y = even_im + odd_re * s + odd_im * c;
        *out++ = (x * x + y * y) * 0.25f;
    }
}

/// The dot product of samples with one row after the other, in eight sums each.
INLINE void KERNEL(dots)(const struct earshot_filter *filter, const float **samples, int *row, LANES *sums, int count) {
    for (int n = 0; n < count; n++) {
        const float *from = *samples, *with = filter->table + (long)*row * filter->taps;
        LANES sum = {0};
        for (int tap = 0; tap < filter->taps; tap += EARSHOT_LANES) sum += *(const LANES *)(from + tap) * *(const LANES *)(with + tap);
        sums[n] = sum;
        *samples += filter->sample_step;
        *row += filter->row_step;
        if (*row >= filter->rows) {
            *row -= filter->rows;
            ++*samples;
        }
    }
}

static void KERNEL(filter_samples)(const struct earshot_filter *filter, const float *samples, int row, float *results, int count) {
    for (int done = 0; done < count; done += 8) {
        int some = count - done < 8 ? count - done : 8;
        LANES sums[8] = {0};
        KERNEL(dots)(filter, &samples, &row, sums, some);
        KERNEL(transpose)(sums);
        // Sums are added up one after the other: a result does not depend on those beside it.
        LANES total = sums[0];
        for (int n = 1; n < 8; n++) total += sums[n];
        for (int n = 0; n < some; n++) results[done + n] = total[n];
    }
}

static void KERNEL(add_columns)(const struct earshot_columns *columns, const int32_t *x, const int32_t *y, const uint8_t *levels,
                                int count, int reach, int32_t *counts, int16_t *sums) {
    enum { PART = 256 };
    int32_t sources[PART], targets[PART];
    int stride = columns->stride, lead = columns->lead, width = columns->width;
    for (int begin = 0; begin < count; begin += PART) {
        int end = begin + PART < count ? begin + PART : count, kept = 0;
        for (int n = begin; n < end; n++) {
            int place = (int)((uint32_t)x[n] + (uint32_t)columns->x_shift) >> columns->x_bits;
            int column = (int)((uint32_t)y[n] + (uint32_t)columns->y_shift) >> columns->y_bits;
            // Written in any case, and kept or not: whether is hard to foresee.
            sources[kept] = (int32_t)((uint32_t)column * (uint32_t)stride + (uint32_t)lead);
            targets[kept] = place;
            kept += (levels[n] < columns->level_count) & ((uint32_t)place < (uint32_t)columns->length)
                & ((uint32_t)column < (uint32_t)columns->columns);
        }
        for (int n = 0; n < kept; n++) {
            const int16_t *source = columns->values + sources[n];
            int16_t *target = sums + targets[n];
            counts[targets[n]]++;
            counts[targets[n] + reach]--;
            for (int k = 0; k < width; k += 16) *(SHORTS *)(target + k) += *(const SHORTS *)(source + k);
        }
    }
}

static float KERNEL(sum_signed)(const float *values, const int32_t *rows, const uint8_t *bits, int count) {
    const MASKS each = {1, 2, 4, 8, 16, 32, 64, 128};
    LANES sums[3] = {{0}, {0}, {0}};
    for (int n = 0; n < count; n++) {
        for (int byte = 0; byte < 3; byte++) {
            MASKS unset = (MASKS)((each & bits[3 * n + byte]) == 0);
            MASKS sign = unset & 0x80000000u;
            sums[byte] += (LANES)(*(const MASKS *)(values + rows[n] + 8 * byte) ^ sign);
        }
    }
    LANES sum = sums[0] + sums[1] + sums[2];
    float total = sum[0];
    for (int lane = 1; lane < EARSHOT_LANES; lane++) total += sum[lane];
    return total;
}

#undef LANES
#undef MASKS
#undef SHORTS
#undef INLINE
