package import EarshotCatalogs
package import EarshotCore
package import Foundation

extension MediaItemKey {
    /// The state of the file that a reference was made from. Text; written by the command.
    package static let sourceStamp: MediaItemKey = "sourceStamp"
}

/// Tells a changed file from an unchanged one by its size and a check over 64 pieces of it, 16 KiB each, spread evenly
/// from the first byte to the last. A file up to 1 MiB is read whole.
///
/// Not by its date: a copy of the music elsewhere then gives the same catalog, to the byte.
package enum SourceStamp {
    private static let pieceSize: UInt64 = 16_384
    private static let pieces: UInt64 = 64

    package static func stamp(of url: URL) throws(EarshotError) -> String {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            let size = try handle.seekToEnd()
            let stride = size > pieces * pieceSize ? (size - pieceSize) / (pieces - 1) : pieceSize
            var crc = CRC32C()
            for piece in 0..<pieces where piece * stride < size {
                try handle.seek(toOffset: piece * stride)
                let bytes = [UInt8](try handle.read(upToCount: Int(pieceSize)) ?? Data())
                bytes.withUnsafeBytes { crc.update($0) }
            }
            return "\(size)-" + String(format: "%08x", crc.value)
        } catch {
            throw EarshotError(
                .assetUnreadable,
                "\(url.path) cannot be read: check that you may read it.",
                cause: error
            )
        }
    }
}
