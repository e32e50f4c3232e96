#include "OpenFile.hpp"

#include <aifffile.h>
#include <apefile.h>
#include <flacfile.h>
#include <id3v1tag.h>
#include <id3v2framefactory.h>
#include <infotag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <oggflacfile.h>
#include <opusfile.h>
#include <speexfile.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>

namespace earshot {

using namespace TagLib;

bool Edit::removes(int type) const {
    if (removesAllPictures) return true;
    for (int removed : removedPictures) {
        if (removed == type) return true;
    }
    return false;
}

/// Where an ID3v2 tag at the begin ends; 0 without one.
Offset OpenFile::behindID3v2() {
    stream.seek(0);
    ByteVector head = stream.readBlock(10);
    if (!head.startsWith("ID3") || head.size() < 10) return 0;
    unsigned int size = 0;
    for (unsigned int index = 6; index < 10; index++) size = size << 7 | (static_cast<unsigned char>(head[index]) & 0x7F);
    return 10 + static_cast<Offset>(size) + (head[5] & 0x10 ? 10 : 0);
}

/// Tells the container by the first bytes, behind an ID3v2 tag where there is one; names of files can lie.
bool OpenFile::recognise() {
    stream.seek(behindID3v2());
    ByteVector head = stream.readBlock(27 + 255 + 16);
    auto has = [&](const char *magic, unsigned int offset) { return head.containsAt(magic, offset); };
    struct Magic {
        const char *first;
        unsigned int offset;
        const char *second;
        earshot_tags_container container;
    };
    static const Magic magics[] = {
        {"fLaC", 0, nullptr, EARSHOT_TAGS_FLAC}, {"RIFF", 8, "WAVE", EARSHOT_TAGS_WAV},
        {"FORM", 8, "AIFF", EARSHOT_TAGS_AIFF},  {"FORM", 8, "AIFC", EARSHOT_TAGS_AIFF},
        {"wvpk", 0, nullptr, EARSHOT_TAGS_WAVPACK}, {"MAC ", 0, nullptr, EARSHOT_TAGS_APE},
        {"MPCK", 0, nullptr, EARSHOT_TAGS_MUSEPACK}, {"MP+", 0, nullptr, EARSHOT_TAGS_MUSEPACK},
    };
    for (const Magic &magic : magics) {
        if (!has(magic.first, 0) || (magic.second && !has(magic.second, magic.offset))) continue;
        container = magic.container;
        return true;
    }
    if (has("ftyp", 4)) {
        container = EARSHOT_TAGS_MP4;
        return true;
    }
    if (has("OggS", 0) && head.size() > 27) {
        unsigned int body = 27 + static_cast<unsigned char>(head[26]);
        static const Magic codecs[] = {
            {"\x01vorbis", 0, nullptr, EARSHOT_TAGS_OGG_VORBIS}, {"OpusHead", 0, nullptr, EARSHOT_TAGS_OGG_OPUS},
            {"\x7F""FLAC", 0, nullptr, EARSHOT_TAGS_OGG_FLAC}, {"Speex   ", 0, nullptr, EARSHOT_TAGS_OGG_SPEEX},
        };
        for (const Magic &codec : codecs) {
            if (!has(codec.first, body)) continue;
            container = codec.container;
            return true;
        }
        return false;
    }
    container = EARSHOT_TAGS_MP3;
    return MPEG::File::isSupported(&stream);
}

namespace {

/// Opens without reading the properties of the sound. TagLib 1 wants to be told who makes frames.
template <typename File>
std::unique_ptr<TagLib::File> withFactory(IOStream *stream) {
#if TAGLIB_MAJOR_VERSION >= 2
    return std::make_unique<File>(stream, false);
#else
    return std::make_unique<File>(stream, ID3v2::FrameFactory::instance(), false);
#endif
}

}  // namespace

void OpenFile::openFile() {
    switch (container) {
    case EARSHOT_TAGS_MP3: file = withFactory<MPEG::File>(&stream); break;
    case EARSHOT_TAGS_AIFF: file = std::make_unique<RIFF::AIFF::File>(&stream, false); break;
    case EARSHOT_TAGS_WAV: file = std::make_unique<RIFF::WAV::File>(&stream, false); break;
    case EARSHOT_TAGS_FLAC: file = withFactory<FLAC::File>(&stream); break;
    case EARSHOT_TAGS_OGG_VORBIS: file = std::make_unique<Ogg::Vorbis::File>(&stream, false); break;
    case EARSHOT_TAGS_OGG_OPUS: file = std::make_unique<Ogg::Opus::File>(&stream, false); break;
    case EARSHOT_TAGS_OGG_FLAC: file = std::make_unique<Ogg::FLAC::File>(&stream, false); break;
    case EARSHOT_TAGS_OGG_SPEEX: file = std::make_unique<Ogg::Speex::File>(&stream, false); break;
    case EARSHOT_TAGS_MP4: file = std::make_unique<MP4::File>(&stream, false); break;
    case EARSHOT_TAGS_APE: file = std::make_unique<APE::File>(&stream, false); break;
    case EARSHOT_TAGS_WAVPACK: file = std::make_unique<WavPack::File>(&stream, false); break;
    case EARSHOT_TAGS_MUSEPACK: file = std::make_unique<MPC::File>(&stream, false); break;
    }
}

namespace {

/// What a tag of the simplest kinds says, where the better one says nothing.
void readInstead(const Tag *tag, Contents &contents) {
    if (tag == nullptr || !contents.properties.isEmpty()) return;
    for (const auto &property : tag->properties()) {
        if (!property.second.isEmpty()) contents.properties.insert(property.first, property.second);
    }
}

/// The same of a tag of a better kind, which may have pictures.
template <typename Better>
void readBetterInstead(const Better &tag, Contents &contents) {
    if (!contents.properties.isEmpty()) return;
    Contents instead;
    read(tag, instead);
    contents.properties = instead.properties;
    contents.pictures.insert(contents.pictures.end(), instead.pictures.begin(), instead.pictures.end());
}

/// Brings a tag of the simplest kinds up to date: those of its few properties that are changed.
void applySimply(const Edit &edit, Tag *tag) {
    if (tag == nullptr) return;
    PropertyMap properties = tag->properties();
    bool isTouched = false;
    for (const auto &property : edit.properties) {
        static const char *const names[] = {"TITLE", "ARTIST", "ALBUM", "COMMENT", "GENRE", "DATE", "TRACKNUMBER"};
        for (const char *name : names) {
            if (property.first != name) continue;
            properties.erase(property.first);
            if (!property.second.isEmpty()) properties.insert(property.first, property.second);
            isTouched = true;
        }
    }
    if (isTouched) tag->setProperties(properties);
}

template <typename File>
void readAPE(File &file, Contents &contents) {
    if (APE::Tag *tag = file.APETag()) read(*tag, contents);
    if (file.hasID3v1Tag()) readInstead(file.ID3v1Tag(), contents);
}

/// Where the better tag has no properties it gets what the others say, lest a player see only what is set now.
template <typename Target>
std::string seeded(const Edit &edit, const Contents &contents, Target &tag) {
    if (!tag.properties().isEmpty()) return apply(edit, tag, true);
    Edit whole = edit;
    for (size_t index = contents.ownPictures; index < contents.pictures.size(); index++) {
        if (!edit.removes(contents.pictures[index].type)) whole.pictures.push_back(contents.pictures[index]);
    }
    for (const auto &property : contents.properties) {
        if (!whole.properties.contains(property.first)) whole.properties.insert(property.first, property.second);
    }
    return apply(whole, tag, true);
}

template <typename File>
std::string applyAPE(const Edit &edit, const Contents &contents, File &file) {
    APE::Tag *tag = file.APETag(true);
    std::string refused = seeded(edit, contents, *tag);
    if (file.hasID3v1Tag()) applySimply(edit, file.ID3v1Tag());
    return refused;
}

/// Which comment header a file in Ogg has.
Ogg::XiphComment *comment(File *file) { return dynamic_cast<Ogg::XiphComment *>(file->tag()); }

}  // namespace

void OpenFile::readContents() {
    contents.ownPictures = SIZE_MAX;
    if (auto mpeg = dynamic_cast<MPEG::File *>(file.get())) {
        if (ID3v2::Tag *tag = mpeg->ID3v2Tag()) read(*tag, contents);
        contents.ownPictures = contents.pictures.size();
        if (mpeg->hasAPETag()) readBetterInstead(*mpeg->APETag(), contents);
        if (mpeg->hasID3v1Tag()) readInstead(mpeg->ID3v1Tag(), contents);
    } else if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) {
        read(*aiff->tag(), contents);
    } else if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        read(*wav->ID3v2Tag(), contents);
        if (wav->hasInfoTag()) readInstead(wav->InfoTag(), contents);
    } else if (auto flac = dynamic_cast<FLAC::File *>(file.get())) {
        if (Ogg::XiphComment *tag = flac->xiphComment()) read(*tag, contents);
        for (const FLAC::Picture *flacPicture : flac->pictureList()) contents.pictures.push_back(picture(*flacPicture));
        contents.ownPictures = contents.pictures.size();
        if (flac->hasID3v2Tag()) readBetterInstead(*flac->ID3v2Tag(), contents);
        if (flac->hasID3v1Tag()) readInstead(flac->ID3v1Tag(), contents);
        checkComments();
    } else if (auto mp4 = dynamic_cast<MP4::File *>(file.get())) {
        if (MP4::Tag *tag = mp4->tag()) read(*tag, rawItems(stream), contents);
    } else if (auto ape = dynamic_cast<APE::File *>(file.get())) {
        readAPE(*ape, contents);
    } else if (auto wavPack = dynamic_cast<WavPack::File *>(file.get())) {
        readAPE(*wavPack, contents);
    } else if (auto mpc = dynamic_cast<MPC::File *>(file.get())) {
        readAPE(*mpc, contents);
    } else if (Ogg::XiphComment *tag = comment(file.get())) {
        read(*tag, contents);
        checkComments();
    }
}

/// Looks into the comments as they stand: TagLib drops silently what it cannot read.
void OpenFile::checkComments() {
    if (auto ogg = dynamic_cast<Ogg::File *>(file.get())) {
        ByteVector packet = ogg->packet(1);
        unsigned int start = 0;
        if (container == EARSHOT_TAGS_OGG_VORBIS) start = 7;
        if (container == EARSHOT_TAGS_OGG_OPUS) start = 8;
        if (container == EARSHOT_TAGS_OGG_FLAC) start = 4;
        if (packet.size() >= start) contents.unsafe = unsafeComment(packet.mid(start));
        return;
    }
    // Behind the magic of FLAC.
    Offset place = behindID3v2() + 4;
    for (int comments = 0; place + 4 <= stream.length();) {
        stream.seek(place);
        ByteVector block = stream.readBlock(4);
        if (block.size() < 4) return;
        unsigned int size = block.toUInt(1, 3, true);
        if ((block[0] & 0x7F) == 4) {
            if (comments++ > 0) contents.unsafe = "the second block of comments";
            std::string unsafe = unsafeComment(stream.readBlock(size));
            if (!unsafe.empty()) contents.unsafe = unsafe;
        }
        if (block[0] & 0x80) return;
        place += 4 + static_cast<Offset>(size);
    }
}

earshot_tags_status OpenFile::open() {
    if (!recognise()) return stream.error() ? EARSHOT_TAGS_IO : EARSHOT_TAGS_UNSUPPORTED;
    // Some of TagLib's files begin where the stream stands.
    stream.seek(0);
    openFile();
    if (stream.error()) return EARSHOT_TAGS_IO;
    if (!file->isValid()) return EARSHOT_TAGS_DAMAGED;
    readContents();
    return stream.error() ? EARSHOT_TAGS_IO : EARSHOT_TAGS_DONE;
}

std::string OpenFile::apply() {
    if (auto mpeg = dynamic_cast<MPEG::File *>(file.get())) {
        ID3v2::Tag *tag = mpeg->ID3v2Tag(true);
        std::string refused = seeded(edit, contents, *tag);
        // Other tags of the same file must not say otherwise.
        if (mpeg->hasAPETag() && refused.empty()) earshot::apply(edit, *mpeg->APETag(), false);
        if (mpeg->hasID3v1Tag()) applySimply(edit, mpeg->ID3v1Tag());
        return refused;
    }
    if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) return earshot::apply(edit, *aiff->tag(), true);
    if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        ID3v2::Tag *tag = wav->ID3v2Tag();
        std::string refused = seeded(edit, contents, *tag);
        if (wav->hasInfoTag()) applySimply(edit, wav->InfoTag());
        return refused;
    }
    if (auto flac = dynamic_cast<FLAC::File *>(file.get())) {
        Ogg::XiphComment *tag = flac->xiphComment(true);
        // Pictures stand in blocks of their own here.
        Edit rest = edit;
        rest.pictures.clear();
        std::string refused = seeded(rest, contents, *tag);
        std::vector<FLAC::Picture *> removed;
        for (FLAC::Picture *flacPicture : flac->pictureList()) {
            if (edit.removes(flacPicture->type())) removed.push_back(flacPicture);
        }
        for (FLAC::Picture *flacPicture : removed) flac->removePicture(flacPicture);
        for (const Picture &added : edit.pictures) flac->addPicture(makePicture(added));
        if (flac->hasID3v2Tag() && refused.empty()) earshot::apply(edit, *flac->ID3v2Tag(), false);
        if (flac->hasID3v1Tag()) applySimply(edit, flac->ID3v1Tag());
        return refused;
    }
    if (auto mp4 = dynamic_cast<MP4::File *>(file.get())) return earshot::apply(edit, *mp4->tag(), true);
    if (auto ape = dynamic_cast<APE::File *>(file.get())) return applyAPE(edit, contents, *ape);
    if (auto wavPack = dynamic_cast<WavPack::File *>(file.get())) return applyAPE(edit, contents, *wavPack);
    if (auto mpc = dynamic_cast<MPC::File *>(file.get())) return applyAPE(edit, contents, *mpc);
    if (Ogg::XiphComment *tag = comment(file.get())) return earshot::apply(edit, *tag, true);
    return "tags";
}

bool OpenFile::write() {
    if (auto mpeg = dynamic_cast<MPEG::File *>(file.get())) {
        int kinds = MPEG::File::ID3v2;
        if (mpeg->hasID3v1Tag()) kinds |= MPEG::File::ID3v1;
        if (mpeg->hasAPETag()) kinds |= MPEG::File::APE;
        return mpeg->save(kinds, File::StripNone, ID3v2::v4, File::DoNotDuplicate);
    }
    if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) return aiff->save(ID3v2::v4);
    if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        int kinds = RIFF::WAV::File::ID3v2;
        if (wav->hasInfoTag()) kinds |= RIFF::WAV::File::Info;
        return wav->save(static_cast<RIFF::WAV::File::TagTypes>(kinds), File::StripNone, ID3v2::v4);
    }
    return file->save();
}

earshot_tags_status OpenFile::save() {
    if (!contents.unsafe.empty()) {
        detail = contents.unsafe;
        return EARSHOT_TAGS_UNSAFE;
    }
    detail = apply();
    if (!detail.empty()) return EARSHOT_TAGS_REFUSED;
    bool isDone = write();
    if (stream.error()) return EARSHOT_TAGS_IO;
    return isDone ? EARSHOT_TAGS_DONE : EARSHOT_TAGS_FAILED;
}

}  // namespace earshot
