public import EarshotCore
import EarshotMedia

/// Computes the fingerprint of a file from its audio, buffer by buffer.
///
/// ```swift
/// let reader = try await AssetReader(url)
/// let fingerprint = try await FileFingerprintGenerator.fingerprint(of: reader, duration: reader.duration)
/// ```
///
/// Buffers may have any sample rate and 1 to 64 channels, the same for all of one source. The result depends on the
/// samples only, not on how they are divided into buffers, and equals that of the tool `fpcalc` for the same samples:
/// use the floating-point output of decoders that have one, such as MP3 and Vorbis. Audio beyond the limit is ignored.
/// Not thread-safe.
public final class FileFingerprintGenerator {
    /// The default duration of audio that is used, the same as in other programs, so that fingerprints can be compared:
    /// 120 s.
    public static let standardLimit = MediaTime(value: 120, timescale: 1)

    /// The algorithm that computes sub-fingerprints.
    public let algorithm: FileFingerprint.Algorithm
    /// The duration of audio that is used, from the beginning; `nil` for all.
    public let limit: MediaTime?
    /// The duration of the appended audio, including that beyond the limit.
    public private(set) var duration: MediaTime = .zero
    /// `true` if no more audio can change the fingerprint.
    public var isComplete: Bool { taken == mostFrames }

    private let context: ChromaprintContext
    private let mostFrames: Int
    private var taken = 0
    private var resampler: FingerprintResampler?

    /// Creates a generator without audio.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that computes sub-fingerprints.
    ///   - limit: The duration of audio to use, from the beginning; `nil` for all.
    /// - Throws: `internalError` if there is no memory.
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

    /// Appends a buffer of audio.
    ///
    /// - Parameter buffer: The audio, in the format of the earlier buffers.
    /// - Throws: `audioFormatInvalid` for an unsupported format, or another than before.
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

    /// Ends the audio and returns the fingerprint. Nothing can be appended afterwards.
    ///
    /// - Parameter duration: The duration of the whole file; `nil` for that of the appended audio.
    /// - Throws: `signatureInvalid` for less than about three seconds of audio.
    public func finish(duration: MediaTime? = nil) throws(EarshotError) -> FileFingerprint {
        try context.finish()
        return try FileFingerprint(context.values(), algorithm: algorithm, duration: duration ?? self.duration)
    }

    /// Computes the fingerprint of a source. Audio beyond the limit is not read if the duration is known.
    ///
    /// - Parameters:
    ///   - source: The audio.
    ///   - duration: The duration of the whole file. If `nil`, it is the source's expected duration; a source without
    ///     one is read to its end.
    ///   - algorithm: The algorithm that computes sub-fingerprints.
    ///   - limit: The duration of audio to use, from the beginning; `nil` for all.
    /// - Throws: The source's errors, and those of ``append(_:)`` and ``finish(duration:)``.
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
