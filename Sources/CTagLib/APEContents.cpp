#include "Contents.hpp"

namespace earshot {

using namespace TagLib;

namespace {

/// The types of pictures by ID3v2's numbers, as the programs that write APE tags name them.
const char *const pictureNames[] = {
    "Other", "Png Icon", "Icon", "Front", "Back", "Leaflet", "Media", "Lead Artist", "Artist", "Conductor", "Band",
    "Composer", "Lyricist", "Recording Location", "During Recording", "During Performance", "Video Capture", "Fish",
    "Illustration", "Band Logotype", "Publisher Logotype",
};
const int pictureNameCount = sizeof pictureNames / sizeof *pictureNames;

String pictureKey(int type) { return String("Cover Art (") + pictureNames[type] + ")"; }

/// The type of picture that an item holds; below zero for other items.
int pictureType(const APE::Item &item) {
    if (item.type() != APE::Item::Binary || item.binaryData().find('\0') < 0) return -1;
    for (int type = 0; type < pictureNameCount; type++) {
        if (item.key().upper() == pictureKey(type).upper()) return type;
    }
    return -1;
}

}  // namespace

void read(const APE::Tag &tag, Contents &contents) {
    PropertyMap properties = tag.properties();
    for (const auto &property : properties) contents.properties[property.first].append(property.second);
    for (const auto &entry : tag.itemListMap()) {
        const APE::Item &item = entry.second;
        int type = pictureType(item);
        if (type >= 0) {
            ByteVector data = item.binaryData();
            int end = data.find('\0');
            std::string description(data.data(), static_cast<size_t>(end));
            contents.pictures.push_back({type, "", description, data.mid(static_cast<unsigned int>(end) + 1)});
        } else if (item.type() != APE::Item::Text || properties.unsupportedData().contains(entry.first)) {
            contents.others.push_back({text(item.key()), item.render()});
        }
    }
}

std::string apply(const Edit &edit, APE::Tag &tag, bool pictures) {
    for (const auto &property : edit.properties) {
        // An empty tag knows under which names the property is kept.
        APE::Tag draft;
        PropertyMap wanted;
        bool isRemoved = property.second.isEmpty();
        wanted.insert(property.first, isRemoved ? StringList("1") : property.second);
        PropertyMap refused = draft.setProperties(wanted);
        if (!refused.isEmpty() || draft.itemListMap().isEmpty()) {
            if (isRemoved) continue;
            return text(property.first);
        }
        tag.removeItem(property.first);
        for (const auto &entry : draft.itemListMap()) {
            tag.removeItem(entry.first);
            if (!isRemoved) tag.setItem(entry.first, entry.second);
        }
    }
    if (!pictures) return {};
    std::vector<String> removed;
    for (const auto &entry : tag.itemListMap()) {
        int type = pictureType(entry.second);
        if (type >= 0 && edit.removes(type)) removed.push_back(entry.first);
    }
    for (const String &key : removed) tag.removeItem(key);
    for (const Picture &picture : edit.pictures) {
        if (picture.type < 0 || picture.type >= pictureNameCount) return "a picture of this type";
        String key = pictureKey(picture.type);
        // One item a name.
        if (tag.itemListMap().contains(key.upper())) return "a second picture of one type";
        ByteVector data(picture.description.data(), static_cast<unsigned int>(picture.description.size()));
        data.append('\0');
        data.append(picture.data);
        tag.setItem(key.upper(), APE::Item(key, data, true));
    }
    return {};
}

}  // namespace earshot
