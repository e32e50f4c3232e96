import EarshotCore

/// Frames as a decoder gives them, with the time of the first.
struct DecodedBlock: Sendable {
    /// Interleaved.
    var samples: SampleBuffer
    /// Frames a second, in hertz.
    let sampleRate: Int
    let channelCount: Int
    /// The time of the first frame, on the asset's timeline.
    let time: MediaTime

    var frameCount: Int { samples.count / channelCount }
    var endTime: MediaTime { time + MediaTime(frames: Int64(frameCount), sampleRate: sampleRate) }

    /// The same in the types that apps are given.
    var audioBlock: AudioBlock {
        let buffer: AudioBuffer =
            switch samples.bufferSamples {
            case .int16(let samples): AudioBuffer(samples, sampleRate: sampleRate, channelCount: channelCount)
            case .float32(let samples): AudioBuffer(samples, sampleRate: sampleRate, channelCount: channelCount)
            }
        return AudioBlock(buffer, at: time)
    }
}

extension DecodedBlock {
    init(_ block: AudioBlock) {
        samples = SampleBuffer(block.buffer.samples)
        sampleRate = block.buffer.sampleRate
        channelCount = block.buffer.channelCount
        time = block.time
    }
}
