/// One of the up to three steps of a search, as the root asks it of every leaf.
package struct SearchRound: Sendable, Codable {
    /// The kinds, in order of asking.
    package enum Kind: UInt8, Sendable, Codable {
        /// The few keys that yield most.
        case quick
        /// All keys, at the speed and pitch of the reference.
        case full
        /// Other speeds and pitches, and before them reads that are too expensive for every query.
        case wide
    }

    /// The largest number of candidates that are carried from round to round.
    package static let mostCandidates = 256

    package var kind: Kind
    /// The totals of the whole catalog. With its own size, a leaf would choose an index that a search of the whole does
    /// not use.
    package var totals: SearchTotals
    /// In a wide round, `true` to look up all keys by pairs, or to scan all references with the map, before other
    /// speeds are tried.
    package var looksAgain = false
    /// The best candidates of all leaves so far, best first.
    package var carried: [Candidate] = []
    /// The highest reading of the query's map in each reference where it was read, highest first.
    package var readings: [ReferenceReading] = []
    /// The chance level of the query's spectrogram; `nil` in the first round, and for a query without a spectrogram.
    package var chance: SearchChance?

    package init(kind: Kind, totals: SearchTotals) { (self.kind, self.totals) = (kind, totals) }
}

/// The highest reading of a query's map in a reference.
package struct ReferenceReading: Hashable, Sendable, Codable {
    package var segment: Int
    package var reference: Int
    /// The distance from chance, in standard deviations.
    package var deviations: Double
}
