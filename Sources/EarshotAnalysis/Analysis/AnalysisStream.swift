import EarshotCore
import EarshotSignatures

/// Buffers of any usable format as one stream of mono samples at 16 kHz, with gaps filled and formats checked.
struct AnalysisStream: Sendable {
    /// Samples a second of what comes out, in hertz.
    static let sampleRate = SignatureConfiguration.sampleRate

    /// The time of the first frame; zero until a block states it.
    private(set) var startTime: MediaTime = .zero
    /// The duration of the audio that was taken, with filled gaps.
    private(set) var duration: MediaTime = .zero
    private var input = AnalysisInput()
    private var hasBegun = false

    /// The samples that a buffer adds.
    ///
    /// - Throws: `audioFormatInvalid` for a rate or a number of channels that cannot be used.
    mutating func samples(of buffer: AudioBuffer) throws(EarshotError) -> [Float] {
        try Self.check(buffer)
        return take(buffer)
    }

    /// The samples that a block adds, and those of the silence that stands for what is missing before it.
    ///
    /// - Throws: `audioFormatInvalid` as for a buffer; `audioDiscontinuity` for a step back and for a gap of more than
    ///   ten minutes.
    mutating func samples(of block: AudioBlock) throws(EarshotError) -> [Float] {
        try Self.check(block.buffer)
        guard block.time.isNumeric else {
            throw EarshotError(
                .audioDiscontinuity,
                "A block has the time \(block.time), which is not a number: give a time, or a buffer alone."
            )
        }
        guard hasBegun else {
            startTime = block.time
            return take(block.buffer)
        }
        let expected = startTime + duration
        let deviation = block.time - expected
        let tolerance = SignatureGenerator.timeTolerance
        guard deviation > tolerance || deviation < .zero - tolerance else { return take(block.buffer) }
        guard deviation > .zero, deviation <= SignatureGenerator.longestFilledGap else {
            throw EarshotError(
                .audioDiscontinuity,
                "The block at \(block.time.label) does not follow the audio before it, which ends at \(expected.label): begin a new analysis.",
                position: expected,
                deviation: deviation
            )
        }
        var samples: [Float] = []
        let rate = block.buffer.sampleRate
        var rest = Int(clamping: deviation.converted(toTimescale: Int32(clamping: rate)).value)
        while rest > 0 {
            let count = min(rest, 65_536)
            samples += take(AudioBuffer([Float](repeating: 0, count: count), sampleRate: rate))
            rest -= count
        }
        return samples + take(block.buffer)
    }

    /// Returns the samples that the filter still holds at the end of the audio.
    mutating func finish() -> [Float] { input.finish() }

    private mutating func take(_ buffer: AudioBuffer) -> [Float] {
        hasBegun = true
        duration += buffer.duration
        return input.samples(of: buffer)
    }

    private static func check(_ buffer: AudioBuffer) throws(EarshotError) {
        guard SignatureGenerator.sampleRates.contains(buffer.sampleRate) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio at \(buffer.sampleRate) Hz cannot be analyzed: bring it to 8,000 to 192,000 Hz."
            )
        }
        guard SignatureGenerator.channelCounts.contains(buffer.channelCount) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio with \(buffer.channelCount) channels cannot be analyzed: bring it to 1 to 8 channels."
            )
        }
    }
}
