/// The amount of the index that a search has read, over all segments and hypotheses.
package struct SearchWork: Sendable, Equatable, Codable {
    /// Whole keys that were made of the query, which every segment is asked for.
    package var keys = 0
    /// Keys, or runs of keys, that were looked up.
    package var lookups = 0
    /// Blocks of postings that were decoded.
    package var blocksRead = 0
    /// Postings that voted.
    package var hits = 0
    /// `true` if the search ended without an answer because the query's spectrogram, which the caller has, would help.
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
