/// The size of everything that a search goes through, wherever its segments lie.
///
/// These totals do not depend on the distribution of segments. They decide which index is used, how far chance reaches,
/// and which part of a budget a segment gets.
package struct SearchTotals: Hashable, Sendable, Codable {
    /// Frames of all references: the places at which a query may begin.
    package var frameCount: Int
    package var postingCount: Int
    package var segmentCount: Int
    /// References, removed ones too.
    package var referenceCount: Int
    /// `true` if some reference has bits, which a query's spectrogram can be held against.
    package var hasBits: Bool

    package init(frameCount: Int, postingCount: Int, segmentCount: Int, referenceCount: Int, hasBits: Bool) {
        (self.frameCount, self.postingCount) = (frameCount, postingCount)
        (self.segmentCount, self.referenceCount) = (segmentCount, referenceCount)
        self.hasBits = hasBits
    }
}

extension SearchTotals {
    init(_ targets: [MaskedSegment]) {
        self.init(
            frameCount: targets.reduce(0) { $0 + $1.segment.frameCount },
            postingCount: targets.reduce(0) { $0 + $1.segment.postingCount },
            segmentCount: targets.count,
            referenceCount: targets.reduce(0) { $0 + $1.segment.referenceCount },
            hasBits: targets.contains(where: \.segment.hasBits)
        )
    }
}
