extension AudioBuffer {
    /// A run of the frames, cut to what there is.
    package func frames(_ range: Range<Int>) -> AudioBuffer {
        let range = range.clamped(to: 0..<frameCount)
        let cut = range.lowerBound * channelCount..<range.upperBound * channelCount
        return switch samples {
        case .int16(let samples):
            AudioBuffer(Array(samples[cut]), sampleRate: sampleRate, channelCount: channelCount)
        case .float32(let samples):
            AudioBuffer(Array(samples[cut]), sampleRate: sampleRate, channelCount: channelCount)
        }
    }
}
