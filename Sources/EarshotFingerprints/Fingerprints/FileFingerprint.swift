public import EarshotCore

/// What a whole audio file is known by: a Chromaprint fingerprint, as AcoustID and every program made for it have it.
///
/// It is a row of sub-fingerprints of 32 bits, about eight for a second, mostly of the first two minutes, beside the duration
/// of the whole file. The same recording gives nearly the same row in any encoding; another recording of the same song does
/// not. To recognize a piece out of the middle, or through noise, take a `Signature` instead.
public struct FileFingerprint: Hashable, Sendable {
    /// How sub-fingerprints are computed. Those of different algorithms cannot be compared.
    public enum Algorithm: Int, Hashable, Sendable, CaseIterable {
        /// The first one, trained on little music.
        case test1 = 0
        /// What AcoustID takes, and every tool makes unless told otherwise.
        case test2
        /// With frames that do not overlap, and interpolation between notes.
        case test3
        /// As `test2`, with leading silence taken off.
        case test4
        /// As `test2`, with frames of half the length.
        case test5

        /// What AcoustID takes.
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

    /// How many sub-fingerprints there may be: 34 hours of audio. Its text has at most 20 million characters.
    public static let maximumCount = 1_000_000
    /// How many sub-fingerprints count where recordings are told apart, from the begin: 127 s in the standard algorithm. An index
    /// and a library look at no more, so that a long one costs no more than another.
    public static let comparedCount = 1_024
    /// The sub-fingerprint of silence in the standard algorithm, which says nothing about the music.
    static let silence: UInt32 = 627_964_279

    /// The sub-fingerprints, in order of time.
    public let values: [UInt32]
    /// How they were computed.
    public let algorithm: Algorithm
    /// How long the whole file lasts, however much of it the sub-fingerprints cover.
    public let duration: MediaTime

    /// A fingerprint of given parts.
    ///
    /// - Parameters:
    ///   - values: The sub-fingerprints, in order of time.
    ///   - algorithm: How they were computed.
    ///   - duration: How long the whole file lasts.
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

    /// The part of it that counts where recordings are told apart: the first `comparedCount` of its sub-fingerprints.
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
