import EarshotCore
import Foundation

/// Removes paths of the service's folders from responses. The log keeps them.
struct ConcealedFolders: Sendable {
    /// The paths with their replacements, longer ones first. As bytes, because a character may combine with the one beside it.
    private let names: [(path: Data, name: Data)]

    /// - Parameters:
    ///   - folders: Folders. A path in one of them is shown relative to it.
    ///   - roots: Media folders. A path in one of them is shown as the identifier of an asset.
    init(_ folders: [URL], roots: [MediaRoot] = []) {
        var names: [String: String] = [:]
        for (folder, name) in folders.map({ ($0, "") }) + roots.map({ ($0.folder, $0.name) }) {
            // Messages may contain a folder as it was given, standardized, or with its links resolved.
            for path in [folder.path, folder.standardizedFileURL.path, folder.resolvingSymlinksInPath().path]
            where path.utf8.count > 1 {
                names[path] = name
            }
        }
        self.names = names.sorted { $0.key.utf8.count > $1.key.utf8.count }.map {
            (Data($0.key.utf8), Data($0.value.utf8))
        }
    }

    /// Returns a text without the paths of folders.
    func concealed(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        var bytes = Data(text.utf8)
        for (path, name) in names {
            var told = Data()
            var start = bytes.startIndex
            var place = start
            while let found = bytes.range(of: path, in: place..<bytes.endIndex) {
                place = found.upperBound
                guard !Self.isWithinName(found, in: bytes) else { continue }
                told += bytes[start..<found.lowerBound]
                start = found.upperBound
                let isInside = start < bytes.endIndex && bytes[start] == UInt8(ascii: "/")
                if !name.isEmpty {
                    told += name
                } else if isInside {
                    start += 1
                } else {
                    told += Data("the service's folder".utf8)
                }
                place = start
            }
            bytes = told + bytes[start...]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `true` if a found path is part of another path or of a longer name: the folder `/data` is not named in `music/data/a.wav` or
    /// `/database`.
    private static func isWithinName(_ range: Range<Data.Index>, in bytes: Data) -> Bool {
        func isName(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        let isBehind = range.lowerBound > bytes.startIndex && isName(bytes[range.lowerBound - 1])
        return isBehind || range.upperBound < bytes.endIndex && isName(bytes[range.upperBound])
    }

    /// Returns an error whose message names no folder.
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
