/// Chunks of WAVE and AIFF.
extension TagLimit {
    mutating func takeChunks(at start: Int, isBigEndian: Bool) {
        var place = start
        var longData = 0
        var parts = 0
        while true {
            let head = read(place, 8)
            guard head.count == 8 else { return }
            parts += 1
            guard parts <= Self.partLimit else {
                // FFmpeg takes what it has seen by then, and the rest for something else.
                patches.append(Patch(offset: place, bytes: Array("JUNK".utf8) + [0x7F, 0xFF, 0xFF, 0x7F]))
                return
            }
            let body = place + 8
            var length = Self.number(head[4...], isBigEndian: isBigEndian)
            switch Self.name(head[..<4]) {
            case "id3 ", "ID3 ": _ = takeID3(at: body)
            case "LIST" where Self.name(read(body, 4)) == "INFO" && !isBigEndian:
                takeInfo(in: body + 4..<body + max(4, length))
            // The sizes of sound beyond 4 GiB, in eight bytes.
            case "ds64":
                longData =
                    Self.number(read(body + 8, 4), isBigEndian: false)
                    | (Self.number(read(body + 12, 4), isBigEndian: false) & 0x7FFF_FFFF) << 32
            case "data", "SSND":
                guard size != nil else { return }
                if length == 0xFFFF_FFFF { length = longData }
            default: break
            }
            let (next, overflow) = (body + length & 1).addingReportingOverflow(length)
            guard !overflow, next > place else { return }
            place = next
        }
    }

    private mutating func takeInfo(in range: Range<Int>) {
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let head = read(place, 8)
            guard head.count == 8 else { return }
            guard takesEntry() else {
                // FFmpeg passes over what has no name.
                let rest = range.upperBound - place - 8
                patches.append(Patch(offset: place, bytes: [0, 0, 0, 0] + Self.bytes(rest)))
                return
            }
            let size = Self.number(head[4...], isBigEndian: false)
            place += 8 + size + size & 1
        }
    }
}
