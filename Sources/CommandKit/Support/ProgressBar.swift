import Foundation
import Synchronization

/// A line on the terminal that says how far long work has come, how fast it goes and how long it will take.
///
/// It is drawn on standard error when a person looks there, at most ten times a second.
package final class ProgressBar: Sendable {
    private struct State {
        var done: Int
        /// Of these, items that an earlier run had done.
        var alreadyDone: Int
        var audioSeconds = 0.0
        /// The time since which there is nothing to do but wait for others; `nil` while there is.
        var idleSince: Date?
        /// The time that was waited so before, in seconds.
        var idleSeconds = 0.0
        var lastDrawn = Date.distantPast
    }

    private let total: Int
    private let isVisible: Bool
    private let start = Date()
    private let state: Mutex<State>

    /// - Parameters:
    ///   - total: Items in all.
    ///   - done: Items that an earlier run has done.
    package init(total: Int, done: Int = 0) {
        self.total = total
        isVisible = Terminal.showsProgress
        state = Mutex(State(done: done, alreadyDone: done))
    }

    /// Items need no work, having been done before.
    package func skip(_ count: Int) {
        state.withLock { state in
            state.done += count
            state.alreadyDone += count
        }
    }

    /// One item is done.
    package func step(audioSeconds: Double) {
        state.withLock { state in
            state.done += 1
            state.audioSeconds += audioSeconds
            show(&state)
        }
    }

    /// So many items are done, by this program or others.
    ///
    /// - Parameter waitingForOthers: Says that others do all that is left. This says nothing of the time that is left, and is not counted.
    package func reach(_ count: Int, waitingForOthers: Bool = false) {
        state.withLock { state in
            state.done = min(count, total)
            if waitingForOthers {
                state.idleSince = state.idleSince ?? Date()
            } else if let since = state.idleSince {
                state.idleSeconds += Date().timeIntervalSince(since)
                state.idleSince = nil
            }
            show(&state)
        }
    }

    private func show(_ state: inout State) {
        // Work that is done within a second needs no bar.
        guard isVisible, Date().timeIntervalSince(start) > 1 else { return }
        guard Date().timeIntervalSince(state.lastDrawn) > 0.1 || state.done == total else { return }
        state.lastDrawn = Date()
        draw(state)
    }

    /// Takes the line away until the next item is done, so that something else can be printed.
    package func clear() { Terminal.clearProgress() }

    /// Takes the line away.
    package func finish() { Terminal.clearProgress() }

    private func draw(_ state: State) {
        let elapsed = (state.idleSince ?? Date()).timeIntervalSince(start) - state.idleSeconds
        let fresh = state.done - state.alreadyDone
        let left = fresh > 0 ? elapsed / Double(fresh) * Double(total - state.done) : 0
        var figures = "\(state.done)/\(total)"
        // Work that reads no sound has no such speed.
        if state.audioSeconds > 0, elapsed > 0 {
            figures += String(format: "  %.0fx real time", state.audioSeconds / elapsed)
        }
        if state.idleSince != nil {
            figures += "  waiting for other machines"
        } else {
            figures += String(format: "  %d:%02d left", Int(left) / 60, Int(left) % 60)
        }
        Terminal.draw(total > 0 ? Double(state.done) / Double(total) : 1, figures)
    }
}
