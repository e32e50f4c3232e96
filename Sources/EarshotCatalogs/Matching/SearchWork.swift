/// The amount of the index that a search has read, over all segments and hypotheses.
package struct SearchWork: Sendable, Equatable, Codable {
    /// The number of whole keys made of the query. Each is looked up in every segment.
    package var keys = 0
    /// The number of keys, or ranges of keys, that were looked up.
    package var lookups = 0
    /// The number of blocks of postings that were decoded.
    package var blocksRead = 0
    /// The number of postings that voted.
    package var hits = 0
    /// `true` if the search ended without an answer, and the spectrogram that the caller can add would help.
    package var wantsSpectrogram = false

    package init() {}

    static func += (sum: inout SearchWork, other: SearchWork) {
        sum.keys += other.keys
        sum.lookups += other.lookups
        sum.blocksRead += other.blocksRead
        sum.hits += other.hits
        sum.wantsSpectrogram = sum.wantsSpectrogram || other.wantsSpectrogram
    }
}
