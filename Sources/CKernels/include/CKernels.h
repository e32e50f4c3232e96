// The inner loops of signatures and of searches, on vectors, once for each kind of processor.
//
// Swift compiles a function for one kind. Here each is compiled for the least that the system asks for and for AVX2, and the caller
// says which: any below `earshot_processor_count()`, the highest being the fastest. All kinds give the same bits: nothing is fused,
// and sums are added up in one order. Callers check lengths.
#pragma once

#include <stdint.h>

/// Floats of one vector.
enum { EARSHOT_LANES = 8 };

/// Kinds of processors whose code runs here: kind 0 does everywhere.
int earshot_processor_count(void);

/// The tables of a Fourier transform of eight blocks at once.
struct earshot_fourier_plan {
    /// Points of a block, a power of two.
    int size;
    /// Cosine and sine of each turn of the pass of radix 2, or NULL where there is none.
    const float *half_turns;
    /// Cosine and sine of the three turns of each butterfly of radix 4, pass by pass; the last pass has none.
    const float *turns;
};

/// Transforms in place: `size` vectors of real and of imaginary parts.
void earshot_fourier(int kind, const struct earshot_fourier_plan *plan, float *real, float *imaginary);

/// The frames of a batch, and which of their powers are wanted.
struct earshot_frames {
    /// Samples of a frame, twice the points of the transform.
    int size;
    /// Samples from one frame to the next, and in all eight.
    int hop, batch_size;
    /// Blocks of `hop` samples that the batch touches, up to a multiple of eight.
    int blocks;
    /// `size` factors.
    const float *window;
    /// The bins wanted; cosine and sine that part the two halves of a complex transform; the place of each frequency.
    int first_bin, end_bin;
    const float *split;
    const int32_t *order;
};

/// Squared magnitudes of eight overlapping frames.
///
/// @param turned Room for `hop * blocks` floats.
/// @param real, imaginary Room for `size / 2` vectors each.
/// @param powers Receives a vector for each bin.
void earshot_frame_powers(int kind, const struct earshot_fourier_plan *plan, const struct earshot_frames *frames,
                          const float *samples, float *turned, float *real, float *imaginary, float *powers);

/// Dot products of stretches of samples with rows of a table: where a filter stands, and how it moves on.
struct earshot_filter {
    /// Floats of a row, a multiple of eight.
    int taps;
    /// Rows.
    int rows;
    /// Samples, and rows, from one result to the next; past the last row is the first one, a sample later.
    int sample_step, row_step;
    const float *table;
};

/// Filters: result n is what row `row` gives at `samples`, both moved on n times.
void earshot_filter_samples(int kind, const struct earshot_filter *filter, const float *samples, int row, float *results,
                            int count);

/// Points of a plane, and columns that are added where they stand.
struct earshot_columns {
    /// `columns` columns of `stride` numbers each, of which `width` are added from the number `lead` on; a multiple of sixteen.
    const int16_t *values;
    int columns, stride, lead, width;
    /// Places to which they are added.
    int length;
    /// A point's place is `(x + x_shift) >> x_bits`, its column `(y + y_shift) >> y_bits`; of others than the levels below
    /// `level_count` nothing is added.
    int x_shift, x_bits, y_shift, y_bits, level_count;
};

/// Adds columns to sums: for each point that has a place and a column, its column from its place on.
///
/// @param counts Goes up by one at each such place, and down where the column's first `reach` numbers end.
/// @param sums `length + width` numbers at least, that wrap around; counts has `length + reach`.
void earshot_add_columns(int kind, const struct earshot_columns *columns, const int32_t *x, const int32_t *y,
                         const uint8_t *levels, int count, int reach, int32_t *counts, int16_t *sums);

/// Adds up floats, each with the sign of a bit: row n has 24 bits in the bytes `bits[3 * n…]`, the lowest first, for the 24 floats at
/// `values[rows[n]…]`. A bit that is not set makes its float negative.
float earshot_sum_signed(int kind, const float *values, const int32_t *rows, const uint8_t *bits, int count);
