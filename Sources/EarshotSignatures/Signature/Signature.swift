public import EarshotCore

/// The signature of a recording: data computed from audio, by which it is recognized.
///
/// A signature contains the positions of spectral peaks and a coarse description of the changes of the spectrum: about
/// 225 bytes a second of music, from which hardly a word can be reconstructed (`Docs/privacy.md`). It is a value; two
/// signatures of the same samples are equal, however the samples were divided into buffers. As a file it has the suffix
/// `.earsig`; the layout is in `Docs/formats/signature.md`.
public struct Signature: Sendable {
    /// The configuration of the analysis that made the signature.
    public let configuration: SignatureConfiguration
    /// The duration of the audio from which the signature was made.
    public let duration: MediaTime
    /// The landmarks, ordered by time and then frequency; at most 255 in a block of 64 frames (1.024 s).
    package let landmarks: [Landmark]
    /// The changes of the spectrum as bits; `nil` for a part of a signature, a file without them, or a stream whose
    /// beginning was forgotten.
    package let bits: DenseBits?
    /// The spectrogram; `nil` for a recording longer than a minute (unless the generator kept all of it), or a file
    /// without it.
    package let levels: QueryLevels?
    /// `true` if the spectrogram is left out, but the sender can send it when landmarks alone are not conclusive.
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

    /// `true` if the signature has a coarse spectrogram: that of a recording of at most a minute, made from audio or
    /// read from a file that includes it.
    public var hasSpectrogram: Bool { levels?.whole != nil }

    /// Returns the signature without its spectrogram, marked so that a catalog can ask for it: it throws `moreEvidence`
    /// if the landmarks alone are not conclusive.
    public func withSpectrogramElsewhere() -> Signature {
        var signature = with(nil)
        signature.canAddSpectrogram = true
        return signature
    }

    /// The same signature with other levels.
    func with(_ levels: QueryLevels?) -> Signature {
        Signature(configuration: configuration, duration: duration, landmarks: landmarks, bits: bits, levels: levels)
    }

    /// `true` if the signature has no landmarks: the audio was silent, or shorter than one analysis window (128 ms).
    public var isEmpty: Bool { landmarks.isEmpty }

    /// Returns the signature with only its strongest landmarks, and without a spectrogram.
    ///
    /// - Parameter density: The largest number of landmarks within about a second; a multiple of eight.
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
