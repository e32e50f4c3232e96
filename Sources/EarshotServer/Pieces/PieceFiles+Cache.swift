import EarshotCore
import EarshotPieces
import Foundation

/// The folder as a cache of parts that the object store has too.
extension PieceFiles {
    /// Moves a fetched part into the folder of its piece.
    ///
    /// - Throws: `storeDamaged` if its digest is not that of the part, `writeFailed`.
    func take(_ file: URL, as part: StoredPart, of piece: PieceID) throws(EarshotError) {
        guard try Self.digest(file) == part.sha256 else {
            throw EarshotError(
                .storeDamaged,
                "The \(part.kind.called(part.name)) of the piece \(piece) differs from the stored digest: restore the object store."
            )
        }
        try make(piece)
        let target = url(part, of: piece)
        guard rename(file.path, target.path) == 0 else { throw Self.unwritable(target) }
    }

    /// Removes files that can be made or fetched again, the least recently used first, until those that are left have at most `limit` bytes:
    /// conversions, and of pieces in the object store also parts and unfinished uploads. A part that only this folder has is never removed.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of such files that stay.
    ///   - isKept: Returns `true` if the object store has all parts of a piece.
    func trim(to limit: Int, isKept: (PieceID) -> Bool) {
        let keys: Set<URLResourceKey> = [
            .isRegularFileKey, .fileSizeKey, .contentAccessDateKey, .contentModificationDateKey,
        ]
        var found: [(path: String, size: Int, used: Date)] = []
        for id in pieces() {
            let isKept = isKept(id)
            let files = try? FileManager.default.contentsOfDirectory(
                at: folder(of: id),
                includingPropertiesForKeys: Array(keys)
            )
            for file in files ?? [] {
                // Names: `UPLOAD` for a part, `UPLOAD.incoming` for an unfinished one, `UPLOAD.DIGEST.FORMAT` for a conversion.
                let suffixes = file.lastPathComponent.split(separator: ".").count - 1
                guard suffixes == 2 || isKept else { continue }
                guard let values = try? file.resourceValues(forKeys: keys), values.isRegularFile == true else {
                    continue
                }
                let used = max(values.contentAccessDate ?? .distantPast, values.contentModificationDate ?? .distantPast)
                found.append((file.path, values.fileSize ?? 0, used))
            }
        }
        var left = found.reduce(0) { $0 + $1.size }
        for file in found.sorted(by: { $0.used < $1.used }) where left > limit {
            // Open readers are not disturbed: the bytes stay until the last one closes the file.
            if unlink(file.path) == 0 { left -= file.size }
        }
    }
}
