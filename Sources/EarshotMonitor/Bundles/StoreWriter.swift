import EarshotCore
import EarshotSegments
import Foundation

/// Changes a fingerprint store: one writer at a time, held by a lock that ends with the process.
final class StoreWriter: Sendable {
    let folder: URL
    private let files: StoreFolder
    private let lock: StoreLock

    private init(_ folder: URL, _ lock: StoreLock) {
        self.folder = folder
        self.lock = lock
        files = BundleStoreManifest.files(folder)
    }

    /// Waits until nobody else changes the store. What an interrupted change has left behind is removed then.
    ///
    /// - Throws: `storeUnavailable` when the folder cannot be made or written, `cancelled`.
    static func begin(_ folder: URL) async throws(EarshotError) -> StoreWriter {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw unavailable(folder, error)
        }
        while true {
            let lock: StoreLock?
            do {
                lock = try StoreLock.ifFree(folder)
            } catch {
                throw unavailable(folder, error)
            }
            if let lock {
                let writer = StoreWriter(folder, lock)
                writer.removeLeftovers()
                return writer
            }
            guard access(folder.path, W_OK) == 0 else { throw unavailable(folder, nil) }
            do {
                try await Task.sleep(for: .milliseconds(20))
            } catch {
                throw EarshotError(
                    .cancelled,
                    "Nothing was changed in \(folder.path): the task was canceled while another process used it."
                )
            }
        }
    }

    private static func unavailable(_ folder: URL, _ cause: (any Error)?) -> EarshotError {
        EarshotError(
            .storeUnavailable,
            "\(folder.path) cannot be changed: check that it is a folder in which you may write.",
            cause: cause
        )
    }

    /// Removes what an interrupted change has left behind, unless somebody changes the store now.
    static func collectGarbage(_ folder: URL) {
        let files = BundleStoreManifest.files(folder)
        guard !files.fileNames.isEmpty, let manifest = try? BundleStoreManifest.read(folder),
            !manifest.fileNames.isSuperset(of: files.fileNames), let lock = try? StoreLock.ifFree(folder)
        else { return }
        StoreWriter(folder, lock).removeLeftovers()
    }

    private func removeLeftovers() {
        guard let manifest = try? BundleStoreManifest.read(folder) else { return }
        removeFiles(except: manifest.fileNames)
    }

    /// Removes the store's own files, but for some.
    func removeFiles(except kept: Set<String>) { files.removeFiles(except: kept) }

    func manifest() throws(EarshotError) -> BundleStoreManifest { try BundleStoreManifest.read(folder) }

    /// Commits a manifest and deletes unreferenced files.
    func commit(_ changed: BundleStoreManifest) throws(EarshotError) {
        var manifest = changed
        manifest.generation += 1
        guard max(manifest.generation, manifest.nextNumber) <= BundleStoreManifest.maximumNumber else {
            throw EarshotError(
                .storeDamaged,
                "\(folder.path) has reached the largest number of changes of a store: clear it and ingest the bundles again."
            )
        }
        guard manifest.entries.count <= BundleStoreManifest.maximumBundles else {
            throw EarshotError(
                .writeFailed,
                "\(folder.path) holds \(BundleStoreManifest.maximumBundles) bundles, and has no room for more: remove one."
            )
        }
        try files.commit(manifest.bytes, referencing: manifest.fileNames)
    }

    func remove(_ id: String) throws(EarshotError) -> Bool {
        var manifest = try manifest()
        let count = manifest.entries.count
        manifest.entries.removeAll { $0.bundle.id == id }
        guard manifest.entries.count < count else { return false }
        try commit(manifest)
        return true
    }

    /// Removes everything. Without its manifest, which goes first, a store is empty.
    func clear() throws(EarshotError) { try files.clear() }
}
