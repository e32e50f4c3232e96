import EarshotCatalogs
import EarshotCore
import Foundation

extension MediaItemKey {
    /// Which state of which file a reference was made from. Text; written by the command.
    static let sourceStamp: MediaItemKey = "sourceStamp"
}

/// Tells a changed file from an unchanged one by its size and a check over its first and last 64 KiB.
///
/// Not by its date: a copy of the music elsewhere then gives the same catalog, to the byte.
enum SourceStamp {
    private static let reach = 65_536

    static func stamp(of url: URL) throws(EarshotError) -> String {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            let size = try handle.seekToEnd()
            var crc = CRC32C()
            for offset in [0, size > UInt64(reach) ? size - UInt64(reach) : 0] {
                try handle.seek(toOffset: offset)
                let bytes = [UInt8](try handle.read(upToCount: reach) ?? Data())
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
