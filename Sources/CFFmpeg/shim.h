// What Swift cannot import from FFmpeg's headers by itself: macros with casts, and calls whose types differ between
// FFmpeg 5, 6, 7 and later.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/samplefmt.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#include <errno.h>

static const int64_t earshot_no_timestamp = INT64_MIN;

static inline int earshot_error_end(void) { return AVERROR_EOF; }
static inline int earshot_error_again(void) { return AVERROR(EAGAIN); }
static inline int earshot_error_exit(void) { return AVERROR_EXIT; }
static inline int earshot_error_io(void) { return AVERROR(EIO); }
static inline int earshot_error_memory(void) { return AVERROR(ENOMEM); }
static inline int earshot_error_access(void) { return AVERROR(EACCES); }
static inline int earshot_error_permission(void) { return AVERROR(EPERM); }
static inline int earshot_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int earshot_error_invalid_argument(void) { return AVERROR(EINVAL); }
static inline int earshot_error_not_implemented(void) { return AVERROR_PATCHWELCOME; }

/// Whether a code says that the address leads nowhere, as against to something bad.
static inline int earshot_error_is_unreachable(int code) {
    return code == AVERROR(ENOENT) || code == AVERROR_HTTP_NOT_FOUND || code == AVERROR(ECONNREFUSED)
        || code == AVERROR(EHOSTUNREACH) || code == AVERROR(ENETUNREACH) || code == AVERROR(ETIMEDOUT)
        || code == AVERROR_PROTOCOL_NOT_FOUND;
}

static inline int earshot_refuse_open(
    struct AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

/// Keeps a demuxer from opening anything beside the file that it was given.
static inline void earshot_refuse_nested_files(AVFormatContext *context) { context->io_open = earshot_refuse_open; }

/// Whether the container says that the stream is encrypted.
static inline int earshot_stream_is_encrypted(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    return av_packet_side_data_get(
               stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
               AV_PKT_DATA_ENCRYPTION_INIT_INFO)
        != NULL;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, NULL) != NULL;
#endif
}

/// Whether the bytes of a packet are still encrypted.
static inline int earshot_packet_is_encrypted(const AVPacket *packet) {
    return av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, NULL) != NULL;
}

/// Converts one frame into interleaved samples; without a frame, gives what is left inside. Returns frames written.
static inline int earshot_convert(struct SwrContext *converter, uint8_t *output, int capacity, const AVFrame *frame) {
    uint8_t *planes[1] = {output};
    return swr_convert(
        converter, planes, capacity, frame ? (const uint8_t **)frame->extended_data : NULL,
        frame ? frame->nb_samples : 0);
}

/// The layout of a frame, or the common one for its number of channels when the file does not name any.
static inline int earshot_layout_of(const AVChannelLayout *named, AVChannelLayout *layout) {
    if (named->order != AV_CHANNEL_ORDER_UNSPEC && av_channel_layout_check(named)) {
        return av_channel_layout_copy(layout, named);
    }
    av_channel_layout_default(layout, named->nb_channels);
    return 0;
}

/// Which places the channels of a layout have, a bit each in the order of WAVE_FORMAT_EXTENSIBLE; 0 where nothing says.
static inline uint64_t earshot_layout_mask(const AVChannelLayout *layout) {
    return layout->order == AV_CHANNEL_ORDER_NATIVE ? layout->u.mask : 0;
}

/// The layout of a mask, or the common one for the number of channels when the mask is of another number.
static inline void earshot_layout_from_mask(AVChannelLayout *layout, uint64_t mask, int channels) {
    if (av_popcount64(mask) == channels && av_channel_layout_from_mask(layout, mask) >= 0) return;
    av_channel_layout_default(layout, channels);
}

/// Cuts `count` samples off the begin of a decoded frame. Its memory stays with the frame's own buffer references.
static inline void earshot_drop_head(AVFrame *frame, int count) {
    enum AVSampleFormat format = (enum AVSampleFormat)frame->format;
    int channels = frame->ch_layout.nb_channels;
    int planes = av_sample_fmt_is_planar(format) ? channels : 1;
    int step = av_get_bytes_per_sample(format) * (planes > 1 ? 1 : channels);
    for (int plane = 0; plane < planes; plane++) frame->extended_data[plane] += (ptrdiff_t)count * step;
    frame->nb_samples -= count;
}

/// How the container's duration was found: 1 when the file itself states it.
static inline int earshot_duration_is_stated(const AVFormatContext *context) {
    return context->duration_estimation_method == AVFMT_DURATION_FROM_STREAM;
}

/// What brings the colors of a picture to red, green, blue and opacity, a byte each; nothing when that is not possible.
static inline struct SwsContext *earshot_colour_converter(const AVFrame *frame) {
    enum AVPixelFormat format = (enum AVPixelFormat)frame->format;
    if (!sws_isSupportedInput(format)) return NULL;
    struct SwsContext *converter = sws_getContext(
        frame->width, frame->height, format, frame->width, frame->height, AV_PIX_FMT_RGBA,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    if (converter && frame->color_range == AVCOL_RANGE_JPEG) {
        // Fails, and changes nothing, where the colors are none of luminance and chrominance.
        const int *table = sws_getCoefficients(SWS_CS_ITU601);
        sws_setColorspaceDetails(converter, table, 1, table, 1, 0, 1 << 16, 1 << 16);
    }
    return converter;
}

/// Writes the colors of one picture to another of the same size; returns the rows written.
static inline int earshot_convert_colors(struct SwsContext *converter, const AVFrame *from, AVFrame *to) {
    return sws_scale(
        converter, (const uint8_t *const *)from->data, from->linesize, 0, from->height, to->data, to->linesize);
}

/// Adds a chapter to a file that is written; times are in milliseconds. FFmpeg's own function for that is not public.
static inline void earshot_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title) {
    AVChapter **chapters =
        (AVChapter **)av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof(*context->chapters));
    if (!chapters) return;
    context->chapters = chapters;
    AVChapter *chapter = (AVChapter *)av_mallocz(sizeof(*chapter));
    if (!chapter) return;
    chapter->id = context->nb_chapters;
    chapter->time_base.num = 1;
    chapter->time_base.den = 1000;
    chapter->start = start;
    chapter->end = end;
    if (title && title[0]) av_dict_set(&chapter->metadata, "title", title, 0);
    chapters[context->nb_chapters++] = chapter;
}

/// How many frames at the begin and the end of a packet are not to be heard.
static inline void earshot_get_skipped(const AVPacket *packet, uint32_t *leading, uint32_t *trailing) {
    size_t size = 0;
    const uint8_t *bytes = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
    *leading = *trailing = 0;
    if (!bytes || size < 8) return;
    for (int index = 3; index >= 0; index--) {
        *leading = *leading << 8 | bytes[index];
        *trailing = *trailing << 8 | bytes[4 + index];
    }
}

/// Says how many frames at the begin and the end of a packet are not to be heard; an FFmpeg error code without memory.
static inline int earshot_set_skipped(AVPacket *packet, uint32_t leading, uint32_t trailing) {
    uint8_t *bytes = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10);
    if (!bytes) return AVERROR(ENOMEM);
    for (int index = 0; index < 4; index++) {
        bytes[index] = (uint8_t)(leading >> (8 * index));
        bytes[4 + index] = (uint8_t)(trailing >> (8 * index));
    }
    bytes[8] = bytes[9] = 0;
    return 0;
}
