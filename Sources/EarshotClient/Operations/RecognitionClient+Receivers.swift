public import EarshotCore
import Synchronization

/// Receives the result of a recognition, search or fetch on the main actor. It may also be an operation status
/// receiver.
@MainActor
public protocol SearchResultReceiver: AnyObject, Sendable {
    /// Called once when the operation has ended, with its result or error.
    func searchResultReady(_ result: Result<SearchResult, EarshotError>)
}

/// Receives the result of an operation that makes a fingerprint, on the main actor.
@MainActor
public protocol FingerprintResultReceiver: AnyObject, Sendable {
    /// Called once when the operation has ended, with the fingerprint or the error.
    func fingerprintResultReady(_ result: Result<FingerprintResult, EarshotError>)
}

/// Receives the progress of an operation on the main actor. A receiver of results that also conforms to this protocol
/// gets both.
@MainActor
package protocol OperationStatusReceiver: AnyObject, Sendable {
    /// Called for each new status of the operation.
    func statusChanged(_ status: OperationStatus)
}

/// An operation that somebody receives.
@MainActor
final class ReceiverTicket: Sendable {
    private let stop: @Sendable () -> Void
    private(set) var isCancelled = false

    init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    func cancel() {
        isCancelled = true
        stop()
    }
}

extension RecognitionClient {
    /// Starts a recognition, search or fetch whose result goes to a receiver on the main actor. The receiver is
    /// retained until then.
    @MainActor
    public func begin(
        _ request: SearchRequest,
        _ configuration: ClientConfiguration,
        receiver: any SearchResultReceiver
    ) {
        deliver(begin(request, configuration), to: receiver) { receiver.searchResultReady($0) }
    }

    /// Starts to make a fingerprint that goes to a receiver on the main actor. The receiver is retained until then.
    @MainActor
    public func beginFingerprint(
        of request: FingerprintRequest,
        _ configuration: ClientConfiguration,
        receiver: any FingerprintResultReceiver
    ) {
        deliver(beginFingerprint(of: request, configuration), to: receiver) { receiver.fingerprintResultReady($0) }
    }

    /// Cancels the operations of a receiver. Returns at once: the receiver gets `cancelled` when an operation has
    /// stopped, and nothing before that. Has no effect if no operation is running.
    @MainActor
    public func cancel(_ receiver: AnyObject) {
        for ticket in receivers.withLock({ $0[ObjectIdentifier(receiver)] ?? [] }) { ticket.cancel() }
    }

    @MainActor
    private func deliver<Value: Sendable>(
        _ operation: ServiceOperation<Value>,
        to receiver: any AnyObject & Sendable,
        _ ready: @escaping @MainActor (Result<Value, EarshotError>) -> Void
    ) {
        let ticket = ReceiverTicket { operation.cancel() }
        let id = ObjectIdentifier(receiver)
        receivers.withLock { $0[id, default: []].append(ticket) }
        Task { @MainActor in
            for await event in operation.events {
                switch event {
                case .status(let status):
                    guard !ticket.isCancelled, let receiver = receiver as? any OperationStatusReceiver else { continue }
                    receiver.statusChanged(status)
                case .finished(let outcome):
                    self.receivers.withLock { receivers in
                        receivers[id]?.removeAll { $0 === ticket }
                        if receivers[id]?.isEmpty == true { receivers[id] = nil }
                    }
                    // The result was on its way when it was no longer wanted.
                    let late = EarshotError(.cancelled, "The operation was canceled.")
                    ready(ticket.isCancelled ? .failure(late) : outcome)
                }
            }
        }
    }
}
