/// Makes WAV files for tests that need long ones.
enum WaveFile {
    /// A 16-bit WAV file.
    ///
    /// - Parameter statedBytes: The size of the sound as the header has it, where that is not the truth.
    static func bytes(_ samples: [Int16], sampleRate: Int, channelCount: Int, statedBytes: Int? = nil) -> [UInt8] {
        var bytes = header(
            sampleRate: sampleRate,
            channelCount: channelCount,
            dataBytes: statedBytes ?? samples.count * 2
        )
        for sample in samples { append(sample, to: &bytes) }
        return bytes
    }

    static func header(sampleRate: Int, channelCount: Int, dataBytes: Int) -> [UInt8] {
        var bytes = Array("RIFF".utf8)
        append(UInt32(truncatingIfNeeded: dataBytes + 36), to: &bytes)
        bytes += Array("WAVEfmt ".utf8)
        append(UInt32(16), to: &bytes)
        append(UInt16(1), to: &bytes)
        append(UInt16(channelCount), to: &bytes)
        append(UInt32(sampleRate), to: &bytes)
        append(UInt32(sampleRate * channelCount * 2), to: &bytes)
        append(UInt16(channelCount * 2), to: &bytes)
        append(UInt16(16), to: &bytes)
        bytes += Array("data".utf8)
        append(UInt32(truncatingIfNeeded: dataBytes), to: &bytes)
        return bytes
    }

    /// The left and right chirp, interleaved.
    static func chirps(sampleRate: Int, frames: Int) -> [Int16] {
        (0..<frames).flatMap { frame in
            let t = Double(frame) / Double(sampleRate)
            return [TestSignal.left(t), TestSignal.right(t)].map { Int16(($0 * 32767).rounded()) }
        }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
