#include "Contents.hpp"

#include <flacpicture.h>

namespace earshot {

using namespace TagLib;

Picture picture(const FLAC::Picture &picture) {
    return {static_cast<int>(picture.type()), text(picture.mimeType()), text(picture.description()),
            picture.data(), picture.width(), picture.height()};
}

FLAC::Picture *makePicture(const Picture &picture) {
    auto result = new FLAC::Picture();
    result->setType(static_cast<FLAC::Picture::Type>(picture.type));
    result->setMimeType(string(picture.mimeType));
    result->setDescription(string(picture.description));
    result->setWidth(picture.width);
    result->setHeight(picture.height);
    result->setData(picture.data);
    return result;
}

std::string unsafeComment(const ByteVector &bytes) {
    unsigned int place = 0;
    auto number = [&](unsigned int &result) {
        if (bytes.size() < place || bytes.size() - place < 4) return false;
        result = bytes.toUInt(place, 4, false);
        place += 4;
        return true;
    };
    unsigned int count = 0, size = 0;
    if (!number(size) || size > bytes.size() - place) return "the comments, which break off";
    place += size;
    if (!number(count)) return "the comments, which break off";
    for (unsigned int index = 0; index < count; index++) {
        if (!number(size) || size > bytes.size() - place) return "the comments, which break off";
        ByteVector field = bytes.mid(place, size);
        place += size;
        int sign = field.find("=");
        if (sign < 1) return "a comment without a name";
        std::string name(field.data(), static_cast<size_t>(sign));
        ByteVector value = field.mid(static_cast<unsigned int>(sign) + 1);
        if (String(value, String::UTF8).data(String::UTF8) != value) return "the comment " + name + ", which is not UTF-8";
        if (!Ogg::XiphComment::checkKey(String(name, String::UTF8))) return "the comment " + name;
    }
    return {};
}

void read(Ogg::XiphComment &tag, Contents &contents) {
    for (const auto &field : tag.fieldListMap()) contents.properties[field.first].append(field.second);
    for (const FLAC::Picture *flac : tag.pictureList()) contents.pictures.push_back(picture(*flac));
}

std::string apply(const Edit &edit, Ogg::XiphComment &tag, bool pictures) {
    for (const auto &property : edit.properties) {
        if (!Ogg::XiphComment::checkKey(property.first)) return text(property.first);
        tag.removeFields(property.first);
        for (const String &value : property.second) tag.addField(property.first, value, false);
    }
    if (!pictures) return {};
    std::vector<FLAC::Picture *> removed;
    for (FLAC::Picture *flac : tag.pictureList()) {
        if (edit.removes(flac->type())) removed.push_back(flac);
    }
    for (FLAC::Picture *flac : removed) tag.removePicture(flac);
    for (const Picture &picture : edit.pictures) tag.addPicture(makePicture(picture));
    return {};
}

}  // namespace earshot
