import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import Foundation
import Logging

/// Runs the background work of a shared catalog: follows its changes, and merges its segments and cleans up its bucket, which one node does
/// at a time.
struct SharedCatalogCare: Sendable {
    /// The time between two checks for segments that are due to be merged, in seconds.
    private static let mergeInterval = 5.0
    /// The time between two removals of unneeded objects from the bucket, in seconds.
    private static let garbageInterval = 600.0
    /// The time between two searches of the bucket for orphans, in seconds. Each thousand objects cost a request.
    private static let listInterval = 3_600.0

    let catalog: SharedCatalog
    let hints: AsyncStream<Void>
    let keeper: LeaseKeeper
    let shutdown: ShutdownFlag
    let logger: Logger

    /// Runs until the task is canceled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await catalog.follow(hints: hints) { error in
                    logger.error("The catalog cannot be followed", metadata: ["reason": "\(error.message)"])
                }
            }
            group.addTask {
                await repeating(each: Self.mergeInterval) { () async throws(EarshotError) in
                    _ = try await catalog.merge(keeper)
                }
            }
            group.addTask {
                await repeating(each: Self.garbageInterval) { () async throws(EarshotError) in
                    _ = try await catalog.collectGarbage(keeper)
                }
            }
            group.addTask {
                await repeating(each: Self.listInterval) { () async throws(EarshotError) in
                    let count = try await catalog.announceOrphans(keeper)
                    guard let count, count > 0 else { return }
                    logger.notice(
                        "Objects of the bucket that the database does not know are removed in a day",
                        metadata: ["catalog": "\(catalog.name)", "count": "\(count)"]
                    )
                }
            }
            await group.waitForAll()
        }
    }

    private func repeating(each seconds: Double, _ work: () async throws(EarshotError) -> Void) async {
        var told: String?
        while (try? await Task.sleep(for: .seconds(seconds))) != nil, !shutdown.isRaised {
            do throws(EarshotError) {
                try await work()
                told = nil
            } catch {
                guard !Task.isCancelled, error.message != told else { continue }
                told = error.message
                logger.error("Care for the catalog failed and is tried again", metadata: ["reason": "\(error.message)"])
            }
        }
    }
}
