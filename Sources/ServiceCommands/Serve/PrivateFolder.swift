import EarshotCore
import EarshotServer
import Foundation

/// Keeps a folder from everybody but its owner, and the files of a service in it.
enum PrivateFolder {
    /// Folders and files of a service, beside its databases and stores.
    private static let names: Set = [
        "pieces", "fingerprints", BundleRepository.folderName, "live", "published", "backups", "audit.log",
        OperatorTokenFile.name,
    ]
    /// Ends of the names of databases, with what SQLite puts beside them, and of stores.
    private static let ends = [".sqlite", ".sqlite-wal", ".sqlite-shm", ".earstore"]

    /// Takes the rights of others away, of a folder and of what a service has in it.
    ///
    /// What somebody put beside it, as music that another program reads too, keeps its rights, for nobody could give them back. Where a folder in it was closed already, what lies in that one stays as it is: nobody else reaches it. Links are not followed.
    ///
    /// - Parameter url: The folder.
    /// - Returns: The number of folders and files that were open to others.
    /// - Throws: `accessDenied` for a folder of another user, `writeFailed` for one that cannot be closed.
    @discardableResult
    static func close(_ url: URL) throws(EarshotError) -> Int {
        let path = url.resolvingSymlinksInPath().path
        guard let entry = Entry(path) else {
            throw EarshotError(.writeFailed, "The folder \(url.path) cannot be looked at: check its rights.")
        }
        guard entry.owner == geteuid() else {
            throw EarshotError(
                .accessDenied,
                "The folder \(url.path) belongs to another user, who could change what is in it: run this as that user, or name a folder "
                    + "in it with --data, which is made."
            )
        }
        if entry.isOpen, chmod(path, entry.rights & 0o700 | 0o700) != 0 {
            throw EarshotError(
                .writeFailed,
                "The folder \(url.path) is open to others and cannot be closed: name one with --data on a disk that keeps rights."
            )
        }
        let contents = closeContents(of: path) { name in
            names.contains(name) || ends.contains { name.hasSuffix($0) }
        }
        return (entry.isOpen ? 1 : 0) + contents
    }

    private static func closeContents(of folder: String, where isOwn: (String) -> Bool = { _ in true }) -> Int {
        var count = 0
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isOwn(name) {
            let path = folder + "/" + name
            guard let entry = Entry(path), entry.owner == geteuid(), entry.isOpen,
                [.typeRegular, .typeDirectory].contains(entry.type), chmod(path, entry.rights & 0o700) == 0
            else { continue }
            count += 1
            if entry.type == .typeDirectory { count += closeContents(of: path) }
        }
        return count
    }

    /// The file or folder of a name: a link stands for itself.
    private struct Entry {
        let type: FileAttributeType
        let owner: uid_t
        let rights: mode_t
        /// Says that others may do something with it.
        var isOpen: Bool { rights & 0o077 != 0 }

        init?(_ path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let type = attributes[.type] as? FileAttributeType,
                let owner = attributes[.ownerAccountID] as? NSNumber,
                let rights = attributes[.posixPermissions] as? NSNumber
            else { return nil }
            (self.type, self.owner, self.rights) = (
                type, owner.uint32Value, mode_t(truncatingIfNeeded: rights.intValue)
            )
        }
    }
}
