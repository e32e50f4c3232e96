import EarshotCore
import EarshotFingerprints
import EarshotNodes
import Logging
import Synchronization

/// Imports submitted fingerprints in the background, and follows the imports of other nodes.
///
/// One node at a time imports: two that decide on fingerprints of one recording at the same moment would create two tracks.
final class FingerprintImporter: Sendable {
    private let library: FingerprintLibrary
    private let leases: LeaseKeeper
    private let logger: Logger
    /// `true` if other nodes import too, so that this one must follow them.
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

    /// Runs until the task is canceled. Begins with submissions that the last process has left.
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
                        // The service ends: the remaining submissions are imported at the next start.
                        guard error.code == .cancelled, Task.isCancelled else { throw error }
                    }
                }
            }
            do throws(EarshotError) {
                try await library.updateIndex()
                isFollowing = true
            } catch {
                // Logged once, and tried again each second.
                if isFollowing, !Task.isCancelled {
                    logger.warning("Fingerprints cannot be followed", metadata: ["reason": "\(error.message)"])
                }
                isFollowing = false
            }
            // Logged once: the failure lasts until somebody repairs the cause.
            let failure = library.index.mergeFailure?.message
            if let failure, failure != told {
                logger.error("Segments of fingerprints could not be merged", metadata: ["reason": "\(failure)"])
            }
            told = failure
        }
        await ticks
    }

    /// Wakes ``run(_:)`` each second if there are other nodes to follow.
    private func tick() async {
        while isShared, !Task.isCancelled {
            let next = clock.now + MediaTime(value: 1, timescale: 1)
            guard (try? await clock.sleep(until: next)) != nil else { return }
            input.yield()
        }
    }

    /// Imports waiting submissions, if no other node does. Otherwise the next second tries again.
    private func importNow() async throws(EarshotError) {
        let count = try await leases.run(FingerprintLibrary.importLease) { [library] _ throws(EarshotError) in
            try await library.importPending()
        }
        if count == nil { isWanted.withLock { $0 = true } }
    }
}
