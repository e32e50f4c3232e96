// Tags as they stand in a file, gone through without TagLib, which leaves out in silence what it cannot read and then
// writes the rest.
#pragma once

#include "Contents.hpp"
#include "DescriptorStream.hpp"

#include <vector>

namespace earshot {

// Each gives a name for what TagLib would lose, or nothing.

/// - frames: How many frames TagLib has of the tag.
/// - end: Where what may hold the tag ends.
std::string unsafeID3v2(TagLib::IOStream &stream, Offset start, Offset end, size_t frames);
/// - end: Where the tag ends.
/// - items: How many items TagLib has of it.
std::string unsafeAPE(TagLib::IOStream &stream, Offset end, size_t items);
/// - data: A list of information of WAV, from its type on.
std::string unsafeInfo(const TagLib::ByteVector &data);

/// A chunk of WAV or AIFF.
struct Chunk {
    std::string name;
    Offset start;
    Offset end;
};

std::vector<Chunk> chunks(TagLib::IOStream &stream, bool isBigEndian);

/// Whether bytes are UTF-8 as it is meant to be.
bool isUTF8(const char *bytes, size_t count);

}  // namespace earshot
