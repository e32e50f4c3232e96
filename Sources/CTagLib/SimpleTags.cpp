#include "Contents.hpp"

#include <id3v1genres.h>

#include <algorithm>

namespace earshot {

using namespace TagLib;

namespace {

/// Which property a field of an INFO list is.
struct InfoField {
    const char *id;
    const char *property;
};
const InfoField infoFields[] = {
    {"INAM", "TITLE"}, {"IART", "ARTIST"}, {"IPRD", "ALBUM"}, {"ICMT", "COMMENT"},
    {"IGNR", "GENRE"}, {"ICRD", "DATE"},   {"IPRT", "TRACKNUMBER"},
};

const char *property(const ByteVector &id) {
    for (const InfoField &field : infoFields) {
        if (id == ByteVector(field.id)) return field.property;
    }
    return nullptr;
}

/// A field of an ID3v1 tag: Latin-1, with zeros behind it. What Latin-1 does not have becomes nothing, as a wrong letter
/// would look like a right one.
std::string field(const StringList &values, size_t size) {
    std::string result;
    if (!values.isEmpty() && values.front().isLatin1()) result = values.front().to8Bit(false).substr(0, size);
    result.resize(size, '\0');
    return result;
}

}  // namespace

void read(const RIFF::Info::Tag &tag, Contents &contents) {
    bool isAlone = contents.properties.isEmpty();
    for (const auto &entry : tag.fieldListMap()) {
        if (entry.second.isEmpty()) continue;
        if (const char *name = property(entry.first)) {
            if (isAlone) contents.properties[name].append(entry.second);
        } else {
            std::string id(entry.first.data(), entry.first.size());
            contents.others.push_back({"INFO:" + id, entry.second.data(String::UTF8)});
        }
    }
}

// Field by field: TagLib's own `setProperties` would write all of them anew, and of a date only the year.
bool apply(const Edit &edit, RIFF::Info::Tag &tag) {
    bool isTouched = false;
    for (const InfoField &known : infoFields) {
        if (!edit.properties.contains(known.property)) continue;
        const StringList &values = edit.properties[known.property];
        String text = values.toString("; ");
        if (tag.fieldText(known.id) == text) continue;
        isTouched = true;
        if (values.isEmpty()) {
            tag.removeField(known.id);
        } else {
            tag.setFieldText(known.id, text);
        }
    }
    return isTouched;
}

ByteVector patched(const Edit &edit, const ByteVector &old) {
    std::string bytes(old.data(), old.size());
    auto values = [&](const char *name) -> const StringList * {
        return edit.properties.contains(name) ? &edit.properties[name] : nullptr;
    };
    auto put = [&](const char *name, size_t place, size_t size) {
        if (const StringList *wanted = values(name)) bytes.replace(place, size, field(*wanted, size));
    };
    put("TITLE", 3, 30);
    put("ARTIST", 33, 30);
    put("ALBUM", 63, 30);
    put("DATE", 93, 4);
    // A number stands behind the comment where that leaves room for a zero and itself.
    bool hasNumber = bytes[125] == '\0' && bytes[126] != '\0';
    put("COMMENT", 97, hasNumber ? 28 : 30);
    if (const StringList *wanted = values("TRACKNUMBER")) {
        int number = wanted->isEmpty() ? 0 : wanted->front().toInt();
        bool fits = hasNumber || (bytes[125] == '\0' && bytes[126] == '\0');
        if (fits) bytes[126] = static_cast<char>(number > 0 && number < 256 ? number : 0);
    }
    if (const StringList *wanted = values("GENRE")) {
        bytes[127] = static_cast<char>(wanted->isEmpty() ? 255 : ID3v1::genreIndex(wanted->front()));
    }
    return ByteVector(bytes.data(), static_cast<unsigned int>(bytes.size()));
}

}  // namespace earshot
