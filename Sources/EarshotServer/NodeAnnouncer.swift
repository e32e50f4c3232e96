import EarshotCore
import EarshotNodes
import Logging

/// Announces this node to the others, and reads which of them are live.
struct NodeAnnouncer: Sendable {
    /// The time for which a silent node counts as alive, in seconds.
    private static let lifetime = 15.0
    /// The time between two announcements, in seconds.
    private static let interval = 5.0

    let register: any NodeRegister
    let record: NodeRecord
    /// The address at which the node searches for others; `nil` if it does not.
    var address: @Sendable () -> String? = { nil }
    /// The generation of the catalog that the node searches now.
    var generation: @Sendable () -> Int = { 0 }
    /// Called with all live nodes each time this one is announced; `nil` if they are not needed.
    var others: (@Sendable ([NodeRecord]) -> Void)?
    /// The work of the node: drained when the operator asks for that, or the service is about to end.
    let work: NodeWork
    /// Returns the number of other tasks that are under way.
    var load: @Sendable () async -> Int = { 0 }
    let shutdown: ShutdownFlag
    let logger: Logger
    var clock = MediaClock.system

    private func drain(_ isDraining: Bool) {
        guard isDraining != work.isDraining else { return }
        work.setDraining(isDraining)
        logger.notice(isDraining ? "The node begins no more work" : "The node begins work again")
    }

    /// Announces the node until the task is canceled, and then takes it out.
    func run() async {
        var isTold = false
        var twins = FolderTwins(of: record, lifetime: Self.lifetime)
        while !Task.isCancelled {
            var record = record
            record.generation = generation()
            record.address = address()
            // Read before the work is counted: otherwise work that begins in between would not be counted though the node counts as drained.
            record.isDraining = work.isDraining || shutdown.isRaised
            record.work = await load() + work.count
            do throws(EarshotError) {
                let isAsked = try await register.announce(record, seconds: Self.lifetime)
                drain(isAsked || shutdown.isRaised)
                if let others {
                    let nodes = try await register.nodes()
                    others(nodes)
                    for twin in twins.new(in: nodes, at: clock.now.seconds) {
                        logger.error(
                            "Another node has a copy of this node's folder: end one of them, remove the file place in its folder, start it again",
                            metadata: ["node": "\(twin.name)"]
                        )
                    }
                }
                isTold = false
                // At once: the command that asked for draining waits for this announcement.
                if isAsked, !record.isDraining { continue }
            } catch {
                if !isTold, !Task.isCancelled {
                    logger.warning("The node cannot be announced", metadata: ["reason": "\(error.message)"])
                }
                isTold = true
            }
            let next = clock.now + MediaTime(seconds: Self.interval, preferredTimescale: 1_000_000_000)
            guard (try? await clock.sleep(until: next)) != nil else { break }
        }
        // In a task of its own: a canceled one would not reach the register.
        await Task { [register, record] in try? await register.leave(record.id) }.value
    }
}
