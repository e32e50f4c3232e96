import Foundation
import Synchronization

/// A line on the terminal that says how many bytes of a download there are.
///
/// It is drawn on standard error when a person looks there, at most ten times a second.
package final class ByteBar: Sendable {
    private let isVisible = Terminal.showsProgress
    private let state = Mutex((first: Int64?.none, start: Date.distantPast, drawn: Date.distantPast))

    package init() {}

    /// Shows the bytes there are, and of how many where that is known.
    package var show: @Sendable (Int64, Int64?) -> Void {
        { [self] done, total in
            guard isVisible else { return }
            let now = Date()
            let rate: Double? = state.withLock { state in
                guard let first = state.first else {
                    (state.first, state.start) = (done, now)
                    return nil
                }
                // What is done within a second needs no bar.
                let elapsed = now.timeIntervalSince(state.start)
                guard elapsed > 1, now.timeIntervalSince(state.drawn) > 0.1 || done == total else { return nil }
                state.drawn = now
                return Double(done - first) / elapsed
            }
            if let rate { draw(done, total, rate) }
        }
    }

    /// Takes the line away; what comes next is measured anew.
    package func finish() {
        state.withLock { $0.first = nil }
        Terminal.clearProgress()
    }

    private func draw(_ done: Int64, _ total: Int64?, _ rate: Double) {
        var figures = DisplayText.bytes(Int(done))
        if let total { figures += " of \(DisplayText.bytes(Int(total)))" }
        figures += "  \(DisplayText.bytes(Int(rate)))/s"
        guard let total, total > 0 else { return Terminal.draw(nil, figures) }
        if rate > 0 {
            let left = Int(Double(total - done) / rate)
            figures += String(format: "  %d:%02d left", left / 60, left % 60)
        }
        Terminal.draw(Double(done) / Double(total), figures)
    }
}
