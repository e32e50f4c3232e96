import Earshot
import Foundation

// Mixes two songs, the second of them quieter and some seconds later, into a file.
//
//   MixSongs FIRST SECOND RESULT [SECONDS]
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3 else {
    FileHandle.standardError.write(Data("usage: MixSongs FIRST SECOND RESULT [SECONDS]\n".utf8))
    exit(2)
}
let paths = arguments.map { URL(fileURLWithPath: $0) }
let delay = MediaTime(seconds: arguments.dropFirst(3).first.flatMap(Double.init) ?? 5, preferredTimescale: 44_100)

do {
    // Both come in the format of the mix, whatever they are.
    let options = AssetReader.Options(sampleRate: 44_100, channels: .stereo)
    let first = try await AssetReader(paths[0], options: options)
    let second = try await AssetReader(paths[1], options: options)
    let mix = try AudioMix([.init(first, gain: 0.7), .init(second, gain: 0.3, at: delay)], format: first.format)

    let writer = try AssetWriter(to: paths[2])
    let input = try writer.addInput(first.format)
    try await writer.start()
    try await input.append(contentsOf: mix)
    let file = try await writer.finish()
    print("\(paths[2].lastPathComponent): \(file.duration.label), \(file.byteCount) bytes")
} catch {
    FileHandle.standardError.write(Data("MixSongs: \(error)\n".utf8))
    exit(1)
}
