package import EarshotCore
package import Foundation

/// The list of the files of a service's backup, with digests, to detect an incomplete or damaged backup before it is restored.
package struct BackupManifest: Codable, Sendable {
    package static let fileName = "backup.json"
    private static let currentVersion = 1

    /// A file of the backup.
    package struct File: Codable, Sendable {
        /// The path of the file relative to the backup's folder.
        package let path: String
        let size: Int
        /// The SHA-256 digest as hexadecimal digits.
        let sha256: String
    }

    private let version: Int
    package let files: [File]

    /// The bytes of all files together.
    var size: Int { files.reduce(0) { $0 + $1.size } }

    /// Creates the list of the files of a folder. Blocks.
    ///
    /// - Throws: `readFailed` when a file cannot be read.
    package init(listing folder: URL) throws(EarshotError) {
        version = Self.currentVersion
        var files: [File] = []
        for path in ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
        where path != Self.fileName {
            let url = folder.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            let (size, sha256) = try FileChecksum.of(url)
            files.append(File(path: path, size: size, sha256: sha256))
        }
        self.files = files
    }

    /// Reads the list of a backup; `nil` if there is none, as in backups of earlier versions.
    ///
    /// - Throws: `storeDamaged` if the list cannot be read or has an unknown version.
    package static func read(_ folder: URL) throws(EarshotError) -> BackupManifest? {
        let url = folder.appendingPathComponent(fileName)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        guard let data = FileManager.default.contents(atPath: url.path),
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data)
        else { throw damaged(folder, "\(fileName) cannot be read") }
        guard manifest.version == currentVersion else {
            throw EarshotError(
                .storeDamaged,
                "The backup \(folder.path) was made by another version of this program: restore it with that one."
            )
        }
        return manifest
    }

    /// Writes the list into the folder of a backup.
    package func write(to folder: URL) throws(EarshotError) {
        let data: Data
        do {
            data = try JSONEncoder.sorted(isPretty: true).encode(self)
        } catch {
            throw EarshotError(.internalError, "The list of a backup's files could not be encoded.", cause: error)
        }
        let url = folder.appendingPathComponent(Self.fileName)
        try AtomicFile.write(Array(data) + [0x0A], to: url, replacing: false, mode: 0o600)
    }

    /// Compares every file of a backup with the list. Blocks.
    ///
    /// - Throws: `storeDamaged`, naming the first file that is missing or not as it was copied.
    package func verify(_ folder: URL) throws(EarshotError) {
        for file in files {
            let url = folder.appendingPathComponent(file.path)
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw EarshotError(
                    .storeDamaged,
                    "The backup \(folder.path) is incomplete (\(file.path) is missing): use another backup."
                )
            }
            let (size, sha256) = try FileChecksum.of(url)
            guard size == file.size, sha256 == file.sha256 else {
                throw Self.damaged(folder, "\(file.path) is not as it was copied")
            }
        }
    }

    private static func damaged(_ folder: URL, _ what: String) -> EarshotError {
        EarshotError(.storeDamaged, "The backup \(folder.path) is damaged (\(what)): use another backup.")
    }
}
