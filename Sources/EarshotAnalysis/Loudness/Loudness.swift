import Foundation

/// The loudness of audio by EBU R 128 (ITU-R BS.1770).
public struct Loudness: Hashable, Sendable, Codable {
    /// The integrated loudness in LUFS; `nil` for audio that is silent or shorter than 0.4 s.
    public let integrated: Double?
    /// The loudness range in LU (EBU Tech 3342); `nil` for audio that is silent or shorter than 3 s.
    public let range: Double?
    /// The highest true peak of all channels in dBTP; `nil` for silence.
    public let truePeak: Double?
    /// The highest absolute sample of all channels, as a fraction of full scale; `nil` for silence.
    public let samplePeak: Double?

    /// Creates a loudness from measured values.
    public init(integrated: Double?, range: Double?, truePeak: Double?, samplePeak: Double?) {
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
        self.samplePeak = samplePeak
    }

    /// The reference loudness of ReplayGain 2, in LUFS.
    public static let replayGainReference = -18.0

    /// The gain that brings the audio to ``replayGainReference``, in decibels; `nil` if ``integrated`` is.
    public var replayGain: Double? { integrated.map { Self.replayGainReference - $0 } }

    /// The true peak as a fraction of full scale, as ReplayGain tags have it; `nil` for silence.
    public var replayGainPeak: Double? { truePeak.map { pow(10, $0 / 20) } }

    /// Returns ReplayGain tags by name, as players read them.
    ///
    /// - Parameter album: The loudness of its album; `nil` to leave out the tags of the album.
    public func replayGainTags(album: Loudness? = nil) -> [String: String] {
        var tags: [String: String] = [:]
        for (name, loudness) in [("TRACK", self), ("ALBUM", album)] {
            guard let loudness, let gain = loudness.replayGain, let peak = loudness.replayGainPeak else { continue }
            tags["REPLAYGAIN_\(name)_GAIN"] = Self.text(gain, "%.2f dB")
            tags["REPLAYGAIN_\(name)_PEAK"] = Self.text(peak, "%.6f")
        }
        return tags
    }

    /// Returns the gain tags for Opus files: steps of 1/256 dB towards -23 LUFS (RFC 7845, 5.2.1), without peaks.
    ///
    /// - Parameter album: The loudness of its album; `nil` to leave out the tags of the album.
    public func r128Tags(album: Loudness? = nil) -> [String: String] {
        var tags: [String: String] = [:]
        for (name, loudness) in [("TRACK", self), ("ALBUM", album)] {
            guard let integrated = loudness?.integrated else { continue }
            let steps = ((-23 - integrated) * 256).rounded()
            tags["R128_\(name)_GAIN"] = String(Int(min(max(steps, -32_768), 32_767)))
        }
        return tags
    }

    private static func text(_ value: Double, _ format: String) -> String { String(format: format, value) }
}
