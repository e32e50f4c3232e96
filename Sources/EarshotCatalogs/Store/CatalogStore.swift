public import EarshotCore
import EarshotSegments
public import Foundation
import Synchronization

/// A catalog that grows on the disk: a folder of segment files under one manifest, with the suffix `.earstore`.
///
/// ```swift
/// let store = try CatalogStore(url)
/// try store.change { catalog in
///     try catalog.add(signature, representing: [item], id: "Sirius")
/// }
/// let match = try store.catalog.match(query)
/// ```
///
/// A change writes only new data, so its cost does not grow with the store. After a call returns, its change survives
/// the end of the process and a power failure; an interrupted change has no effect. There is one writer at a time,
/// which holds a lock until its process ends. Readers open the store with `Catalog(contentsOf:)`, never wait, and keep
/// the state that they opened. The layout is in `Docs/formats/store.md`.
public final class CatalogStore: Sendable {
    /// The folder of the store.
    public let url: URL

    private let lock: StoreLock
    let files: StoreFolder
    let policy: MergePolicy
    let state: Mutex<StoreSnapshot>
    /// The lowest number of a segment file that no attempt has used.
    let attempts = Mutex<UInt64>(0)

    /// Opens a store for changes.
    ///
    /// Files of an interrupted change are deleted.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - waiting: `true` to wait while another program changes the store.
    /// - Throws: `catalogAddressInvalid` if there is no store; `catalogInvalid` if a file in it is damaged;
    ///   `writeFailed` if it may not be changed, or if another program changes it and `waiting` is `false`.
    public convenience init(_ url: URL, waiting: Bool = true) throws(EarshotError) {
        try self.init(url, waiting: waiting, disk: LocalDisk(), policy: MergePolicy())
    }

    /// Opens a store for changes, as ``init(_:waiting:)`` does.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - patience: The time to wait while another program changes the store, and the callback for a wait.
    package convenience init(_ url: URL, patience: LockPatience) throws(EarshotError) {
        try self.init(url, patience: patience, disk: LocalDisk(), policy: MergePolicy())
    }

    convenience init(_ url: URL, waiting: Bool, disk: any StoreDisk, policy: MergePolicy) throws(EarshotError) {
        try self.init(url, patience: waiting ? .endless : .none, disk: disk, policy: policy)
    }

    init(_ url: URL, patience: LockPatience, disk: any StoreDisk, policy: MergePolicy) throws(EarshotError) {
        guard StoreSnapshot.isStore(url) else {
            throw EarshotError(
                .catalogAddressInvalid,
                "There is no store at \(url.path): check the path, or make one with `earshot catalog create`."
            )
        }
        self.url = url
        files = StoreFolder(url, names: [StoreManifest.Entry.fileName], disk: disk)
        self.policy = policy
        lock = try StoreLock(url, patience: patience)
        let snapshot = try StoreSnapshot(url)
        state = Mutex(snapshot)
        files.removeFiles(except: snapshot.manifest.fileNames)
    }

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - url: The folder; its name should end in `.earstore`.
    ///   - limits: The shortest and the longest query.
    /// - Throws: `destinationExists` if the address exists; `writeFailed` if the folder cannot be written.
    public static func create(
        at url: URL,
        queryLimits limits: QueryLimits = .standard
    ) throws(EarshotError) -> CatalogStore {
        guard !FileManager.default.fileExists(atPath: url.path) else { throw AtomicFile.exists(url) }
        func failed(_ what: String, _ cause: (any Error)? = nil) -> EarshotError {
            EarshotError(
                .writeFailed,
                "\(what) \(url.path): check that its folder exists and that you may write there.",
                cause: cause
            )
        }
        // Created under another name first, so that a store without a manifest is never visible.
        let parent = url.deletingLastPathComponent()
        let folder = parent.appendingPathComponent(".earshot-\(UUID().uuidString).partial", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw failed("Cannot make the store", error)
        }
        let manifest = StoreManifest(generation: 1, nextNumber: 1, limits: limits)
        do {
            try AtomicFile.write(
                manifest.bytes,
                to: StoreFolder.manifestURL(in: folder),
                replacing: false
            )
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        guard rename(folder.path, url.path) == 0 else {
            let failure = errno
            try? FileManager.default.removeItem(at: folder)
            if [EEXIST, ENOTEMPTY, ENOTDIR].contains(failure) { throw AtomicFile.exists(url) }
            throw failed("Cannot name the store")
        }
        Durability.flush(folder: parent.path)
        return try CatalogStore(url)
    }

    /// Records in the lock that a service holds the store as long as it runs, for programs that wait for the lock.
    ///
    /// - Parameter address: The address of the service; `nil` until it has one.
    package func announceService(at address: String?) {
        lock.announce(LockHolder.current(isService: true, address: address))
    }

    /// The current state of the store. It is a value that reads from the mapped files; later changes do not affect it.
    public var catalog: Catalog { state.withLock { $0.catalog } }

    /// The number of the store's state. Every change and every merge increments it.
    public var generation: UInt64 { state.withLock { $0.manifest.generation } }

    /// The number of segment files.
    public var segmentCount: Int { state.withLock { $0.segments.count } }

    /// The total size of the segment files, in bytes.
    public var byteCount: Int { state.withLock { $0.segments.reduce(0) { $0 + $1.bytes.count } } }

    /// Checks every byte of manifest and segments, and that no name occurs twice.
    ///
    /// - Throws: `catalogInvalid` with the damaged file.
    public func verify() throws(EarshotError) { try Self.verify(url) }

    /// Checks every byte of a store without locking it.
    ///
    /// - Returns: The catalog of the state that was checked.
    /// - Throws: `catalogInvalid` with the damaged file; `catalogAddressInvalid` if there is no store.
    @discardableResult
    public static func verify(_ url: URL) throws(EarshotError) -> Catalog {
        let snapshot = try StoreSnapshot(url)
        try snapshot.verify()
        return snapshot.catalog
    }

    /// Returns `true` if the address is a folder with the suffix `.earstore` or with a manifest, even a damaged one.
    public static func exists(at url: URL) -> Bool { StoreSnapshot.isStore(url) }
}
