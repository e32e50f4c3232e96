import EarshotCore

/// Makes buffers of bytes, wherever those are cut: what is left of a frame waits for the rest of it.
struct PCMDecoder: Sendable {
    let configuration: AudioConfiguration
    private var rest: [UInt8] = []

    init(_ configuration: AudioConfiguration) {
        self.configuration = configuration
    }

    /// Forgets the part of a frame that waits.
    mutating func reset() { rest = [] }

    /// The whole frames of what waits and of new bytes; nothing while there is none.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> AudioBuffer? {
        let size = configuration.bytesPerFrame
        guard rest.isEmpty else {
            let missing = min(size - rest.count, bytes.count)
            rest += bytes.prefix(missing)
            guard rest.count == size else { return nil }
            let whole = rest + bytes.dropFirst(missing)
            rest = []
            return whole.withUnsafeBytes { append($0) }
        }
        let count = bytes.count / size * size
        rest = Array(bytes.dropFirst(count))
        guard count > 0 else { return nil }
        let (rate, channels) = (configuration.sampleRate, configuration.channels)
        let whole = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
        switch configuration.format {
        case .pcm8:
            // In 16 bits the full scales are the same: -128 is -32,768.
            let samples = whole.map { Int16(Int8(bitPattern: $0)) << 8 }
            return AudioBuffer(samples, sampleRate: rate, channelCount: channels)
        case .pcm16:
            let samples = (0..<count / 2).map {
                Int16(littleEndian: whole.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
            return AudioBuffer(samples, sampleRate: rate, channelCount: channels)
        case .float32:
            let samples = (0..<count / 4).map { place in
                let bits = UInt32(littleEndian: whole.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
                // What is no number would spread through every sum that it is part of.
                let sample = Float(bitPattern: bits)
                return sample.isFinite ? sample : 0
            }
            return AudioBuffer(samples, sampleRate: rate, channelCount: channels)
        }
    }
}
