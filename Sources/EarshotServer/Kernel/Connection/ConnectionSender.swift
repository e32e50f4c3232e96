import NIOCore
import Synchronization

/// The other side of a connection: the client's address if a proxy sent one, and if the sender is still connected.
final class ConnectionSender: Sendable {
    private struct State {
        var address: SocketAddress?
        var hasLeft = false
        /// Cancels the work for the request that is being answered: one at a time on a connection.
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The sender of the connection whose requests are answered in this task.
    @TaskLocal static var current: ConnectionSender?

    /// The client's address that the proxy sent; `nil` if it sent none, or there is no proxy.
    var address: SocketAddress? { state.withLock { $0.address } }

    /// `true` if the sender has closed the connection.
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    func set(_ address: SocketAddress) { state.withLock { $0.address = address } }

    /// Notes that the sender has closed the connection, and cancels the work for it.
    func leave() {
        let cancel = state.withLock { state in
            state.hasLeft = true
            return state.cancel
        }
        cancel?()
    }

    /// Runs work for the request that is being answered, and cancels it when the sender leaves.
    func untilLeaving<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let hasLeft = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasLeft
        }
        defer { state.withLock { $0.cancel = nil } }
        if hasLeft { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
