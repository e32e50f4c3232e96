package import EarshotCore

/// Brings the frames of a recording onto the timeline of its reference, piece by piece.
///
/// Output frame *n* is what the recording has when the reference is *n* frames old. Before the recording there is silence;
/// what it has before the reference begins is left out.
package struct FrameAligner: Sendable {
    private let channelCount: Int
    /// Recording frame = `origin` + `step` · output frame.
    private let origin: Double
    private let interpolator: SincInterpolator
    /// For each channel, frames of the recording from `start` on.
    private var held: [[Float]]
    private var start = 0
    private var next = 0

    /// Output frames worked out at once, and so the memory that they take.
    private static let pieceFrames = 16_384

    /// - Parameters:
    ///   - line: The line of the recording on the reference.
    ///   - sampleRate: Frames a second of the recording and of the output, in hertz.
    ///   - channelCount: Channels of both.
    public init(_ line: ReferenceAlignment, sampleRate: Int, channelCount: Int) {
        self.channelCount = channelCount
        origin = -line.offset.seconds * Double(sampleRate) / line.speed
        interpolator = SincInterpolator(step: 1 / line.speed)
        held = [[Float]](repeating: [], count: channelCount)
    }

    /// Takes the next frames, and hands out what can be worked out.
    ///
    /// - Parameters:
    ///   - buffer: Frames with the channels stated; 32-bit samples.
    ///   - place: The frame of the recording at which it begins; silence is put into a gap.
    ///   - output: Gets interleaved samples.
    package mutating func append(_ buffer: AudioBuffer, at place: Int, output: ([Float]) throws -> Void) rethrows {
        guard case .float32(let samples) = buffer.samples, buffer.channelCount == channelCount else { return }
        var gap = place - start - held[0].count
        while gap > 0 {
            let count = min(gap, Self.pieceFrames)
            for channel in 0..<channelCount { held[channel] += [Float](repeating: 0, count: count) }
            gap -= count
            try drain(until: start + held[0].count - SincInterpolator.reach, output)
        }
        let skipped = min(max(0, -gap), buffer.frameCount)
        for channel in 0..<channelCount {
            held[channel] += (skipped..<buffer.frameCount).map { samples[$0 * channelCount + channel] }
        }
        try drain(until: start + held[0].count - SincInterpolator.reach, output)
    }

    /// Hands out the rest.
    package mutating func finish(output: ([Float]) throws -> Void) rethrows {
        try drain(until: start + held[0].count, output)
    }

    /// Works out the frames whose place in the recording lies before one.
    private mutating func drain(until end: Int, _ output: ([Float]) throws -> Void) rethrows {
        while true {
            let place = origin + Double(next) * interpolator.step
            let rest = ((Double(end) - place) / interpolator.step).rounded(.up)
            guard rest >= 1 else { break }
            let count = Int(min(rest, Double(Self.pieceFrames)))
            var piece = [Float](repeating: 0, count: count * channelCount)
            for channel in 0..<channelCount {
                let samples = interpolator.samples(of: held[channel], from: place - Double(start), count: count)
                for frame in 0..<count { piece[frame * channelCount + channel] = samples[frame] }
            }
            try output(piece)
            next += count
        }
        let needed = Int((origin + Double(next) * interpolator.step).rounded(.down)) - SincInterpolator.reach
        let spent = min(max(0, needed - start), held[0].count)
        for channel in 0..<channelCount { held[channel].removeFirst(spent) }
        start += spent
    }
}
