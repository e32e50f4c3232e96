@testable import EarshotMedia

/// Files with more tags than anybody has use for.
enum ManyTags: String, CaseIterable {
    case id3, id3Tags, wave, info, flac, ogg, opus, speex, mp4, wavPack

    /// The file without them.
    var plain: String {
        switch self {
        case .id3, .id3Tags: "half1.mp3"
        case .wave, .info: "wav16.wav"
        case .flac: "chirp.flac"
        case .ogg: "bursts.ogg"
        case .opus: "chirp.opus"
        case .speex: "chirp.spx"
        case .mp4: "alac.m4a"
        case .wavPack: "chirp.wv"
        }
    }

    /// The bytes of the file with tags.
    func bytes(_ count: Int) throws -> [UInt8] {
        let bytes = try Fixtures.bytes(plain)
        switch self {
        case .id3: return Self.id3(Self.frames(0..<count)) + bytes
        case .id3Tags:
            return stride(from: 0, to: count, by: 7).flatMap { Self.id3(Self.frames($0..<min(count, $0 + 7))) } + bytes
        case .wave: return Self.chunked(bytes, "id3 ", Self.id3(Self.frames(0..<count)))
        case .info:
            let entries = (0..<count).flatMap {
                Self.text("\(10_000 + $0)".suffix(4)) + Self.little(8) + Self.value($0)
            }
            return Self.chunked(bytes, "LIST", Self.text("INFO") + entries)
        case .flac: return Self.flac(bytes, count)
        case .ogg: return Self.ogg(bytes, [3] + Self.text("vorbis"), count, end: [1])
        case .opus: return Self.ogg(bytes, Self.text("OpusTags"), count)
        case .speex: return Self.ogg(bytes, [], count)
        case .mp4: return Self.mp4(bytes, count)
        case .wavPack:
            return bytes[..<(bytes.firstRange(of: Self.text("APETAGEX"))?.lowerBound ?? bytes.count)] + Self.ape(count)
        }
    }

    static func text(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
    static func little(_ number: Int) -> [UInt8] { TagLimit.bytes(number) }
    static func big(_ number: Int) -> [UInt8] { little(number).reversed() }
    private static func key(_ number: Int) -> [UInt8] { text("K\(100_000 + number)") }
    private static func value(_ number: Int) -> [UInt8] { text("V\(100_000 + number)") + [0] }
    private static func seven(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

    static func frame(_ id: String, _ body: [UInt8]) -> [UInt8] { text(id) + seven(body.count) + [0, 0] + body }
    static func id3(_ frames: [UInt8]) -> [UInt8] { text("ID3") + [4, 0, 0] + seven(frames.count) + frames }
    static func frames(_ numbers: Range<Int>) -> [UInt8] {
        numbers.flatMap { frame("TXXX", [0] + key($0) + [0] + value($0)) }
    }

    /// A WAVE file with a chunk in the place of all that have tags.
    private static func chunked(_ wave: [UInt8], _ id: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array(wave[..<12])
        var place = 12
        while place + 8 <= wave.count {
            let end = place + 8 + TagLimit.number(wave[place + 4..<place + 8], isBigEndian: false)
            guard end <= wave.count else { break }
            if ["fmt ", "data"].contains(TagLimit.name(wave[place..<place + 4])) { bytes += wave[place..<end] }
            place = end + end % 2
        }
        bytes += text(id) + little(body.count) + body + (body.count % 2 == 1 ? [0] : [])
        bytes.replaceSubrange(4..<8, with: little(bytes.count - 8))
        return bytes
    }

    private static func comments(_ count: Int) -> [UInt8] {
        let entries = (0..<count).flatMap { number in
            let entry = key(number) + text("=") + value(number).dropLast()
            return little(entry.count) + entry
        }
        return little(3) + text("abc") + little(count) + entries
    }

    private static func flac(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        let body = comments(count)
        let block = [4] + big(body.count).dropFirst() + body
        // Behind the first block, which is not the last one of a fixture.
        return Array(bytes[..<42]) + block + bytes[42...]
    }

    /// The packet of comments in pages of its own, between the first page and the packets that share a page with those of before.
    private static func ogg(_ bytes: [UInt8], _ mark: [UInt8], _ count: Int, end: [UInt8] = []) -> [UInt8] {
        let pages = OggPages(bytes).pages
        let heads = 1..<(pages.dropFirst().firstIndex { $0.bytes[5] & 2 == 0 && $0.granule > 0 } ?? pages.count)
        // What follows the comments, in one page with them.
        var packets: [[UInt8]] = [[]]
        for page in pages[heads].map(\.bytes) {
            var place = 27 + Int(page[26])
            for lace in page[27..<27 + Int(page[26])] {
                packets[packets.count - 1] += page[place..<place + Int(lace)]
                place += Int(lace)
                if lace < 255 { packets.append([]) }
            }
        }
        packets.removeLast()
        packets[0] = mark + comments(count) + end
        var made = OggPages([])
        made.pages = [pages[0]]
        for packet in packets {
            var rest = packet[...]
            var isContinued = false
            while true {
                let isLast = rest.count < 255 * 255
                let body = rest.prefix(255 * 255)
                rest = rest.dropFirst(body.count)
                let lacing =
                    [UInt8](repeating: 255, count: body.count / 255) + (isLast ? [UInt8(body.count % 255)] : [])
                var page = Array(pages[0].bytes[..<26]) + [UInt8(lacing.count)] + lacing + body
                page[5] = isContinued ? 1 : 0
                made.pages.append(OggPages.Page(bytes: page))
                made.pages[made.pages.count - 1].granule = isLast ? 0 : -1
                isContinued = true
                if isLast { break }
            }
        }
        made.pages += pages[heads.upperBound...]
        for index in made.pages.indices { made.pages[index].bytes.replaceSubrange(18..<22, with: little(index)) }
        return made.bytes
    }

    private static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8) + text(kind) + body }

    private static func mp4(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        let items = (0..<count).flatMap { number in
            box(
                "----",
                box("mean", big(0) + text("org")) + box("name", big(0) + key(number))
                    + box("data", big(1) + big(0) + value(number))
            )
        }
        let handler = box("hdlr", big(0) + big(0) + text("mdirappl") + [UInt8](repeating: 0, count: 9))
        let tags = box("udta", box("meta", big(0) + handler + box("ilst", items)))
        var result: [UInt8] = []
        var place = 0
        while place + 8 <= bytes.count {
            let size = TagLimit.number(bytes[place..<place + 4])
            guard size >= 8, place + size <= bytes.count else { break }
            let box = Array(bytes[place..<place + size])
            let isMovie = Array(box[4..<8]) == text("moov")
            result += isMovie ? Self.box("moov", Array(box[8...]) + tags) : box
            place += size
        }
        return result
    }

    private static func ape(_ count: Int) -> [UInt8] {
        var items: [UInt8] = []
        for number in 0..<count {
            items += little(7) + little(0) + key(number) + [0]
            items += value(number).dropLast()
        }
        func end(_ flags: Int) -> [UInt8] {
            var bytes = text("APETAGEX")
            for field in [2_000, items.count + 32, count, flags, 0, 0] { bytes += little(field) }
            return bytes
        }
        return end(0xA000_0000) + items + end(0x8000_0000)
    }
}
