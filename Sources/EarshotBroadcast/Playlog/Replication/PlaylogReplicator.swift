package import EarshotCore
import EarshotMusic
import Foundation
import Synchronization

/// Copies the log that a monitor writes to another log that clients read, such as that of a service's database.
///
/// The monitor's own log is the queue. Its changes are read in order and written to the other log, and then the
/// position is stored in the monitor's log. Nothing is lost while the other log is unavailable. Records that were
/// written without an answer are written again, which has no effect because plays and gaps have identifiers. Of several
/// changes of a play in one batch only the last is written. Records that are removed from the monitor's log stay in the
/// other one.
package final class PlaylogReplicator: Sendable {
    /// An event for the operator.
    package enum Report: Sendable {
        /// Copying failed for the first time since it last succeeded.
        case failed(EarshotError)
        /// Copying succeeded after a failure.
        case recovered
        /// The other log refused a play or a gap, with the reason. It stays in the monitor's log.
        case refused(id: String, String)
    }

    private struct State {
        var target: (any PlaylogStore)?
        /// The end of the last copied interval of each channel; `nil` until the other log was queried.
        var heard: [EntityID<BroadcastChannel>: Date]?
        /// Says that the monitor's log has a position of ``beginning``.
        var hasBeginning = false
        var isEnding = false
        var isOver = false
    }

    /// The largest number of records that are written together.
    static let batchSize = 1_000
    /// The interval between two checks for changes, in seconds.
    package static let interval = 1.0
    private static let consumerPrefix = "copy to "

    private let source: any PlaylogStore
    /// The name under which the monitor's log stores the position.
    package let consumer: String
    /// The name under which the number of the last change is kept before the whole log is copied. A copy that is cut off and begins anew, as at
    /// the next start of the monitor, goes on with the changes from there: else a play that it wrote, and that was withdrawn before it began
    /// anew, would stay in the other log.
    private var beginning: String { consumer + " (begun)" }
    private let open: @Sendable () async throws(EarshotError) -> any PlaylogStore
    private let clock: MediaClock
    private let state = Mutex(State())

    /// Creates a replicator.
    ///
    /// - Parameters:
    ///   - source: The monitor's log.
    ///   - name: The name of the other log. A log with a new name receives all plays.
    ///   - clock: The clock for pauses.
    ///   - open: Opens the other log. It is called again until it succeeds.
    package init(
        from source: any PlaylogStore,
        to name: String,
        clock: MediaClock = .system,
        open: @escaping @Sendable () async throws(EarshotError) -> any PlaylogStore
    ) {
        (self.source, self.clock, self.open) = (source, clock, open)
        // Names of consumers have a limit of 512 bytes, and addresses with many hosts come near it.
        consumer = Self.consumerPrefix + String(decoding: name.utf8.prefix(400), as: UTF8.self)
    }

    // MARK: - Running

    /// Copies until the task is canceled, or until everything is copied after ``finish(within:)`` was called.
    package func run(_ report: @Sendable (Report) -> Void = { _ in }) async {
        var backoff = Backoff(cap: MediaTime(value: 10, timescale: 1), jitter: 0.5...1)
        defer { state.withLock { $0.isOver = true } }
        while !Task.isCancelled {
            let isEnding = state.withLock(\.isEnding)
            var pause = MediaTime(seconds: Self.interval, preferredTimescale: 1_000)
            do throws(EarshotError) {
                try await copy(report)
                if backoff.failures > 0 { report(.recovered) }
                backoff.reset()
                if isEnding { return }
            } catch {
                if Task.isCancelled { return }
                if backoff.failures == 0 { report(.failed(error)) }
                pause = backoff.failed(random: .random(in: 0...1))
            }
            guard (try? await clock.sleep(until: clock.now + pause)) != nil else { return }
        }
    }

    /// Lets ``run(_:)`` end after everything is copied, and waits for that. The next monitor copies the rest.
    ///
    /// - Parameter seconds: The longest wait, in seconds.
    package func finish(within seconds: Double) async {
        state.withLock { $0.isEnding = true }
        let end = clock.now + MediaTime(seconds: seconds, preferredTimescale: 1_000)
        while !state.withLock(\.isOver), clock.now < end {
            let next = clock.now + MediaTime(value: 1, timescale: 10)
            guard (try? await clock.sleep(until: next)) != nil else { return }
        }
    }

    // MARK: - Copying

    /// Copies all changes since the last call. Calls must not overlap.
    ///
    /// - Throws: The errors of both logs.
    package func copy(_ report: (Report) -> Void = { _ in }) async throws(EarshotError) {
        let target = try await opened()
        try await copyHeard(to: target)
        var position = try await source.position(of: consumer)
        while true {
            guard let known = position else {
                position = try await copyAll(to: target, report)
                continue
            }
            if state.withLock(\.hasBeginning) {
                try await source.removeConsumer(beginning)
                state.withLock { $0.hasBeginning = false }
            }
            let page = try await source.changes(after: known, limit: Self.batchSize)
            if page.isIncomplete {
                position = nil
                continue
            }
            guard let last = page.changes.last else { return }
            try await write(page.changes, to: target, report)
            try await source.setPosition(last.sequence, of: consumer)
            guard page.hasMore else { return }
            position = last.sequence
        }
    }

    private func opened() async throws(EarshotError) -> any PlaylogStore {
        if let target = state.withLock(\.target) { return target }
        let target = try await open()
        // For a consumer that no longer copies, changes would be kept forever. A log that was moved has the consumers
        // of its old place.
        let consumers = try await source.consumers()
        for other in consumers.keys
        where other.hasPrefix(Self.consumerPrefix) && other != consumer && other != beginning {
            try await source.removeConsumer(other)
        }
        for other in try await target.consumers().keys where other.hasPrefix(Self.consumerPrefix) {
            try await target.removeConsumer(other)
        }
        state.withLock { ($0.target, $0.hasBeginning) = (target, consumers[beginning] != nil) }
        return target
    }

    /// Copies all plays and gaps: the first time, and if changes were removed before they were copied.
    ///
    /// - Returns: The number of the last change before copying. Later changes may be copied already.
    private func copyAll(to target: any PlaylogStore, _ report: (Report) -> Void) async throws(EarshotError) -> Int {
        let last: Int
        if let begun = try await source.position(of: beginning) {
            last = begun
        } else {
            last = try await source.counts().lastSequence
            try await source.setPosition(last, of: beginning)
        }
        state.withLock { $0.hasBeginning = true }
        var cursor: PlayCursor?
        repeat {
            let page = try await source.records(PlayQuery(), after: cursor, limit: Self.batchSize)
            if !page.items.isEmpty { tell(of: try await target.put(page.items), report) }
            cursor = page.next
        } while cursor != nil
        repeat {
            let page = try await source.gaps(PlayQuery(), after: cursor, limit: Self.batchSize)
            if !page.items.isEmpty { tell(of: try await target.put(page.items), report) }
            cursor = page.next
        } while cursor != nil
        try await source.setPosition(last, of: consumer)
        return last
    }

    private func write(
        _ changes: [PlayChange],
        to target: any PlaylogStore,
        _ report: (Report) -> Void
    ) async throws(EarshotError) {
        var (plays, gaps, withdrawn) = ([PlayRecord](), [StreamGap](), [EntityID<PlayRecord>]())
        var seen: Set<String> = []
        for change in changes.reversed() {
            switch change.subject {
            case .play(let play):
                guard seen.insert("p" + play.id.rawValue).inserted else { continue }
                if change.event == .playWithdrawn { withdrawn.append(play.id) } else { plays.append(play) }
            case .gap(let gap):
                if seen.insert("g" + gap.id.rawValue).inserted { gaps.append(gap) }
            }
        }
        if !withdrawn.isEmpty { tell(of: try await target.withdraw(withdrawn.reversed()), report) }
        if !gaps.isEmpty { tell(of: try await target.put(Array(gaps.reversed())), report) }
        if !plays.isEmpty { tell(of: try await target.put(Array(plays.reversed())), report) }
    }

    private func tell(of outcomes: [PlayOutcome], _ report: (Report) -> Void) {
        for outcome in outcomes {
            if case .refused(let reason) = outcome.result { report(.refused(id: outcome.id, reason)) }
        }
    }

    /// Copies the intervals in which channels were monitored. They have no changes: an interval that ends after the
    /// last copied one of its channel is new.
    private func copyHeard(to target: any PlaylogStore) async throws(EarshotError) {
        var query = PlayQuery()
        var ends: [EntityID<BroadcastChannel>: Date]
        if let known = state.withLock(\.heard) {
            ends = known
            let upper = PlaylogTime.date(PlaylogTime.range.upperBound)
            if let first = ends.values.min(), first < upper { query.span = first..<upper }
        } else {
            let channels = Set(try await source.heard(query).map(\.channel.id))
            guard !channels.isEmpty else { return }
            ends = try await target.heard(PlayQuery(channels: channels))
                .reduce(into: [:]) { $0[$1.channel.id] = max($0[$1.channel.id] ?? $1.end, $1.end) }
        }
        let new = try await source.heard(query).filter { $0.end > ends[$0.channel.id] ?? .distantPast }
        for start in stride(from: 0, to: new.count, by: Self.batchSize) {
            try await target.note(Array(new[start..<min(start + Self.batchSize, new.count)]))
        }
        for interval in new { ends[interval.channel.id] = max(ends[interval.channel.id] ?? interval.end, interval.end) }
        state.withLock { $0.heard = ends }
    }
}
