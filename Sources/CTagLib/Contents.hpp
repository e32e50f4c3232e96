// What a tag says, and what is to be changed in it.
#pragma once

#include "CTagLib.h"

#include <apetag.h>
#include <id3v2tag.h>
#include <infotag.h>
#include <mp4tag.h>
#include <tpropertymap.h>
#include <xiphcomment.h>

#include <string>
#include <vector>

namespace earshot {

struct Picture {
    int type = 0;
    std::string mimeType;
    std::string description;
    TagLib::ByteVector data;
    int width = 0;
    int height = 0;
};

struct Other {
    std::string name;
    TagLib::ByteVector data;
    bool isObsolete = false;
};

struct Contents {
    TagLib::PropertyMap properties;
    std::vector<Picture> pictures;
    /// How many of the pictures are in the tag that is written; those behind them only in one that it comes instead of.
    size_t ownPictures = 0;
    std::vector<Other> others;
    /// Comments and lyrics of ID3v2, which are properties too, with their languages.
    std::vector<Other> spoken;
    /// What writing would lose; the file is not written then.
    std::string unsafe;
};

struct Edit {
    /// Properties with their new values; without any they are removed. All others stay.
    TagLib::PropertyMap properties;
    std::vector<int> removedPictures;
    bool removesAllPictures = false;
    std::vector<Picture> pictures;
    /// Put in behind those that are there; frames of ID3v2 without their headers.
    std::vector<Other> others;

    bool removes(int type) const;
};

inline std::string text(const TagLib::String &string) { return string.to8Bit(true); }
inline TagLib::String string(const std::string &text) { return TagLib::String(text, TagLib::String::UTF8); }

// One pair of functions for each kind of tag. Applying gives the name of what cannot be held, or nothing; without
// `pictures` only properties are changed.

void read(const TagLib::ID3v2::Tag &tag, Contents &contents);
std::string apply(const Edit &edit, TagLib::ID3v2::Tag &tag, bool pictures);

void read(TagLib::Ogg::XiphComment &tag, Contents &contents);
std::string apply(const Edit &edit, TagLib::Ogg::XiphComment &tag, bool pictures);
Picture picture(const TagLib::FLAC::Picture &picture);
TagLib::FLAC::Picture *makePicture(const Picture &picture);
/// What of the bytes of a comment header, from the length of the vendor's name on, TagLib would lose.
std::string unsafeComment(const TagLib::ByteVector &bytes);

void read(const TagLib::APE::Tag &tag, Contents &contents);
std::string apply(const Edit &edit, TagLib::APE::Tag &tag, bool pictures);

/// The list of information of WAV; its properties only where there are no others.
void read(const TagLib::RIFF::Info::Tag &tag, Contents &contents);
/// Changes the fields that an edit names, and no other; gives whether there were any.
bool apply(const Edit &edit, TagLib::RIFF::Info::Tag &tag);

/// The 128 bytes of an ID3v1 tag with the fields that an edit names, and all others as they stand: TagLib would cut comments
/// and lose genres that it does not know.
TagLib::ByteVector patched(const Edit &edit, const TagLib::ByteVector &old);

/// An item of a list of MP4 metadata as it stands in the file.
struct RawItem {
    /// As TagLib names it.
    std::string name;
    TagLib::ByteVector data;
};
std::vector<RawItem> rawItems(TagLib::IOStream &stream);
void read(TagLib::MP4::Tag &tag, const std::vector<RawItem> &raw, Contents &contents);
std::string apply(const Edit &edit, TagLib::MP4::Tag &tag, bool pictures);

}  // namespace earshot
