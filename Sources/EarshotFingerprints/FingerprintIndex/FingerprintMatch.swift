public import EarshotCore

/// A fingerprint of an index that is of the same recording as a query.
public struct FingerprintMatch: Hashable, Sendable {
    /// The number under which it was added.
    public let id: UInt64
    /// How alike they are: 1 for the same, and at least what the search asked for.
    public let score: Double
    /// How long the file of the fingerprint lasts.
    public let duration: MediaTime
    /// How much later the recording begins in the query than in the fingerprint; below zero when it begins earlier.
    public let offset: MediaTime
}

/// What a search of a ``FingerprintIndex`` finds.
public struct FingerprintSearchOptions: Hashable, Sendable {
    /// Differences of durations that can be asked for, in seconds.
    public static let durationDifferences = 1...30

    /// By how many seconds the durations of the files may differ, 1 to 30; 7 unless stated.
    public var durationDifference = 7
    /// The least score, 0 to 1; 0.4 unless stated.
    public var minimumScore = 0.4
    /// How many are found at most; 10 unless stated.
    public var maximumResults = 10
    /// `true` if terms with damaged bits are looked up as well where undamaged ones find nothing.
    public var searchesNear = true

    /// What AcoustID's service finds.
    public init() {}

    /// - Throws: `requestInvalid` for what is outside the limits.
    func check() throws(EarshotError) {
        guard Self.durationDifferences.contains(durationDifference) else {
            throw EarshotError(
                .requestInvalid,
                "Durations may differ by 1 to 30 seconds in a search for fingerprints, not by \(durationDifference)."
            )
        }
        guard (0...1).contains(minimumScore), maximumResults >= 1 else {
            throw EarshotError(
                .requestInvalid,
                "A search for fingerprints has a least score of 0 to 1 and at least 1 result: correct its options."
            )
        }
    }
}
