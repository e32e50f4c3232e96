import ArgumentParser
import EarshotCore
import EarshotSQLite
import Foundation

/// Where the music is kept that commands know.
struct MusicDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database of music.",
            discussion: "Without it EARSHOT_DATABASE, or one in the user's data folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    var database: String?

    var url: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = database ?? environment["EARSHOT_DATABASE"], !path.isEmpty { return URL(fileURLWithPath: path) }
        return Self.folder.appendingPathComponent("music.sqlite")
    }

    /// The user's folder for what this program keeps.
    static var folder: URL {
        #if os(macOS)
            let folder = FileManager.default.homeDirectoryForCurrentUser
                .appendingPathComponent("Library/Application Support")
        #else
            let folder =
                ProcessInfo.processInfo.environment["XDG_DATA_HOME"]
                .flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
                ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        #endif
        return folder.appendingPathComponent("earshot")
    }

    /// The database, to read from: one that is not there is not made.
    func existing() throws(EarshotError) -> SQLiteMusicStore {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw EarshotError(
                .storeUnavailable,
                "There is no database of music at \(url.path): make one with `earshot import`, or name another with --database."
            )
        }
        return try SQLiteMusicStore(url: url)
    }

    /// The database, made where it is not there.
    func made() throws(EarshotError) -> SQLiteMusicStore {
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
        return try SQLiteMusicStore(url: url)
    }
}
