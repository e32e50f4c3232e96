public import EarshotCore
public import EarshotMusic
import Foundation
import Synchronization

/// Blocking forms of the music queries: each returns when the service has answered. For threads outside Swift
/// concurrency.
extension MusicRecognizer {
    /// Returns the tracks that match a fingerprint, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func tracks(of fingerprint: Fingerprint) throws(EarshotError) -> [TrackResult] {
        try Self.wait { () async throws(EarshotError) in try await self.tracks(of: fingerprint) }
    }

    /// Returns the albums that contain the tracks that match a fingerprint, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func albums(of fingerprint: Fingerprint) throws(EarshotError) -> [AlbumResult] {
        try Self.wait { () async throws(EarshotError) in try await self.albums(of: fingerprint) }
    }

    /// Returns the tracks that match a text query, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func tracks(_ query: MusicQuery) throws(EarshotError) -> [TrackResult] {
        try Self.wait { () async throws(EarshotError) in try await self.tracks(query) }
    }

    /// Returns the albums that match a text query, and those of matching tracks, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func albums(_ query: MusicQuery) throws(EarshotError) -> [AlbumResult] {
        try Self.wait { () async throws(EarshotError) in try await self.albums(query) }
    }

    /// Returns the artists that match a text query, and those of matching tracks and albums, each once, best first.
    /// Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func artists(_ query: MusicQuery) throws(EarshotError) -> [ArtistResult] {
        try Self.wait { () async throws(EarshotError) in try await self.artists(query) }
    }

    /// Returns the tracks whose lyrics match a query, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func tracks(_ query: LyricQuery) throws(EarshotError) -> [TrackResult] {
        try Self.wait { () async throws(EarshotError) in try await self.tracks(query) }
    }

    private static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(EarshotError) -> Value
    ) throws(EarshotError) -> Value {
        // Safe: these forms are `noasync`, so no thread of the pool waits here, and the detached task that signals always has one to run on.
        let done = DispatchSemaphore(value: 0)
        let box = OutcomeBox<Value>()
        Task.detached {
            let result: Result<Value, EarshotError>
            do throws(EarshotError) {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            box.set(result)
            done.signal()
        }
        done.wait()
        guard let result = box.value else {
            throw EarshotError(.internalError, "A query ended without a result: please report this.")
        }
        return try result.get()
    }
}

/// The result of a task, for the thread that waits for it.
private final class OutcomeBox<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, EarshotError>?>(nil)
    var value: Result<Value, EarshotError>? { outcome.withLock { $0 } }
    func set(_ result: Result<Value, EarshotError>) { outcome.withLock { $0 = result } }
}
