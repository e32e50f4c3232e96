import EarshotCore
import EarshotPieces

/// Keeps what is needed of a loop while its piece is heard: the sound at both ends, of each channel, and the whole loop as one channel
/// where it is short.
struct LoopCapture {
    /// Longer loops are not kept: they are heard long enough as they are, in seconds.
    static let longest = 20.0

    private let loop: LoopMarkers
    private var format: (rate: Int, channels: Int)?
    /// Frames that came.
    private var count = 0
    private var heads: [[Float]] = []
    private var tails: [[Float]] = []
    private var mono: [Float] = []
    private var isWhole = true

    init(_ loop: LoopMarkers) {
        self.loop = loop
    }

    /// Takes the next block. Where the format changes, or sound is missing, the loop is not known.
    mutating func append(_ buffer: AudioBuffer, isContinuous: Bool) {
        let format = self.format ?? (buffer.sampleRate, buffer.channelCount)
        if self.format == nil {
            self.format = format
            heads = Array(repeating: [], count: format.channels)
            tails = heads
        }
        guard isWhole, isContinuous, format == (buffer.sampleRate, buffer.channelCount) else {
            isWhole = false
            return
        }
        let frames = frames(format.rate)
        let context = Int(LoopSeam.context * Double(format.rate))
        let here = count..<count + buffer.frameCount
        // A file may be a little shorter than was said: what comes before is kept too.
        let tail = max(frames.lowerBound, frames.upperBound - 2 * context)..<frames.upperBound
        for place in frames.lowerBound..<min(frames.lowerBound + context, frames.upperBound) where here ~= place {
            for channel in heads.indices { heads[channel].append(buffer.sample(place - count, channel)) }
        }
        for place in tail.clamped(to: here) {
            for channel in tails.indices { tails[channel].append(buffer.sample(place - count, channel)) }
        }
        if loop.seconds <= Self.longest {
            for place in frames.clamped(to: here) {
                let sum = heads.indices.reduce(0) { $0 + buffer.sample(place - count, $1) }
                mono.append(sum / Float(format.channels))
            }
        }
        count = here.upperBound
    }

    private func frames(_ rate: Int) -> Range<Int> {
        func frame(_ time: Microseconds) -> Int { Int((time.seconds * Double(rate)).rounded()) }
        return frame(loop.start)..<max(frame(loop.start), frame(loop.end))
    }

    /// The seam; `nil` if the loop was not heard whole.
    var seam: LoopSeam? {
        guard isWhole, let rate = format?.rate else { return nil }
        let seams = zip(tails, heads).compactMap { LoopSeam(before: $0, after: $1, sampleRate: rate) }
        return seams.count == heads.count ? LoopSeam(seams) : nil
    }

    /// The loop as one channel; `nil` if it was not heard whole, or is long.
    var sound: AudioBuffer? {
        guard isWhole, let rate = format?.rate, mono.count >= rate / 10 else { return nil }
        return AudioBuffer(mono, sampleRate: rate)
    }
}

extension AudioBuffer {
    fileprivate func sample(_ frame: Int, _ channel: Int) -> Float {
        switch samples {
        case .int16(let samples): Float(samples[frame * channelCount + channel]) / 32_768
        case .float32(let samples): samples[frame * channelCount + channel]
        }
    }
}
