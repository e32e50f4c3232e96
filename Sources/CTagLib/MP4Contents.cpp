#include "Contents.hpp"
#include "DescriptorStream.hpp"

#include <algorithm>
#include <mp4coverart.h>
#include <mp4item.h>

namespace earshot {

using namespace TagLib;

namespace {

const String freeform = "----:com.apple.iTunes:";

/// A run of atoms in a file.
struct Extent {
    Offset start;
    Offset end;
};

/// The contents of the first atom of a name within others; an empty extent without one.
Extent find(IOStream &stream, Extent inside, const char *name) {
    for (Offset place = inside.start; place + 8 <= inside.end;) {
        stream.seek(place);
        ByteVector head = stream.readBlock(16);
        if (head.size() < 8) break;
        Offset header = 8;
        unsigned long long size = head.toUInt(0, true);
        if (size == 1 && head.size() == 16) {
            size = static_cast<unsigned long long>(head.toLongLong(8, true));
            header = 16;
        } else if (size == 0) {
            size = static_cast<unsigned long long>(inside.end - place);
        }
        if (size < static_cast<unsigned long long>(header) || size > static_cast<unsigned long long>(inside.end - place)) break;
        Offset end = place + static_cast<Offset>(size);
        if (head.mid(4, 4) == ByteVector(name)) return {place + header, end};
        place = end;
    }
    return {0, 0};
}

/// The text of the parts `mean` and `name` of a free item.
std::string freeName(const ByteVector &data) {
    std::string parts[2];
    const char *const names[] = {"mean", "name"};
    for (unsigned int place = 8; place + 12 <= data.size();) {
        unsigned int size = data.toUInt(place, true);
        if (size < 12 || size > data.size() - place) break;
        for (int index = 0; index < 2; index++) {
            if (data.mid(place + 4, 4) != ByteVector(names[index])) continue;
            ByteVector part = data.mid(place + 12, size - 12);
            parts[index] = std::string(part.data(), part.size());
        }
        place += size;
    }
    return "----:" + parts[0] + ":" + parts[1];
}

/// Whether an item is text under a name of its own, which is shown as a property.
bool isFreeText(const String &name, const MP4::Item &item) {
    if (!name.startsWith(freeform) || name.size() == freeform.size() || item.toStringList().isEmpty()) return false;
    return item.atomDataType() == MP4::TypeUTF8 || item.atomDataType() == MP4::TypeUndefined;
}

const char *mimeType(MP4::CoverArt::Format format) {
    switch (format) {
    case MP4::CoverArt::JPEG: return "image/jpeg";
    case MP4::CoverArt::PNG: return "image/png";
    case MP4::CoverArt::BMP: return "image/bmp";
    case MP4::CoverArt::GIF: return "image/gif";
    default: return "";
    }
}

MP4::CoverArt::Format format(const std::string &mimeType) {
    if (mimeType == "image/jpeg" || mimeType == "image/jpg") return MP4::CoverArt::JPEG;
    if (mimeType == "image/png") return MP4::CoverArt::PNG;
    if (mimeType == "image/bmp") return MP4::CoverArt::BMP;
    if (mimeType == "image/gif") return MP4::CoverArt::GIF;
    return MP4::CoverArt::Unknown;
}

}  // namespace

std::vector<RawItem> rawItems(IOStream &stream) {
    std::vector<RawItem> items;
    Extent list = find(stream, {0, stream.length()}, "moov");
    list = find(stream, list, "udta");
    list = find(stream, list, "meta");
    // `meta` has a version and flags before its atoms.
    list.start += 4;
    list = find(stream, list, "ilst");
    for (Offset place = list.start; place + 8 <= list.end;) {
        stream.seek(place);
        ByteVector head = stream.readBlock(8);
        unsigned int size = head.size() == 8 ? head.toUInt(0, true) : 0;
        if (size < 8 || size > static_cast<unsigned long>(list.end - place)) break;
        stream.seek(place);
        ByteVector data = stream.readBlock(size);
        ByteVector code = data.mid(4, 4);
        // As TagLib names it: Latin-1, and the old genre under the name of the new one.
        std::string name = code == ByteVector("----") ? freeName(data)
            : code == ByteVector("gnre")              ? text(String("\251gen"))
                                                      : text(String(code, String::Latin1));
        items.push_back({name, data});
        place += size;
    }
    return items;
}

void read(MP4::Tag &tag, const std::vector<RawItem> &raw, Contents &contents) {
    PropertyMap properties = tag.properties();
    const MP4::ItemMap &items = tag.itemMap();
    StringList unsupported = properties.unsupportedData();
    for (const auto &property : properties) contents.properties[property.first].append(property.second);
    for (const RawItem &entry : raw) {
        String name = string(entry.name);
        auto twins = std::count_if(raw.begin(), raw.end(), [&](const RawItem &other) { return other.name == entry.name; });
        if (!items.contains(name) || twins > 1) {
            contents.unsafe = "the item " + entry.name;
            contents.others.push_back({entry.name, entry.data});
            continue;
        }
        MP4::Item item = items[name];
        if (name == "covr") {
            for (const MP4::CoverArt &art : item.toCoverArtList()) {
                contents.pictures.push_back({3, mimeType(art.format()), "", art.data()});
            }
        } else if (unsupported.contains(name)) {
            if (isFreeText(name, item)) {
                contents.properties[name.substr(freeform.size())].append(item.toStringList());
            } else {
                contents.others.push_back({entry.name, entry.data});
            }
        }
    }
}

std::string apply(const Edit &edit, MP4::Tag &tag, bool pictures) {
    for (const auto &property : edit.properties) {
        // An empty tag knows under which name the property is kept; what it does not know gets a name of its own.
        MP4::Tag draft;
        PropertyMap wanted;
        bool isRemoved = property.second.isEmpty();
        wanted.insert(property.first, isRemoved ? StringList("1") : property.second);
        draft.setProperties(wanted);
        std::vector<String> removed;
        for (const auto &entry : tag.itemMap()) {
            if (isFreeText(entry.first, entry.second) && entry.first.substr(freeform.size()).upper() == property.first) {
                removed.push_back(entry.first);
            }
        }
        for (const String &name : removed) tag.removeItem(name);
        if (draft.itemMap().isEmpty()) {
            if (!isRemoved) tag.setItem(freeform + property.first, MP4::Item(property.second));
            continue;
        }
        for (const auto &entry : draft.itemMap()) {
            if (isRemoved) {
                tag.removeItem(entry.first);
            } else {
                tag.setItem(entry.first, entry.second);
            }
        }
    }
    if (!pictures || (edit.pictures.empty() && !edit.removes(3))) return {};
    MP4::CoverArtList covers;
    if (tag.contains("covr") && !edit.removes(3)) covers = tag.item("covr").toCoverArtList();
    for (const Picture &picture : edit.pictures) {
        if (picture.type != 3) return "a picture other than the front cover";
        MP4::CoverArt::Format kind = format(picture.mimeType);
        if (kind == MP4::CoverArt::Unknown) return "a picture of the type " + picture.mimeType;
        covers.append(MP4::CoverArt(kind, picture.data));
    }
    if (covers.isEmpty()) {
        tag.removeItem("covr");
    } else {
        tag.setItem("covr", MP4::Item(covers));
    }
    return {};
}

}  // namespace earshot
