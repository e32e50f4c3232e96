/// ID3v2.
extension TagLimit {
    /// Looks through the ID3v2 tags at a place, as FFmpeg does.
    ///
    /// - Returns: Their end.
    mutating func takeID3(at start: Int) -> Int {
        var start = start
        while true {
            let head = read(start, 10)
            guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[3] != 0xFF, head[4] != 0xFF,
                head[6...].allSatisfy({ $0 < 0x80 })
            else { return start }
            let size = Self.sevenBits(Self.number(head[6...]))
            // An empty tag is one too, or many of them could be had for nothing.
            guard takesEntry() else { return skipID3(at: start) }
            takeFrames(in: start + 10..<start + 10 + size, version: head[3], flags: head[5])
            start += 10 + size + (head[3] == 4 && head[5] & 0x10 != 0 ? 10 : 0)
        }
    }

    /// Makes one tag without frames of all at a place.
    ///
    /// - Returns: Their end.
    private mutating func skipID3(at start: Int) -> Int {
        var end = start
        while true {
            let head = read(end, 10)
            guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6...].allSatisfy({ $0 < 0x80 }) else {
                break
            }
            let next = end + 10 + Self.sevenBits(Self.number(head[6...])) + (head[5] & 0x10 != 0 ? 10 : 0)
            guard next - start - 10 < 1 << 28 else { break }
            end = next
        }
        let size = end - start - 10
        guard size >= 10 else { return end }
        let bytes = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
        patches.append(Patch(offset: start, bytes: Array("ID3".utf8) + [3, 0, 0] + bytes + Self.padding(3)))
        return end
    }

    private mutating func takeFrames(in range: Range<Int>, version: UInt8, flags: UInt8) {
        guard (2...4).contains(version), version > 2 || flags & 0x40 == 0 else { return }
        var place = range.lowerBound
        if version > 2, flags & 0x40 != 0 {
            let size = Self.sevenBits(Self.number(read(place, 4)))
            place += version == 4 ? max(4, size) : 4 + size
        }
        let headSize = version == 2 ? 6 : 10
        while place + headSize <= range.upperBound {
            let head = read(place, headSize)
            guard head.count == headSize else { return }
            if let zeros = padding(at: place, head, in: range) {
                place += zeros
                continue
            }
            let id = head[0..<(version == 2 ? 3 : 4)]
            let body = place + headSize
            guard let size = frameSize(head, version, body: body, end: range.upperBound),
                size <= range.upperBound - body
            else { return }
            // What FFmpeg takes for the begin of the padding.
            if size > 0, id.first == 0 { return }
            if Self.isText(id) { text += size }
            let isCounted = takesEntry() && text <= Self.textLimit
            guard isCounted, !isChapter(id) || takesChapter(in: body..<body + size) else {
                patches.append(Patch(offset: place, bytes: Self.padding(version)))
                return
            }
            place = body + size
        }
    }

    /// The number of zero bytes at an offset, in whole frame headers: FFmpeg skips these, and reads what follows.
    private func padding(at place: Int, _ head: [UInt8], in range: Range<Int>) -> Int? {
        guard head.allSatisfy({ $0 == 0 }) else { return nil }
        let bytes = read(place, min(range.upperBound - place, 4_096))
        let zeros = bytes.firstIndex { $0 != 0 } ?? bytes.count
        return max(1, zeros / head.count) * head.count
    }

    /// The head of a frame without a name. Its size is not 0, or FFmpeg would pass over it and go on.
    private static func padding(_ version: UInt8) -> [UInt8] {
        version == 2 ? [0, 0, 0, 0, 0, 1] : [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    }

    /// The size of a frame as FFmpeg takes it; `nil` where it gives up.
    private func frameSize(_ head: [UInt8], _ version: UInt8, body: Int, end: Int) -> Int? {
        if version == 2 { return Self.number(head[3..<6]) }
        let size = Self.number(head[4..<8])
        guard version == 4, size > 0x7F else { return size }
        let short = Self.sevenBits(size)
        // Some programs write all eight bits of a byte. Then the next frame tells.
        guard size < end - body + 10 else { return short }
        if isFrame(at: body + short) { return short }
        return isFrame(at: body + size) ? size : nil
    }

    private func isFrame(at place: Int) -> Bool {
        let id = read(place, 4)
        return id.count == 4
            && (id == [0, 0, 0, 0] || id.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    }

    private static func isText(_ id: ArraySlice<UInt8>) -> Bool {
        id.first == UInt8(ascii: "T") || id.first == UInt8(ascii: "W")
            || ["COMM", "COM", "USLT", "ULT"].contains(name(id))
    }

    private func isChapter(_ id: ArraySlice<UInt8>) -> Bool { Self.name(id) == "CHAP" }

    /// Counts the frames of a chapter. `false` when there are too many.
    private mutating func takesChapter(in range: Range<Int>) -> Bool {
        let named = read(range.lowerBound, min(range.count, 256))
        // Its name, two times and two places.
        guard let zero = named.firstIndex(of: 0) else { return range.count <= 256 }
        var place = range.lowerBound + zero + 1 + 16
        while place + 10 <= range.upperBound {
            guard takesEntry() else { return false }
            let size = Self.number(read(place, 10).dropFirst(4).prefix(4))
            guard size <= range.upperBound - place - 10 else { return true }
            place += 10 + size
        }
        return true
    }

    /// A number with seven bits in each of four bytes.
    private static func sevenBits(_ number: Int) -> Int {
        number & 0x7F | (number & 0x7F00) >> 1 | (number & 0x7F_0000) >> 2 | (number & 0x7F00_0000) >> 3
    }
}
