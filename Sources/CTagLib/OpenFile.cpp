#include "OpenFile.hpp"

#include "RawTags.hpp"

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
bool OpenFile::recognize() {
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
    return seeded(edit, contents, *file.APETag(true));
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
        keepID3v1(mpeg->hasID3v1Tag());
        if (mpeg->hasID3v2Tag()) {
            // Seldom there is something in front of it.
            Offset start = static_cast<Offset>(mpeg->find(ID3v2::Header::fileIdentifier()));
            checkID3v2(start, stream.length(), mpeg->ID3v2Tag()->frameList().size());
        }
        if (mpeg->hasAPETag()) checkAPE(mpeg->hasID3v1Tag(), mpeg->APETag()->itemListMap().size());
    } else if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) {
        read(*aiff->tag(), contents);
        checkChunks(true, aiff->tag()->frameList().size());
    } else if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        read(*wav->ID3v2Tag(), contents);
        if (wav->hasInfoTag()) read(*wav->InfoTag(), contents);
        checkChunks(false, wav->ID3v2Tag()->frameList().size());
    } else if (auto flac = dynamic_cast<FLAC::File *>(file.get())) {
        if (Ogg::XiphComment *tag = flac->xiphComment()) read(*tag, contents);
        for (const FLAC::Picture *flacPicture : flac->pictureList()) contents.pictures.push_back(picture(*flacPicture));
        contents.ownPictures = contents.pictures.size();
        if (flac->hasID3v2Tag()) readBetterInstead(*flac->ID3v2Tag(), contents);
        if (flac->hasID3v1Tag()) readInstead(flac->ID3v1Tag(), contents);
        checkComments();
        keepID3v1(flac->hasID3v1Tag());
        if (flac->hasID3v2Tag()) checkID3v2(0, stream.length(), flac->ID3v2Tag()->frameList().size());
    } else if (auto mp4 = dynamic_cast<MP4::File *>(file.get())) {
        if (MP4::Tag *tag = mp4->tag()) read(*tag, rawItems(stream), contents);
    } else if (auto ape = dynamic_cast<APE::File *>(file.get())) {
        readAPE(*ape, contents);
        keepID3v1(ape->hasID3v1Tag());
        if (ape->hasAPETag()) checkAPE(ape->hasID3v1Tag(), ape->APETag()->itemListMap().size());
    } else if (auto wavPack = dynamic_cast<WavPack::File *>(file.get())) {
        readAPE(*wavPack, contents);
        keepID3v1(wavPack->hasID3v1Tag());
        if (wavPack->hasAPETag()) checkAPE(wavPack->hasID3v1Tag(), wavPack->APETag()->itemListMap().size());
    } else if (auto mpc = dynamic_cast<MPC::File *>(file.get())) {
        readAPE(*mpc, contents);
        keepID3v1(mpc->hasID3v1Tag());
        if (mpc->hasAPETag()) checkAPE(mpc->hasID3v1Tag(), mpc->APETag()->itemListMap().size());
    } else if (Ogg::XiphComment *tag = comment(file.get())) {
        read(*tag, contents);
        checkComments();
    }
}

/// Holds an ID3v2 tag as it stands against the number of frames that TagLib has of it.
void OpenFile::checkID3v2(Offset start, Offset end, size_t frames) {
    std::string unsafe = unsafeID3v2(stream, start, end, frames);
    if (!unsafe.empty()) contents.unsafe = unsafe;
}

/// The same of the tags of WAV and AIFF, of which writing leaves one of each kind.
void OpenFile::checkChunks(bool isBigEndian, size_t frames) {
    int tags = 0, lists = 0;
    for (const Chunk &chunk : chunks(stream, isBigEndian)) {
        if (chunk.name == "ID3 " || chunk.name == "id3 ") {
            if (tags++ > 0) contents.unsafe = "the second of its ID3v2 tags";
            // A chunk of nothing says nothing.
            if (tags == 1 && chunk.end > chunk.start) checkID3v2(chunk.start, chunk.end, frames);
        } else if (chunk.name == "LIST" && !isBigEndian && chunk.end - chunk.start >= 4) {
            stream.seek(chunk.start);
            ByteVector list = stream.readBlock(static_cast<Size>(chunk.end - chunk.start));
            if (!list.startsWith("INFO")) continue;
            std::string unsafe = lists++ > 0 ? "the second of its INFO lists" : unsafeInfo(list);
            if (!unsafe.empty()) contents.unsafe = unsafe;
        }
    }
}

void OpenFile::checkAPE(bool hasID3v1, size_t items) {
    std::string unsafe = unsafeAPE(stream, behindSound(hasID3v1), items);
    if (!unsafe.empty()) contents.unsafe = unsafe;
}

/// Where an ID3v1 tag begins, or the end without one.
Offset OpenFile::behindSound(bool hasID3v1) { return stream.length() - (hasID3v1 ? 128 : 0); }

void OpenFile::keepID3v1(bool isThere) {
    if (!isThere) return;
    stream.seek(behindSound(true));
    ByteVector tag = stream.readBlock(128);
    if (tag.size() == 128 && tag.startsWith("TAG")) oldID3v1 = tag;
}

/// Brings an ID3v1 tag up to date, which TagLib has left as it was or written anew.
bool OpenFile::patchID3v1() {
    if (oldID3v1.isEmpty()) return true;
    Offset start = behindSound(true);
    stream.seek(start);
    // TagLib removes one that says nothing.
    if (!stream.readBlock(3).startsWith("TAG")) return true;
    stream.seek(start);
    stream.writeBlock(patched(edit, oldID3v1));
    return stream.error() == 0;
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
    if (!recognize()) return stream.error() ? EARSHOT_TAGS_IO : EARSHOT_TAGS_UNSUPPORTED;
    // Some of TagLib's files begin where the stream stands.
    stream.seek(0);
    openFile();
    if (stream.error()) return EARSHOT_TAGS_IO;
    if (!file->isValid()) return EARSHOT_TAGS_DAMAGED;
    readContents();
    return stream.error() ? EARSHOT_TAGS_IO : EARSHOT_TAGS_DONE;
}

std::string OpenFile::apply() {
    bool isID3v2 = container == EARSHOT_TAGS_MP3 || container == EARSHOT_TAGS_AIFF || container == EARSHOT_TAGS_WAV;
    if (!edit.others.empty() && !isID3v2) return edit.others.front().name;
    if (auto mpeg = dynamic_cast<MPEG::File *>(file.get())) {
        ID3v2::Tag *tag = mpeg->ID3v2Tag(true);
        std::string refused = seeded(edit, contents, *tag);
        // Other tags of the same file must not say otherwise.
        if (mpeg->hasAPETag() && refused.empty()) earshot::apply(edit, *mpeg->APETag(), false);
        return refused;
    }
    if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) return earshot::apply(edit, *aiff->tag(), true);
    if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        ID3v2::Tag *tag = wav->ID3v2Tag();
        std::string refused = seeded(edit, contents, *tag);
        if (wav->hasInfoTag()) isInfoTouched = earshot::apply(edit, *wav->InfoTag());
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
        if (mpeg->hasAPETag()) kinds |= MPEG::File::APE;
        return mpeg->save(kinds, File::StripNone, ID3v2::v4, File::DoNotDuplicate);
    }
    if (auto aiff = dynamic_cast<RIFF::AIFF::File *>(file.get())) return aiff->save(ID3v2::v4);
    if (auto wav = dynamic_cast<RIFF::WAV::File *>(file.get())) {
        int kinds = RIFF::WAV::File::ID3v2;
        if (isInfoTouched) kinds |= RIFF::WAV::File::Info;
        return wav->save(static_cast<RIFF::WAV::File::TagTypes>(kinds), File::StripNone, ID3v2::v4);
    }
    if (auto flac = dynamic_cast<Ogg::FLAC::File *>(file.get())) {
        // TagLib writes the comments without the mark of the last block, so that sound would be taken for blocks.
        ByteVector old = flac->packet(1);
        bool isLast = !old.isEmpty() && (old[0] & 0x80);
        if (!flac->save()) return false;
        ByteVector packet = flac->packet(1);
        if (!isLast || packet.isEmpty() || (packet[0] & 0x80)) return true;
        packet[0] = static_cast<char>(packet[0] | 0x80);
        flac->setPacket(1, packet);
        return flac->Ogg::File::save();
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
    bool isDone = write() && patchID3v1();
    if (stream.error()) return EARSHOT_TAGS_IO;
    return isDone ? EARSHOT_TAGS_DONE : EARSHOT_TAGS_FAILED;
}

}  // namespace earshot
