import Crypto
import EarshotCore
import EarshotPieces
import Foundation

/// The parts of pieces as files: a folder for each piece, in which each part has the name of its upload.
///
/// The name of an unfinished upload ends in `.incoming`; the file stays when the service ends, and is renamed when its digest, size and
/// first bytes are right. Only the user of the service may read the files. All calls block.
struct PieceFiles: Sendable {
    private static let incomingSuffix = ".incoming"
    private static let removedPrefix = ".removed-"
    /// The number of bytes that are read at once.
    private static let blockSize = 1 << 20
    /// The most bytes of a cover.
    static let coverLimit = 16 << 20

    /// The folder that contains those of all pieces.
    let folder: URL

    /// A conversion of a part.
    struct Converted: Sendable {
        let url: URL
        /// The SHA-256 digest as hexadecimal digits.
        let sha256: String
    }

    // MARK: - Places

    func folder(of piece: PieceID) -> URL { folder.appendingPathComponent(piece.description, isDirectory: true) }

    func url(_ part: StoredPart, of piece: PieceID) -> URL { folder(of: piece).appendingPathComponent(part.id) }

    func incoming(_ part: StoredPart, of piece: PieceID) -> URL {
        folder(of: piece).appendingPathComponent(part.id + Self.incomingSuffix)
    }

    /// Returns the number of bytes of a part that were received.
    func received(_ part: StoredPart, of piece: PieceID) -> Int {
        if part.isComplete { return part.size }
        return Self.size(url(part, of: piece)) ?? Self.size(incoming(part, of: piece)) ?? 0
    }

    private static func size(_ url: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int
    }

    // MARK: - Receiving

    /// Makes the folder of a piece.
    func make(_ piece: PieceID) throws(EarshotError) {
        for url in [folder, folder(of: piece)] {
            guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw Self.unwritable(url) }
        }
        Durability.flush(folder: folder.path)
    }

    /// Opens the file of an unfinished upload, truncated to a length.
    func open(_ part: StoredPart, of piece: PieceID, keeping length: Int) throws(EarshotError) -> FileHandle {
        let url = incoming(part, of: piece)
        let descriptor = Foundation.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(url) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.truncate(atOffset: UInt64(length))
            try handle.seek(toOffset: UInt64(length))
        } catch {
            throw Self.unwritable(url, error)
        }
        return handle
    }

    /// Renames a part of which all bytes have arrived, if it is as announced.
    ///
    /// - Throws: `uploadFailed` for another digest, `pieceInvalid` for another format, `coverSizeInvalid`: the file is then removed, so that
    ///   the upload starts over. `writeFailed`.
    func finish(_ part: StoredPart, of piece: PieceID) throws(EarshotError) {
        let (source, target) = (incoming(part, of: piece), url(part, of: piece))
        // The service may have ended after the rename, before the part was marked as complete.
        if Self.size(target) == part.size { return }
        do throws(EarshotError) {
            try Self.check(part, source)
        } catch {
            unlink(source.path)
            throw error
        }
        try Self.flush(source)
        guard rename(source.path, target.path) == 0 else { throw Self.unwritable(target) }
        Durability.flush(folder: folder(of: piece).path)
    }

    /// Checks that a file has the announced size, digest and format.
    private static func check(_ part: StoredPart, _ url: URL) throws(EarshotError) {
        guard size(url) == part.size, try digest(url) == part.sha256 else {
            throw EarshotError(
                .uploadFailed,
                "The \(part.kind.called(part.name)) does not have the announced digest: send it again."
            )
        }
        switch part.kind {
        case .attachment: return
        case .cover:
            guard let data = FileManager.default.contents(atPath: url.path) else { throw unreadable(url) }
            _ = try CoverImage(data)
        case .stem, .preview:
            guard let handle = FileHandle(forReadingAtPath: url.path) else { throw unreadable(url) }
            let begin = (try? handle.read(upToCount: 4_096)) ?? Data()
            try? handle.close()
            guard let format = part.format, StemFormat(beginOf: begin) == format else {
                throw EarshotError(
                    .pieceInvalid,
                    "The \(part.kind.called(part.name)) is not in the format \(part.format?.rawValue ?? "that was announced"): name the "
                        + "format that it has."
                )
            }
        }
    }

    /// Writes a part whose bytes are in memory.
    func write(_ data: Data, as part: StoredPart, of piece: PieceID) throws(EarshotError) {
        try AtomicFile.write([UInt8](data), to: url(part, of: piece), replacing: true, mode: 0o600)
    }

    // MARK: - Reading

    /// Opens a part that is there.
    ///
    /// - Throws: `pieceNotFound` when it was removed meanwhile.
    func read(_ part: StoredPart, of piece: PieceID) throws(EarshotError) -> FileHandle {
        guard let handle = FileHandle(forReadingAtPath: url(part, of: piece).path) else {
            throw EarshotError(
                .pieceNotFound,
                "The \(part.kind.called(part.name)) of the piece \(piece) is no longer stored: choose another piece."
            )
        }
        return handle
    }

    /// Returns the SHA-256 digest of a file, as hexadecimal digits.
    static func digest(_ url: URL) throws(EarshotError) -> String {
        guard let handle = FileHandle(forReadingAtPath: url.path) else { throw unreadable(url) }
        var hash = SHA256()
        do {
            while let block = try handle.read(upToCount: blockSize), !block.isEmpty { hash.update(data: block) }
            try handle.close()
        } catch {
            throw unreadable(url, error)
        }
        return hash.finalize().hexadecimal
    }

    // MARK: - Conversions

    /// Returns an earlier conversion of a part; `nil` if there is none. Its name contains its digest, so the two cannot
    /// disagree.
    func converted(_ part: StoredPart, of piece: PieceID, to format: StemFormat) -> Converted? {
        let folder = folder(of: piece)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names {
            let parts = name.split(separator: ".")
            guard parts.count == 3, parts[0] == part.id, parts[2] == format.fileExtension, parts[1].utf8.count == 64
            else { continue }
            return Converted(url: folder.appendingPathComponent(name), sha256: String(parts[1]))
        }
        return nil
    }

    /// Creates a temporary folder for a conversion or a download.
    func workplace() throws(EarshotError) -> URL {
        let url = folder.appendingPathComponent(".work-\(UUID().uuidString)", isDirectory: true)
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST, mkdir(url.path, 0o700) == 0 else {
            throw Self.unwritable(url)
        }
        return url
    }

    /// Moves the conversion of a part into the folder of its piece.
    ///
    /// - Throws: `pieceNotFound` when the piece was removed meanwhile.
    func keep(
        _ file: URL,
        of part: StoredPart,
        of piece: PieceID,
        as format: StemFormat
    ) throws(EarshotError) -> Converted {
        chmod(file.path, 0o600)
        let digest = try Self.digest(file)
        try Self.flush(file)
        let target = folder(of: piece).appendingPathComponent("\(part.id).\(digest).\(format.fileExtension)")
        guard rename(file.path, target.path) == 0 else {
            if errno == ENOENT {
                throw EarshotError(.pieceNotFound, "The piece \(piece) was removed: choose another piece.")
            }
            throw Self.unwritable(target)
        }
        return Converted(url: target, sha256: digest)
    }

    // MARK: - Removing

    /// Removes all files of a piece. From the first step on, none can be opened by its name.
    func remove(_ piece: PieceID) {
        let aside = folder.appendingPathComponent(Self.removedPrefix + UUID().uuidString)
        let source = folder(of: piece).path
        // Renamed first, so that no other task can add a file while the folder is removed.
        let isAside = rename(source, aside.path) == 0
        try? FileManager.default.removeItem(atPath: isAside ? aside.path : source)
    }

    /// Removes a part with its conversions and its unfinished upload.
    func remove(_ part: DiscardedPart) {
        let folder = folder(of: part.piece)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name == part.part || name.hasPrefix(part.part + ".") {
            unlink(folder.appendingPathComponent(name).path)
        }
    }

    /// Returns the pieces that have a folder.
    func pieces() -> [PieceID] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).compactMap { PieceID($0) }
    }

    /// Renames the folder of all pieces if it contains any.
    ///
    /// - Returns: The new address; `nil` if there are no pieces, or the folder could not be renamed.
    func putAside() -> URL? {
        guard !pieces().isEmpty else { return nil }
        let aside = URL(fileURLWithPath: "\(folder.path)-\(UUID())", isDirectory: true)
        return rename(folder.path, aside.path) == 0 ? aside : nil
    }

    /// Removes the temporary files of conversions, removals and covers that a killed process has left. To be called when the service starts,
    /// before it uses any.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(".work-") || name.hasPrefix(Self.removedPrefix) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        // `AtomicFile` writes covers through files of these names.
        for piece in pieces() {
            let folder = folder(of: piece)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where name.hasPrefix(".earshot-") {
                unlink(folder.appendingPathComponent(name).path)
            }
        }
    }

    // MARK: - Failures

    private static func flush(_ url: URL) throws(EarshotError) {
        let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritable(url) }
        defer { close(descriptor) }
        guard Durability.flush(descriptor) else { throw unwritable(url) }
    }

    static func unwritable(_ url: URL, _ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(
            .writeFailed,
            "A part of a piece could not be kept: check the folder \(url.deletingLastPathComponent().lastPathComponent) and the "
                + "room left.",
            cause: cause
        )
    }

    private static func unreadable(_ url: URL, _ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.internalError, "\(url.path) cannot be read.", cause: cause)
    }
}
