public import EarshotCore

/// A fingerprint of an index that is of the same recording as a query.
public struct FingerprintMatch: Hashable, Sendable {
    /// The number under which it was added.
    public let id: UInt64
    /// The similarity: 1 for identical fingerprints, and at least the minimum of the search.
    public let score: Double
    /// The duration of the fingerprint's file.
    public let duration: MediaTime
    /// The time by which the recording begins later in the query than in the fingerprint; negative if it begins
    /// earlier.
    public let offset: MediaTime
}

/// The options of a search in a ``FingerprintIndex``.
public struct FingerprintSearchOptions: Hashable, Sendable {
    /// Differences of durations that can be asked for, in seconds.
    public static let durationDifferences = 1...30

    /// The largest difference between the durations of the files, in seconds, 1 to 30; 7 unless stated.
    public var durationDifference = 7
    /// The least score, 0 to 1; 0.4 unless stated.
    public var minimumScore = 0.4
    /// The largest number of results. Default: 10.
    public var maximumResults = 10
    /// `true` if terms with damaged bits are looked up as well where undamaged ones find nothing.
    public var searchesNear = true

    /// Creates the options that correspond to AcoustID's service.
    public init() {}

    /// - Throws: `requestInvalid` for options outside their ranges.
    func check() throws(EarshotError) {
        guard Self.durationDifferences.contains(durationDifference) else {
            throw EarshotError(
                .requestInvalid,
                "The largest difference in duration of a fingerprint search is \(durationDifference) s: give 1 to 30 s."
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
