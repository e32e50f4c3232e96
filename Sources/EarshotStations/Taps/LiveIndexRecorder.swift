import Dispatch
package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation
import Synchronization

/// Keeps the last hours of one station as a ``LiveIndex`` in a folder, so that recordings can be looked up in them.
package final class LiveIndexRecorder: StationObserver {
    private struct State {
        var waiting = 0
        var writtenAt: Date?
    }

    /// The interval between two writes of the folder, in seconds.
    private static let writeInterval = 60.0
    /// The largest number of buffers that wait for analysis; further ones are dropped.
    private static let waitingLimit = 2_000

    /// The index of the last hours.
    package let index: LiveIndex
    private let folder: URL
    private let report: @Sendable (EarshotError) -> Void
    private let queue = DispatchQueue(label: "earshot.live", target: .global(qos: .utility))
    private let state = Mutex(State())

    /// Restores the index of a folder, or creates a new one. Only one recorder may use a folder at a time.
    ///
    /// - Parameters:
    ///   - folder: The folder; created if needed.
    ///   - retention: The retention: 1 minute to 72 hours.
    ///   - now: The current time: parts older than the retention are dropped.
    ///   - report: Called with failures, and with damaged files that were left out.
    public init(
        _ folder: URL,
        retention: MediaTime,
        now: Date = Date(),
        report: @escaping @Sendable (EarshotError) -> Void = { _ in }
    ) {
        let options = LiveIndex.Options(retention: retention)
        let (index, notes) = LiveIndex.restore(from: folder, options: options, now: now)
        (self.index, self.folder, self.report) = (index, folder, report)
        for note in notes { report(EarshotError(.storeDamaged, note)) }
    }

    /// Queues audio for the index; drops it if too much waits.
    package func hear(_ buffer: AudioBuffer, at date: Date, of channel: EntityID<BroadcastChannel>) {
        let isFull = state.withLock { state in
            guard state.waiting < Self.waitingLimit else { return true }
            state.waiting += 1
            return false
        }
        guard !isFull else { return }
        queue.async { [self] in
            state.withLock { $0.waiting -= 1 }
            do throws(EarshotError) {
                // A recording has dates in the past, so they also serve as the current time.
                try index.append(buffer, channel: channel, at: date, now: date)
            } catch {
                report(error)
            }
            let isDue = state.withLock { state in
                guard state.writtenAt.map({ abs(date.timeIntervalSince($0)) >= Self.writeInterval }) ?? true else {
                    return false
                }
                state.writtenAt = date
                return true
            }
            if isDue { write() }
        }
    }

    /// Does nothing: the log has the plays.
    package func note(_ record: PlayRecord, isWithdrawn: Bool) {}

    /// Writes the folder, at the end of the monitor.
    package func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                write()
                continuation.resume()
            }
        }
    }

    private func write() {
        do throws(EarshotError) { try index.write(to: folder) } catch { report(error) }
    }
}
