import EarshotCatalogs
import EarshotCore
import Foundation

/// Who changes a fingerprint store: one at a time, kept apart by a lock that ends with the process.
final class StoreWriter: Sendable {
    let folder: URL
    private let lock: StoreLock

    private init(_ folder: URL, _ lock: StoreLock) {
        self.folder = folder
        self.lock = lock
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
            if let lock = try? StoreLock(folder, waiting: false) {
                let writer = StoreWriter(folder, lock)
                writer.removeLeftovers()
                return writer
            }
            guard access(folder.path, W_OK) == 0, isLocked(folder) else { throw unavailable(folder, nil) }
            do {
                try await Task.sleep(for: .milliseconds(20))
            } catch {
                throw EarshotError(.cancelled, "The change of \(folder.path) was cancelled before it began.")
            }
        }
    }

    /// Whether the lock could not be had because somebody held it, or it was just given up or taken away: some file systems
    /// know no locks, and waiting for one there would never end.
    private static func isLocked(_ folder: URL) -> Bool {
        let descriptor = open(
            folder.appendingPathComponent(StoreLock.fileName).path,
            O_RDWR | O_CLOEXEC
        )
        guard descriptor >= 0 else { return errno == ENOENT }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno
            close(descriptor)
            return failure == EWOULDBLOCK || failure == EINTR
        }
        FileLock.release(descriptor)
        return true
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
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard names.contains(where: { BundleStoreManifest.isFileName($0) }),
            let manifest = try? BundleStoreManifest.read(folder)
        else { return }
        let named = manifest.fileNames(folder)
        guard names.contains(where: { BundleStoreManifest.isFileName($0) && !named.contains($0) }),
            let lock = try? StoreLock(folder, waiting: false)
        else { return }
        StoreWriter(folder, lock).removeLeftovers()
    }

    private func removeLeftovers() {
        guard let manifest = try? BundleStoreManifest.read(folder) else { return }
        removeFiles(except: manifest.fileNames(folder))
    }

    /// Removes the store's own files, but for some.
    func removeFiles(except kept: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where BundleStoreManifest.isFileName(name) && !kept.contains(name) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    func manifest() throws(EarshotError) -> BundleStoreManifest { try BundleStoreManifest.read(folder) }

    /// Makes a manifest the truth, and removes the files that it does not name.
    func commit(_ changed: BundleStoreManifest) throws(EarshotError) {
        var manifest = changed
        manifest.generation += 1
        guard max(manifest.generation, manifest.nextNumber) <= BundleStoreManifest.maximumNumber else {
            throw EarshotError(
                .storeDamaged,
                "\(folder.path) has been changed as often as a store can be: clear it and ingest the bundles again."
            )
        }
        guard manifest.entries.count <= BundleStoreManifest.maximumBundles else {
            throw EarshotError(
                .writeFailed,
                "\(folder.path) holds \(BundleStoreManifest.maximumBundles) bundles, and has no room for more: remove one."
            )
        }
        // The names of the other files last before the manifest names them.
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        try AtomicFile.write(
            manifest.bytes,
            to: folder.appendingPathComponent(BundleStoreManifest.fileName),
            replacing: true
        )
        removeFiles(except: manifest.fileNames(folder))
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
    func clear() throws(EarshotError) {
        let url = folder.appendingPathComponent(BundleStoreManifest.fileName)
        guard unlink(url.path) == 0 || errno == ENOENT else {
            throw EarshotError(
                .writeFailed,
                "\(url.path) cannot be removed: \(String(cString: strerror(errno)))."
            )
        }
        removeFiles(except: [])
        // Last, and while it is held: who waits for it sees that it is gone and makes a new one.
        unlink(folder.appendingPathComponent(StoreLock.fileName).path)
    }
}
