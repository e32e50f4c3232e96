#include "RawTags.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace earshot {

using namespace TagLib;

namespace {

unsigned char at(const std::string &data, size_t place) {
    return place < data.size() ? static_cast<unsigned char>(data[place]) : 0;
}

/// A number of bytes with `bits` in each, the highest first.
unsigned long number(const std::string &data, size_t place, int count, int bits = 8) {
    unsigned long result = 0;
    for (int index = 0; index < count; index++) result = result << bits | (at(data, place + index) & ((1u << bits) - 1));
    return result;
}

unsigned long little(const std::string &data, size_t place) {
    unsigned long result = 0;
    for (int index = 3; index >= 0; index--) result = result << 8 | at(data, place + index);
    return result;
}

std::string bytes(IOStream &stream, Offset start, Offset count) {
    if (count <= 0) return {};
    stream.seek(start);
    ByteVector block = stream.readBlock(static_cast<Size>(count));
    return std::string(block.data(), block.size());
}

/// The bytes before zeros were put between those that look like the begin of a frame of sound.
std::string synchronised(const std::string &data) {
    std::string result;
    result.reserve(data.size());
    for (size_t place = 0; place < data.size(); place++) {
        result.push_back(data[place]);
        if (at(data, place) == 0xFF && place + 1 < data.size() && data[place + 1] == 0) place++;
    }
    return result;
}

bool isFrameName(const std::string &data, size_t place, int count) {
    if (place + static_cast<size_t>(count) > data.size()) return false;
    for (int index = 0; index < count; index++) {
        unsigned char letter = at(data, place + index);
        if (!(letter >= 'A' && letter <= 'Z') && !(letter >= '0' && letter <= '9')) return false;
    }
    return true;
}

bool isZero(const std::string &data, size_t start) {
    return std::all_of(data.begin() + static_cast<std::ptrdiff_t>(start), data.end(), [](char byte) { return byte == 0; });
}

/// A name as a message may show it.
std::string shown(const std::string &name) {
    std::string result;
    for (char letter : name.substr(0, 40)) result.push_back(letter >= 0x20 && letter < 0x7F ? letter : '?');
    return result;
}

/// Where the frames begin, behind what may stand before them.
size_t firstFrame(const std::string &data, int version, bool hasExtension) {
    if (!hasExtension || version < 3) return 0;
    return version == 3 ? 4 + number(data, 0, 4) : number(data, 0, 4, 7);
}

}  // namespace

std::string unsafeID3v2(IOStream &stream, Offset start, Offset end, size_t frames) {
    std::string head = bytes(stream, start, 10);
    if (head.size() < 10 || head.compare(0, 3, "ID3") != 0) return "an ID3v2 tag that breaks off";
    int version = at(head, 3);
    if (version < 2 || version > 4) return "an ID3v2 tag of an unknown version";
    unsigned char flags = at(head, 5);
    Offset size = static_cast<Offset>(number(head, 6, 4, 7));
    if (size > end - start - 10) return "an ID3v2 tag that breaks off";
    Offset behind = start + 10 + size + (version == 4 && flags & 0x10 ? 10 : 0);
    // TagLib takes a second tag for free space.
    if (behind + 10 <= end && bytes(stream, behind, 3) == "ID3") return "the second of its ID3v2 tags";
    if (version == 2 && flags & 0x40) return "a compressed ID3v2 tag";
    std::string data = bytes(stream, start + 10, size);
    if (data.size() != static_cast<size_t>(size)) return "an ID3v2 tag that breaks off";
    if (version < 4 && flags & 0x80) data = synchronised(data);
    int letters = version == 2 ? 3 : 4;
    size_t headSize = version == 2 ? 6 : 10;
    size_t place = firstFrame(data, version, flags & 0x40);
    size_t count = 0;
    std::string last;
    while (place < data.size() && data[place] != 0) {
        if (data.size() - place < headSize) return "bytes behind the last frame of its ID3v2 tag";
        std::string name = data.substr(place, static_cast<size_t>(letters));
        // Some programs wrote names of three letters into version 2.3.
        bool isShort = version == 3 && name[3] == 0;
        if (!isFrameName(data, place, isShort ? 3 : letters)) return "the ID3v2 frame \"" + shown(name) + "\", which has no proper name";
        size_t length = number(data, place + static_cast<size_t>(letters), version == 2 ? 3 : 4, version == 4 ? 7 : 8);
        if (version == 4 && length > 127 && !isFrameName(data, place + headSize + length, 4)) {
            // Some programs wrote sizes as in version 2.3. TagLib takes them so on the same condition.
            size_t plain = number(data, place + 4, 4);
            if (isFrameName(data, place + headSize + plain, 4)) length = plain;
        }
        if (length > data.size() - place - headSize) return "the ID3v2 frame " + shown(name) + ", which breaks off";
        bool hasLength = version == 4 && at(data, place + 9) & 0x01;
        if (length <= (hasLength ? 4u : 0u)) return "what stands behind the empty ID3v2 frame " + shown(name);
        place += headSize + length;
        count++;
        last = name;
    }
    if (place > data.size()) return "the head of its ID3v2 tag";
    if (!isZero(data, place)) return "bytes in the padding of its ID3v2 tag";
    if (count != frames) return "some frames of its ID3v2 tag";
    return {};
}

std::string unsafeAPE(IOStream &stream, Offset end, size_t items) {
    std::string footer = bytes(stream, end - 32, 32);
    if (footer.size() < 32 || footer.compare(0, 8, "APETAGEX") != 0) return "an APE tag that breaks off";
    Offset size = static_cast<Offset>(little(footer, 12));
    unsigned long count = little(footer, 16);
    if (size < 32 || size > end) return "an APE tag that breaks off";
    std::string data = bytes(stream, end - size, size - 32);
    size_t place = 0;
    std::set<std::string> names;
    for (unsigned long index = 0; index < count; index++) {
        size_t zero = place + 8 <= data.size() ? data.find('\0', place + 8) : std::string::npos;
        if (zero == std::string::npos) return "the items of its APE tag, which break off";
        std::string name = data.substr(place + 8, zero - place - 8);
        size_t length = little(data, place);
        if (length > data.size() - zero - 1) return "the APE item " + shown(name) + ", which breaks off";
        std::string key;
        bool isProper = name.size() >= 2 && name.size() <= 255;
        for (char letter : name) {
            isProper = isProper && letter >= 0x20 && letter <= 0x7E;
            key.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
        }
        for (const char *reserved : {"ID3", "TAG", "OGGS", "MP+"}) isProper = isProper && key != reserved;
        if (!isProper) return "the APE item \"" + shown(name) + "\", which has no proper name";
        if (!names.insert(key).second) return "the second APE item " + shown(name);
        bool isBinary = (at(data, place + 4) >> 1 & 3) == 1;
        if (!isBinary && !isUTF8(data.data() + zero + 1, length)) return "the APE item " + shown(name) + ", which is not UTF-8";
        place = zero + 1 + length;
    }
    if (place != data.size()) return "bytes behind the items of its APE tag";
    if (names.size() != items) return "some items of its APE tag";
    return {};
}

std::string unsafeInfo(const ByteVector &list) {
    std::string data(list.data(), list.size());
    std::set<std::string> names;
    size_t place = 4;
    while (place < data.size()) {
        // A byte that evens the list.
        if (data.size() - place < 8 && isZero(data, place)) break;
        std::string name = data.substr(place, 4);
        size_t length = data.size() - place >= 8 ? little(data, place + 4) : data.size();
        if (data.size() - place < 8 || length > data.size() - place - 8) return "its INFO list, which breaks off";
        bool isProper = std::all_of(name.begin(), name.end(), [](char letter) { return letter >= 0x20 && letter < 0x7F; });
        if (!isProper) return "the INFO field \"" + shown(name) + "\", which has no proper name";
        if (!names.insert(name).second) return "the second INFO field " + shown(name);
        std::string value = data.substr(place + 8, length);
        size_t zero = std::min(value.find('\0'), value.size());
        if (!isZero(value, zero)) return "the INFO field " + name + ", which is no text";
        // Of other encodings nobody can tell which it is.
        if (!isUTF8(value.data(), zero)) return "the INFO field " + name + ", which is not UTF-8";
        place += 8 + length + (length & 1);
    }
    return {};
}

std::vector<Chunk> chunks(IOStream &stream, bool isBigEndian) {
    std::vector<Chunk> result;
    Offset end = stream.length();
    for (Offset place = 12; place + 8 <= end;) {
        std::string head = bytes(stream, place, 8);
        if (head.size() < 8) break;
        Offset size = static_cast<Offset>(isBigEndian ? number(head, 4, 4) : little(head, 4));
        Offset start = place + 8;
        if (size > end - start) break;
        result.push_back({head.substr(0, 4), start, start + size});
        place = start + size;
        // Chunks begin at even places, unless whoever wrote them forgot.
        if (place & 1 && bytes(stream, place, 1) == std::string(1, '\0')) place++;
    }
    return result;
}

// Not through TagLib, whose text ends at the first zero.
bool isUTF8(const char *bytes, size_t count) {
    for (size_t place = 0; place < count;) {
        auto byte = [&](size_t index) { return static_cast<unsigned char>(bytes[index]); };
        unsigned char first = byte(place++);
        if (first < 0x80) continue;
        size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
        if (first < 0xC2 || first > 0xF4 || more > count - place) return false;
        unsigned char second = byte(place);
        // Longer than needed, half a pair, or more than there are.
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return false;
        if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return false;
        for (size_t index = 0; index < more; index++) {
            if ((byte(place + index) & 0xC0) != 0x80) return false;
        }
        place += more;
    }
    return true;
}

}  // namespace earshot
