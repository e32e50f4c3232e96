import EarshotCore
import Foundation

/// A folder that appears complete or not at all: it is filled under a hidden name next to its destination, and then
/// renamed.
final class StagedFolder {
    private let destination: URL
    private let temporary: URL
    private var isDone = false

    /// Creates the hidden folder.
    ///
    /// - Throws: `destinationExists` if the destination exists; `writeFailed`.
    init(_ destination: URL) throws(EarshotError) {
        self.destination = destination
        temporary = destination.deletingLastPathComponent()
            .appendingPathComponent(".earshot-\(UUID().uuidString).partial")
        var status = stat()
        guard lstat(destination.path, &status) != 0 else { throw AtomicFile.exists(destination) }
        try Self.make(temporary)
    }

    deinit {
        if !isDone { try? FileManager.default.removeItem(at: temporary) }
    }

    /// Writes a file, whose name may contain one folder.
    func write(_ reader: any ByteChunkSource, to name: String) throws(EarshotError) {
        let url = temporary.appendingPathComponent(name)
        let folder = url.deletingLastPathComponent()
        let isInside = name.utf8.contains(UInt8(ascii: "/"))
        if isInside, !FileManager.default.fileExists(atPath: folder.path) { try Self.make(folder) }
        let file = try AtomicFile(url)
        while let piece = try reader.next() { try file.write(piece) }
        try file.commit(replacing: false)
        if isInside { Durability.flush(folder: temporary.path) }
    }

    /// Renames the folder to its destination.
    ///
    /// - Throws: `destinationExists`, `writeFailed`.
    func commit() throws(EarshotError) {
        guard rename(temporary.path, destination.path) == 0 else {
            let reason = errno
            if reason == EEXIST || reason == ENOTEMPTY || reason == ENOTDIR { throw AtomicFile.exists(destination) }
            throw EarshotError(
                .writeFailed,
                "The finished folder cannot be moved to \(destination.path) (\(String(cString: strerror(reason)))): check the folder around it."
            )
        }
        isDone = true
        Durability.flush(folder: destination.deletingLastPathComponent().path)
    }

    private static func make(_ folder: URL) throws(EarshotError) {
        guard mkdir(folder.path, 0o777) == 0 else {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made (\(String(cString: strerror(errno)))): check the folder around it."
            )
        }
    }
}
