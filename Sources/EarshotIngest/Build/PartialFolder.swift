package import EarshotCatalogs
package import EarshotCore
package import EarshotSignatures
package import Foundation

/// The finished parts of a catalog that is being made: one signature and one note a file.
///
/// The note is written last, so a part without one does not exist. What an interrupted run leaves here, the next one goes
/// on from.
package final class PartialFolder: @unchecked Sendable {
    // Sendable: the fields do not change after the initializer; files of different parts do not meet.
    private struct Note: Codable {
        var id: String
        var stamp: String
        var title: String?
        var artist: String?
        var album: String?
        var isrc: String?
        var genres: [String]?
    }

    private let folder: URL
    private let lock: Int32

    /// Opens the folder beside a destination, making it where there is none.
    ///
    /// - Throws: `writeFailed` when it cannot be made, or another run is at work in it.
    package init(for destination: URL) throws(EarshotError) {
        folder = destination.deletingLastPathComponent()
            .appendingPathComponent(destination.lastPathComponent + ".partial", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "Cannot make the folder \(folder.path): check that you may write there.",
                cause: error
            )
        }
        lock = open(folder.appendingPathComponent("lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if lock >= 0 { close(lock) }
            throw EarshotError(
                .writeFailed,
                "Another run is making \(destination.path): wait for it, or choose another name."
            )
        }
    }

    deinit { FileLock.release(lock) }

    /// The folder in which the finished parts of a catalog file are put together.
    package var workshop: URL { folder.appendingPathComponent("parts.earstore", isDirectory: true) }

    /// Returns `true` if a file, in its present state, is done.
    package func contains(_ file: MusicFile, stamp: String) -> Bool {
        guard let note = note(of: file), note.stamp == stamp else { return false }
        // A part that cannot be read, being damaged or of another version, is made again.
        return (try? Signature(contentsOf: path(file, "earsig"))) != nil
    }

    /// Keeps a finished part.
    package func store(_ signature: Signature, item: MediaItem, stamp: String, of file: MusicFile) throws(EarshotError)
    {
        try signature.write(to: path(file, "earsig"), replacing: true)
        let note = Note(
            id: file.id.rawValue,
            stamp: stamp,
            title: item.title,
            artist: item.artist,
            album: item.album,
            isrc: item.isrc,
            genres: item.genres.isEmpty ? nil : item.genres
        )
        let text: String
        do {
            text = try JSON.line(note)
        } catch {
            throw EarshotError(
                .internalError,
                "The progress record of \(file.id) could not be encoded: please report this.",
                cause: error
            )
        }
        try AtomicFile.write(Array(text.utf8), to: path(file, "json"), replacing: true)
    }

    /// Reads a finished part.
    package func load(_ file: MusicFile) throws -> (signature: Signature, item: MediaItem) {
        guard let note = note(of: file) else {
            throw EarshotError(
                .readFailed,
                "The part of \(file.id) in \(folder.path) is missing: run the same command again."
            )
        }
        let signature = try Signature(contentsOf: path(file, "earsig"))
        var properties: [MediaItemKey: PropertyValue] = [.sourceStamp: .string(note.stamp)]
        properties[.title] = note.title.map { .string($0) }
        properties[.artist] = note.artist.map { .string($0) }
        properties[.album] = note.album.map { .string($0) }
        properties[.isrc] = note.isrc.map { .string($0) }
        properties[.genres] = note.genres.map { .array($0.map { .string($0) }) }
        return (signature, try MediaItem(properties: properties))
    }

    /// Returns `true` if an interrupted run has left something beside a destination.
    package static func exists(for destination: URL) -> Bool {
        FileManager.default.fileExists(atPath: destination.path + ".partial")
    }

    /// Takes a part away that is in the catalog now.
    package func discard(_ file: MusicFile) {
        for suffix in ["json", "earsig"] { try? FileManager.default.removeItem(at: path(file, suffix)) }
    }

    /// Takes the folder away.
    package func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func note(of file: MusicFile) -> Note? {
        guard let data = try? Data(contentsOf: path(file, "json")),
            let note = try? JSONDecoder().decode(Note.self, from: data), note.id == file.id.rawValue
        else { return nil }
        return note
    }

    /// A name that any file system takes: checks over the reference's name, forwards and backwards.
    private func path(_ file: MusicFile, _ suffix: String) -> URL {
        let bytes = Array(file.id.rawValue.utf8)
        let name = String(format: "%08x%08x", CRC32C.checksum(bytes), CRC32C.checksum(bytes.reversed()))
        return folder.appendingPathComponent("\(name).\(suffix)")
    }
}
