import EarshotCore

/// The last seconds of a stream as mono samples.
struct AudioHistory: Sendable {
    /// Seconds that are kept, at least.
    let seconds: Double
    private(set) var samples: [Float] = []
    private(set) var sampleRate = 0

    init(seconds: Double) { self.seconds = seconds }

    /// Takes what follows. Another rate begins anew.
    mutating func append(_ buffer: AudioBuffer) {
        guard seconds > 0 else { return }
        if buffer.sampleRate != sampleRate { (samples, sampleRate) = ([], buffer.sampleRate) }
        samples += Self.mono(buffer)
        let wanted = Int(seconds * Double(sampleRate))
        // Half as much again, so that not every buffer moves all that is kept.
        if samples.count > wanted + wanted / 2 { samples.removeFirst(samples.count - wanted) }
    }

    /// Forgets all, where the stream breaks off.
    mutating func reset() { samples = [] }

    private static func mono(_ buffer: AudioBuffer) -> [Float] {
        let channels = buffer.channelCount
        let share = 1 / Float(channels)
        func mixed(_ sample: (Int) -> Float) -> [Float] {
            (0..<buffer.frameCount).map { frame in
                var sum: Float = 0
                for channel in 0..<channels { sum += sample(frame * channels + channel) }
                return sum * share
            }
        }
        return switch buffer.samples {
        case .float32(let samples): channels == 1 ? samples : mixed { samples[$0] }
        case .int16(let samples): mixed { Float(samples[$0]) / 32_768 }
        }
    }
}
