import EarshotCore

/// Refuses requests while the service has too much to do, or their sender has too many under way.
struct AdmissionControl: Sendable {
    /// The queue of recognitions.
    let queue: WorkQueue
    let requests: ConcurrencyLimiter
    /// The limit of requests that go on for hours.
    let lastingRequests: ConcurrencyLimiter

    /// Refuses a request that would be refused later, before anything is done for it.
    ///
    /// - Throws: `serviceBusy`.
    func check(_ endpoint: Endpoint) throws(EarshotError) {
        if endpoint.isQueued { try queue.check() }
    }

    /// Handles a request of a sender that has not too many under way.
    ///
    /// - Throws: `tooManyRequests`; what the body throws.
    func admit<Value>(
        _ identity: Identity,
        to endpoint: Endpoint,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await (endpoint.isLasting ? lastingRequests : requests).serve(identity.name, body)
    }
}
