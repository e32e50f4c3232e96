public import EarshotCore
import EarshotMedia

/// Turns audio into the fingerprint of a file, buffer by buffer.
///
/// ```swift
/// let reader = try await AssetReader(url)
/// let fingerprint = try await FileFingerprintGenerator.fingerprint(of: reader, duration: reader.duration)
/// ```
///
/// Buffers may have any rate and 1 to 64 channels, all of one source the same. The result depends on the samples alone, not
/// on how they are cut into buffers, and it is that of the tool `fpcalc` for the same samples: of decoders that give floating
/// point, such as those of MP3 and Vorbis, take that and not integers. What lies behind the limit is passed over. Not
/// thread-safe.
public final class FileFingerprintGenerator {
    /// How much of a file is looked at unless stated, as everybody does whose fingerprints are to be compared: 120 s.
    public static let standardLimit = MediaTime(value: 120, timescale: 1)

    /// How sub-fingerprints are computed.
    public let algorithm: FileFingerprint.Algorithm
    /// How much audio is looked at; absent for all of it.
    public let limit: MediaTime?
    /// How much audio has been given, what lies behind the limit included.
    public private(set) var duration: MediaTime = .zero
    /// `true` if no more audio can change the fingerprint.
    public var isComplete: Bool { taken == mostFrames }

    private let context: ChromaprintContext
    private let mostFrames: Int
    private var taken = 0
    private var resampler: FingerprintResampler?

    /// A generator that has heard nothing.
    ///
    /// - Parameters:
    ///   - algorithm: How sub-fingerprints are computed.
    ///   - limit: How much audio is looked at; everything if `nil`.
    /// - Throws: `internalError` when memory is short.
    public init(
        algorithm: FileFingerprint.Algorithm = .standard,
        limit: MediaTime? = FileFingerprintGenerator.standardLimit
    ) throws(EarshotError) {
        self.algorithm = algorithm
        self.limit = limit
        let context = try ChromaprintContext(algorithm)
        mostFrames = limit.map { Self.frames($0, sampleRate: context.sampleRate) } ?? .max
        try context.start()
        self.context = context
    }

    /// Whole frames of a time, what is not a number or too much taken for no limit.
    private static func frames(_ time: MediaTime, sampleRate: Int) -> Int {
        let frames = time.converted(toTimescale: Int32(sampleRate), rounding: .towardZero)
        return frames.isNumeric ? max(0, Int(frames.value)) : .max
    }

    /// Takes the next buffer.
    ///
    /// - Parameter buffer: The audio, in the format of the buffers before it.
    /// - Throws: `audioFormatInvalid` for a format that cannot be used, or another than before.
    public func append(_ buffer: AudioBuffer) throws(EarshotError) {
        let resampler =
            if let resampler { resampler } else {
                try FingerprintResampler(from: buffer.format, toSampleRate: context.sampleRate)
            }
        self.resampler = resampler
        if !isComplete {
            try resampler.convert(buffer) { samples throws(EarshotError) in
                let part = UnsafeBufferPointer(rebasing: samples.prefix(mostFrames - taken))
                try context.feed(part)
                taken += part.count
            }
        }
        // Audio that is refused does not count.
        duration = duration + buffer.duration
    }

    /// Ends the audio; nothing can be appended after this.
    ///
    /// - Parameter duration: How long the whole file lasts; what was appended if `nil`.
    /// - Returns: The fingerprint.
    /// - Throws: `signatureInvalid` for less than about three seconds of audio.
    public func finish(duration: MediaTime? = nil) throws(EarshotError) -> FileFingerprint {
        try context.finish()
        return try FileFingerprint(context.values(), algorithm: algorithm, duration: duration ?? self.duration)
    }

    /// The fingerprint of what a source delivers. Nothing behind the limit is asked for.
    ///
    /// - Parameters:
    ///   - source: The audio.
    ///   - duration: How long the whole file lasts. When absent, the source is read to its end for it, unless it says what it
    ///     expects.
    ///   - algorithm: How sub-fingerprints are computed.
    ///   - limit: How much audio is looked at; everything if `nil`.
    /// - Throws: What the source throws, and what ``append(_:)`` and ``finish(duration:)`` throw.
    public static func fingerprint(
        of source: some AudioSource,
        duration: MediaTime? = nil,
        algorithm: FileFingerprint.Algorithm = .standard,
        limit: MediaTime? = FileFingerprintGenerator.standardLimit
    ) async throws -> FileFingerprint {
        let generator = try FileFingerprintGenerator(algorithm: algorithm, limit: limit)
        let known = [duration, source.expectedDuration].compactMap(\.self).first { $0.isNumeric }
        for try await block in source {
            try generator.append(block.buffer)
            if generator.isComplete, known != nil { break }
        }
        return try generator.finish(duration: known)
    }
}
