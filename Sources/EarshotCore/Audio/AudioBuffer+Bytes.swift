extension AudioBuffer {
    /// Decodes interleaved bytes. Bytes after the last whole frame are ignored.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved samples as the configuration says.
    ///   - configuration: The layout of the bytes. It must have a rate above 0 and 1 channel or more.
    public init(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        let (rate, channels) = (configuration.sampleRate, configuration.channels)
        let samples = bytes.count / configuration.bytesPerFrame * channels
        switch configuration.format {
        case .pcm8:
            // In 16 bits the full scales are the same: -128 is -32,768.
            self.init(
                (0..<samples).map { Int16(Int8(bitPattern: bytes[$0])) << 8 },
                sampleRate: rate,
                channelCount: channels
            )
        case .pcm16:
            let integers = (0..<samples).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
            self.init(integers, sampleRate: rate, channelCount: channels)
        case .float32:
            let floats = (0..<samples).map { place in
                let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
                // What is no number would spread through every sum that it is part of.
                let sample = Float(bitPattern: bits)
                return sample.isFinite ? sample : 0
            }
            self.init(floats, sampleRate: rate, channelCount: channels)
        }
    }

    /// Encodes the samples as interleaved bytes. Two channels are mixed equally into one, and one is copied to both;
    /// more than two are distributed by turns, the first to the left. Samples beyond full scale are clipped in integer
    /// formats, and values that are not finite become silence.
    ///
    /// - Parameter configuration: The layout of the bytes. Its sample rate is ignored: nothing is resampled.
    public func bytes(as configuration: AudioConfiguration) -> [UInt8] {
        let buffer = mixed(to: max(1, configuration.channels))
        var bytes: [UInt8] = []
        func reserve(_ count: Int) { bytes.reserveCapacity(count * configuration.format.byteCount) }
        func put(_ sample: Float) {
            switch configuration.format {
            case .pcm8: bytes.append(UInt8(bitPattern: Int8(Self.clamped(sample * 128, -128, 127))))
            case .pcm16: put(Int16(Self.clamped(sample * 32_768, -32_768, 32_767)))
            case .float32: put((sample.isFinite ? sample : 0).bitPattern)
            }
        }
        func put(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        switch buffer.samples {
        case .int16(let samples):
            reserve(samples.count)
            for sample in samples {
                if configuration.format == .pcm16 { put(sample) } else { put(Float(sample) / 32_768) }
            }
        case .float32(let samples):
            reserve(samples.count)
            for sample in samples { put(sample) }
        }
        return bytes
    }

    private static func clamped(_ sample: Float, _ least: Float, _ most: Float) -> Float {
        sample.isNaN ? 0 : min(most, max(least, sample.rounded()))
    }

    /// The same with another number of channels: each output takes the mean of the inputs that go to it by turns.
    private func mixed(to count: Int) -> AudioBuffer {
        guard channelCount != count else { return self }
        // The channels of each output; a single one goes to every output.
        let inputs = (0..<count).map { output in
            Array(stride(from: output % channelCount, to: channelCount, by: count))
        }
        switch samples {
        case .int16(let samples):
            var mixed: [Int16] = []
            mixed.reserveCapacity(frameCount * count)
            for frame in stride(from: 0, to: samples.count, by: channelCount) {
                for channels in inputs {
                    let sum = channels.reduce(0) { $0 + Int(samples[frame + $1]) }
                    mixed.append(Int16(clamping: sum / channels.count))
                }
            }
            return AudioBuffer(mixed, sampleRate: sampleRate, channelCount: count)
        case .float32(let samples):
            var mixed: [Float] = []
            mixed.reserveCapacity(frameCount * count)
            for frame in stride(from: 0, to: samples.count, by: channelCount) {
                for channels in inputs {
                    mixed.append(channels.reduce(0) { $0 + samples[frame + $1] } / Float(channels.count))
                }
            }
            return AudioBuffer(mixed, sampleRate: sampleRate, channelCount: count)
        }
    }
}
