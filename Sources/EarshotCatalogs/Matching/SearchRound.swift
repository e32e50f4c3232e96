/// One of the at most three steps of a search, as the root puts it to every leaf.
package struct SearchRound: Sendable, Codable {
    /// The kinds, in the order in which they are asked.
    package enum Kind: UInt8, Sendable, Codable {
        /// The few keys that tell most.
        case quick
        /// All keys, at the speed and pitch of the reference.
        case full
        /// Other speeds and pitches, and before them what is too dear to be done for each query.
        case wide
    }

    /// Candidates that are carried from round to round, at most.
    package static let mostCandidates = 256

    package var kind: Kind
    /// Of the whole catalog. A leaf that went by its own size would read an index that the whole leaves alone.
    package var totals: SearchTotals
    /// In a wide round, `true` if all keys are read once more, or the map is laid on all references, before other speeds are tried.
    package var looksAgain = false
    /// The best candidates of all leaves so far, best first.
    package var carried: [Candidate] = []
    /// The highest reading of a query's map in each of the references where it was read, highest first.
    package var readings: [ReferenceReading] = []
    /// The chance level of the query's spectrogram; `nil` until the first round is answered, and for a query without
    /// one.
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
