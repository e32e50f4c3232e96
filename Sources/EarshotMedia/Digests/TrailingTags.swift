package import EarshotCore

/// Finds the tags at the end of an MP3 file, which FFmpeg takes for audio.
package enum TrailingTags {
    /// Returns the offset of the first tag after the audio, in bytes from the beginning of the file; the file size if
    /// there is none.
    ///
    /// - Throws: `cancelled`, and the errors of reading.
    package static func start(
        of file: RawFile,
        cancellation: Cancellation = .init()
    ) throws(EarshotError) -> Int {
        var end = try file.size()
        // In any order, as programs of many years have left them.
        while let size = try tag(file, endingAt: end), size <= end {
            if cancellation.isCancelled { throw Demuxer.cancelled(file.path) }
            end -= size
        }
        return end
    }

    /// The bytes of a tag that ends at a place, more than none; `nil` if none does.
    private static func tag(_ file: RawFile, endingAt end: Int) throws(EarshotError) -> Int? {
        // ID3v1.
        if end >= 128, try file.read(3, at: end - 128) == Array("TAG".utf8) { return 128 }
        // APE: its size counts the footer, and a header only by its mark.
        let footer = end >= 32 ? try file.read(32, at: end - 32) : []
        if footer.starts(with: Array("APETAGEX".utf8)) {
            var reader = ByteReader(Array(footer[12...]))
            guard let size: UInt32 = reader.read(), let _: UInt32 = reader.read(), let flags: UInt32 = reader.read(),
                size >= 32
            else { return nil }
            return Int(size) + (flags >> 31 == 1 ? 32 : 0)
        }
        // Lyrics3: six digits of size before its mark, which it does not count.
        let mark = end >= 15 ? try file.read(15, at: end - 15) : []
        let digits = mark.prefix(6)
        // `Int` would also take a sign.
        guard mark.suffix(9).elementsEqual("LYRICS200".utf8), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } + 15
    }
}
