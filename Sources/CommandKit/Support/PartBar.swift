import Foundation

/// A line on the terminal that says how much of one long work is done, and how long it will take.
///
/// It is drawn on standard error when a person looks there.
package final class PartBar: Sendable {
    private let isVisible = Terminal.showsProgress
    private let start = Date()

    package init() {}

    /// Shows the part that is done, from 0 to 1; nothing where that is not known.
    package func show(_ part: Double?) {
        let elapsed = Date().timeIntervalSince(start)
        // What is done within a second needs no bar.
        guard isVisible, let part, part > 0, elapsed > 1 else { return }
        let left = Int(elapsed * (1 - part) / part)
        let figures = String(format: "%3.0f %%  %d:%02d left", part * 100, left / 60, left % 60)
        Terminal.draw(part, figures)
    }

    /// Takes the line away.
    package func finish() { Terminal.clearProgress() }
}
