import EarshotMonitor
import Synchronization

/// The pieces of a channel on their way to a service, over connections that may break off.
///
/// While a connection stands, the last minute is held, and sent once more on the next one: what was under way when it broke
/// off is lost with it. Without a connection, half an hour is held.
final class FeedQueue: Sendable {
    private struct State {
        var held: [LivePiece] = []
        var connection: AsyncStream<LivePiece>.Continuation?
        var isOver = false
        var count = 0
    }

    static let connectedLimit = 15
    static let waitingLimit = 450

    private let state = Mutex(State())

    /// How many pieces were made.
    var count: Int { state.withLock { $0.count } }
    /// Whether no more will come.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes a piece.
    func append(_ piece: LivePiece) {
        state.withLock { state in
            state.count += 1
            state.held.append(piece)
            let limit = state.connection == nil ? Self.waitingLimit : Self.connectedLimit
            state.held.removeFirst(max(0, state.held.count - limit))
            state.connection?.yield(piece)
        }
    }

    /// Says that no more will come.
    func finish() {
        state.withLock { state in
            state.isOver = true
            state.connection?.finish()
        }
    }

    /// What a new connection sends: what is held, and then what comes.
    func connect() -> AsyncStream<LivePiece> {
        let (stream, continuation) = AsyncStream.makeStream(of: LivePiece.self)
        state.withLock { state in
            state.connection?.finish()
            for piece in state.held { continuation.yield(piece) }
            state.connection = continuation
            if state.isOver { continuation.finish() }
        }
        return stream
    }

    /// Says that the connection is gone.
    func disconnect() {
        state.withLock { state in
            state.connection?.finish()
            state.connection = nil
        }
    }
}
