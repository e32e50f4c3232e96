import EarshotCore

extension AudioBlock {
    /// The same sound in blocks of at most so many frames.
    func cut(into frames: Int) -> [AudioBlock] {
        guard buffer.frameCount > frames, frames > 0 else { return [self] }
        return stride(from: 0, to: buffer.frameCount, by: frames).map { first in
            let range = first * buffer.channelCount..<min(first + frames, buffer.frameCount) * buffer.channelCount
            let (rate, channels) = (buffer.sampleRate, buffer.channelCount)
            let part =
                switch buffer.samples {
                case .int16(let samples):
                    AudioBuffer(Array(samples[range]), sampleRate: rate, channelCount: channels)
                case .float32(let samples):
                    AudioBuffer(Array(samples[range]), sampleRate: rate, channelCount: channels)
                }
            return AudioBlock(part, at: time + MediaTime(frames: Int64(first), sampleRate: rate))
        }
    }
}
