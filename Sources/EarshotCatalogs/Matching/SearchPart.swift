/// The position of a segment in the whole catalog.
package struct SearchPart: Hashable, Sendable, Codable {
    /// The number of the segment among all segments of the search, in order of adding, from 0.
    package var segment: Int
    /// The number of frames of all segments before it.
    package var firstFrame: Int

    package init(segment: Int, firstFrame: Int) { (self.segment, self.firstFrame) = (segment, firstFrame) }
}

extension SearchPart {
    /// Returns the positions of segments that are the whole catalog.
    static func whole(_ targets: [MaskedSegment]) -> [SearchPart] {
        var frame = 0
        return targets.enumerated().map { number, target in
            defer { frame += target.segment.frameCount }
            return SearchPart(segment: number, firstFrame: frame)
        }
    }
}
