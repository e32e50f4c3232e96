import CommandKit
import Earshot
import Foundation

/// Writes a recording as it lies on another one's timeline: a WAV file of 32-bit floating point, at the recording's own
/// rate and with its channels, whose first frame is the first instant of the other.
enum AlignedWave {
    /// A WAV file counts its bytes in 32 bits.
    private static let byteLimit = Int(UInt32.max) - 1_024

    static func write(
        _ recording: Asset,
        on line: ReferenceAlignment,
        to url: URL,
        replacing: Bool
    ) async throws {
        let reader = try await Clip.reader(recording.url)
        let format = reader.format
        var aligner = FrameAligner(line, sampleRate: format.sampleRate, channelCount: format.channelCount)
        let file = try AtomicFile(url)
        try file.write(header(format, bytes: 0))
        var bytes = 0
        let bar = ProgressBar(total: 100)
        defer { bar.finish() }
        var percent = 0
        func put(_ samples: [Float]) throws {
            bytes += samples.count * 4
            guard bytes <= byteLimit else {
                throw EarshotError(
                    .writeFailed,
                    "\(url.path) would be larger than the 4 GB that a WAV file can hold: cut the recording."
                )
            }
            try file.write(samples.withUnsafeBytes { Data($0) })
        }
        do {
            for try await block in reader {
                let start = block.time.converted(toTimescale: Int32(clamping: format.sampleRate)).value
                try aligner.append(block.buffer, at: Int(clamping: start)) { try put($0) }
                while percent < Int((reader.progress.fraction ?? 0) * 100) {
                    bar.step(audioSeconds: 0)
                    percent += 1
                }
            }
        } catch let error as EarshotError where error.code == .readFailed && bytes > 0 {
            Terminal.printError("\(error.message) The part before that is written.")
        }
        try aligner.finish { try put($0) }
        try file.overwrite(header(format, bytes: bytes), at: 0)
        try file.commit(replacing: replacing)
    }

    private static func header(_ format: AudioFormat, bytes: Int) -> [UInt8] {
        var header = ByteWriter()
        let frame = format.channelCount * 4
        header.write(contentsOf: "RIFF".utf8)
        header.write(UInt32(clamping: 36 + 14 + bytes))
        header.write(contentsOf: "WAVEfmt ".utf8)
        // Floating point asks for the size of an extension, and a chunk with the number of frames.
        header.write(UInt32(18))
        header.write(UInt16(3))
        header.write(UInt16(clamping: format.channelCount))
        header.write(UInt32(clamping: format.sampleRate))
        header.write(UInt32(clamping: format.sampleRate * frame))
        header.write(UInt16(clamping: frame))
        header.write(UInt16(32))
        header.write(UInt16(0))
        header.write(contentsOf: "fact".utf8)
        header.write(UInt32(4))
        header.write(UInt32(clamping: bytes / frame))
        header.write(contentsOf: "data".utf8)
        header.write(UInt32(clamping: bytes))
        return header.bytes
    }
}
