import EarshotCore
import EarshotMedia
import Foundation

/// The media folders of a service. A file is opened only if its real path lies in one of them.
struct MediaRoots: Sendable {
    /// The kind of entry that is expected at a path.
    enum Kind: Sendable {
        case file, folder
    }

    /// A file or folder in a root.
    struct Place: Hashable, Sendable {
        /// Its identifier.
        let id: String
        /// Its real path, without links.
        let url: URL
        /// The current version of the file: its size in bytes and the time of its last change.
        let stamp: String
        /// Its size in bytes.
        let size: Int64

        /// Returns an error whose message names the identifier instead of the path on disk.
        func told(_ error: EarshotError) -> EarshotError {
            EarshotError(error.code, error.message.replacing(url.path, with: id), position: error.position)
        }
    }

    let roots: [MediaRoot]

    /// - Throws: `configurationInvalid` for two roots of one name, and for a root that is no readable folder.
    init(_ roots: [MediaRoot]) throws(EarshotError) {
        self.roots = roots
        for (index, root) in roots.enumerated() {
            guard !roots[..<index].contains(where: { $0.name == root.name }) else {
                throw EarshotError(
                    .configurationInvalid,
                    "Two media folders are named \(root.name): give one of them another name."
                )
            }
            guard FolderWalk.real(root.folder.path) != nil, Self.kind(of: root.folder.path) == .typeDirectory else {
                throw EarshotError(
                    .configurationInvalid,
                    "\(root.folder.path), the media folder \(root.name), is no folder that can be read: check the path."
                )
            }
        }
    }

    /// Returns the file or folder of an identifier. Blocks.
    ///
    /// - Throws: `accessDenied` for a path that leads out of its root, `entityNotFound` if there is no such entry or it is of another kind,
    ///   `storeUnavailable` if the root is not there.
    func place(_ id: String, _ kind: Kind = .file) throws(EarshotError) -> Place {
        let path = try MediaPath(id)
        guard let root = roots.first(where: { $0.name.utf8.elementsEqual(path.root.utf8) }) else {
            throw EarshotError(
                .entityNotFound,
                "There is no media folder named \(path.root.prefix(80)): check the first part of the identifier."
            )
        }
        guard let top = FolderWalk.real(root.folder.path) else {
            throw EarshotError(
                .storeUnavailable,
                "The media folder \(root.name) is missing: ask the operator whether its disk is connected."
            )
        }
        let missing = EarshotError(
            .entityNotFound,
            "There is no file or folder \(id.prefix(200)): check the identifier."
        )
        var current = top
        for name in path.names {
            let next = current + "/" + name
            guard let found = try? FileManager.default.attributesOfItem(atPath: next) else { throw missing }
            // Each link is checked before the next name is read, so that clients cannot find out what exists outside.
            guard let real = FolderWalk.real(next) else {
                throw found[.type] as? FileAttributeType == .typeSymbolicLink ? Self.outside : missing
            }
            guard FolderWalk.lies(real, in: top) else { throw Self.outside }
            current = real
        }
        let found = try? FileManager.default.attributesOfItem(atPath: current)
        switch (found?[.type] as? FileAttributeType, kind) {
        case (.typeRegular?, .file), (.typeDirectory?, .folder): break
        case (.typeDirectory?, .file):
            throw EarshotError(.entityNotFound, "\(id.prefix(200)) is a folder: name a file in it.")
        case (.typeRegular?, .folder):
            throw EarshotError(.entityNotFound, "\(id.prefix(200)) is a file: name a folder.")
        default: throw missing
        }
        let size = (found?[.size] as? NSNumber)?.int64Value ?? 0
        let time = (found?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let url = URL(fileURLWithPath: current, isDirectory: kind == .folder)
        return Place(id: id, url: url, stamp: "\(size) \(time)", size: size)
    }

    /// Returns the identifier of a file; `nil` if it is not below a root.
    func id(of url: URL) -> String? {
        for root in roots {
            for top in [root.folder.path, FolderWalk.real(root.folder.path) ?? root.folder.path] {
                guard FolderWalk.lies(url.path, in: top), url.path.utf8.count > top.utf8.count else { continue }
                let rest = url.path.utf8.dropFirst(top.utf8.count).drop { $0 == UInt8(ascii: "/") }
                return root.name + "/" + String(Substring(rest))
            }
        }
        return nil
    }

    /// Returns the audio files below a folder, in order. Links that lead out of the root are skipped. Blocks.
    ///
    /// - Throws: As ``place(_:_:)`` does.
    func files(below id: String) throws(EarshotError) -> [Place] {
        let folder = try place(id, .folder)
        let name = try MediaPath(id).root
        let top = roots.first { $0.name == name }.flatMap { FolderWalk.real($0.folder.path) } ?? folder.url.path
        let walk = FolderWalk(folder.url.path, suffixes: MediaSuffixes.audible, within: top)
        return walk.files.compactMap { file in
            do throws(EarshotError) {
                return try place(([id] + file.path).joined(separator: "/"))
            } catch {
                // Removed meanwhile, or its name is not allowed in an identifier.
                return nil
            }
        }
    }

    private static var outside: EarshotError {
        EarshotError(
            .accessDenied,
            "This asset is refused because a link leads out of its media folder: only what lies in it is read."
        )
    }

    // MARK: - Paths

    private static func kind(of path: String) -> FileAttributeType? {
        guard let real = FolderWalk.real(path) else { return nil }
        return (try? FileManager.default.attributesOfItem(atPath: real))?[.type] as? FileAttributeType
    }
}
