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
    bool recognise();
    void openFile();
    void readContents();
    void checkComments();
    std::string apply();
    bool write();

    std::unique_ptr<TagLib::File> file;
};

}  // namespace earshot
