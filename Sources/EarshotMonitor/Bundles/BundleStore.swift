public import EarshotCore
import EarshotSegments
public import EarshotSignatures
public import Foundation
import Synchronization

/// A store of bundles on this device, which recognizes audio without a service.
///
/// ```swift
/// let store = BundleStore(folder: caches.appending(path: "fingerprints"))
/// try await store.ingest(FileBundleSource(bundle))
/// for match in try store.lookup(signature) {
///     print(match.title ?? "?", match.customData?.identifier ?? "")
/// }
/// ```
///
/// All bundles are searched as one. Changes are atomic, also if the process ends; lookups continue during a change and
/// see the state before or after it. Several stores, also in several processes, may be open on one folder: one at a
/// time changes it, and the others see the change at their next lookup. The layout is in `Docs/formats/bundle.md`.
public final class BundleStore: Sendable {
    /// A damaged bundle and its error.
    public struct Problem: Sendable {
        /// The bundle.
        public let bundle: StoredBundle
        /// The error, which names the damage, the file and a remedy.
        public let error: EarshotError
    }

    /// The folder of the store; `nil` if none was set.
    public let folder: URL?

    private let view = Mutex<StoreView?>(nil)

    /// Creates a store in a folder.
    ///
    /// Files of an interrupted change are removed, unless another store is changing the folder. The folder is created
    /// by the first ingest; nothing outside it is written.
    ///
    /// - Parameter folder: The folder in which the store keeps ingested bundles; bundle files can be anywhere. If
    ///   `nil`, every call throws `storageNotConfigured`.
    public init(folder: URL?) {
        self.folder = folder
        if let folder { StoreWriter.collectGarbage(folder) }
    }

    /// Returns `true` if a folder is a store that holds bundles.
    package static func exists(at folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: StoreFolder.manifestURL(in: folder).path)
    }

    /// Searches all bundles for a query.
    ///
    /// Damaged bundles are skipped and listed in ``problems``. If all bundles are damaged, the error is thrown.
    ///
    /// - Parameter signature: The query, of 1 to 15 s of audio.
    /// - Returns: The references found, best first; empty if nothing was found, for an empty store and for an empty
    ///   signature.
    /// - Throws: `storageNotConfigured`, `storeDamaged`, `signatureDurationInvalid`.
    public func lookup(_ signature: Signature) throws(EarshotError) -> [LocalMatch] {
        let view = try current()
        return signature.isEmpty ? [] : try view.lookup(signature)
    }

    /// The bundles that the store holds, in order of ingesting, damaged ones too.
    ///
    /// - Throws: `storageNotConfigured`, `storeDamaged` when the store's manifest is damaged.
    public var bundles: [StoredBundle] {
        get throws(EarshotError) { try current().manifest.entries.map(\.bundle) }
    }

    /// The bundles that are known to be damaged.
    ///
    /// - Throws: `storageNotConfigured`, `storeDamaged` when the store's manifest is damaged.
    public var problems: [Problem] {
        get throws(EarshotError) {
            try current().problems.map { Problem(bundle: $0.bundle.entry.bundle, error: $0.error) }
        }
    }

    /// Verifies the checksums of all files of the store.
    ///
    /// - Throws: `storageNotConfigured`; `storeDamaged`, naming the first file that is damaged.
    public func verify() throws(EarshotError) {
        for bundle in try current().bundles {
            do {
                try bundle.verify()
            } catch {
                bundle.note(error)
                throw error
            }
        }
    }

    /// Removes a bundle.
    ///
    /// - Parameter id: The bundle's identifier.
    /// - Returns: `true` if there was one.
    /// - Throws: `storageNotConfigured`; `storeUnavailable` when the folder may not be written; `storeDamaged` when the
    ///   manifest is damaged; `writeFailed`; `cancelled` when the task is canceled while another process changes the store.
    @discardableResult
    public func remove(bundle id: String) async throws(EarshotError) -> Bool {
        let folder = try configured()
        guard try current().manifest.entries.contains(where: { $0.bundle.id == id }) else { return false }
        let writer = try await StoreWriter.begin(folder)
        let isRemoved = try await BlockingWork.run { () throws(EarshotError) in try writer.remove(id) }
        try refresh()
        return isRemoved
    }

    /// Removes all bundles and every file of the store, damaged ones too. Files that are not the store's stay.
    ///
    /// - Throws: `storageNotConfigured`; `storeUnavailable` when the folder may not be written; `writeFailed`; `cancelled` as
    ///   ``remove(bundle:)``.
    public func clear() async throws(EarshotError) {
        let folder = try configured()
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let writer = try await StoreWriter.begin(folder)
        try await BlockingWork.run { () throws(EarshotError) in try writer.clear() }
        try refresh()
    }

    // MARK: - State

    func configured() throws(EarshotError) -> URL {
        guard let folder else {
            throw EarshotError(
                .storageNotConfigured,
                "The fingerprint store has no folder: set one before ingest and lookup."
            )
        }
        return folder
    }

    /// The current state of the store on the disk.
    func current() throws(EarshotError) -> StoreView {
        let folder = try configured()
        if let open = view.withLock({ $0 }), open.isCurrent { return open }
        return try open(folder, reusing: [])
    }

    /// Takes a change into view, so that the next lookup need not.
    func refresh(reusing bundles: [OpenBundle] = []) throws(EarshotError) {
        _ = try open(configured(), reusing: bundles)
    }

    private func open(_ folder: URL, reusing bundles: [OpenBundle]) throws(EarshotError) -> StoreView {
        try view.withLock { held throws(EarshotError) in
            // Whoever waited may find that somebody else has done it.
            if let open = held, open.isCurrent { return open }
            let opened = try StoreView(folder, reusing: bundles + (held?.bundles ?? []))
            held = opened
            return opened
        }
    }
}
