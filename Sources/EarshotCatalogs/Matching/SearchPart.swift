/// A segment's place in the whole of which a leaf has a part.
package struct SearchPart: Hashable, Sendable, Codable {
    /// Its number among all segments of the search, in order of adding, from 0.
    package var segment: Int
    /// Frames of all segments before it.
    package var firstFrame: Int

    package init(segment: Int, firstFrame: Int) { (self.segment, self.firstFrame) = (segment, firstFrame) }
}

extension SearchPart {
    /// The places of segments that are the whole.
    static func whole(_ targets: [MaskedSegment]) -> [SearchPart] {
        var frame = 0
        return targets.enumerated().map { number, target in
            defer { frame += target.segment.frameCount }
            return SearchPart(segment: number, firstFrame: frame)
        }
    }
}
