/// The client for which the service works, and the user of it who asks. Queues divide themselves among owners.
struct WorkOwner: Hashable, Sendable {
    /// The client's identifier.
    var client: String
    /// The user, where the client tells one.
    var user: String?

    /// The service itself, for what nobody waits for.
    static let service = WorkOwner(client: "")

    /// The owner of the present task: ``ConcurrencyLimiter`` sets it for the whole of a request.
    @TaskLocal static var current = WorkOwner.service
}

extension Identity {
    /// The owner of the work when the service answers this sender.
    var workOwner: WorkOwner { WorkOwner(client: name, user: user) }
}
