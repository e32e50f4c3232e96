/// Audio of which any stretch can be had: a reference at hand, or a recording.
///
/// Stretches are asked for in ascending order within one pass over it, so that a file can be read forward.
public protocol ReferenceAudio: Sendable {
    /// Mono samples of a stretch.
    ///
    /// - Parameters:
    ///   - frames: The range of frames: frame *n* stands *n* / `sampleRate` seconds after the audio's first instant.
    ///   - sampleRate: Frames a second, in hertz.
    /// - Returns: As many samples as there are frames; silence for what lies outside the audio.
    mutating func samples(_ frames: Range<Int>, sampleRate: Int) async throws -> [Float]
}

/// Samples in memory, given out at their own rate only.
struct SamplesInMemory: ReferenceAudio {
    let samples: [Float]

    func samples(_ frames: Range<Int>, sampleRate: Int) -> [Float] {
        let inside = frames.clamped(to: 0..<samples.count)
        guard !inside.isEmpty else { return [Float](repeating: 0, count: frames.count) }
        return [Float](repeating: 0, count: inside.lowerBound - frames.lowerBound) + samples[inside]
            + [Float](repeating: 0, count: frames.upperBound - inside.upperBound)
    }
}
