public import EarshotCatalogs
public import EarshotCore
public import Foundation
import Synchronization

/// A catalog that is kept at an address, with a copy on the disk.
///
/// It can be matched against at once: against what an earlier download left, or a file that came with the app. Newer
/// states take its place when they are there and found good; what fails leaves the old one.
///
/// ```swift
/// let remote = try RemoteCatalog(at: address, cacheFolder: caches, bundled: fileOfTheApp)
/// let session = MatchSession(catalog: remote.current)
/// for await catalog in remote.updates { session.replace(catalog) }
/// ```
///
/// All functions may be called from any thread.
public final class RemoteCatalog: Sendable {
    /// The origin of the catalog in use, the best first.
    public enum Source: String, Hashable, Sendable {
        /// It was fetched, or found unchanged, since this object was made.
        case download
        /// An earlier run fetched it.
        case cache
        /// The file that came with the app.
        case bundle
        /// There is none: the catalog is empty.
        case none
    }

    /// The options for fetching a catalog.
    public struct Options: Sendable {
        /// The most bytes that a catalog may have; 2 GiB unless set.
        public var sizeLimit: Int64 = 2 << 30
        /// The key that catalogs must be signed with. Without it the SHA-256 beside the catalog is checked, where there is
        /// one, and the checksums within it.
        public var publisherKey: PublisherKey?
        /// The pause of ``RemoteCatalog/updates`` after a success; an hour unless set.
        public var interval = MediaTime(value: 3_600, timescale: 1)
        /// The transport that fetches.
        public var transport: any CatalogTransport
        /// The clock of pauses and intervals.
        public var clock: MediaClock
        /// Random numbers from 0 to 1, which vary the pauses after failures.
        public var draw: @Sendable () -> Double

        /// Options; each but the transport has the value that it names.
        public init(
            publisherKey: PublisherKey? = nil,
            transport: any CatalogTransport,
            clock: MediaClock = .system,
            draw: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
        ) {
            self.publisherKey = publisherKey
            self.transport = transport
            self.clock = clock
            self.draw = draw
        }
    }

    struct State {
        var current: Catalog
        var source: Source
        var lastError: EarshotError?
        /// Asks again and again as long as somebody listens.
        var driver: Task<Void, Never>?
        /// The pause that the driver makes, and whether it is to make none.
        var pause: Task<Void, Never>?
        var isNetworkBack = false
    }

    let options: Options
    let state: Mutex<State>
    let broadcast = EventBroadcast<Catalog>(replay: .none, buffering: .bufferingNewest(1))
    private let address: RemoteAddress
    private let download: CatalogDownload
    private let turns = Turns()

    /// Opens what is on the disk; the network is not asked yet.
    ///
    /// - Parameters:
    ///   - url: The address of a catalog file, http or https. With http, anyone on the way can read and change what is
    ///     fetched: then give a publisher's key. User, password and query are sent but never shown.
    ///   - cacheFolder: A folder for this catalog alone, which is made where there is none.
    ///   - bundled: A catalog file or store to begin with while nothing has been fetched.
    ///   - options: The options for fetching.
    /// - Throws: `downloadFailed` when the address is of another kind. Whatever else is wrong leaves an empty catalog and
    ///   stands in ``lastError``.
    public init(
        at url: URL,
        cacheFolder: URL,
        bundled: URL? = nil,
        options: Options
    ) throws(EarshotError) {
        address = try RemoteAddress(url)
        self.options = options
        download = try CatalogDownload(
            url,
            to: cacheFolder.appendingPathComponent("catalog.earcat"),
            sizeLimit: options.sizeLimit,
            key: options.publisherKey,
            transport: options.transport
        )
        var state = State(current: Catalog(), source: .none)
        let id = url.deletingPathExtension().lastPathComponent
        do throws(EarshotError) {
            do {
                try FileManager.default.createDirectory(at: cacheFolder, withIntermediateDirectories: true)
            } catch {
                state.lastError = EarshotError(
                    .writeFailed,
                    "Cannot make the folder \(cacheFolder.path): check that you may write there.",
                    cause: error
                )
            }
            if var catalog = download.earlier() {
                catalog.identity.id = id
                (state.current, state.source) = (catalog, .cache)
            } else if let bundled {
                (state.current, state.source) = (try Catalog(contentsOf: bundled), .bundle)
            } else {
                throw EarshotError(
                    .catalogAddressInvalid,
                    "There is no copy of \(address.label) yet: wait for an update, or give a catalog to begin with."
                )
            }
        } catch {
            state.lastError = error
        }
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { $0.driver }?.cancel()
    }

    /// The best catalog there is now; empty when there is none. Its identity says where it came from: the address, the
    /// file in the cache folder, or the bundled file.
    public var current: Catalog { state.withLock { $0.current } }

    /// The origin of ``current``.
    public var source: Source { state.withLock { $0.source } }

    /// The reason why the last attempt failed, or there is no catalog; `nil` after a success.
    public var lastError: EarshotError? { state.withLock { $0.lastError } }

    /// Asks the server once whether there is a newer state, and fetches it. Calls at the same time take turns.
    ///
    /// - Returns: The new catalog, or nothing when the one there is still holds.
    /// - Throws: `downloadFailed`, and another call goes on where this one ended; `verificationFailed` when what came is
    ///   not what its publisher promised; `writeFailed`; `cancelled`. ``current`` is then as it was.
    @discardableResult
    public func update() async throws(EarshotError) -> Catalog? {
        await turns.take()
        defer { turns.pass() }
        do throws(EarshotError) {
            let outcome = try await download.run()
            return settle(outcome)
        } catch {
            // What was given up says nothing about the catalog.
            if error.code != .cancelled { state.withLock { $0.lastError = error } }
            throw error
        }
    }

    private func settle(_ outcome: CatalogDownload.Outcome) -> Catalog? {
        var catalog: Catalog
        switch outcome {
        case .fetched(let fetched), .unchanged(let fetched): catalog = fetched
        }
        catalog.identity.id = address.url.deletingPathExtension().lastPathComponent
        catalog.identity.source = address.shown
        return state.withLock { state in
            state.lastError = nil
            let isNew =
                state.source == .bundle || state.source == .none
                || state.current.identity.version != catalog.identity.version
            state.source = .download
            state.current = catalog
            guard isNew else { return nil }
            broadcast.send(catalog)
            return catalog
        }
    }
}

/// Lets one in after the other, in the order in which they came.
private final class Turns: Sendable {
    private let state = Mutex((isTaken: false, waiting: [CheckedContinuation<Void, Never>]()))

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func pass() {
        let next = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() as CheckedContinuation<Void, Never>? }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
