package import EarshotCore
import EarshotPieces
package import Foundation

/// The files of pieces in a service's folder, as far as a backup needs them.
package struct PieceBackup: Sendable {
    private let folder: URL

    /// Creates the view of a service's folder.
    ///
    /// - Parameter folder: The service's folder, or a copy of it.
    package init(folder: URL) {
        self.folder = folder.appendingPathComponent("pieces", isDirectory: true)
    }

    /// Copies the parts of pieces into another folder, without conversions and unfinished uploads. Blocks.
    ///
    /// - Parameter other: The folder of another service, or of a copy.
    /// - Throws: `writeFailed`.
    package func copy(to other: URL) throws(EarshotError) {
        let target = PieceFiles(folder: other.appendingPathComponent("pieces", isDirectory: true))
        for piece in PieceFiles(folder: folder).pieces() {
            let source = folder.appendingPathComponent(piece.description, isDirectory: true)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: source.path)) ?? []
            try target.make(piece)
            for name in names where !name.contains(".") {
                let copy = target.folder(of: piece).appendingPathComponent(name)
                guard !FileManager.default.fileExists(atPath: copy.path) else { continue }
                do {
                    let partial = copy.appendingPathExtension("partial")
                    try? FileManager.default.removeItem(at: partial)
                    try FileManager.default.copyItem(at: source.appendingPathComponent(name), to: partial)
                    chmod(partial.path, 0o600)
                    try FileManager.default.moveItem(at: partial, to: copy)
                } catch {
                    // A part that was removed meanwhile is left out of the copy.
                    guard FileManager.default.fileExists(atPath: source.appendingPathComponent(name).path) else {
                        continue
                    }
                    throw PieceFiles.unwritable(copy, error)
                }
            }
        }
    }
}
