// zlib unpacks what clients send compressed, and what others packed in pieces.
#pragma once

#include <zlib.h>

// The macros that open a stream are none that Swift can call.
static inline int earshot_inflate_open(z_stream *stream) {
    // 15 bits of window, and 32 to take gzip and zlib alike.
    return inflateInit2(stream, 15 + 32);
}

// The same for a stream without header and trailer, as in ZIP files.
static inline int earshot_inflate_open_raw(z_stream *stream) {
    return inflateInit2(stream, -15);
}
// Begins to write gzip, as small as it gets.
static inline int earshot_deflate_open(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
