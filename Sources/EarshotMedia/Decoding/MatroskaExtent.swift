import Foundation

/// The size that a Matroska or WebM file states for itself: its one segment's.
enum MatroskaExtent {
    /// Returns `true` if the file is shorter than that.
    static func isCut(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: 4096), let size = try? handle.seekToEnd() else { return false }
        guard let end = statedEnd([UInt8](head)) else { return false }
        return size < end
    }

    /// The end of the segment, in bytes from the beginning of the file; `nil` if the header leaves it open.
    static func statedEnd(_ head: [UInt8]) -> UInt64? {
        var offset = 0
        // The EBML header, then perhaps padding, then the segment.
        for _ in 0..<4 {
            guard let id = number(head, &offset, keepingMark: true), let size = number(head, &offset) else {
                return nil
            }
            if id.value == 0x1853_8067 {
                guard !size.isUnknown else { return nil }
                return UInt64(offset) + size.value
            }
            guard size.value < UInt64(head.count) else { return nil }
            offset += Int(size.value)
        }
        return nil
    }

    /// A number whose first bit set tells how many bytes it takes; all other bits set means "unknown".
    private static func number(
        _ bytes: [UInt8],
        _ offset: inout Int,
        keepingMark: Bool = false
    ) -> (value: UInt64, isUnknown: Bool)? {
        guard offset < bytes.count else { return nil }
        let length = bytes[offset].leadingZeroBitCount + 1
        guard length <= 8, offset + length <= bytes.count else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + length] { value = value << 8 | UInt64(byte) }
        offset += length
        let mask = UInt64(1) << UInt64(7 * length) - 1
        return (keepingMark ? value : value & mask, value & mask == mask)
    }
}
