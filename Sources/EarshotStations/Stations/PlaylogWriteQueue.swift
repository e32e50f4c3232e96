import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Synchronization

/// The records, withdrawals and gaps of all stations that wait to be written to the log. Only the latest state of each
/// is kept.
final class PlaylogWriteQueue: Sendable {
    /// The items that are written together.
    struct Batch: Sendable {
        var records: [PlayRecord] = []
        var withdrawals: [EntityID<PlayRecord>] = []
        var gaps: [StreamGap] = []

        var isEmpty: Bool { records.isEmpty && withdrawals.isEmpty && gaps.isEmpty }
        var count: Int { records.count + withdrawals.count + gaps.count }
    }

    private enum Entry: Sendable {
        case record(PlayRecord)
        case withdrawal
        case gap(StreamGap)

        /// `true` if it may be dropped when too much waits, because the play is written again later.
        var isPassing: Bool {
            if case .record(let record) = self { record.state == .provisional } else { false }
        }
    }

    private struct State {
        var entries: [String: (order: Int, entry: Entry)] = [:]
        var order = 0
        var dropped = 0

        mutating func set(_ key: String, _ entry: Entry) {
            order += 1
            entries[key] = (order, entry)
        }

        mutating func limit(to capacity: Int) {
            guard entries.count > capacity else { return }
            let sorted = entries.sorted { one, other in
                one.value.entry.isPassing == other.value.entry.isPassing
                    ? one.value.order < other.value.order : one.value.entry.isPassing
            }
            // More than needed are dropped, so that this does not run for every record.
            for (key, value) in sorted.prefix(entries.count - capacity + capacity / 10) {
                if !value.entry.isPassing { dropped += 1 }
                entries[key] = nil
            }
        }
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(10, capacity) }

    func add(_ outputs: [StationTracker.Output]) {
        state.withLock { state in
            for output in outputs {
                switch output {
                case .record(let record): state.set("p" + record.id.rawValue, .record(record))
                case .withdrawal(let record): state.set("p" + record.id.rawValue, .withdrawal)
                case .gap(let gap): state.set("g" + gap.id.rawValue, .gap(gap))
                default: break
                }
            }
            state.limit(to: capacity)
        }
    }

    var count: Int { state.withLock { $0.entries.count } }

    /// Removes and returns all items, in order.
    func take() -> Batch {
        state.withLock { state in
            var batch = Batch()
            for (key, value) in state.entries.sorted(by: { $0.value.order < $1.value.order }) {
                switch value.entry {
                case .record(let record): batch.records.append(record)
                case .withdrawal: batch.withdrawals.append(EntityID(String(key.dropFirst())))
                case .gap(let gap): batch.gaps.append(gap)
                }
            }
            state.entries = [:]
            return batch
        }
    }

    /// Puts back items that could not be written, unless a newer state waits.
    func putBack(_ batch: Batch) {
        state.withLock { state in
            var earlier = State()
            for id in batch.withdrawals { earlier.set("p" + id.rawValue, .withdrawal) }
            for record in batch.records { earlier.set("p" + record.id.rawValue, .record(record)) }
            for gap in batch.gaps { earlier.set("g" + gap.id.rawValue, .gap(gap)) }
            for (key, value) in earlier.entries where state.entries[key] == nil {
                state.entries[key] = (value.order - earlier.order, value.entry)
            }
            state.limit(to: capacity)
        }
    }

    /// Returns the number of final records and gaps that were dropped since the last call.
    func takeDropped() -> Int {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
