package import Earshot

/// The signature of a clip, and whether the clip is silent.
package struct ClipAudio: Sendable {
    /// Of full scale; what stays below is silent: -60 dB.
    private static let audibleLevel: Float = 0.001
    /// The shortest audio that can have a landmark.
    private static let leastDuration = MediaTime(value: 13, timescale: 100)

    package let signature: Signature
    /// `true` if any sample is loud enough to be heard; `nil` for a signature that was read.
    package let isAudible: Bool?
    /// The difference between the duration that the clip declares and the length of its audio; `nil` if there is none.
    package let durationMismatch: DurationMismatch?

    package init(_ signature: Signature, isAudible: Bool? = nil, durationMismatch: DurationMismatch? = nil) {
        (self.signature, self.isAudible, self.durationMismatch) = (signature, isAudible, durationMismatch)
    }

    /// Returns `true` if any sample of a buffer is loud enough to be heard.
    package static func isAudible(_ buffer: AudioBuffer) -> Bool {
        switch buffer.samples {
        case .int16(let samples): samples.contains { Float($0.magnitude) > audibleLevel * 32_768 }
        case .float32(let samples): samples.contains { abs($0) > audibleLevel }
        }
    }

    /// The reason why a clip has no landmarks, as the end of a sentence.
    package static func reason(_ duration: MediaTime, isAudible: Bool?) -> String {
        if duration < leastDuration { return "it is shorter than 0.13 s" }
        return switch isAudible {
        case false: "its audio is silent"
        case true: "its audio has no tones that stand out, such as clicks and even noise have none"
        case nil: "it holds no landmarks, so its audio was silent or had no tones that stand out"
        }
    }

    /// The signature, if it has anything to recognize.
    ///
    /// - Parameters:
    ///   - name: The name of the clip in errors.
    ///   - minimum: A shorter clip passes: whoever searches for it says how long it must be.
    /// - Throws: `signatureInvalid` if there are no landmarks.
    package func recognizable(named name: String, atLeast minimum: MediaTime = .zero) throws(EarshotError) -> Signature
    {
        guard signature.isEmpty, signature.duration >= minimum else { return signature }
        let reason = Self.reason(signature.duration, isAudible: isAudible)
        throw EarshotError(.signatureInvalid, "\(name) has nothing to recognize: \(reason).")
    }
}
