import Dispatch
import EarshotCore
import EarshotNodes
import Foundation
import Logging

/// Runs the periodic background work of the service.
struct Maintenance: Sendable {
    let quota: QuotaMeter
    let live: LiveChannels
    let pieces: PieceService
    let keyring: Keyring
    let publications: SharedPublications?
    let leases: LeaseKeeper
    let importer: FingerprintImporter?
    let queues: [JobQueue]
    /// The register of nodes; `nil` for the only node.
    let register: (any NodeRegister)?
    let certificate: ServerCertificate?
    let sessions: WebSessions?
    /// Additions of references that were not answered; `nil` for a catalog that no other node shares.
    let additions: UnsettledAdditions?
    let shutdown: ShutdownFlag
    let logger: Logger
    let now: @Sendable () -> Date

    /// Runs until the task is canceled.
    func run() async {
        var ticks = 0
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            ticks += 1
            await attempt { () async throws(EarshotError) in try await quota.flush() }
            // The operator may have revoked keys with a command.
            await attempt { () async throws(EarshotError) in try await keyring.reload() }
            if ticks % 2 == 0 { await reloadCertificate() }
            if ticks % 12 == 0 {
                await keepLiveChannels()
                await attempt { () async throws(EarshotError) in try await live.removeExpired(leases) }
                await attempt { () async throws(EarshotError) in try await pieces.performMaintenance(at: now()) }
                // Fingerprints that could not be imported before are tried again.
                importer?.start()
            }
            if ticks % 120 == 0 {
                await attempt { () async throws(EarshotError) in try await publications?.collectGarbage(leases) }
            }
            if ticks % 720 == 0 {
                await attempt { () async throws(EarshotError) in try await keyring.rotate(at: now()) }
                await attempt { () async throws(EarshotError) in try await sessions?.clean(at: now()) }
                await attempt { () async throws(EarshotError) in try await additions?.clean() }
                // Not at the start: the node that has the files may be starting too.
                await attempt { () async throws(EarshotError) in try await failLostJobs() }
            }
        }
    }

    private func failLostJobs() async throws(EarshotError) {
        guard let places = try await register?.places() else { return }
        for queue in queues { try await queue.failLost(except: places) }
    }

    /// Writes data that is still in memory, when the service ends.
    func finish() async {
        // Two attempts, so that a failure of the first does not prevent the second.
        await attempt { () async throws(EarshotError) in try await quota.flush() }
        await attempt { () async throws(EarshotError) in try live.keep() }
    }

    /// Runs work and logs its error.
    func attempt(_ work: () async throws(EarshotError) -> Void) async {
        do throws(EarshotError) {
            try await work()
        } catch {
            logger.error(
                shutdown.isRaised ? "Something could not be kept" : "Care failed and is tried again",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }

    private func reloadCertificate() async {
        guard let certificate else { return }
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                certificate.reload()
                continuation.resume()
            }
        }
    }

    /// Writes the last hours of channels, on a thread outside the queue of recognitions, which refuses work while it is full.
    private func keepLiveChannels() async {
        let failure: EarshotError? = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                do throws(EarshotError) {
                    try live.keep()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        await attempt { () async throws(EarshotError) in if let failure { throw failure } }
    }
}
