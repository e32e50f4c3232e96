import EarshotCore
import EarshotNodes
import Foundation
import Logging
import NIOCore
import ServiceLifecycle

extension RecognitionServer {
    /// Serves requests until the task is canceled or the process receives a signal to end.
    ///
    /// - Throws: `storeUnavailable` if an address is taken, `configurationInvalid` if it is none of this machine.
    package func run() async throws {
        let leftovers = Leftovers(in: parts.folder, at: parts.now())
        try await BlockingWork.run { () throws(EarshotError) in leftovers.remove() }
        try await media?.start()
        try await pieces.begin()
        await maintenance.attempt { () async throws(EarshotError) in try await maintenance.live.follower?.refresh() }
        await jobs.start { [worker] job, progress throws(EarshotError) in try await worker.run(job, progress) }
        await tracklists.start { [self] job, progress throws(EarshotError) in
            let outcome = try await tracklistWorker.run(job, progress)
            // A failure to clean up must not fail the tracklist that was just made.
            await maintenance.attempt { () async throws(EarshotError) in try await removeTracklistLeftovers() }
            return outcome
        }
        try await removeTracklistLeftovers()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withGracefulShutdownHandler {
                        try await application().run()
                    } onGracefulShutdown: {
                        // Readers of job events would otherwise keep their connections, and so the service, open.
                        shutdown.raise()
                        work.setDraining(true)
                        if parts.isShared {
                            // A job that is put back would start over on another node: the running one is finished here.
                            Task { await jobs.drain() }
                            Task { await tracklists.drain() }
                        } else {
                            Task { await jobs.stop() }
                            Task { await tracklists.stop() }
                        }
                        Task { await media?.stop() }
                    }
                }
                for task in backgroundTasks {
                    group.addTask {
                        await task()
                        // The first task that ends counts as the end of the service, so this one waits.
                        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
                    }
                }
                // Only the application ends by itself; the other tasks end when they are canceled.
                try await group.next()
                if parts.isShared {
                    // Waits until the jobs are done, or the service group cancels this task when the time to stop is over.
                    await jobs.drain()
                    await tracklists.drain()
                }
                group.cancelAll()
            }
        } catch {
            await stop()
            throw Self.explained(error, settings.host, settings.port, setting: "--port", hostSetting: "--host")
        }
        await stop()
    }

    private var backgroundTasks: [@Sendable () async -> Void] {
        var tasks: [@Sendable () async -> Void] = [
            { await maintenance.run() },
            { await state.run() },
            { await analysis.run() },
            { await cleanup.run() },
        ]
        if let shared = parts.catalog.shared {
            let care = SharedCatalogCare(
                catalog: shared,
                hints: parts.catalog.hints,
                keeper: leases,
                shutdown: shutdown,
                logger: parts.logger
            )
            tasks.append { await care.run() }
        }
        if let follower = maintenance.live.follower, let hints = parts.liveChannels?.hints {
            tasks.append { await follower.run(hints: hints) }
        }
        if let announcer {
            tasks.append {
                // Other nodes may ask as soon as the address is announced.
                await cluster?.untilListening()
                await announcer.run()
            }
        }
        if let media { tasks.append { await media.index.run() } }
        if let importer { tasks.append { await importer.run(maintenance.attempt) } }
        return tasks
    }

    private func removeTracklistLeftovers() async throws(EarshotError) {
        try await tracklistFiles.removeLeftovers { () throws(EarshotError) in try await tracklists.jobs() }
    }

    private func stop() async {
        shutdown.raise()
        await jobs.stop()
        await tracklists.stop()
        await media?.stop()
        await maintenance.finish()
    }

    /// Returns the error of a server as an ``EarshotError`` that names the setting to change.
    ///
    /// - Parameters:
    ///   - setting: The setting of the port.
    ///   - hostSetting: The setting of the host.
    static func explained(
        _ error: any Error,
        _ host: String,
        _ port: Int,
        setting: String,
        hostSetting: String
    ) -> any Error {
        if error is EarshotError || error is CancellationError { return error }
        if let error = error as? IOError, error.errnoCode == EADDRNOTAVAIL {
            return EarshotError(
                .configurationInvalid,
                "\(host) is no address of this machine: set \(hostSetting) to one that it has.",
                cause: error
            )
        }
        if error is SocketAddressError.UnknownHost {
            return EarshotError(
                .configurationInvalid,
                "The name \(host) has no address: check it, or set \(hostSetting) to an address of this machine.",
                cause: error
            )
        }
        if let error = error as? IOError, error.errnoCode == EADDRINUSE || error.errnoCode == EACCES {
            let reason = error.errnoCode == EACCES ? "may not be used by this user" : "is taken by another program"
            return EarshotError(
                .storeUnavailable,
                "Port \(port) of \(host) \(reason): choose another with \(setting).",
                cause: error
            )
        }
        return EarshotError(.internalError, "The service ended.", cause: error)
    }
}
