// Arbitrary bytes as audio of every form: all whole frames are read, and what is written again is read as the same.

import EarshotCore
import LibFuzzer

fuzz { bytes in
    guard bytes.count >= 2 else { return }
    let formats = AudioConfiguration.SampleFormat.allCases
    let configuration = AudioConfiguration(
        sampleRate: 8_000,
        format: formats[Int(bytes[0]) % formats.count],
        channels: 1 + Int(bytes[1] % 2)
    )
    let rest = Array(bytes.dropFirst(2))
    let buffer = rest.withUnsafeBytes { AudioBuffer($0, as: configuration) }
    precondition(buffer.frameCount == rest.count / configuration.bytesPerFrame)
    let again = buffer.bytes(as: configuration).withUnsafeBytes { AudioBuffer($0, as: configuration) }
    precondition(again == buffer)
    for format in formats {
        for channels in 1...3 {
            let other = AudioConfiguration(sampleRate: 8_000, format: format, channels: channels)
            precondition(buffer.bytes(as: other).count == buffer.frameCount * other.bytesPerFrame)
        }
    }
}
