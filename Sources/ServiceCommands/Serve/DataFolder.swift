import ArgumentParser
import CommandKit
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
import EarshotNodes
import EarshotPieces
import EarshotPostgreSQL
import EarshotRecognition
import EarshotSQLite
import EarshotServer
import Foundation
import LibraryCommands

/// The folder in which a service keeps its data.
struct DataFolder: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The service's folder.",
            discussion:
                "Without it EARSHOT_DATA, or one in the user's data folder, where `earshot import` puts music too."
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database in PostgreSQL that has the service's data, as postgresql://user@host/name, or a file of music.",
            discussion: "Without it EARSHOT_DATABASE, or files in the service's folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    var database: String?

    /// The database in PostgreSQL; `nil` if the data is in files.
    var postgreSQL: PostgreSQLOptions? {
        PostgreSQLOptions(ifAddress: database ?? ProcessInfo.processInfo.environment["EARSHOT_DATABASE"])
    }

    var url: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = data ?? environment["EARSHOT_DATA"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return UserFolders().own(.data)
    }

    static let accountsName = "accounts.sqlite"
    static let musicName = "music.sqlite"
    static let guideName = "guide.sqlite"
    static let fingerprintsName = FingerprintFiles.storeName
    static let fingerprintIndexName = FingerprintFiles.indexName

    var accountsURL: URL { url.appendingPathComponent(Self.accountsName) }
    var musicURL: URL { url.appendingPathComponent(Self.musicName) }
    var guideURL: URL { url.appendingPathComponent(Self.guideName) }
    /// Results of analyses; made where media folders are served, and made again where it is lost.
    var analysesURL: URL { url.appendingPathComponent("analyses.sqlite") }
    /// Properties that were read of the files in media folders; what is lost is read anew.
    /// Not `folders.sqlite`, which is the user's own, and may lie beside it: what is a copy of a file there is none here.
    var mediaURL: URL { url.appendingPathComponent("media.sqlite") }
    var fingerprintsURL: URL { url.appendingPathComponent(Self.fingerprintsName) }
    var fingerprintIndexURL: URL { url.appendingPathComponent(Self.fingerprintIndexName, isDirectory: true) }
    static let piecesName = "pieces.sqlite"
    /// The folder of the sound and the pictures of pieces.
    static let piecesFolderName = "pieces"
    /// The catalog in a backup, as one file.
    static let catalogFileName = "catalog.earcat"

    /// Pieces that apps publish; their sound and pictures are in the folder `pieces`.
    var piecesURL: URL { url.appendingPathComponent(Self.piecesName) }
    /// The catalog by which pieces are recognized; it is made again of them if it is lost.
    var pieceCatalogURL: URL { url.appendingPathComponent("pieces.earstore") }
    var catalogURL: URL { url.appendingPathComponent("catalog.earstore") }
    /// Segments of a catalog that nodes share. They can be had again.
    func segmentsURL(of catalog: String) -> URL {
        url.appendingPathComponent("segments").appendingPathComponent(catalog)
    }

    /// The accounts of a service that is there.
    func accounts() async throws(EarshotError) -> any AccountStore {
        if let postgreSQL {
            return try await PostgreSQLAccountStore(DatabaseAccess.pool(postgreSQL, .existing, for: .accounts))
        }
        return try accountFile()
    }

    /// The accounts of a service that is there and has its data in files.
    func accountFile() throws(EarshotError) -> SQLiteAccountStore {
        if let postgreSQL { throw PostgreSQLMaintenance.refused(postgreSQL) }
        guard FileManager.default.fileExists(atPath: accountsURL.path) else {
            throw EarshotError(
                .storeUnavailable,
                "There is no service in \(url.path): begin one with `earshot serve`, or name another folder with --data."
            )
        }
        try useFiles()
        return try SQLiteAccountStore(url: accountsURL)
    }

    /// The pieces of a service that is there.
    func pieces() async throws(EarshotError) -> any PieceStore {
        if let postgreSQL {
            return try await PostgreSQLPieceStore(DatabaseAccess.pool(postgreSQL, .existing, for: .pieces))
        }
        _ = try accountFile()
        return try SQLitePieceStore(url: piecesURL)
    }

    /// The store of fingerprints.
    ///
    /// - Parameter access: Says what happens if PostgreSQL has none. A file is made.
    func fingerprintStore(_ access: DatabaseAccess) async throws(EarshotError) -> any FingerprintTrackStore {
        if let postgreSQL {
            return try await PostgreSQLFingerprintStore(DatabaseAccess.pool(postgreSQL, access, for: .fingerprints))
        }
        try useFiles()
        return try SQLiteFingerprintStore(url: fingerprintsURL)
    }

    /// The leases by which nodes share work; in files no other node does any.
    func leases() async throws(EarshotError) -> any LeaseStore {
        if let postgreSQL { return try await PostgreSQLNodeStore(DatabaseAccess.pool(postgreSQL, .making)) }
        return MemoryLeaseStore()
    }

    /// Fingerprints with their index, which one program at a time may change. An index that is damaged is put aside: the first import
    /// makes it again of the store.
    ///
    /// - Parameter onDamage: Called with what is wrong with an index that was put aside.
    /// - Throws: `storeUnavailable` when another one does.
    func fingerprints(
        _ store: any FingerprintTrackStore,
        onDamage: (EarshotError) -> Void
    ) throws(EarshotError) -> FingerprintLibrary {
        let (index, damage) = try FingerprintIndex.replacingDamaged(at: fingerprintIndexURL)
        if let damage { onDamage(damage) }
        return FingerprintLibrary(index: index, store: store)
    }

    /// Looks for damage in the index of fingerprints: one sentence for each fault, none for one that is well or was not yet made.
    ///
    /// A running service may change it meanwhile.
    func fingerprintIndexFaults() async throws(EarshotError) -> [String] {
        guard FileManager.default.fileExists(atPath: fingerprintIndexURL.path) else { return [] }
        let url = fingerprintIndexURL
        do throws(EarshotError) {
            try await BlockingWork.run { () throws(EarshotError) in
                try FingerprintIndex(at: url, access: .reading).verify()
            }
            return []
        } catch {
            guard error.code == .storeDamaged || error.code == .storeUnavailable else { throw error }
            return [error.message]
        }
    }

    /// The catalog by which pieces are recognized. One that is damaged is put aside, and made again of the pieces.
    ///
    /// - Parameter onDamage: Called with what is wrong with one that was put aside.
    /// - Throws: `storeUnavailable` when another program changes it.
    func pieceCatalog(onDamage: (EarshotError) -> Void) throws(EarshotError) -> CatalogStore {
        let url = pieceCatalogURL
        guard CatalogStore.exists(at: url) else { return try CatalogStore.create(at: url) }
        do throws(EarshotError) {
            return try CatalogStore(url, waiting: false)
        } catch {
            guard error.code == .catalogInvalid || error.code == .storeDamaged else { throw error }
            onDamage(error)
            let aside = url.deletingLastPathComponent().appendingPathComponent("pieces-\(UUID().uuidString).damaged")
            guard rename(url.path, aside.path) == 0 else { throw error }
            return try CatalogStore.create(at: url)
        }
    }

    /// Adds what a command has changed to the audit log.
    func record(_ command: String, _ target: [String: String] = [:]) {
        do throws(EarshotError) {
            try AuditLog(folder: url).add(command: command, target: target)
        } catch {
            // The change is made: the command has not failed.
            Terminal.printError(error.message)
        }
    }

    /// Makes the folder, or closes the one that is there, so that only its owner may enter it.
    ///
    /// - Returns: The number of things in one that was there that were open to others.
    /// - Throws: `accessDenied` for a folder of another user, `writeFailed` for one that cannot be made or written.
    @discardableResult
    func make() throws(EarshotError) -> Int {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(url.path) cannot be made: check the path and its rights.",
                cause: error
            )
        }
        let closed = try PrivateFolder.close(url)
        guard access(url.path, W_OK) == 0 else {
            throw EarshotError(
                .writeFailed,
                "The folder \(url.path) may not be written: check its rights, or name another with --data."
            )
        }
        return closed
    }

    /// Holds the folder for one service, or for putting a copy back, until the program ends. A restore that was cut off is finished.
    ///
    /// - Parameter isForMigration: Says that databases are moved into the folder: that may go on.
    /// - Throws: `storeUnavailable` when another program holds it, or databases were moved into it in part.
    func hold(forMigration isForMigration: Bool = false) throws(EarshotError) {
        let path = url.appendingPathComponent("service.lock").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(.writeFailed, "\(path) cannot be made: check the folder and its rights.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw EarshotError(
                .storeUnavailable,
                "A service runs in \(url.path) already: end it first, or name another folder with --data."
            )
        }
        if !isForMigration, let source = try SQLiteMigrationDatabase.origin(in: url) {
            throw DatabaseAccess.unfinished(url.path, source)
        }
        try FolderExchange.finishInterrupted(in: url)
    }

    /// Copies databases, pieces, catalog, bundles and published catalogs, each as it is at one instant, with a list of all files, into
    /// a folder that is not there yet.
    func backup(
        music: SQLiteMusicStore,
        accounts: SQLiteAccountStore,
        guide: SQLiteGuideStore,
        fingerprints: SQLiteFingerprintStore,
        pieces: SQLitePieceStore,
        catalog: Catalog?,
        to folder: URL,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) {
        guard !FileManager.default.fileExists(atPath: folder.path) else { throw AtomicFile.exists(folder) }
        let partial = folder.appendingPathExtension("partial")
        do {
            try? FileManager.default.removeItem(at: partial)
            try FileManager.default.createDirectory(
                at: partial,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(partial.path) cannot be made: check its folder, and the room left.",
                cause: error
            )
        }
        do throws(EarshotError) {
            try await music.backup(to: partial.appendingPathComponent(Self.musicName)) { progress($0 * 0.7) }
            try await accounts.backup(to: partial.appendingPathComponent(Self.accountsName))
            try await guide.backup(to: partial.appendingPathComponent(Self.guideName))
            // Their index is made again of them.
            try await fingerprints.backup(to: partial.appendingPathComponent(Self.fingerprintsName))
            progress(0.8)
            // What is published after this has no record in the copy, and what is removed no files.
            try await pieces.backup(to: partial.appendingPathComponent(Self.piecesName))
            let source = url
            try await BlockingWork.run { () throws(EarshotError) in
                try PieceBackup(folder: source).copy(to: partial)
            }
            progress(0.9)
            try await BlockingWork.run { () throws(EarshotError) in
                if let catalog { try catalog.write(to: partial.appendingPathComponent(Self.catalogFileName)) }
                try BundleRepository(folder: source).copy(to: partial)
                try PublishedCatalogs(folder: source).copy(to: partial)
                try BackupManifest(listing: partial).write(to: partial)
            }
            guard rename(partial.path, folder.path) == 0 else {
                throw EarshotError(.writeFailed, "\(folder.path) cannot be made: check its folder and its rights.")
            }
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
        progress(1)
    }
}
