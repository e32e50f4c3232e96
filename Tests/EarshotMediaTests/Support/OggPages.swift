/// The pages of an Ogg file, to be changed and written again.
struct OggPages {
    struct Page {
        var bytes: [UInt8]

        /// The position at the end of the last packet that ends on the page; -1 if none does.
        var granule: Int64 {
            get { Int64(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[6 + $1]) << (8 * UInt64($1)) }) }
            set {
                for index in 0..<8 { bytes[6 + index] = UInt8(truncatingIfNeeded: newValue >> (8 * Int64(index))) }
            }
        }

        /// Whether it is one of the first pages, which hold headers.
        var isHeader: Bool { granule == 0 }
    }

    var pages: [Page] = []

    init(_ bytes: [UInt8]) {
        var start = 0
        while start + 27 <= bytes.count {
            let segments = Int(bytes[start + 26])
            let lengths = bytes[start + 27..<start + 27 + segments]
            let end = start + 27 + segments + lengths.reduce(0) { $0 + Int($1) }
            pages.append(Page(bytes: Array(bytes[start..<end])))
            start = end
        }
    }

    /// Moves the granule positions of the pages that have sound; `shift` is given the number of the page among them.
    func shifted(_ shift: (Int) -> Int64) -> OggPages {
        var copy = self
        let first = pages.firstIndex { !$0.isHeader } ?? pages.count
        for index in first..<pages.count where pages[index].granule >= 0 {
            copy.pages[index].granule += shift(index - first)
        }
        return copy
    }

    /// The file, with checksums that fit.
    var bytes: [UInt8] {
        pages.flatMap { page -> [UInt8] in
            var bytes = page.bytes
            bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            let sum = Self.checksum(bytes)
            for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            return bytes
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
                value << 1 ^ (value & 0x8000_0000 != 0 ? 0x04C1_1DB7 : 0)
            }
        }
    }
}
