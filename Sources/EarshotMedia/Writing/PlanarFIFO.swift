import EarshotCore
import Foundation

/// Keeps the samples of each channel apart until all are there, in temporary files that have no name.
///
/// Not thread-safe; its calls block.
final class PlanarFIFO {
    private let files: [UnsafeMutablePointer<FILE>]
    private let sampleBytes: Int

    /// - Throws: `writeFailed` when no temporary file can be made.
    init(channelCount: Int, sampleBytes: Int) throws(EarshotError) {
        let made = (0..<channelCount).compactMap { _ in tmpfile() }
        (files, self.sampleBytes) = (made, sampleBytes)
        guard made.count == channelCount else { throw Self.failed() }
    }

    deinit {
        for file in files { fclose(file) }
    }

    /// Adds interleaved samples.
    func append(_ bytes: [UInt8]) throws(EarshotError) {
        let frameBytes = sampleBytes * files.count
        for (channel, file) in files.enumerated() {
            var plane: [UInt8] = []
            plane.reserveCapacity(bytes.count / files.count)
            for place in stride(from: channel * sampleBytes, to: bytes.count, by: frameBytes) {
                plane += bytes[place..<place + sampleBytes]
            }
            guard fwrite(plane, 1, plane.count, file) == plane.count else { throw Self.failed() }
        }
    }

    /// Gives all of the first channel, then all of the second, and so on.
    func forEachPiece(_ body: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) {
        for file in files {
            rewind(file)
            while true {
                var piece = [UInt8](repeating: 0, count: 1 << 16)
                let count = fread(&piece, 1, piece.count, file)
                guard count > 0 else { break }
                try body(Array(piece.prefix(count)))
            }
            guard ferror(file) == 0 else { throw Self.failed() }
        }
    }

    private static func failed() -> EarshotError {
        EarshotError(
            .writeFailed,
            "The channels cannot be kept apart in temporary files: check the space left on the disk."
        )
    }
}
