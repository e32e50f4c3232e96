extension AudioBuffer {
    /// Returns the frames in a range, limited to the frames of the buffer.
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

extension AudioBuffer {
    /// Joins buffers of one format in order; returns `nil` for no buffers, and for buffers of different formats.
    package static func joined(_ buffers: some Collection<AudioBuffer>) -> AudioBuffer? {
        guard let first = buffers.first, buffers.count > 1 else { return buffers.first }
        guard buffers.allSatisfy({ $0.format == first.format }) else { return nil }
        switch first.samples {
        case .int16:
            var joined: [Int16] = []
            for case .int16(let samples) in buffers.lazy.map(\.samples) { joined += samples }
            return AudioBuffer(joined, sampleRate: first.sampleRate, channelCount: first.channelCount)
        case .float32:
            var joined: [Float] = []
            for case .float32(let samples) in buffers.lazy.map(\.samples) { joined += samples }
            return AudioBuffer(joined, sampleRate: first.sampleRate, channelCount: first.channelCount)
        }
    }
}
