import EarshotCore

/// Refuses requests while the service is overloaded, or while their sender has too many running.
struct AdmissionControl: Sendable {
    /// The disk of the service's folder.
    let disk: DiskReserve
    /// The queue of recognitions.
    let queue: WorkQueue
    let requests: ConcurrencyLimiter
    /// The limit of live feeds, which last for hours.
    let feeds: ConcurrencyLimiter
    /// The limit of uploads of parts, which last for minutes, so that they do not use up the limit of other requests.
    let uploads: ConcurrencyLimiter

    /// Handles a request of a sender that has not too many under way.
    ///
    /// - Throws: `serviceBusy` and `writeFailed` for a request that would be refused later, before anything is done for it;
    ///   `tooManyRequests`; what the body throws.
    func admit<Value>(
        _ owner: WorkOwner,
        to endpoint: Endpoint,
        _ body: () async throws -> Value
    ) async throws -> Value {
        if endpoint.isQueued { try queue.check(for: owner) }
        if endpoint.isWriting { try await disk.admit() }
        let limiter =
            switch endpoint.extent {
            case .request: requests
            case .feed: feeds
            case .upload: uploads
            }
        return try await limiter.serve(owner, body)
    }
}
