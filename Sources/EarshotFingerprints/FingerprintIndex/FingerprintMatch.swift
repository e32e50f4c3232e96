public import EarshotCore

/// A fingerprint in an index that matches a query.
public struct FingerprintMatch: Hashable, Sendable {
    /// The number under which the fingerprint was added.
    public let id: UInt64
    /// The similarity: 1 for identical fingerprints, and at least the minimum of the search.
    public let score: Double
    /// The duration of the matching fingerprint's file.
    public let duration: MediaTime
    /// The time by which the recording begins later in the query's file than in the matching one; negative if it begins
    /// earlier.
    public let offset: MediaTime
}

/// The options of a search in a ``FingerprintIndex``.
public struct FingerprintSearchOptions: Hashable, Sendable {
    /// The valid values of ``durationDifference``, in seconds.
    public static let durationDifferences = 1...30

    /// The largest difference between the durations of the files, in seconds, 1 to 30. Default: 7.
    public var durationDifference = 7
    /// The lowest similarity of a match, 0 to 1. Default: 0.4.
    public var minimumScore = 0.4
    /// The largest number of results. Default: 10.
    public var maximumResults = 10
    /// `true` to look up terms with damaged bits too if undamaged ones find nothing. Default: `true`.
    public var searchesNear = true

    /// Creates the default options, which correspond to AcoustID's service.
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
