public import EarshotCore

/// The signature of a recording: the landmarks by which it is recognized.
///
/// A signature holds the places of spectral peaks and a coarse picture of how the spectrum moves: about 225 bytes a second of music,
/// of which hardly a word can be made out (`Docs/privacy.md`). It is a value; two signatures of the same samples are equal, however the samples
/// were cut into buffers. As a file it has the suffix `.earsig`; the layout is in `Docs/formats/signature.md`.
public struct Signature: Sendable {
    /// The configuration of the analysis.
    public let configuration: SignatureConfiguration
    /// The duration of the audio.
    public let duration: MediaTime
    /// The peaks, ordered by time and then frequency, at most 255 in any 64 frames.
    package let landmarks: [Landmark]
    /// The changes of the spectrum, for comparison with other recordings; a part of a signature has none.
    package let bits: DenseBits?
    /// The spectrogram, for holding this recording against others; there is none of more than a minute, unless the generator was to keep
    /// it, or of a file without it.
    package let levels: QueryLevels?
    /// `true` if the sender of a query keeps the spectrogram, and sends it where landmarks alone are not sure.
    package private(set) var canAddSpectrogram = false

    package init(
        configuration: SignatureConfiguration,
        duration: MediaTime,
        landmarks: [Landmark],
        bits: DenseBits? = nil,
        levels: QueryLevels? = nil
    ) {
        self.configuration = configuration
        self.duration = duration
        self.landmarks = landmarks
        self.bits = bits
        self.levels = levels
    }

    /// `true` if there is a coarse spectrogram beside the landmarks: of a recording of a minute at most, made from
    /// audio or read from a file that has it.
    public var hasSpectrogram: Bool { levels?.whole != nil }

    /// The same signature without its spectrogram, which the sender of a query keeps and sends where landmarks alone are not sure.
    ///
    /// A catalog that is asked for it throws `moreEvidence` instead of answering in doubt.
    public func withSpectrogramElsewhere() -> Signature {
        var signature = with(nil)
        signature.canAddSpectrogram = true
        return signature
    }

    /// The same signature with other levels.
    func with(_ levels: QueryLevels?) -> Signature {
        Signature(configuration: configuration, duration: duration, landmarks: landmarks, bits: bits, levels: levels)
    }

    /// `true` if the audio has nothing to recognize: it was silent, or shorter than one analysis window (128 ms).
    public var isEmpty: Bool { landmarks.isEmpty }

    /// The same signature with only the strongest landmarks.
    ///
    /// - Parameter density: Landmarks kept, at most, within about a second; a multiple of eight.
    package func thinned(to density: Int) -> Signature {
        let tiers = density / Landmark.ranksPerTier
        return Signature(
            configuration: configuration,
            duration: duration,
            landmarks: landmarks.filter { $0.tier < tiers },
            bits: bits
        )
    }
}
