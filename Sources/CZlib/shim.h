// zlib unpacks what clients send compressed.
#pragma once

#include <zlib.h>

// The macro that opens a stream is none that Swift can call.
static inline int earshot_inflate_open(z_stream *stream) {
    // 15 bits of window, and 32 to take gzip and zlib alike.
    return inflateInit2(stream, 15 + 32);
}
