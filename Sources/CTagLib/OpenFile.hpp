// A media file that TagLib has open.
#pragma once

#include "Contents.hpp"
#include "DescriptorStream.hpp"

#include <memory>
#include <tfile.h>

namespace earshot {

class OpenFile {
public:
    explicit OpenFile(int descriptor) : stream(descriptor) {}

    earshot_tags_status open();
    earshot_tags_status save();

    earshot_tags_container container = EARSHOT_TAGS_MP3;
    Contents contents;
    Edit edit;
    std::string detail;
    DescriptorStream stream;

private:
    Offset behindID3v2();
    bool recognize();
    void openFile();
    void readContents();
    void checkComments();
    void checkID3v2(Offset start, Offset end, size_t frames);
    void checkChunks(bool isBigEndian, size_t frames);
    void checkAPE(bool hasID3v1, size_t items);
    Offset behindSound(bool hasID3v1);
    void keepID3v1(bool isThere);
    bool patchID3v1();
    std::string apply();
    bool write();

    std::unique_ptr<TagLib::File> file;
    /// The ID3v1 tag as it stands; empty without one.
    TagLib::ByteVector oldID3v1;
    /// Whether a list of information is changed.
    bool isInfoTouched = false;
};

}  // namespace earshot
