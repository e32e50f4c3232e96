import EarshotCore
import EarshotPieces
import Foundation

/// The folder as a cache of parts that are somewhere else too.
extension PieceFiles {
    /// Takes in a part that was fetched.
    ///
    /// - Throws: `storeDamaged` for bytes that are not the part's, `writeFailed`.
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

    /// Removes what can be had again, of that what was used longest ago first, until few enough bytes of it are left: what was made of
    /// parts, and parts that are somewhere else too, with what came of them here before another node had all of it. A part that is nowhere
    /// else is never removed.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that may stay.
    ///   - isKept: Returns `true` if all parts of a piece are somewhere else too.
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
                // A part has the name of its upload, what is on its way one suffix, what was made of a part its digest and a suffix.
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
            // Who reads it goes on reading: the name goes, and the bytes with the last reader.
            if unlink(file.path) == 0 { left -= file.size }
        }
    }
}
