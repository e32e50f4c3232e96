/// For whom the service works: a client, and the user of it who asks. Queues share themselves out by it.
struct WorkOwner: Hashable, Sendable {
    /// The client's identifier.
    var client: String
    /// The user, where the client tells one.
    var user: String?

    /// The service itself, for what nobody waits for.
    static let service = WorkOwner(client: "")

    /// For whom the present task works: ``ConcurrencyLimiter`` sets it for the whole of a request.
    @TaskLocal static var current = WorkOwner.service
}

extension Identity {
    /// For whom the service works when it answers this sender.
    var workOwner: WorkOwner { WorkOwner(client: name, user: user) }
}
