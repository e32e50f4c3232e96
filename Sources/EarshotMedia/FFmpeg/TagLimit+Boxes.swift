/// Boxes of MP4.
extension TagLimit {
    mutating func takeBoxes(in range: Range<Int>) {
        var boxes = 0
        _ = takeBoxes(in: range, isList: false, depth: 0, &boxes)
    }

    /// Looks through boxes.
    ///
    /// - Parameter isList: `true` if each of them is a tag.
    /// - Returns: `false` where no more are to be looked at.
    private mutating func takeBoxes(in range: Range<Int>, isList: Bool, depth: Int, _ boxes: inout Int) -> Bool {
        var place = range.lowerBound
        while range.upperBound - place >= 8 {
            let head = read(place, 8)
            boxes += 1
            guard head.count == 8, boxes <= Self.partLimit || isList else { return false }
            var (headSize, length) = (8, Self.number(head[..<4]))
            if length == 1 {
                let long = read(place + 8, 8)
                guard long.count == 8 else { return false }
                (headSize, length) = (16, Self.number(long[..<4]) << 32 | Self.number(long[4...]))
            }
            guard length == 0 || length >= headSize else { return true }
            let end = length == 0 || length > range.upperBound - place ? range.upperBound : place + length
            if isList, !takesEntry() {
                let rest = range.upperBound - place
                // A box of length 0 goes on to the end, as the list does that has no other.
                let length = rest > 0xFFFF_FFFF ? 0 : rest
                patches.append(Patch(offset: place, bytes: Self.bytes(length).reversed() + Array("free".utf8)))
                return true
            }
            let kind = Self.name(head[4...])
            if kind == "mdat", size == nil { return false }
            if ["moov", "trak", "udta", "meta", "ilst"].contains(kind), depth < 8 {
                var body = place + headSize
                // In MP4 it has a version, in QuickTime not.
                if kind == "meta", Self.name(read(body + 4, 4)) != "hdlr" { body += 4 }
                let goesOn =
                    body >= end || takeBoxes(in: body..<end, isList: kind == "ilst", depth: depth + 1, &boxes)
                guard goesOn else { return false }
            }
            place = end
        }
        return true
    }
}
