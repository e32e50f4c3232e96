import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMigration
import EarshotPostgreSQL
import EarshotSQLite
import EarshotServer
import Foundation
import LibraryCommands
import Synchronization

extension AdminCommand {
    /// Moves the data of a service between a folder and PostgreSQL.
    struct MigrateData: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate-data",
            abstract:
                "Move the databases of a service from its folder to PostgreSQL, or back. The service must not run.",
            discussion: """
                Accounts, music, programme guide, fingerprints, pieces and the log of plays are moved, and compared at the end: the \
                number of records and a digest of each table, as both databases tell of it. Numbers, identifiers and dates stay as they \
                are. The databases that are read stay as they are too, and nobody can change them meanwhile; a folder whose data was moved \
                says so, and no service uses its old databases by mistake. A target with data of its own is refused. A migration that was \
                interrupted goes on when the command is repeated; until it has ended no service starts with the target.

                The catalog, the sound of pieces, bundles and published catalogs stay in the folder.

                EXAMPLES
                  earshot admin migrate-data /srv/earshot postgresql://earshot@localhost/earshot
                  earshot serve --data /srv/earshot --database postgresql://earshot@localhost/earshot
                  earshot admin migrate-data postgresql://earshot@localhost/earshot /srv/earshot-2
                """
        )
        @Argument(
            help: "The folder of the service, or the address of its database in PostgreSQL.",
            completion: .directory
        )
        var from: String
        @Argument(
            help: "The address of an empty database in PostgreSQL, or a folder without databases.",
            completion: .directory
        )
        var to: String
        @Option(
            name: .long,
            help: "The file of the music, if it is not in the folder.",
            completion: .file(extensions: ["sqlite"])
        )
        var music: String?
        @Option(
            name: .long,
            help: "The file of the programme guide, if it is not in the folder.",
            completion: .file(extensions: ["sqlite"])
        )
        var guide: String?
        @Option(
            name: .long,
            help: "The file of the log of plays, if it is not in the folder.",
            completion: .file(extensions: ["sqlite"])
        )
        var playlog: String?
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        private struct Report: Encodable {
            let from: String
            let to: String
            let tables: [DataMigration.Outcome]
            /// The files and folders of the service that are not moved.
            let staying: [String]
            /// The catalogs that nodes share through a bucket, which are not moved to a folder.
            let sharedCatalogs: [String]
        }

        /// A migration that can begin: nobody else changes its source until the program ends.
        private struct Move {
            let source: any MigrationDatabase
            let target: any MigrationDatabase
            var sharedCatalogs: [String] = []
            /// The lock of the log of plays.
            var lock: MonitorLock?
        }

        func validate() throws {
            guard (PostgreSQLOptions(ifAddress: from) == nil) != (PostgreSQLOptions(ifAddress: to) == nil) else {
                throw ValidationError("Give a folder and the address of a database, as postgresql://user@host/name.")
            }
        }

        func run() async throws {
            let isToDatabase = PostgreSQLOptions(ifAddress: to) != nil
            var folder = DataFolder()
            folder.data = isToDatabase ? from : to
            let move = try await isToDatabase ? toDatabase(folder) : fromDatabase(folder)
            let (source, target) = (move.source, move.target)
            let bar = ProgressBar(total: 1_000)
            let shown = Mutex(0)
            let outcomes = try await DataMigration(from: source, to: target).run(origin: source.name) { progress in
                let steps = shown.withLock { shown in
                    // bounded: a share is from 0 to 1
                    let now = max(shown, Int(progress.share * 1_000))
                    defer { shown = now }
                    return now - shown
                }
                for _ in 0..<steps { bar.step(audioSeconds: 0) }
            }
            bar.finish()
            try folder.setMoved(to: isToDatabase ? target.name : nil)
            withExtendedLifetime(move.lock) {}
            folder.record("admin migrate-data", ["from": source.name, "to": target.name])
            try show(
                Report(
                    from: source.name,
                    to: target.name,
                    tables: outcomes,
                    staying: Self.staying(folder),
                    sharedCatalogs: move.sharedCatalogs
                ),
                folder
            )
        }

        /// A word as a shell takes it.
        private static func quoted(_ word: String) -> String {
            let plain = word.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-./:@,+~".unicodeScalars.contains(scalar)
            }
            return plain
                ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
        }

        // MARK: - Databases

        private func files(_ folder: DataFolder) -> [MigrationTable.Part: URL] {
            var files = [
                MigrationTable.Part.accounts: folder.accountsURL, .pieces: folder.piecesURL,
                .fingerprints: folder.fingerprintsURL, .music: folder.musicURL, .guide: folder.guideURL,
                .playlog: folder.url.appendingPathComponent(DatabaseFile.playlog.name),
            ]
            for (part, path) in [(MigrationTable.Part.music, music), (.guide, guide), (.playlog, playlog)] {
                if let path { files[part] = URL(fileURLWithPath: path) }
            }
            return files
        }

        private func toDatabase(_ folder: DataFolder) async throws(EarshotError) -> Move {
            guard FileManager.default.fileExists(atPath: folder.accountsURL.path) else {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no service in \(folder.url.path): name the folder of one."
                )
            }
            try folder.hold()
            try folder.lockFiles()
            let files = files(folder)
            let log = files[.playlog].flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
            let lock = try log.map { log throws(EarshotError) in try MonitorLock(playlog: log) }
            let source = SQLiteMigrationDatabase(folder: folder.url, files: files, access: .reading)
            let pool = try await pool(to)
            // Before its tables are brought to the form of this version, which running nodes may not know.
            let target = try await PostgreSQLMigrationDatabase(reading: pool)
            if target.isService { try await Self.checkUnused(target) }
            return Move(source: source, target: try await PostgreSQLMigrationDatabase(filling: pool), lock: lock)
        }

        /// Refuses a database that nodes use.
        private static func checkUnused(_ database: PostgreSQLMigrationDatabase) async throws(EarshotError) {
            let nodes = try await database.nodes()
            guard nodes.isEmpty else {
                throw EarshotError(
                    .storeUnavailable,
                    "A service uses \(database.name) (\(nodes.joined(separator: ", "))): end it first."
                )
            }
        }

        private func fromDatabase(_ folder: DataFolder) async throws(EarshotError) -> Move {
            let pool = try await pool(from)
            let source = try await PostgreSQLMigrationDatabase(reading: pool)
            guard source.isService else {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no service in \(source.name): name the database of one."
                )
            }
            // Half of the data would look whole.
            if let unfinished = try await source.origin() { throw DatabaseAccess.unfinished(source.name, unfinished) }
            try await source.lock()
            try await Self.checkUnused(source)
            try folder.make()
            try folder.hold(forMigration: true)
            try folder.lockFiles()
            return Move(
                source: source,
                target: SQLiteMigrationDatabase(folder: folder.url, files: files(folder), access: .writing),
                sharedCatalogs: try await PostgreSQLManifestStore.existing(in: pool)?.catalogs() ?? []
            )
        }

        private func pool(_ address: String) async throws(EarshotError) -> PostgreSQLPool {
            try await PostgreSQLPool.connected(PostgreSQLMigrationDatabase.options(PostgreSQLOptions(address)))
        }

        // MARK: - Result

        /// The files and folders of a service that are in no database, of those that are there.
        private static func staying(_ folder: DataFolder) -> [String] {
            [
                folder.catalogURL, folder.url.appendingPathComponent(DataFolder.piecesFolderName),
                folder.pieceCatalogURL,
                folder.url.appendingPathComponent(BundleRepository.folderName),
                folder.url.appendingPathComponent(PublishedCatalogs.folderName), folder.fingerprintIndexURL,
                folder.url.appendingPathComponent("audit.log"),
            ].filter { FileManager.default.fileExists(atPath: $0.path) }.map(\.lastPathComponent)
        }

        private func show(_ report: Report, _ folder: DataFolder) throws {
            if json { return Terminal.print(try JSON.document(report)) }
            let width = report.tables.map(\.table.count).max() ?? 0
            for table in report.tables {
                let name = table.table.padding(toLength: width, withPad: " ", startingAt: 0)
                Terminal.print("\(name)  \(table.records)  \(Terminal.dim(String(table.digest.prefix(12))))")
            }
            let count = report.tables.reduce(0) { $0 + $1.records }
            Terminal.print(
                "Moved \(DisplayText.plural(count, "record", "records")) from \(report.from) to \(report.to); both are equal."
            )
            if PostgreSQLOptions(ifAddress: to) == nil {
                Terminal.print(
                    "The catalog, the sound of pieces, bundles and published catalogs are in no database: copy catalog.earstore, "
                        + "\(DataFolder.piecesFolderName), \(BundleRepository.folderName) and \(PublishedCatalogs.folderName) from the "
                        + "folder that the service had to \(folder.url.path), unless it is the same."
                )
                if !report.sharedCatalogs.isEmpty {
                    let names = report.sharedCatalogs.joined(separator: ", ")
                    Terminal.print(
                        "What nodes share through a bucket (\(names)) is in no folder: to have a catalog as a file, start a node with "
                            + "\(report.from) once more and fetch GET /v1/catalog; then name the file with --catalog. The sound of "
                            + "pieces is found in the bucket with the setting pieceBucket."
                    )
                }
                Terminal.print("Begin with: earshot serve --data \(Self.quoted(folder.url.path))")
            } else {
                Terminal.print(
                    "In \(folder.url.path) stay: \(report.staying.joined(separator: ", ")). The databases there are not used any more."
                )
                Terminal.print(
                    "Begin with: earshot serve --data \(Self.quoted(folder.url.path)) --database \(Self.quoted(report.to))"
                )
            }
        }
    }
}
