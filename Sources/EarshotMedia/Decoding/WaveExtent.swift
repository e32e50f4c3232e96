import Foundation

/// The size that a WAV file states for its sound. FFmpeg believes the file's own size instead when that is smaller.
enum WaveExtent {
    /// Headers are commonly below a hundred bytes; with tags and pictures before the sound they can be large.
    private static let window = 1 << 16
    /// Sizes from here on are placeholders of programs that wrote to a pipe.
    private static let placeholders: UInt64 = 0x7FFF_F000

    /// Returns `true` if the file is shorter than that.
    static func isCut(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: window), let size = try? handle.seekToEnd() else { return false }
        guard let end = statedEnd([UInt8](head)) else { return false }
        return size < end
    }

    /// The end of the audio, in bytes from the beginning of the file; `nil` if the header leaves it open.
    static func statedEnd(_ head: [UInt8]) -> UInt64? {
        guard ["RIFF", "RF64", "BW64"].contains(where: { head.starts(with: $0.utf8) }) else { return nil }
        var longSize: UInt64?
        var offset = 12
        while offset + 8 <= head.count {
            let name = head[offset..<offset + 4]
            let size = number(head, offset + 4, bytes: 4)
            offset += 8
            if name.elementsEqual("ds64".utf8), offset + 16 <= head.count {
                // Behind the size of the whole file stands that of the sound.
                longSize = number(head, offset + 8, bytes: 8)
            }
            if name.elementsEqual("data".utf8) {
                let (end, overflow) = UInt64(offset).addingReportingOverflow(longSize ?? size)
                let isOpen = longSize == nil && (size == 0 || size >= placeholders)
                return isOpen || overflow ? nil : end
            }
            // Chunks begin at even places.
            offset += Int(size) + Int(size & 1)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, bytes count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
