#if Library
    package import ArgumentParser
    import EarshotCore
    package import EarshotRecognition
    import EarshotSQLite
    import Foundation

    /// The location of the history database.
    package struct HistoryDatabase: ParsableArguments {
        @Option(
            name: .long,
            help: ArgumentHelp(
                "The database of the history.",
                discussion: "Without it EARSHOT_HISTORY, or history.sqlite in the user's data folder."
            ),
            completion: .file(extensions: ["sqlite"])
        )
        package var database: String?

        package var store: any HistoryStore { Self.store(database) }

        /// The history at a path, or the user's.
        package static func store(_ path: String? = nil) -> any HistoryStore {
            if let path = path ?? ProcessInfo.processInfo.environment["EARSHOT_HISTORY"], !path.isEmpty {
                return SQLiteHistoryStore(url: URL(fileURLWithPath: path))
            }
            return SQLiteHistoryStore(url: UserFolders().own("history.sqlite", .data))
        }

        package init() {}

        /// An entry, or a word that there is none, and status 3.
        package func entry(_ id: Int) async throws -> HistoryEntry {
            guard let entry = try await store.entry(id) else {
                Terminal.note("The history has no entry \(id): `earshot history` lists those there are.")
                throw ExitCode(3)
            }
            return entry
        }
    }
#endif
