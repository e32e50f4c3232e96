import EarshotCore

/// The texts of an ID3v2 tag at the begin of a file as bytes, with the encoding that each says it has.
///
/// FFmpeg reads what says its encoding rightly. This is for the rest: texts marked as Latin-1, whatever they are, and UTF-16 that
/// lacks its mark.
struct ID3Texts {
    /// A text that does not say truly which encoding it has.
    struct Text: Equatable {
        /// FFmpeg's name of the tag.
        let name: String
        let bytes: [UInt8]
        /// `true` if it says that it is UTF-16.
        let isUTF16: Bool
    }

    /// More frames than this, or larger ones, are not texts.
    private static let (mostFrames, longestText) = (256, 16_384)

    private static let names = [
        "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album", "TAL": "album",
        "TPE2": "album_artist", "TP2": "album_artist", "TCOM": "composer", "TCM": "composer", "TCON": "genre",
        "TCO": "genre",
    ]

    /// The texts whose encoding is to be guessed.
    private(set) var doubtful: [Text] = []
    /// FFmpeg's names of tags whose encoding is certain.
    private(set) var certain: Set<String> = []

    /// Reads the tag; without one there is nothing.
    init(_ file: RawFile) throws(EarshotError) {
        let head = try file.read(10, at: 0)
        guard head.count == 10, head.starts(with: Array("ID3".utf8)), (2...4).contains(head[3]) else { return }
        let version = head[3]
        let isWhollyUnsynchronized = head[5] & 0x80 != 0 && version < 4
        let end = 10 + Self.sevenBits(head[6...])
        var place = 10
        if head[5] & 0x40 != 0, version > 2 {
            let size = try file.read(4, at: 10)
            guard size.count == 4 else { return }
            place += version == 4 ? Self.sevenBits(size[...]) : Self.eightBits(size[...]) + 4
        }
        let headSize = version == 2 ? 6 : 10
        for _ in 0..<Self.mostFrames {
            let frame = try file.read(headSize, at: place)
            guard place + headSize <= end, frame.count == headSize, frame[0] != 0 else { return }
            let size =
                switch version {
                case 2: Self.eightBits(frame[3..<6])
                case 3: Self.eightBits(frame[4..<8])
                default: Self.sevenBits(frame[4..<8])
                }
            let id = String(decoding: frame[0..<(version == 2 ? 3 : 4)], as: UTF8.self)
            let body = place + headSize
            place = body + size
            guard size > 1, place <= end else { return }
            // Compressed and encrypted frames, and those with more before the text, are left to FFmpeg.
            let flags = version == 2 ? 0 : frame[9] & (version == 4 ? ~0x02 : 0xFF)
            guard let name = Self.names[id], flags == 0, size <= Self.longestText else { continue }
            let isUnsynchronized =
                isWhollyUnsynchronized || version == 4 && (frame[9] & 0x02 != 0 || head[5] & 0x80 != 0)
            let bytes = try file.read(size, at: body)
            take(name, isUnsynchronized ? Self.synchronized(bytes) : bytes)
        }
    }

    private mutating func take(_ name: String, _ bytes: [UInt8]) {
        guard let encoding = bytes.first, !doubtful.contains(where: { $0.name == name }) else { return }
        var text = Array(bytes.dropFirst())
        switch encoding {
        case 0:
            // Characters of UTF-16 in their thousands have no byte 0; where there are some, they are no end.
            if let zero = text.firstIndex(of: 0), LegacyGuess.utf16(Self.even(text)) == nil {
                text = Array(text[..<zero])
            }
            doubtful.append(Text(name: name, bytes: text, isUTF16: text.contains(0)))
        case 1 where !text.starts(with: [0xFF, 0xFE]) && !text.starts(with: [0xFE, 0xFF]):
            doubtful.append(Text(name: name, bytes: text, isUTF16: true))
        default: certain.insert(name)
        }
    }

    /// Bytes of UTF-16 up to its end.
    static func even(_ bytes: [UInt8]) -> [UInt8] {
        var end = bytes.count & ~1
        for place in stride(from: 0, to: end, by: 2) where bytes[place] == 0 && bytes[place + 1] == 0 {
            end = place
            break
        }
        return Array(bytes[..<end])
    }

    private static func sevenBits(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    private static func eightBits(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

    private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes where !(byte == 0 && result.last == 0xFF) { result.append(byte) }
        return result
    }
}
