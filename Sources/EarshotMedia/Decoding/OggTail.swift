import Foundation

/// The end of an Ogg file. Ogg states no length, but each page states its own.
enum OggTail {
    /// More than the largest page: 27 bytes of header, 255 lengths, 255 segments of 255 bytes.
    private static let window = 1 << 17
    private static let capture: [UInt8] = Array("OggS".utf8)

    /// Returns `true` if the last page breaks off.
    static func isCut(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard let size = try? handle.seekToEnd() else { return false }
        let start = size > UInt64(window) ? size - UInt64(window) : 0
        guard (try? handle.seek(toOffset: start)) != nil, let data = try? handle.read(upToCount: window) else {
            return false
        }
        return isCut([UInt8](data))
    }

    static func isCut(_ tail: [UInt8]) -> Bool {
        guard let page = lastPage(tail) else { return false }
        // Fixed header, then one length for each segment.
        guard page + 27 <= tail.count else { return true }
        let segments = Int(tail[page + 26])
        let body = page + 27 + segments
        guard body <= tail.count else { return true }
        let end = body + tail[page + 27..<body].reduce(0) { $0 + Int($1) }
        if end > tail.count { return true }
        // One to three bytes of the next page's mark; anything else behind the last page is a foreign tag.
        let rest = tail[end...]
        return !rest.isEmpty && rest.count < capture.count && capture.starts(with: rest)
    }

    private static func lastPage(_ tail: [UInt8]) -> Int? {
        var index = tail.count - capture.count
        while index >= 0 {
            if tail[index] == capture[0], tail[index..<index + capture.count].elementsEqual(capture) { return index }
            index -= 1
        }
        return nil
    }
}
