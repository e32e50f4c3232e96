import EarshotCore
import Synchronization

/// Limits the number of streamed responses, such as samples and events, of all clients and of each one.
///
/// ``ConcurrencyLimiter`` counts a request until its handler returns; a streamed response is sent after that.
final class StreamSlots: Sendable {
    private struct State {
        var total = 0
        var clients: [String: Int] = [:]
    }

    /// A slot in use. It is given back when the value is released.
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

    /// Takes a slot for a client.
    ///
    /// - Throws: `serviceBusy` if all slots are in use, `tooManyRequests` if the client has too many; at once.
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
