/// Changes of a few bytes that let FFmpeg read no more tags than a program should wait for.
///
/// FFmpeg compares each tag with all before it: 60,000 of them in 1.6 MB take it half a minute. So it is given the first 2,000, and padding
/// in the place of the next one. No byte moves. Tags of a file with fewer, and pictures of any size, stay as they are.
///
/// Looked into are ID3v2 before the sound and in WAVE and AIFF, the comments of FLAC and Ogg, the INFO list of WAVE, the lists of MP4,
/// and APE tags at the end.
struct TagLimit {
    /// Bytes in the place of others.
    struct Patch: Hashable {
        let offset: Int
        let bytes: [UInt8]

        /// Makes the change in bytes of a place, as far as it lies in them.
        func apply(to buffer: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
            guard offset < place + buffer.count, place < offset + bytes.count else { return }
            for index in max(offset, place)..<min(offset + bytes.count, place + buffer.count) {
                buffer[index - place] = bytes[index - offset]
            }
        }
    }

    /// The largest number of tags that FFmpeg gets from a file.
    static let entryLimit = 2_000
    /// The largest number of bytes of text that it gets from ID3v2. Pictures do not count.
    static let textLimit = 1 << 20

    /// Blocks, chunks and boxes that are looked at: those of fragments are among them.
    static let partLimit = 20_000

    /// The bytes at a place; fewer at the end.
    let read: (_ offset: Int, _ count: Int) -> [UInt8]
    /// The size of what FFmpeg can go back in.
    let size: Int?
    var patches: [Patch] = []
    var entries = 0
    var text = 0

    /// The patches of a file; empty for nearly all files.
    ///
    /// - Parameters:
    ///   - size: The size in bytes of what FFmpeg can go back in; `nil` for a pipe, where it does not look behind the sound.
    ///   - read: Gives bytes at a place, fewer where the file ends.
    static func patches(size: Int?, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) -> [Patch] {
        var limit = TagLimit(read: read, size: size)
        limit.look()
        return limit.patches
    }

    private init(read: @escaping (Int, Int) -> [UInt8], size: Int?) {
        (self.read, self.size) = (read, size)
    }

    private mutating func look() {
        let start = takeID3(at: 0)
        let head = read(start, 12)
        guard head.count == 12 else { return }
        switch (Self.name(head[0..<4]), Self.name(head[8..<12])) {
        case ("fLaC", _): takeFLAC(at: start + 4)
        case ("OggS", _): takeOgg(at: start)
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): takeChunks(at: start + 12, isBigEndian: false)
        case ("RIFX", "WAVE"), ("FORM", "AIFF"), ("FORM", "AIFC"): takeChunks(at: start + 12, isBigEndian: true)
        default:
            let kinds = ["ftyp", "moov", "free", "skip", "wide", "mdat"]
            if kinds.contains(Self.name(head[4..<8])) { takeBoxes(in: start..<1 << 62) }
        }
        takeAPE()
    }

    static func name(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    static func number(_ bytes: some Sequence<UInt8>, isBigEndian: Bool = true) -> Int {
        // bounded: four bytes at most
        let bytes = isBigEndian ? Array(bytes) : bytes.reversed()
        return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Four bytes, the lowest first.
    static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Counts a tag. `false` when it is one too many.
    mutating func takesEntry() -> Bool {
        entries += 1
        return entries <= Self.entryLimit
    }

    // MARK: - APE

    /// The tag that ends with the file; its items are counted in its footer.
    private mutating func takeAPE() {
        guard let size, size >= 32 else { return }
        let footer = read(size - 32, 32)
        guard footer.count == 32, footer.starts(with: Array("APETAGEX".utf8)) else { return }
        let count = Self.number(footer[16..<20], isBigEndian: false)
        let left = max(0, Self.entryLimit - entries)
        if count > left { patches.append(Patch(offset: size - 16, bytes: Self.bytes(left))) }
    }
}
