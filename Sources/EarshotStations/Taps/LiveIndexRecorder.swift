import Dispatch
package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation
import Synchronization

/// Keeps the last hours of one station as a ``LiveIndex`` in a folder, so that a recording can be looked up in them.
package final class LiveIndexRecorder: StationObserver {
    private struct State {
        var waiting = 0
        var writtenAt: Date?
    }

    /// How often the folder is brought up to date, in seconds.
    private static let writeInterval = 60.0
    /// How many buffers may wait to be analyzed; what comes beyond that is left out.
    private static let waitingLimit = 2_000

    /// The last hours.
    package let index: LiveIndex
    private let folder: URL
    private let report: @Sendable (EarshotError) -> Void
    private let queue = DispatchQueue(label: "earshot.live", target: .global(qos: .utility))
    private let state = Mutex(State())

    /// Restores the index of a folder, or starts a new one. Only one recorder may use a folder at a time.
    ///
    /// - Parameters:
    ///   - folder: The folder; made where there is none.
    ///   - retention: The retention: one minute to 72 hours.
    ///   - now: The current time: older parts than the retention are dropped.
    ///   - report: Told of failures, and of damaged files that were left out.
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

    /// Takes audio.
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
                // A recording is dated by the past: it is its own clock.
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

    /// Plays are in the log.
    package func note(_ record: PlayRecord, isWithdrawn: Bool) {}

    /// Brings the folder up to date, as when the monitor ends.
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
