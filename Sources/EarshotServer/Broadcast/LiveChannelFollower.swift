import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotSignatures
import EarshotStations
import Foundation
import Logging
import Synchronization

/// Adds the chunks of live channels that any node of a service receives to the index of this node.
///
/// The log is read in its order, so that all nodes get the same index. A chunk that is read twice changes nothing.
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
        /// `true` if numbers that were read last may stand for other chunks by now.
        var mustRewind = false
        /// `true` if the index has changed since the last call of ``takeChanges()``.
        var hasChanged = false
    }

    /// The time between two reads of the log without hints, in seconds.
    private static let interval = 1.0
    private static let pageSize = 500
    /// The number of chunks that are read again after the connection to the database was lost: if a standby took over, numbers that were read may
    /// stand for other chunks. It covers half a minute of 256 channels, more than a usable standby may lag behind.
    static let rewinding = 2_000

    let store: any LiveChannelStore
    private let index: LiveIndex
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let clock: MediaClock
    private let state: Mutex<State>
    /// Lets one refresh run at a time.
    private let turnstile = Turnstile()
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates a follower.
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
    /// - Parameter hints: An element for each change that a node announces. Elements may get lost; `nil` stands for a lost connection.
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

    /// Reads all new chunks of the log.
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
            // A page from the beginning is the right one for another log too.
            if known.number > 0 { return true }
        } else if page.last < known.number {
            // The log ends before the known number: the database was restored, or a standby lacks the last chunks.
            state.withLock { $0.position.number = max(0, page.last - Self.rewinding) }
            return true
        }
        guard let last = page.entries.last else { return false }
        // Decoding signatures and indexing take long, so they must not block a thread that tasks share.
        let hasChanged = try await BlockingWork.run { () throws(EarshotError) in self.take(page.entries) }
        state.withLock { state in
            state.position.number = last.number
            if hasChanged { state.hasChanged = true }
        }
        return page.entries.count == Self.pageSize
    }

    /// Adds chunks to the index. Those that cannot be added are logged and skipped.
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
