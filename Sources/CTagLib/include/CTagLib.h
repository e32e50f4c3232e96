// TagLib behind plain C. TagLib's own C binding has neither pictures nor free properties, and this keeps C++ out of
// every Swift module: no C++ type stands here, and no exception leaves.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What keeps the tags, by the file around it.
typedef enum {
    EARSHOT_TAGS_MP3,
    EARSHOT_TAGS_AIFF,
    EARSHOT_TAGS_WAV,
    EARSHOT_TAGS_FLAC,
    EARSHOT_TAGS_OGG_VORBIS,
    EARSHOT_TAGS_OGG_OPUS,
    EARSHOT_TAGS_OGG_FLAC,
    EARSHOT_TAGS_OGG_SPEEX,
    EARSHOT_TAGS_MP4,
    EARSHOT_TAGS_APE,
    EARSHOT_TAGS_WAVPACK,
    EARSHOT_TAGS_MUSEPACK,
} earshot_tags_container;

/// How a call ended.
typedef enum {
    EARSHOT_TAGS_DONE,
    /// The file is none of the containers.
    EARSHOT_TAGS_UNSUPPORTED,
    /// The file begins as one of the containers and cannot be read.
    EARSHOT_TAGS_DAMAGED,
    /// Something in the file would be lost by writing; `earshot_tags_detail` names it.
    EARSHOT_TAGS_UNSAFE,
    /// The container cannot hold what was to be set; `earshot_tags_detail` names it.
    EARSHOT_TAGS_REFUSED,
    /// The system refused to read or write; `earshot_tags_system_error` says why.
    EARSHOT_TAGS_IO,
    /// TagLib failed in another way, commonly for want of memory.
    EARSHOT_TAGS_FAILED,
} earshot_tags_status;

/// Bytes that belong to the file they came from, and are gone with it.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} earshot_tags_run;

/// A picture as the file holds it.
typedef struct {
    int type;
    earshot_tags_run mime_type;
    earshot_tags_run description;
    earshot_tags_run data;
    int width;
    int height;
} earshot_tags_picture;

/// Something that is no property and no picture.
typedef struct {
    earshot_tags_run name;
    /// Its content, of ID3 without the frame's header; of MP4 the whole item.
    earshot_tags_run data;
    /// Whether writing leaves it out, because the format's current version has nothing of the kind.
    bool is_obsolete;
} earshot_tags_other;

/// An open file.
typedef struct earshot_tags earshot_tags;

/// The version of TagLib: of its headers, for the library tells its own only from 2.0 on.
const char *earshot_tags_library_version(void);

/// Reads the tags of an open file. The descriptor stays the caller's and has to stay open as long as the tags; for
/// `earshot_tags_save` it has to be open for writing. Without memory the result is null. Closed by `earshot_tags_close`,
/// whatever `status` says.
earshot_tags *earshot_tags_open(int descriptor, earshot_tags_status *status);
void earshot_tags_close(earshot_tags *tags);

earshot_tags_container earshot_tags_container_of(const earshot_tags *tags);
/// What a failure was about; empty when there is nothing to say.
earshot_tags_run earshot_tags_detail(const earshot_tags *tags);
/// The `errno` of the first read or write that failed; 0 without one.
int earshot_tags_system_error(const earshot_tags *tags);

// What was read. Numbers outside the counts give empty runs.

size_t earshot_tags_property_count(const earshot_tags *tags);
earshot_tags_run earshot_tags_property_name(const earshot_tags *tags, size_t index);
size_t earshot_tags_value_count(const earshot_tags *tags, size_t index);
earshot_tags_run earshot_tags_value(const earshot_tags *tags, size_t index, size_t value);
size_t earshot_tags_picture_count(const earshot_tags *tags);
earshot_tags_picture earshot_tags_picture_at(const earshot_tags *tags, size_t index);
size_t earshot_tags_other_count(const earshot_tags *tags);
earshot_tags_other earshot_tags_other_at(const earshot_tags *tags, size_t index);

/// Comments and lyrics of ID3v2 as frames: properties have their text, and neither language nor description.
size_t earshot_tags_spoken_count(const earshot_tags *tags);
earshot_tags_other earshot_tags_spoken_at(const earshot_tags *tags, size_t index);

// What is to be changed. Nothing is written before `earshot_tags_save`; all calls copy what they are given.

/// Names a property whose values are to be replaced by those that follow; without any it is removed.
earshot_tags_status earshot_tags_replace_property(earshot_tags *tags, earshot_tags_run name);
/// Adds a value to the property named last.
earshot_tags_status earshot_tags_add_value(earshot_tags *tags, earshot_tags_run value);
/// Removes the pictures of a type; of every type when it is negative.
earshot_tags_status earshot_tags_remove_pictures(earshot_tags *tags, int type);
/// Adds a picture behind those that stay.
earshot_tags_status earshot_tags_add_picture(earshot_tags *tags, const earshot_tags_picture *picture);
/// Adds something that is no property and no picture, as `earshot_tags_other_at` gives it. Only ID3v2 takes it.
earshot_tags_status earshot_tags_add_other(earshot_tags *tags, earshot_tags_run name, earshot_tags_run data);
/// Writes. ID3 becomes version 2.4; an ID3v1 tag is kept where there is one and never newly made.
earshot_tags_status earshot_tags_save(earshot_tags *tags);

#ifdef __cplusplus
}
#endif
