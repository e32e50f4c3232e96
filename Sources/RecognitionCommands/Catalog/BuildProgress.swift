import CommandKit
import EarshotCore
import EarshotIngest
import Foundation
import Synchronization

/// The progress of a build on the terminal, and the sentence that an interrupted one ends with.
final class BuildProgress: Sendable {
    private struct State {
        var bar: ProgressBar?
        var interruption: Interruption?
    }

    private let destination: URL
    private let state = Mutex(State())

    init(_ destination: URL) { self.destination = destination }

    /// Shows an event.
    func take(_ event: CatalogBuild.Event) {
        switch event {
        case .began(let count):
            let name = destination.lastPathComponent
            let hint = "Interrupted. What is done is kept in \(name).partial: the same command goes on there."
            state.withLock { $0 = State(bar: ProgressBar(total: count), interruption: Interruption(hint)) }
        case .skipped(let count): state.withLock { $0.bar }?.skip(count)
        case .read(_, let audio): state.withLock { $0.bar }?.step(audioSeconds: audio.seconds)
        case .ended:
            state.withLock { $0.bar }?.finish()
            state.withLock { $0 = State() }
        }
    }
}
