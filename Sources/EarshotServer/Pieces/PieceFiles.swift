import Crypto
import EarshotCore
import EarshotPieces
import Foundation

/// The parts of pieces as files: a folder for each piece, in which each part has the name of its upload.
///
/// What is on its way ends in `.incoming` and stays where it is when the service ends; it takes its name when digest, size and first
/// bytes are right. Nobody but the service's own user may read any of it. All calls block.
struct PieceFiles: Sendable {
    private static let incomingSuffix = ".incoming"
    private static let removedPrefix = ".removed-"
    /// The number of bytes that are read at once.
    private static let blockSize = 1 << 20
    /// The most bytes of a cover.
    static let coverLimit = 16 << 20

    /// All pieces are in it.
    let folder: URL

    /// A file that was made of a part.
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

    /// Opens what is on its way, cut to a length.
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

    /// Gives a part of which all bytes are there its name, if it is what was announced.
    ///
    /// - Throws: `uploadFailed` for another digest, and nothing of the part is left then; `pieceInvalid` for another format,
    ///   `coverSizeInvalid`, `writeFailed`.
    func finish(_ part: StoredPart, of piece: PieceID) throws(EarshotError) {
        let (source, target) = (incoming(part, of: piece), url(part, of: piece))
        // All was done before, and the service ended before it could say so.
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

    /// Looks whether a file is what was announced.
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

    /// Puts a part that came whole in its place.
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

    /// The digest of a file, as hexadecimal digits.
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

    /// A folder in which a conversion takes place.
    func workplace() throws(EarshotError) -> URL {
        let url = folder.appendingPathComponent(".work-\(UUID().uuidString)", isDirectory: true)
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST, mkdir(url.path, 0o700) == 0 else {
            throw Self.unwritable(url)
        }
        return url
    }

    /// Keeps what was made of a part.
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

    /// Removes all files of a piece, at once as far as names go.
    func remove(_ piece: PieceID) {
        let aside = folder.appendingPathComponent(Self.removedPrefix + UUID().uuidString)
        let source = folder(of: piece).path
        // Nobody can put anything into it any more.
        let isAside = rename(source, aside.path) == 0
        try? FileManager.default.removeItem(atPath: isAside ? aside.path : source)
    }

    /// Removes a part, with what was made of it.
    func remove(_ part: DiscardedPart) {
        let folder = folder(of: part.piece)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name == part.part || name.hasPrefix(part.part + ".") {
            unlink(folder.appendingPathComponent(name).path)
        }
    }

    /// The pieces that there are files of.
    func pieces() -> [PieceID] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).compactMap { PieceID($0) }
    }

    /// Gives the folder of all pieces another name beside it, where there are any.
    ///
    /// - Returns: The folder; `nil` where there is nothing to keep, or it could not be done.
    func putAside() -> URL? {
        guard !pieces().isEmpty else { return nil }
        let aside = URL(fileURLWithPath: "\(folder.path)-\(UUID())", isDirectory: true)
        return rename(folder.path, aside.path) == 0 ? aside : nil
    }

    /// Removes what a lost process has left of conversions and of removals. Nothing of it is used by a service that just begins.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(".work-") || name.hasPrefix(Self.removedPrefix) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        // Covers that were being written.
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
