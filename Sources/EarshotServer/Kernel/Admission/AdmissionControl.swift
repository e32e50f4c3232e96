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

    /// Runs the handler of a request if the service can take it.
    ///
    /// - Throws: `serviceBusy` if the queue would refuse the request later, `writeFailed` if it writes and the disk has no room,
    ///   `tooManyRequests` if its owner has too many running; what the body throws.
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
