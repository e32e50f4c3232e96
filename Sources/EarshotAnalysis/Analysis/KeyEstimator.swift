public import EarshotCore

/// Finds the musical key of a recording and its tuning, buffer by buffer.
///
/// ```swift
/// var analyzer = KeyEstimator()
/// for try await block in source { try analyzer.append(block) }
/// let key = analyzer.result()
/// ```
///
/// The pitch classes of the whole recording, in its tuning, are compared with the `KeyProfile` of the 24 keys (the
/// method of C. L. Krumhansl and M. A. Schmuckler: Krumhansl, "Cognitive Foundations of Musical Pitch", Oxford
/// University Press 1990). Music that changes its key gets the key of its largest part. Buffers may have 1 to 8
/// channels, which are averaged, and any rate from 8,000 to 192,000 Hz; samples that are not numbers count as silence.
/// Memory does not grow with the audio. An estimator is a value: taking a result does not end it.
public struct KeyEstimator: Sendable {
    /// The shortest audio for which a key is estimated: 4 s.
    public static let shortestDuration = MediaTime(value: 4, timescale: 1)
    /// Frames with partials, 256 ms each, that a key is told from.
    private static let leastFrames = 8
    /// The range of contrast within which there is a key.
    ///
    /// Below it pitch classes are too equal, as in noise. Above it there are fewer than three of them, and nothing says
    /// which degrees they are.
    private static let contrasts = 0.25...2.2
    /// The least agreement of partials on a tuning; below it they are not notes.
    private static let leastAgreement = 0.15
    /// The least correlation with the profile of a key; below it there is no key.
    private static let leastCorrelation = 0.45
    /// A lead over the next best key that leaves no doubt, as a difference of correlations.
    private static let fullLead = 0.2

    private var stream = AnalysisStream()
    private var chroma = Chroma()

    /// Creates an estimator without audio.
    public init() {}

    /// The duration of the audio so far, including filled gaps.
    public var duration: MediaTime { stream.duration }

    /// Appends a buffer that continues the previous one.
    ///
    /// - Throws: `audioFormatInvalid` for a rate or a number of channels outside the limits. The analyzer is then as before
    ///   the call.
    public mutating func append(_ buffer: AudioBuffer) throws(EarshotError) {
        chroma.append(try stream.samples(of: buffer))
    }

    /// Appends the next block. A gap of up to ten minutes before it is filled with silence; up to 10 ms
    /// either way is taken as jitter.
    ///
    /// - Throws: `audioFormatInvalid` as for a buffer; `audioDiscontinuity` for longer gaps and for a step back. The
    ///   analyzer is then as before the call.
    public mutating func append(_ block: AudioBlock) throws(EarshotError) {
        chroma.append(try stream.samples(of: block))
    }

    /// Returns the key of all audio so far; `nil` for silence, noise, less than 4 s, and music without a clear key.
    public func result() -> MusicalKey? {
        guard duration >= Self.shortestDuration else { return nil }
        var end = self
        end.chroma.append(end.stream.finish())
        end.chroma.finish()
        let chroma = end.chroma
        guard chroma.frames >= Self.leastFrames, Self.contrasts.contains(chroma.contrast),
            chroma.tuningAgreement >= Self.leastAgreement
        else { return nil }
        let classes = chroma.pitchClasses
        var keys: [(tonic: Int, mode: MusicalKey.Mode, correlation: Double)] = []
        for mode in MusicalKey.Mode.allCases {
            for tonic in 0..<12 {
                keys.append((tonic, mode, KeyProfile.of(mode).correlation(with: classes, tonic: tonic)))
            }
        }
        keys.sort { $0.correlation > $1.correlation }
        let best = keys[0]
        guard best.correlation >= Self.leastCorrelation else { return nil }
        return MusicalKey(
            tonic: best.tonic,
            mode: best.mode,
            confidence: min(1, (best.correlation - keys[1].correlation) / Self.fullLead),
            tuning: chroma.tuning
        )
    }
}
