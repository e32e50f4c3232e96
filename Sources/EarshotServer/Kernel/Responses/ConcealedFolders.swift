import EarshotCore
import Foundation

/// The folders of a service on its machine, which no answer names. The log names them.
struct ConcealedFolders: Sendable {
    /// Paths as bytes, so that no character joins with what stands beside it, and what stands in their place; longer ones first.
    private let names: [(path: Data, name: Data)]

    /// - Parameters:
    ///   - folders: Folders; a path in one of them is told from there on.
    ///   - roots: Folders of media; a path in one of them is told as the identifier of an asset.
    init(_ folders: [URL], roots: [MediaRoot] = []) {
        var names: [String: String] = [:]
        for (folder, name) in folders.map({ ($0, "") }) + roots.map({ ($0.folder, $0.name) }) {
            // Messages name folders as they were given, and as the system knows them.
            for path in [folder.path, folder.standardizedFileURL.path, folder.resolvingSymlinksInPath().path]
            where path.utf8.count > 1 {
                names[path] = name
            }
        }
        self.names = names.sorted { $0.key.utf8.count > $1.key.utf8.count }.map {
            (Data($0.key.utf8), Data($0.value.utf8))
        }
    }

    /// A text in which no folder is named.
    func concealed(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        var bytes = Data(text.utf8)
        for (path, name) in names {
            var start = bytes.startIndex
            while let found = bytes.range(of: path, in: start..<bytes.endIndex) {
                var end = found.upperBound
                var told = name
                let isInside = end < bytes.endIndex && bytes[end] == UInt8(ascii: "/")
                if told.isEmpty {
                    if isInside { end += 1 } else { told = Data("the service's folder".utf8) }
                }
                bytes.replaceSubrange(found.lowerBound..<end, with: told)
                start = found.lowerBound + told.count
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A failure whose message names no folder.
    func concealed(_ error: EarshotError) -> EarshotError {
        EarshotError(
            error.code,
            concealed(error.message),
            position: error.position,
            deviation: error.deviation,
            cause: error.cause
        )
    }
}
