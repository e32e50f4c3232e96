import EarshotCatalogs
import EarshotCore
import EarshotSQLite
import EarshotServer
import Foundation

/// Puts a backup in the place of a service's data.
///
/// Everything is checked and prepared beside what is there before any of it is replaced.
struct ServiceRestore {
    /// The outcome of a restore.
    struct Report: Encodable {
        var folder: String
        /// References of the catalog; `nil` where the backup has none.
        var references: Int?
        /// The parts of a service that the backup does not have, and that stay as they are.
        var missing: [String] = []
    }

    private let source: URL
    private let folder: DataFolder

    /// - Parameters:
    ///   - source: The backup.
    ///   - folder: The folder of the service, which is held.
    init(_ source: URL, to folder: DataFolder) {
        self.source = source
        self.folder = folder
    }

    /// Compares the files of the backup with its list. Backups of earlier versions have none.
    ///
    /// - Throws: `assetNotFound` where there is no backup, `storeDamaged` for one that is incomplete or damaged.
    func verify() async throws(EarshotError) {
        let source = source
        try await BlockingWork.run { () throws(EarshotError) in
            if let manifest = try BackupManifest.read(source) { try manifest.verify(source) }
        }
        for name in [DataFolder.accountsName, DataFolder.musicName] where !has(name) {
            throw EarshotError(
                .assetNotFound,
                "There is no \(source.appendingPathComponent(name).path): name a folder that `earshot admin backup` made."
            )
        }
    }

    /// Restores.
    ///
    /// - Throws: `storeDamaged` for a backup that is damaged, `writeFailed`. The folder is then as it was.
    func run() async throws(EarshotError) -> Report {
        // A store that another command changes is not taken from under it.
        let held = try hold()
        defer { withExtendedLifetime(held) {} }
        let exchange = try FolderExchange(in: folder.url)
        let report: Report
        do throws(EarshotError) {
            report = try await prepare(exchange.staging)
        } catch {
            exchange.discard()
            throw error
        }
        // The service makes the index of fingerprints again of its store.
        try exchange.commit(removing: has(DataFolder.fingerprintsName) ? [DataFolder.fingerprintIndexName] : [])
        return report
    }

    private func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: source.appendingPathComponent(name).path)
    }

    /// Keeps other commands from changing the catalog. One that is damaged is held by nobody.
    private func hold() throws(EarshotError) -> CatalogStore? {
        guard CatalogStore.exists(at: folder.catalogURL) else { return nil }
        do throws(EarshotError) {
            return try CatalogStore(folder.catalogURL, waiting: false)
        } catch {
            guard error.code == .catalogInvalid || error.code == .storeDamaged else { throw error }
            return nil
        }
    }

    // MARK: - Parts

    private func prepare(_ staging: URL) async throws(EarshotError) -> Report {
        var report = Report(folder: folder.url.path)
        typealias Restoring = @Sendable (URL, URL) async throws(EarshotError) -> Void
        let databases: [(name: String, called: String, restore: Restoring)] = [
            (DataFolder.accountsName, "accounts", SQLiteAccountStore.restore),
            (DataFolder.musicName, "music", SQLiteMusicStore.restore),
            (DataFolder.guideName, "guide", SQLiteGuideStore.restore),
            (DataFolder.fingerprintsName, "fingerprints", SQLiteFingerprintStore.restore),
            (DataFolder.piecesName, "pieces", SQLitePieceStore.restore),
        ]
        for (name, called, restore) in databases {
            // Backups of earlier versions have fewer.
            guard has(name) else {
                report.missing.append(called)
                continue
            }
            do throws(EarshotError) {
                try await restore(source.appendingPathComponent(name), staging.appendingPathComponent(name))
            } catch {
                throw error.code == .storeDamaged ? damaged(name, error) : error
            }
        }
        let (source, service, hasPieces) = (source, folder.url, has(DataFolder.piecesName))
        let catalogName = folder.catalogURL.lastPathComponent
        report.references = try await BlockingWork.run { () throws(EarshotError) in
            if hasPieces { try PieceBackup(folder: source).copy(to: staging) }
            try copyBundles(from: service, to: staging)
            // Versions that clients have fetched since the backup keep their numbers.
            try PublishedCatalogs(folder: service).copy(to: staging)
            try PublishedCatalogs(folder: source).copy(to: staging)
            return try makeCatalog(staging.appendingPathComponent(catalogName))
        }
        if report.references == nil { report.missing.append("catalog") }
        return report
    }

    /// Copies the bundles of the service, then those of the backup in their place.
    private func copyBundles(from service: URL, to staging: URL) throws(EarshotError) {
        let present = service.appendingPathComponent(BundleRepository.folderName)
        if FileManager.default.fileExists(atPath: present.path) {
            do {
                try FileManager.default.copyItem(
                    at: present,
                    to: staging.appendingPathComponent(BundleRepository.folderName)
                )
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "\(present.path) cannot be copied: check its rights, and the room left.",
                    cause: error
                )
            }
        }
        do throws(EarshotError) {
            try BundleRepository(folder: source).copy(to: staging)
        } catch {
            throw error.code == .bundleInvalid ? damaged("a bundle", error) : error
        }
    }

    /// Makes a store of the backup's catalog file.
    ///
    /// - Returns: The number of its references; `nil` where the backup has no catalog.
    private func makeCatalog(_ url: URL) throws(EarshotError) -> Int? {
        guard has(DataFolder.catalogFileName) else { return nil }
        let catalog: Catalog
        do throws(EarshotError) {
            catalog = try Catalog(contentsOf: source.appendingPathComponent(DataFolder.catalogFileName))
            try catalog.verify()
        } catch {
            throw damaged(DataFolder.catalogFileName, error)
        }
        let store = try CatalogStore.create(at: url, queryLimits: catalog.queryLimits)
        do {
            try store.change { $0 = catalog }
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(
                .internalError,
                "The catalog could not be restored: please report this, with the cause.",
                cause: error
            )
        }
        return catalog.count
    }

    private func damaged(_ name: String, _ error: EarshotError) -> EarshotError {
        EarshotError(
            .storeDamaged,
            "The backup \(source.path) is damaged (\(name) cannot be read): use another backup.",
            cause: error
        )
    }
}
