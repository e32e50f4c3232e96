import EarshotCore
import EarshotFingerprints
import EarshotNodes
import Logging
import Synchronization

/// Imports fingerprints as they are submitted, beside requests, and follows what other nodes import.
///
/// One node at a time imports: two that decide at the same moment on fingerprints of one recording begin two tracks.
final class FingerprintImporter: Sendable {
    private let library: FingerprintLibrary
    private let leases: LeaseKeeper
    private let logger: Logger
    /// `true` if other nodes import too, whose fingerprints this one follows.
    private let isShared: Bool
    private let clock: MediaClock
    private let isWanted = Mutex(false)
    private let wakes: AsyncStream<Void>
    private let input: AsyncStream<Void>.Continuation

    init(
        _ library: FingerprintLibrary,
        leases: LeaseKeeper,
        isShared: Bool,
        logger: Logger,
        clock: MediaClock = .system
    ) {
        (self.library, self.leases, self.isShared, self.logger, self.clock) = (library, leases, isShared, logger, clock)
        (wakes, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts an import, or another one if an import is running.
    func start() {
        isWanted.withLock { $0 = true }
        input.yield()
    }

    /// Imports and follows until the task is canceled, at first what the last run has left.
    ///
    /// - Parameter attempt: Runs an import, and logs its failure.
    func run(_ attempt: (() async throws(EarshotError) -> Void) async -> Void) async {
        start()
        async let ticks: Void = tick()
        var told: String?
        var isFollowing = true
        for await _ in wakes {
            let isImporting = isWanted.withLock { isWanted in
                defer { isWanted = false }
                return isWanted
            }
            if isImporting {
                await attempt { () async throws(EarshotError) in
                    do throws(EarshotError) {
                        try await importNow()
                    } catch {
                        // At the end of the service: what is left is imported when it runs again.
                        guard error.code == .cancelled, Task.isCancelled else { throw error }
                    }
                }
            }
            do throws(EarshotError) {
                try await library.updateIndex()
                isFollowing = true
            } catch {
                // Told once, and tried each second.
                if isFollowing, !Task.isCancelled {
                    logger.warning("Fingerprints cannot be followed", metadata: ["reason": "\(error.message)"])
                }
                isFollowing = false
            }
            // Told once, for it stays so until somebody mends it.
            let failure = library.index.mergeFailure?.message
            if let failure, failure != told {
                logger.error("Segments of fingerprints could not be merged", metadata: ["reason": "\(failure)"])
            }
            told = failure
        }
        await ticks
    }

    /// Wakes each second, where there is somebody to follow.
    private func tick() async {
        while isShared, !Task.isCancelled {
            let next = clock.now + MediaTime(value: 1, timescale: 1)
            guard (try? await clock.sleep(until: next)) != nil else { return }
            input.yield()
        }
    }

    /// Imports what waits, if no other node does; if one does, the next second asks again.
    private func importNow() async throws(EarshotError) {
        let count = try await leases.run(FingerprintLibrary.importLease) { [library] _ throws(EarshotError) in
            try await library.importPending()
        }
        if count == nil { isWanted.withLock { $0 = true } }
    }
}
