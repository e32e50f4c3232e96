/// The size of everything that a search covers, in all leaves together.
///
/// The totals do not depend on the distribution of segments. They decide which index is used, how far chance reaches,
/// and which share of a budget a segment gets.
package struct SearchTotals: Hashable, Sendable, Codable {
    /// The number of frames of all references, which are the positions at which a query may begin.
    package var frameCount: Int
    package var postingCount: Int
    package var segmentCount: Int
    /// The number of references, including removed ones.
    package var referenceCount: Int
    /// `true` if a reference has dense bits, which a query's spectrogram can be compared with.
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
