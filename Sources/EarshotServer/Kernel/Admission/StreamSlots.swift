import EarshotCore
import Synchronization

/// Counts the answers that are sent for a while, as streams of samples and events are, in all and of each client.
///
/// A gate ends with a request's handler, and such an answer goes on behind it.
final class StreamSlots: Sendable {
    private struct State {
        var total = 0
        var clients: [String: Int] = [:]
    }

    /// A place, given back when nobody holds it any more.
    final class Place: Sendable {
        private let leave: @Sendable () -> Void
        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        deinit { leave() }
    }

    private let limit: Int
    private let clientLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of slots.
    ///   - clientLimit: The most slots of one client.
    init(limit: Int, clientLimit: Int) {
        self.limit = limit
        self.clientLimit = clientLimit
    }

    /// The number of slots in use.
    var count: Int { state.withLock { $0.total } }

    /// Takes a place.
    ///
    /// - Throws: `serviceBusy` and `tooManyRequests` at once where there is none.
    func enter(_ client: String) throws(EarshotError) -> Place {
        let (total, own) = state.withLock { state in
            let before = (state.total, state.clients[client, default: 0])
            if before.0 < limit, before.1 < clientLimit {
                state.total += 1
                state.clients[client, default: 0] += 1
            }
            return before
        }
        guard total < limit else {
            throw EarshotError(
                .serviceBusy,
                "\(limit) streamed responses are being sent already: try again in a moment."
            )
        }
        guard own < clientLimit else {
            throw EarshotError(
                .tooManyRequests,
                "\(clientLimit) streamed responses are being sent to client \(client) already: read one of them to its end."
            )
        }
        return Place { [self] in
            state.withLock { state in
                state.total -= 1
                let left = state.clients[client, default: 1] - 1
                state.clients[client] = left > 0 ? left : nil
            }
        }
    }
}
