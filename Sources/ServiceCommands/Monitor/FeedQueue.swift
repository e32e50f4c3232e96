import EarshotStations
import Synchronization

/// The pieces of a channel on their way to a service, over connections that may break off.
///
/// The last half hour is held, sent or not, and a new connection begins with all of it: a network that swallows what it takes
/// is noticed after many minutes only, and a service passes over what it knows. That is some hundred kilobytes.
final class FeedQueue: Sendable {
    private struct State {
        var held: [LiveChunk] = []
        /// The number of those in `held` that the open connection has taken.
        var taken = 0
        /// The number of the connection that stands; another one gets nothing.
        var connection = 0
        var reader: CheckedContinuation<LiveChunk?, Never>?
        var isOver = false
        var count = 0
        /// The number of pieces, counted from the first, that a connection ever took.
        var handed = 0

        mutating func wake(_ piece: LiveChunk?) {
            reader?.resume(returning: piece)
            reader = nil
        }
    }

    /// The pieces that one connection sends: those that are held, and then those that come.
    struct Connection: Sendable {
        fileprivate let queue: FeedQueue
        fileprivate let number: Int

        /// The next piece, once there is one; nothing when no more comes, and when the connection is given up.
        func next() async -> LiveChunk? {
            await withTaskCancellationHandler {
                await queue.next(number)
            } onCancel: {
                close()
            }
        }

        /// Gives the connection up.
        func close() { queue.leave(number) }
    }

    /// The most pieces that are held: half an hour.
    static let limit = 450

    private let state = Mutex(State())

    /// The number of pieces that were made.
    var count: Int { state.withLock { $0.count } }
    /// The number of those that no connection ever took.
    var unsent: Int { state.withLock { $0.count - $0.handed } }
    /// Says that the open connection has taken all that is held.
    var isDrained: Bool { state.withLock { $0.taken == $0.held.count } }
    /// Says that no more will come.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes a piece.
    func append(_ piece: LiveChunk) {
        state.withLock { state in
            state.count += 1
            state.held.append(piece)
            if state.held.count > Self.limit {
                state.held.removeFirst()
                state.taken = max(0, state.taken - 1)
            }
            guard state.reader != nil else { return }
            state.taken += 1
            state.handed = state.count
            state.wake(piece)
        }
    }

    /// Says that no more will come.
    func finish() {
        state.withLock { state in
            state.isOver = true
            state.wake(nil)
        }
    }

    /// A new connection, in place of the one before.
    func connect() -> Connection {
        state.withLock { state in
            state.wake(nil)
            state.connection += 1
            state.taken = 0
            return Connection(queue: self, number: state.connection)
        }
    }

    private func next(_ number: Int) async -> LiveChunk? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                guard state.connection == number else { return continuation.resume(returning: nil) }
                if state.taken < state.held.count {
                    continuation.resume(returning: state.held[state.taken])
                    state.taken += 1
                    state.handed = max(state.handed, state.count - state.held.count + state.taken)
                } else if state.isOver {
                    continuation.resume(returning: nil)
                } else {
                    // One asks at a time.
                    state.wake(nil)
                    state.reader = continuation
                }
            }
        }
    }

    private func leave(_ number: Int) {
        state.withLock { state in
            guard state.connection == number else { return }
            state.connection += 1
            state.taken = 0
            state.wake(nil)
        }
    }
}
