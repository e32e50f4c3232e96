public import EarshotCore
import Synchronization

/// Takes the result of operations that find something.
@MainActor
public protocol SearchResultReceiver: AnyObject, Sendable {
    /// An operation has come to its end: the result, or why there is none.
    func searchResultReady(_ result: Result<SearchResult, EarshotError>)
}

/// Takes the result of operations that make a fingerprint.
@MainActor
public protocol FingerprintResultReceiver: AnyObject, Sendable {
    /// An operation has come to its end: the fingerprint, or why there is none.
    func fingerprintResultReady(_ result: Result<FingerprintResult, EarshotError>)
}

/// Takes what operations say on their way; a receiver of results that is one of these too gets both.
@MainActor
package protocol OperationStatusReceiver: AnyObject, Sendable {
    /// An operation has come so far.
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
    /// Begins to find something, and tells a receiver on the main actor. The receiver is kept until it has the result.
    @MainActor
    public func begin(
        _ request: SearchRequest,
        _ configuration: ClientConfiguration,
        receiver: any SearchResultReceiver
    ) {
        deliver(begin(request, configuration), to: receiver) { receiver.searchResultReady($0) }
    }

    /// Begins to make a fingerprint, and tells a receiver on the main actor. The receiver is kept until it has the result.
    @MainActor
    public func beginFingerprint(
        of request: FingerprintRequest,
        _ configuration: ClientConfiguration,
        receiver: any FingerprintResultReceiver
    ) {
        deliver(beginFingerprint(of: request, configuration), to: receiver) { receiver.fingerprintResultReady($0) }
    }

    /// Cancels the operation of a receiver. Returns at once: the receiver gets `cancelled` when the operation has
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
                    let late = EarshotError(.cancelled, "The operation was cancelled.")
                    ready(ticket.isCancelled ? .failure(late) : outcome)
                }
            }
        }
    }
}
