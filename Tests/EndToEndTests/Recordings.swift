import Earshot
import Foundation
import TestSupport

/// Audio for the command, made from the music that ships with the package.
enum Recordings {
    static let samples = packageFolder.appendingPathComponent("Samples")
    static let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")

    /// Mono audio of a file at 16 kHz.
    static func audio(_ url: URL, seconds: Range<Double>) async throws -> [Float] {
        var options = AssetReader.Options()
        options.sampleRate = 16_000
        options.channels = .mono
        options.range = MediaTime(seconds: seconds.lowerBound)..<MediaTime(seconds: seconds.upperBound)
        var audio: [Float] = []
        for try await block in try await AssetReader(url, options: options) {
            if case .float32(let samples) = block.buffer.samples { audio += samples }
        }
        return audio
    }

    /// Plays audio faster and puts noise under it.
    ///
    /// - Parameters:
    ///   - speed: 1.03 is 3 % fast; pitch rises with it.
    ///   - noise: The level of the noise beside that of the audio; 0.3 is about 10 dB below.
    static func damaged(_ audio: [Float], speed: Double, noise: Float, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        let level = (audio.reduce(0) { $0 + $1 * $1 } / Float(max(1, audio.count))).squareRoot()
        let count = Int(Double(audio.count - 1) / speed)
        return (0..<count).map { index in
            let place = Double(index) * speed
            let whole = Int(place)
            let part = Float(place - Double(whole))
            let sample = audio[whole] * (1 - part) + audio[whole + 1] * part
            return sample + Float.random(in: -1.7...1.7, using: &generator) * noise * level
        }
    }

    /// A WAV file of 16 kHz mono.
    static func wave(_ audio: [Float]) -> Data {
        var data = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(36 + audio.count * 2))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(16_000))
        append(UInt32(32_000))
        append(UInt16(2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(audio.count * 2))
        for sample in audio { append(Int16(max(-1, min(1, sample)) * 32_767)) }
        return data
    }
}
