import EarshotCore
import TestSupport
import Testing

@Suite("Audio as bytes")
struct AudioBytesTests {
    @Test("Bytes of every form become samples and the same bytes again")
    func roundTrip() {
        property("audio as bytes") { generator in
            let format = AudioConfiguration.SampleFormat.allCases.randomElement(using: &generator) ?? .pcm16
            let configuration = AudioConfiguration(
                sampleRate: 8_000,
                format: format,
                channels: Int.random(in: 1...2, using: &generator)
            )
            let frames = Int.random(in: 0..<40, using: &generator)
            var bytes = (0..<frames * configuration.bytesPerFrame).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if format == .float32 {
                // Numbers that are none come back as silence.
                for place in stride(from: 0, to: bytes.count, by: 4) { bytes[place + 3] &= 0xBE }
            }
            let rest = [UInt8](repeating: 7, count: Int.random(in: 0..<configuration.bytesPerFrame, using: &generator))
            let buffer = (bytes + rest).withUnsafeBytes { AudioBuffer($0, as: configuration) }
            return buffer.frameCount == frames && buffer.bytes(as: configuration) == bytes
        }
    }

    @Test("Channels are mixed evenly, and one is given to both")
    func channels() {
        let stereo = AudioBuffer([100, 300, -32_768, -32_768] as [Int16], sampleRate: 8_000, channelCount: 2)
        let mono = stereo.bytes(as: AudioConfiguration()).withUnsafeBytes { AudioBuffer($0, as: AudioConfiguration()) }
        #expect(mono.samples == .int16([200, -32_768]))
        let both = AudioConfiguration(channels: 2)
        let back = mono.bytes(as: both).withUnsafeBytes { AudioBuffer($0, as: both) }
        #expect(back.samples == .int16([200, 200, -32_768, -32_768]))
        let three = AudioBuffer([0.25, 0.5, 0.75] as [Float], sampleRate: 8_000, channelCount: 3)
        let floats = AudioConfiguration(format: .float32, channels: 2)
        let mixed = three.bytes(as: floats).withUnsafeBytes { AudioBuffer($0, as: floats) }
        #expect(mixed.samples == .float32([0.5, 0.5]))
    }

    @Test("What is beyond full scale is full scale, and what is no number silence")
    func limits() {
        let buffer = AudioBuffer([2, -2, .nan, .infinity] as [Float], sampleRate: 8_000)
        let whole = buffer.bytes(as: AudioConfiguration()).withUnsafeBytes { AudioBuffer($0, as: AudioConfiguration()) }
        #expect(whole.samples == .int16([32_767, -32_768, 0, 32_767]))
    }
}
