public import EarshotCore
public import EarshotMusic
import Foundation
import Synchronization

/// The same queries for threads that may be blocked: each returns when the service has answered.
extension MusicRecognizer {
    /// The tracks of a recording, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func tracks(of fingerprint: Fingerprint) throws(EarshotError) -> [TrackResult] {
        try Self.wait { () async throws(EarshotError) in try await self.tracks(of: fingerprint) }
    }

    /// The albums that contain a recording, best match first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func albums(of fingerprint: Fingerprint) throws(EarshotError) -> [AlbumResult] {
        try Self.wait { () async throws(EarshotError) in try await self.albums(of: fingerprint) }
    }

    /// The tracks that fit a text, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func tracks(_ query: MusicQuery) throws(EarshotError) -> [TrackResult] {
        try Self.wait { () async throws(EarshotError) in try await self.tracks(query) }
    }

    /// The albums that fit a text, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func albums(_ query: MusicQuery) throws(EarshotError) -> [AlbumResult] {
        try Self.wait { () async throws(EarshotError) in try await self.albums(query) }
    }

    /// The artists that fit a text, best first. Blocks the thread.
    ///
    /// - Throws: The service's errors.
    @available(*, noasync, message: "This blocks a thread of the pool: use the form for tasks.")
    public func artists(_ query: MusicQuery) throws(EarshotError) -> [ArtistResult] {
        try Self.wait { () async throws(EarshotError) in try await self.artists(query) }
    }

    /// The tracks with these words, best first. Blocks the thread.
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
