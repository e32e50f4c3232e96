package import EarshotCore
package import Foundation

/// One of the databases that commands know: its place, and what is said when it is not there.
package struct DatabaseFile {
    /// The word for it: `guide`.
    package let what: String
    /// The variable of the environment that names it.
    package let variable: String
    /// Its name in the user's folder.
    package let name: String
    /// The advice if there is none, as the end of a sentence.
    package let remedy: String

    package init(what: String, variable: String, name: String, remedy: String) {
        (self.what, self.variable, self.name, self.remedy) = (what, variable, name, remedy)
    }

    /// The file at a path, or the one that the environment names, or the user's.
    package func url(_ path: String?) -> URL {
        if let path = path ?? ProcessInfo.processInfo.environment[variable], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        return UserFolders().own(name, .data)
    }

    /// The variable that names the database of a service.
    private static let serviceVariable = "EARSHOT_DATABASE"

    /// The address of the PostgreSQL database that has the data; `nil` if a file has it.
    ///
    /// - Parameters:
    ///   - path: The file or the address that an option names. It counts first.
    ///   - database: The address that an option names of a database with all data of a service. It counts before the environment.
    /// - Throws: `configurationInvalid` for a database with all data that is a file.
    package func address(_ path: String?, database: String? = nil) throws(EarshotError) -> String? {
        func isAddress(_ text: String?) -> Bool { text?.contains("://") == true }
        if let database, !isAddress(database) {
            throw EarshotError(
                .configurationInvalid,
                "--database takes the address of a database in PostgreSQL here, and \(database) is none: name the file of the \(what) "
                    + "by its own option."
            )
        }
        func variable(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let named = path ?? database ?? variable(self.variable) ?? variable(Self.serviceVariable)
        return isAddress(named) ? named : nil
    }

    /// The file at a path, as ``url(_:)`` says.
    ///
    /// - Throws: `configurationInvalid` for an address.
    private func file(_ path: String?) throws(EarshotError) -> URL {
        if let path, path.contains("://") {
            throw EarshotError(
                .configurationInvalid,
                "The \(what) is kept in a file, and an address was given: name a file."
            )
        }
        return url(path)
    }

    /// Opens a database, to read from: one that is not there is not made.
    ///
    /// - Throws: `storeUnavailable` when there is none, `storeDamaged` for an empty file, and what opening throws.
    package func existing<Store>(
        _ path: String?,
        _ open: (URL) throws(EarshotError) -> Store
    ) throws(EarshotError) -> Store {
        let url = try file(path)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw EarshotError(.storeUnavailable, "There is no \(what) at \(url.path): \(remedy).")
        }
        // An empty file would be filled with a new database, and everything would be said to be absent from it.
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        guard size != 0 else {
            throw EarshotError(.storeDamaged, "\(url.path) is empty, and no \(what): remove it, or \(remedy).")
        }
        return try open(url)
    }

    /// Opens a database, made where it is not there.
    ///
    /// - Throws: `writeFailed` when its folder cannot be made, and what opening throws.
    package func made<Store>(_ path: String?, _ open: (URL) throws(EarshotError) -> Store) throws(EarshotError) -> Store
    {
        let url = try file(path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder of \(url.path) cannot be made: check the path and its rights.",
                cause: error
            )
        }
        return try open(url)
    }

    /// Takes away a database that was made for something that failed.
    package func remove(_ path: String?) {
        let url = url(path)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    /// The database of music.
    package static let music = DatabaseFile(
        what: "database of music",
        variable: "EARSHOT_DATABASE",
        name: "music.sqlite",
        remedy: "make one with `earshot import`, or name another with --database"
    )
    /// The programme guide.
    package static let guide = DatabaseFile(
        what: "guide",
        variable: "EARSHOT_GUIDE",
        name: "guide.sqlite",
        remedy: "make one with `earshot epg import`, or name another with --guide"
    )
    /// The log of plays of stations.
    package static let playlog = DatabaseFile(
        what: "playlog",
        variable: "EARSHOT_PLAYLOG",
        name: "playlog.sqlite",
        remedy: "`earshot monitor run` makes one, or name another with --playlog"
    )
}
