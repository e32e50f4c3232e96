/// A piece of longer work that a service is asked for: what is to be done, and for whom.
package struct JobOrder: Hashable, Codable, Sendable {
    /// The queue in which it waits: `job`, `tracklist`. A node does one job of a queue at a time.
    package var queue: String
    /// The identifier, which no other job of the queue has.
    package var id: String
    /// The kind of work.
    package var kind: String
    /// The owner of the job.
    package var owner: String
    /// `true` if the job comes before others and may wait beyond the limits, as the operator's jobs do.
    package var isFirst: Bool
    /// The folder whose files it needs: only the node that has it does the job. `nil` for any node.
    package var place: PlaceID?
    /// Values that the kind of work needs.
    package var input: [String: String]

    package init(
        queue: String,
        id: String,
        kind: String,
        owner: String,
        isFirst: Bool = false,
        place: PlaceID? = nil,
        input: [String: String] = [:]
    ) {
        (self.queue, self.id, self.kind, self.owner) = (queue, id, kind, owner)
        (self.isFirst, self.place, self.input) = (isFirst, place, input)
    }
}
