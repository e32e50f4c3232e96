import EarshotAPI
import EarshotCatalogs
package import EarshotCore
package import Foundation
import Synchronization

/// The catalogs that clients fetch, in immutable versions: `published/NAME/VERSION.earcat`,
/// with their metadata in files beside them.
package struct PublishedCatalogs: Sendable {
    package static let folderName = "published"

    private let root: URL

    /// - Parameter folder: The service's data.
    package init(folder: URL) {
        root = folder.appendingPathComponent(Self.folderName)
    }

    /// Returns the names of all catalogs, in order.
    func names() throws(EarshotError) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).filter(ResourceName.isValid).sorted()
    }

    func url(_ name: String, _ version: Int) -> URL {
        root.appendingPathComponent(name).appendingPathComponent("\(version).earcat")
    }

    /// Returns the file of a version that nodes share. Named by its digest, because files of this node's own versions have the numbers.
    func url(_ name: String, sha256: String) -> URL {
        root.appendingPathComponent(name).appendingPathComponent("\(sha256).earcat")
    }

    /// Returns a temporary address for a version that is being written, and creates the folder of its name.
    ///
    /// - Throws: `requestInvalid` for an invalid name, `writeFailed`.
    func temporaryURL(_ name: String) throws(EarshotError) -> URL {
        try makeFolder(name).appendingPathComponent(".earshot-\(UUID().uuidString).partial")
    }

    private func noteURL(_ name: String, _ version: Int) -> URL {
        root.appendingPathComponent(name).appendingPathComponent("\(version).json")
    }

    /// Returns the versions of a name, the oldest first.
    func versions(of name: String) throws(EarshotError) -> [CatalogVersion] {
        guard ResourceName.isValid(name) else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(name).path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.compactMap { file in
            guard let number = Int(file.dropLast(5)),
                let data = FileManager.default.contents(atPath: noteURL(name, number).path)
            else { return nil }
            return try? ServiceAPI.decoder().decode(CatalogVersion.self, from: data)
        }.sorted { $0.version < $1.version }
    }

    /// Copies all versions to another folder, replacing those of the same number. Others there stay. Blocks.
    ///
    /// - Parameter folder: The folder of another service, or of a copy.
    /// - Throws: `writeFailed`.
    package func copy(to folder: URL) throws(EarshotError) {
        let target = PublishedCatalogs(folder: folder)
        for name in try names() {
            for version in try versions(of: name) {
                let number = version.version
                // The note comes last: without it the version is not there.
                try Self.copy(url(name, number), to: target.url(name, number))
                try Self.copy(noteURL(name, number), to: target.noteURL(name, number))
            }
        }
    }

    private static func copy(_ source: URL, to target: URL) throws(EarshotError) {
        do {
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try? FileManager.default.removeItem(at: target)
            try FileManager.default.copyItem(at: source, to: target)
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(source.path) cannot be copied to \(target.path): check the rights, and the room left.",
                cause: error
            )
        }
    }

    /// Publishes a catalog as the newest version. Blocks.
    ///
    /// - Throws: `requestInvalid` for a name that is none, `writeFailed`.
    func publish(_ catalog: Catalog, as name: String) throws(EarshotError) -> CatalogVersion {
        _ = try makeFolder(name)
        return try Self.publishing.withLock { _ throws(EarshotError) in try write(catalog, as: name) }
    }

    /// Creates the folder of a name.
    ///
    /// - Throws: `requestInvalid` for an invalid name, `writeFailed`.
    private func makeFolder(_ name: String) throws(EarshotError) -> URL {
        guard ResourceName.isValid(name) else {
            throw EarshotError(
                .requestInvalid,
                "The catalog's name is not valid: give 1 to 64 letters, digits, hyphens, dots and underscores."
            )
        }
        let folder = root.appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(folder.path) cannot be made: check its rights, and the room left.",
                cause: error
            )
        }
        return folder
    }

    /// Held while a version is written: two at a time would choose the same number.
    private static let publishing = Mutex(())

    private func write(_ catalog: Catalog, as name: String) throws(EarshotError) -> CatalogVersion {
        let number = (try versions(of: name).last?.version ?? 0) + 1
        let target = url(name, number)
        try catalog.write(to: target, replacing: true)
        let version: CatalogVersion
        do {
            let (size, sha256) = try FileChecksum.of(target)
            version = CatalogVersion(
                name: name,
                version: number,
                size: size,
                references: catalog.count,
                sha256: sha256
            )
            // The note comes last: without it the version is not there.
            try AtomicFile.write(
                [UInt8](ServiceAPI.encoder().encode(version)),
                to: noteURL(name, number),
                replacing: false
            )
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.writeFailed, "\(target.path) cannot be published: check its folder.", cause: error)
        }
        return version
    }
}
