public import EarshotCore

/// A Chromaprint fingerprint of a whole audio file, compatible with AcoustID.
///
/// It is a row of sub-fingerprints of 32 bits, about eight for a second, mostly of the first two minutes, beside the duration
/// of the whole file. The same recording gives nearly the same row in any encoding; another recording of the same song does
/// not. To recognize a piece out of the middle, or through noise, take a `Signature` instead.
public struct FileFingerprint: Hashable, Sendable {
    /// The algorithm that computes sub-fingerprints. Fingerprints of different algorithms cannot be compared.
    public enum Algorithm: Int, Hashable, Sendable, CaseIterable {
        /// The first one, trained on little music.
        case test1 = 0
        /// The algorithm of AcoustID, and the default of every tool.
        case test2
        /// With frames that do not overlap, and interpolation between notes.
        case test3
        /// The algorithm of `test2`, without leading silence.
        case test4
        /// The algorithm of `test2`, with frames of half the length.
        case test5

        /// The algorithm of AcoustID.
        public static let standard = Algorithm.test2

        /// The time from one sub-fingerprint to the next: 124 ms in the standard algorithm.
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
    /// The number of sub-fingerprints, from the beginning, that are compared: 127 s in the standard algorithm. An index
    /// and a library use no more, so that a long fingerprint takes no longer than another.
    public static let comparedCount = 1_024
    /// The sub-fingerprint of silence in the standard algorithm, which says nothing about the music.
    static let silence: UInt32 = 627_964_279

    /// The sub-fingerprints, in order of time.
    public let values: [UInt32]
    /// The algorithm.
    public let algorithm: Algorithm
    /// The duration of the whole file; the sub-fingerprints may cover less.
    public let duration: MediaTime

    /// A fingerprint of given parts.
    ///
    /// - Parameters:
    ///   - values: The sub-fingerprints, in order of time.
    ///   - algorithm: The algorithm.
    ///   - duration: The duration of the whole file.
    /// - Throws: `signatureInvalid` for none or more than `maximumCount` of them.
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

    /// The part that is compared: the first `comparedCount` sub-fingerprints.
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
