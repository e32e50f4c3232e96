/// Comments of FLAC and Ogg.
extension TagLimit {
    mutating func takeFLAC(at start: Int) {
        var place = start
        for _ in 0..<Self.partLimit {
            let head = read(place, 4)
            guard head.count == 4 else { return }
            let body = place + 4
            let size = Self.number(head[1...])
            if head[0] & 0x7F == 4, let patch = comments(at: body, size: size) { patches.append(patch) }
            if head[0] & 0x80 != 0 { return }
            place = body + size
        }
        // So many blocks have no audio behind them that is worth the wait.
        patches.append(Patch(offset: place, bytes: [0x81]))
    }

    /// The patch that reduces the number of comments, if there are too many.
    private mutating func comments(at place: Int, size: Int) -> Patch? {
        let vendor = Self.number(read(place, 4), isBigEndian: false)
        guard vendor + 8 <= size else { return nil }
        let count = Self.number(read(place + 4 + vendor, 4), isBigEndian: false)
        let left = max(0, Self.entryLimit - entries)
        entries += min(count, left)
        return count > left ? Patch(offset: place + 4 + vendor, bytes: Self.bytes(left)) : nil
    }

    // MARK: - Ogg

    /// Pages that are looked through for comments: those of all streams are among the first.
    private static let pageLimit = 64

    /// The codec of an Ogg stream, by the header before its comments.
    private enum Comments {
        /// A mark.
        case marked([UInt8])
        /// The head of a block, of four bytes.
        case block
        /// Nothing.
        case bare

        /// - Parameter first: The begin of the first packet; `nil` for what has no comments that FFmpeg reads.
        init?(first: ArraySlice<UInt8>) {
            func begins(_ text: String, _ byte: UInt8? = nil) -> Bool {
                first.starts(with: (byte.map { [$0] } ?? []) + Array(text.utf8))
            }
            switch true {
            case begins("vorbis", 1): self = .marked([3] + Array("vorbis".utf8))
            case begins("theora", 0x80): self = .marked([0x81] + Array("theora".utf8))
            case begins("OpusHead"): self = .marked(Array("OpusTags".utf8))
            case begins("FLAC", 0x7F): self = .block
            case begins("Speex   "): self = .bare
            default: return nil
            }
        }

        /// The offset of the comments in a packet; `nil` if the packet has none.
        func begin(in packet: ArraySlice<UInt8>) -> Int? {
            switch self {
            case .marked(let mark): packet.starts(with: mark) ? packet.startIndex + mark.count : nil
            case .block: packet.first.map { $0 & 0x7F == 4 } == true ? packet.startIndex + 4 : nil
            case .bare: packet.startIndex
            }
        }
    }

    mutating func takeOgg(at start: Int) {
        var place = start
        var waiting: [[UInt8]: Comments] = [:]
        var isFound = false
        for _ in 0..<Self.pageLimit {
            let head = read(place, 27)
            guard head.count == 27, head.starts(with: Array("OggS".utf8)) else { return }
            let lacing = read(place + 27, Int(head[26]))
            let body = 27 + lacing.count
            var page = read(place, body + lacing.reduce(0) { $0 + Int($1) })
            guard page.count >= body else { return }
            let serial = Array(head[14..<18])
            let isFirst = head[5] & 2 != 0
            if isFirst {
                waiting[serial] = Comments(first: page[body...])
                // Comments have a page of their own, which FFmpeg does not insist on.
                let first = lacing.firstIndex { $0 < 255 } ?? lacing.count
                let second = body + lacing.prefix(first + 1).reduce(0) { $0 + Int($1) }
                if second < page.count, let comments = waiting.removeValue(forKey: serial) {
                    isFound = true
                    take(&page, from: comments.begin(in: page[second...]), at: place)
                }
            } else if let comments = waiting.removeValue(forKey: serial) {
                isFound = true
                take(&page, from: comments.begin(in: page[body...]), at: place)
            }
            // Streams without comments may come first.
            if isFound, waiting.isEmpty, !isFirst { return }
            place += page.count
        }
    }

    /// Makes the comments of a page fewer, and its checksum right.
    private mutating func take(_ page: inout [UInt8], from comments: Int?, at place: Int) {
        guard let comments, comments + 8 <= page.count else { return }
        let vendor = Self.number(page[comments..<comments + 4], isBigEndian: false)
        let counted = comments + 4 + vendor
        let left = max(0, Self.entryLimit - entries)
        if counted + 4 > page.count {
            // A name of a program that does not end with the page is none.
            page.replaceSubrange(comments..<comments + 8, with: [UInt8](repeating: 0, count: 8))
        } else {
            let count = Self.number(page[counted..<counted + 4], isBigEndian: false)
            entries += min(count, left)
            guard count > left else { return }
            page.replaceSubrange(counted..<counted + 4, with: Self.bytes(left))
        }
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        page.replaceSubrange(22..<26, with: Self.bytes(Int(Self.checksum(page))))
        patches.append(Patch(offset: place, bytes: page))
    }

    /// The checksum of a page in Ogg, by RFC 3533: 0x04C11DB7, from 0, the highest bit first.
    private static func checksum(_ page: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for byte in page {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        return sum
    }
}
