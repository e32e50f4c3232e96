public import EarshotCore

/// A Chromaprint fingerprint of a whole audio file, compatible with AcoustID.
///
/// It is a sequence of sub-fingerprints of 32 bits, about eight for each second, commonly of the first two minutes,
/// with the duration of the whole file. The same recording gives nearly the same sequence in any encoding; another
/// recording of the same song does not. To recognize an excerpt, or audio in noise, use a `Signature` instead.
public struct FileFingerprint: Hashable, Sendable {
    /// The algorithm that computes sub-fingerprints. Fingerprints of different algorithms cannot be compared.
    public enum Algorithm: Int, Hashable, Sendable, CaseIterable {
        /// The first algorithm, trained on little music.
        case test1 = 0
        /// The algorithm of AcoustID, and the default of all tools.
        case test2
        /// An algorithm with frames that do not overlap, and interpolation between notes.
        case test3
        /// The algorithm of `test2`, without leading silence.
        case test4
        /// The algorithm of `test2`, with frames of half the length.
        case test5

        /// The default algorithm, which is that of AcoustID.
        public static let standard = Algorithm.test2

        /// The time between two sub-fingerprints: 124 ms in the standard algorithm.
        public var interval: MediaTime {
            let frames: Int64 =
                switch self {
                case .test3: 4_096
                case .test5: 1_024
                case .test1, .test2, .test4: 1_365
                }
            return MediaTime(value: frames, timescale: 11_025)
        }
    }

    /// The largest number of sub-fingerprints: 34 hours of audio. The text has at most 20 million characters.
    public static let maximumCount = 1_000_000
    /// The largest number of sub-fingerprints, from the beginning, that an index or a library compares: 127 s in the
    /// standard algorithm.
    public static let comparedCount = 1_024
    /// The sub-fingerprint of silence in the standard algorithm, which says nothing about the music.
    static let silence: UInt32 = 627_964_279

    /// The sub-fingerprints, ordered by time.
    public let values: [UInt32]
    /// The algorithm that computed the sub-fingerprints.
    public let algorithm: Algorithm
    /// The duration of the whole file; the sub-fingerprints may cover less.
    public let duration: MediaTime

    /// Creates a fingerprint from its sub-fingerprints.
    ///
    /// - Parameters:
    ///   - values: The sub-fingerprints, ordered by time.
    ///   - algorithm: The algorithm that computed them.
    ///   - duration: The duration of the whole file.
    /// - Throws: `signatureInvalid` for no sub-fingerprints, or more than `maximumCount`.
    public init(
        _ values: [UInt32],
        algorithm: Algorithm = .standard,
        duration: MediaTime
    ) throws(EarshotError) {
        guard !values.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "A fingerprint without sub-fingerprints says nothing: give at least three seconds of audio."
            )
        }
        guard values.count <= Self.maximumCount else { throw Self.tooLong(values.count) }
        self.values = values
        self.algorithm = algorithm
        self.duration = duration
    }

    private init(compared other: FileFingerprint) {
        values = Array(other.values.prefix(Self.comparedCount))
        algorithm = other.algorithm
        duration = other.duration
    }

    /// The fingerprint limited to the part that is compared: the first `comparedCount` sub-fingerprints.
    public var compared: FileFingerprint {
        values.count > Self.comparedCount ? FileFingerprint(compared: self) : self
    }

    static func tooLong(_ count: Int) -> EarshotError {
        EarshotError(
            .signatureInvalid,
            "A fingerprint of \(count) sub-fingerprints is too long: at most \(maximumCount) are taken, which are 34 hours."
        )
    }
}
