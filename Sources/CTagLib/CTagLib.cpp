#include "CTagLib.h"

#include "OpenFile.hpp"

#include <new>
#include <taglib.h>

using earshot::OpenFile;

/// An open file with all that was read, as C takes it.
struct earshot_tags {
    explicit earshot_tags(int descriptor) : file(descriptor) {}

    struct Property {
        std::string name;
        std::vector<std::string> values;
    };

    OpenFile file;
    std::vector<Property> properties;
    /// The property named last.
    TagLib::String current;
};

namespace {

earshot_tags_run run(const std::string &text) { return {reinterpret_cast<const uint8_t *>(text.data()), text.size()}; }

earshot_tags_run run(const TagLib::ByteVector &bytes) {
    return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

std::string text(earshot_tags_run run) { return std::string(reinterpret_cast<const char *>(run.bytes), run.count); }

/// Runs what may throw.
template <typename Work>
earshot_tags_status guarded(Work work) {
    try {
        return work();
    } catch (...) {
        return EARSHOT_TAGS_FAILED;
    }
}

}  // namespace

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *earshot_tags_library_version(void) {
    return TEXT(TAGLIB_MAJOR_VERSION) "." TEXT(TAGLIB_MINOR_VERSION) "." TEXT(TAGLIB_PATCH_VERSION);
}

earshot_tags *earshot_tags_open(int descriptor, earshot_tags_status *status) {
    earshot_tags *tags = nullptr;
    *status = guarded([&] {
        tags = new earshot_tags(descriptor);
        earshot_tags_status result = tags->file.open();
        for (const auto &property : tags->file.contents.properties) {
            std::vector<std::string> values;
            for (const TagLib::String &value : property.second) values.push_back(earshot::text(value));
            tags->properties.push_back({earshot::text(property.first), values});
        }
        return result;
    });
    return tags;
}

void earshot_tags_close(earshot_tags *tags) {
    guarded([&] {
        delete tags;
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_container earshot_tags_container_of(const earshot_tags *tags) { return tags->file.container; }

earshot_tags_run earshot_tags_detail(const earshot_tags *tags) { return run(tags->file.detail); }

int earshot_tags_system_error(const earshot_tags *tags) { return tags->file.stream.error(); }

size_t earshot_tags_property_count(const earshot_tags *tags) { return tags->properties.size(); }

earshot_tags_run earshot_tags_property_name(const earshot_tags *tags, size_t index) {
    if (index >= tags->properties.size()) return {nullptr, 0};
    return run(tags->properties[index].name);
}

size_t earshot_tags_value_count(const earshot_tags *tags, size_t index) {
    return index < tags->properties.size() ? tags->properties[index].values.size() : 0;
}

earshot_tags_run earshot_tags_value(const earshot_tags *tags, size_t index, size_t value) {
    if (value >= earshot_tags_value_count(tags, index)) return {nullptr, 0};
    return run(tags->properties[index].values[value]);
}

size_t earshot_tags_picture_count(const earshot_tags *tags) { return tags->file.contents.pictures.size(); }

earshot_tags_picture earshot_tags_picture_at(const earshot_tags *tags, size_t index) {
    if (index >= earshot_tags_picture_count(tags)) return {0, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, 0, 0};
    const earshot::Picture &picture = tags->file.contents.pictures[index];
    return {picture.type, run(picture.mimeType), run(picture.description), run(picture.data), picture.width,
            picture.height};
}

size_t earshot_tags_other_count(const earshot_tags *tags) { return tags->file.contents.others.size(); }

earshot_tags_other earshot_tags_other_at(const earshot_tags *tags, size_t index) {
    if (index >= earshot_tags_other_count(tags)) return {{nullptr, 0}, {nullptr, 0}, false};
    const earshot::Other &other = tags->file.contents.others[index];
    return {run(other.name), run(other.data), other.isObsolete};
}

size_t earshot_tags_spoken_count(const earshot_tags *tags) { return tags->file.contents.spoken.size(); }

earshot_tags_other earshot_tags_spoken_at(const earshot_tags *tags, size_t index) {
    if (index >= earshot_tags_spoken_count(tags)) return {{nullptr, 0}, {nullptr, 0}, false};
    const earshot::Other &frame = tags->file.contents.spoken[index];
    return {run(frame.name), run(frame.data), frame.isObsolete};
}

earshot_tags_status earshot_tags_replace_property(earshot_tags *tags, earshot_tags_run name) {
    return guarded([&] {
        tags->current = earshot::string(text(name)).upper();
        tags->file.edit.properties.erase(tags->current);
        tags->file.edit.properties.insert(tags->current, TagLib::StringList());
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_status earshot_tags_add_value(earshot_tags *tags, earshot_tags_run value) {
    return guarded([&] {
        tags->file.edit.properties[tags->current].append(earshot::string(text(value)));
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_status earshot_tags_remove_pictures(earshot_tags *tags, int type) {
    return guarded([&] {
        if (type < 0) {
            tags->file.edit.removesAllPictures = true;
        } else {
            tags->file.edit.removedPictures.push_back(type);
        }
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_status earshot_tags_add_picture(earshot_tags *tags, const earshot_tags_picture *picture) {
    return guarded([&] {
        TagLib::ByteVector data(
            reinterpret_cast<const char *>(picture->data.bytes), static_cast<unsigned int>(picture->data.count));
        tags->file.edit.pictures.push_back(
            {picture->type, text(picture->mime_type), text(picture->description), data, picture->width, picture->height});
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_status earshot_tags_add_other(earshot_tags *tags, earshot_tags_run name, earshot_tags_run data) {
    return guarded([&] {
        TagLib::ByteVector bytes(reinterpret_cast<const char *>(data.bytes), static_cast<unsigned int>(data.count));
        tags->file.edit.others.push_back({text(name), bytes});
        return EARSHOT_TAGS_DONE;
    });
}

earshot_tags_status earshot_tags_save(earshot_tags *tags) {
    return guarded([&] { return tags->file.save(); });
}
