import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotSignatures
import EarshotStations
import Foundation
import Logging
import Synchronization

/// Brings what all nodes of a service are sent of live channels into the index of this one.
///
/// The log is read in its order, so that every node comes to the same. What is read twice changes nothing.
final class LiveChannelFollower: Sendable {
    /// The position up to which a log was read.
    struct Position: Hashable, Codable, Sendable {
        /// The name of the log.
        var log = ""
        /// The last number that was read.
        var number = 0
    }

    private struct State {
        var position: Position
        /// `true` if what was read last may have been replaced.
        var mustRewind = false
        /// `true` if the index has changed since somebody asked.
        var hasChanged = false
    }

    /// The time between two looks at the log when nobody tells of new chunks, in seconds.
    private static let interval = 1.0
    private static let pageSize = 500
    /// The chunks that are read again after the connection to the database was lost. If a standby took its place, numbers that the node has
    /// read may stand for other chunks by now. 256 channels send so many in half a minute, which a standby that is used may lag at most.
    static let rewinding = 2_000

    let store: any LiveChannelStore
    private let index: LiveIndex
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let clock: MediaClock
    private let state: Mutex<State>
    /// One reads at a time.
    private let turnstile = Turnstile()
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// A follower.
    ///
    /// - Parameters:
    ///   - store: The log.
    ///   - index: The index of this node.
    ///   - position: The position up to which the log was read before; `nil` to read it from its beginning.
    init(
        _ store: any LiveChannelStore,
        index: LiveIndex,
        from position: Position?,
        now: @escaping @Sendable () -> Date,
        logger: Logger,
        clock: MediaClock = .system
    ) {
        (self.store, self.index, self.now, self.logger, self.clock) = (store, index, now, logger, clock)
        state = Mutex(State(position: position ?? Position()))
    }

    /// The position up to which the log was read.
    var position: Position { state.withLock(\.position) }

    /// Returns `true` if the index has changed since the last call.
    func takeChanges() -> Bool {
        state.withLock { state in
            defer { state.hasChanged = false }
            return state.hasChanged
        }
    }

    /// Follows the log until the task is canceled.
    ///
    /// - Parameter hints: An element for each change that a node tells of, which may get lost; `nil` if some may have been lost.
    func run(hints: AsyncStream<String?>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await hint in hints {
                    if hint == nil { self.state.withLock { $0.mustRewind = true } }
                    self.wake.continuation.yield()
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    let next = self.clock.now + MediaTime(seconds: Self.interval, preferredTimescale: 1_000)
                    guard (try? await self.clock.sleep(until: next)) != nil else { return }
                    self.wake.continuation.yield()
                }
            }
            group.addTask {
                var told: String?
                for await _ in self.wake.stream {
                    do throws(EarshotError) {
                        try await self.refresh()
                        told = nil
                    } catch {
                        guard error.code != .cancelled, error.message != told else { continue }
                        told = error.message
                        self.logger.error(
                            "Live channels cannot be followed",
                            metadata: ["reason": "\(error.message)"]
                        )
                    }
                }
            }
            await group.waitForAll()
        }
    }

    /// Reads what is new in the log.
    ///
    /// - Throws: `storeUnavailable`.
    func refresh() async throws(EarshotError) {
        try await turnstile.run { () async throws(EarshotError) in
            while try await readPage() {}
        }
    }

    /// Reads a page of the log.
    ///
    /// - Returns: `false` if there is no more.
    private func readPage() async throws(EarshotError) -> Bool {
        let known = state.withLock { state in
            if state.mustRewind { state.position.number = max(0, state.position.number - Self.rewinding) }
            state.mustRewind = false
            return state.position
        }
        let page = try await store.chunks(after: known.number, limit: Self.pageSize)
        if page.log != known.log {
            state.withLock { $0.position = Position(log: page.log, number: 0) }
            // From the beginning it is the right page already.
            if known.number > 0 { return true }
        } else if page.last < known.number {
            // A database that was restored, or a standby that has not got all.
            state.withLock { $0.position.number = max(0, page.last - Self.rewinding) }
            return true
        }
        guard let last = page.entries.last else { return false }
        // Reading signatures and indexing takes its time.
        let hasChanged = try await BlockingWork.run { () throws(EarshotError) in self.take(page.entries) }
        state.withLock { state in
            state.position.number = last.number
            if hasChanged { state.hasChanged = true }
        }
        return page.entries.count == Self.pageSize
    }

    /// Takes chunks into the index. One that cannot be taken holds up no other.
    ///
    /// - Returns: `true` if the index has changed.
    private func take(_ entries: [LiveChannelPage.Entry]) -> Bool {
        let now = now()
        var hasChanged = false
        for entry in entries {
            do {
                let chunk = try LiveChunk(
                    sequence: UInt64(clamping: entry.number),
                    start: Date(timeIntervalSince1970: Double(entry.chunk.start) / 1_000),
                    signature: try Signature(data: entry.chunk.signature)
                )
                switch try index.append(chunk, channel: EntityID(entry.channel), now: now) {
                case .taken, .trimmed: hasChanged = true
                case .known, .expired: break
                }
            } catch {
                logger.warning(
                    "A chunk of a live channel is left out",
                    metadata: ["channel": "\(entry.channel)", "number": "\(entry.number)", "reason": "\(error)"]
                )
            }
        }
        return hasChanged
    }
}
