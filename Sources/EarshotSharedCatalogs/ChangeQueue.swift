import EarshotCatalogs
import EarshotCore
import Synchronization

/// A change that waits to be made.
protocol PendingChange: Sendable {
    /// Makes the change, or leaves the catalog as it was if the change throws. May be called again after a lost race: the last outcome
    /// counts.
    func apply(to catalog: inout Catalog)
}

/// Batches changes that are submitted at the same time, so that they need one segment and one commit.
final class ChangeQueue: Sendable {
    /// A change and its outcome.
    private final class Entry<Value: Sendable>: PendingChange {
        private let body: @Sendable (inout Catalog) throws -> Value
        private let outcome = Mutex<Result<Value, EarshotError>?>(nil)

        init(_ body: @escaping @Sendable (inout Catalog) throws -> Value) { self.body = body }

        func apply(to catalog: inout Catalog) {
            var changed = catalog
            let result: Result<Value, EarshotError>
            do {
                result = .success(try body(&changed))
                catalog = changed
            } catch let error as EarshotError {
                result = .failure(error)
            } catch {
                result = .failure(
                    EarshotError(
                        .internalError,
                        "The shared catalog could not be changed: please report this.",
                        cause: error
                    )
                )
            }
            outcome.withLock { $0 = result }
        }

        /// Returns the value of the body, or throws its error. To be called once the changes are committed.
        func value() throws(EarshotError) -> Value {
            guard let outcome = outcome.withLock({ $0 }) else {
                throw EarshotError(.internalError, "A change of the shared catalog was not made: please report this.")
            }
            return try outcome.get()
        }
    }

    private struct State {
        var waiting: [(change: any PendingChange, done: CheckedContinuation<Result<Void, EarshotError>, Never>)] = []
        var isWorking = false
    }

    /// The most changes of one batch.
    private static let most = 64
    private let state = Mutex(State())

    /// Makes a change, together with others that wait, and returns once it is kept.
    ///
    /// - Parameters:
    ///   - body: Changes the catalog.
    ///   - commit: Makes several changes and keeps them, or throws and keeps none.
    /// - Throws: The error of the body or of the commit.
    func submit<Value: Sendable>(
        _ body: @escaping @Sendable (inout Catalog) throws -> Value,
        commit: @escaping @Sendable ([any PendingChange]) async throws(EarshotError) -> Void
    ) async throws(EarshotError) -> Value {
        let entry = Entry(body)
        let result = await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                state.waiting.append((entry, continuation))
                defer { state.isWorking = true }
                return !state.isWorking
            }
            // Not a child task: if this caller is canceled, the changes of others must still be made.
            if begins { Task { await work(commit) } }
        }
        try result.get()
        return try entry.value()
    }

    private func work(_ commit: @Sendable ([any PendingChange]) async throws(EarshotError) -> Void) async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.most))
                state.waiting.removeFirst(batch.count)
                state.isWorking = !batch.isEmpty
                return batch
            }
            guard !batch.isEmpty else { return }
            let result: Result<Void, EarshotError>
            do throws(EarshotError) {
                result = .success(try await commit(batch.map(\.change)))
            } catch {
                result = .failure(error)
            }
            for entry in batch { entry.done.resume(returning: result) }
        }
    }
}
