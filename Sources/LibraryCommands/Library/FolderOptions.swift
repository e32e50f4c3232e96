import ArgumentParser
import CommandKit
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotSQLite
import Foundation

/// The database with the state of scanned folders.
struct FolderDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where it is kept what was read of files.",
            discussion: "Without it EARSHOT_FOLDERS, or folders.sqlite in the user's data folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    var database: String?

    private static let file = DatabaseFile(
        what: "library",
        variable: "EARSHOT_FOLDERS",
        name: "folders.sqlite",
        remedy: "make one with `earshot library scan`, or name another with --database"
    )

    /// The store, made where it is not there.
    func made() throws(EarshotError) -> SQLiteFolderStore {
        try Self.file.made(database) { url throws(EarshotError) in try SQLiteFolderStore(url: url) }
    }

    /// The store, to read from: one that is not there is not made.
    func existing() throws(EarshotError) -> SQLiteFolderStore {
        try Self.file.existing(database) { url throws(EarshotError) in try SQLiteFolderStore(url: url) }
    }
}

/// Folders that are scanned.
struct FolderOptions: ParsableArguments {
    @Argument(help: "Folders with music.", completion: .directory)
    var folders: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The encoding of old tags that do not say theirs; guessed for each file unless stated.",
            valueName: LegacyEncoding.allCases.map(\.rawValue).joined(separator: "|")
        )
    )
    var encoding: String?

    @Option(name: .shortAndLong, help: "Files that are read at a time; as many as there are processors unless stated.")
    var jobs: Int?

    @Flag(
        name: .shortAndLong,
        help: "Log when it begins, how many items there are, what came of it, and how long it took."
    )
    var verbose = false

    @OptionGroup var database: FolderDatabase

    func validate() throws {
        if let encoding, LegacyEncoding(rawValue: encoding) == nil {
            let known = LegacyEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no encoding \"\(encoding)\": choose of \(known).")
        }
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is 1 to 64.") }
    }

    /// The libraries of the folders, which share their store and their index.
    func libraries() throws(EarshotError) -> [FolderLibrary] {
        let store = try database.made()
        let index = LiveLibraryIndex()
        var options = FolderLibrary.Options()
        options.legacyEncoding = encoding.flatMap { LegacyEncoding(rawValue: $0) }
        options.width = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        return folders.map {
            FolderLibrary(URL(fileURLWithPath: $0, isDirectory: true), store: store, index: index, options: options)
        }
    }

    /// Logs what of an event is for the log.
    func log(_ event: FolderScanEvent) {
        guard verbose else { return }
        for entry in event.logEntries { Terminal.note("\(entry)") }
    }
}

/// Items of folders that were scanned before.
struct KnownItems: ParsableArguments {
    @Option(
        name: .customLong("in"),
        parsing: .singleValue,
        help: "Only what is below this folder; may be given several times.",
        completion: .directory
    )
    var folders: [String] = []

    @OptionGroup var database: FolderDatabase

    /// The items in the order of their paths. No folder is looked at.
    func items() async throws(EarshotError) -> [MusicItem] {
        let store = try database.existing()
        guard !folders.isEmpty else {
            return try await FolderLibrary(URL(fileURLWithPath: "/"), store: store).items()
        }
        var items: [MusicItem] = []
        for folder in folders {
            let library = FolderLibrary(URL(fileURLWithPath: folder, isDirectory: true), store: store)
            items += try await library.items()
        }
        return items
    }
}
