package import EarshotCore
package import Foundation
import Synchronization

/// Keeps the last hours of channels in memory, for nodes of one process.
package final class MemoryLiveChannelStore: LiveChannelStore {
    private struct State {
        var entries: [LiveChannelPage.Entry] = []
        var ends: [String: Int64] = [:]
        var last = 0
    }

    private let log: String
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// A store without channels.
    ///
    /// - Parameters:
    ///   - log: The name of its log.
    ///   - now: The time.
    package init(log: String = UUID().uuidString, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.log, self.now) = (log, now)
    }

    package func append(
        _ chunks: [LiveChannelChunk],
        to channel: String,
        channelLimit: Int
    ) async throws(EarshotError) -> [Bool] {
        try state.withLock { state throws(EarshotError) in
            if state.ends[channel] == nil, state.ends.count >= channelLimit { throw Self.full(channelLimit) }
            var end = state.ends[channel] ?? 0
            let kept = Self.kept(chunks, behind: &end)
            guard kept.contains(true) else { return kept }
            state.ends[channel] = end
            for (chunk, isKept) in zip(chunks, kept) where isKept {
                state.last += 1
                state.entries.append(LiveChannelPage.Entry(number: state.last, channel: channel, chunk: chunk))
            }
            return kept
        }
    }

    package func chunks(after number: Int, limit: Int) async throws(EarshotError) -> LiveChannelPage {
        state.withLock { state in
            let first = state.entries.firstIndex { $0.number > number } ?? state.entries.endIndex
            return LiveChannelPage(
                log: log,
                last: state.last,
                entries: Array(state.entries[first...].prefix(max(0, limit)))
            )
        }
    }

    @discardableResult
    package func remove(olderThan seconds: Double) async throws(EarshotError) -> Int {
        let oldest = Int64(((now().timeIntervalSince1970 - seconds) * 1_000).rounded())
        return state.withLock { state in
            let count = state.entries.count
            state.entries.removeAll { $0.chunk.end < oldest }
            state.ends = state.ends.filter { $0.value >= oldest }
            return count - state.entries.count
        }
    }
}
