/// The client, and its user, for whom the service does work. Queues are shared fairly among owners.
struct WorkOwner: Hashable, Sendable {
    /// The client's identifier.
    var client: String
    /// The user; `nil` if the request is of the client itself.
    var user: String?

    /// The service itself, for background work.
    static let service = WorkOwner(client: "")

    /// The owner of the present task: ``ConcurrencyLimiter`` sets it for the whole of a request.
    @TaskLocal static var current = WorkOwner.service
}

extension Identity {
    /// The owner of the work that the service does for this sender.
    var workOwner: WorkOwner { WorkOwner(client: name, user: user) }
}
