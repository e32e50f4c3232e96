public import EarshotMusic

/// The settings of deliveries to a receiver.
public struct WebhookSettings: Hashable, Sendable {
    /// The name under which the store keeps the position.
    public var consumer: String
    /// The events that are sent; others are skipped.
    public var events: Set<PlayEvent>
    /// The channels whose changes are sent; empty for all.
    public var channels: Set<EntityID<BroadcastChannel>>
    /// The largest number of changes of a request, 1 to 100.
    public var batchSize: Int
    /// The largest number of changes that wait in memory; the rest stays in the store.
    public var capacity: Int
    /// The number of consecutive failures after which the operator is notified, and again after as many; 0 for never.
    public var reportedFailures: Int
    /// The delay after the first failure, in seconds. It doubles with each further one.
    public var firstDelay: Double
    /// The longest wait after a failure, in seconds.
    public var longestDelay: Double
    /// The longest wait that a receiver can request, in seconds.
    public var longestRetryAfter: Double

    /// Creates the default settings: all events except updates of running plays, at most 100 in a request.
    ///
    /// - Parameter consumer: The name under which the store keeps the position.
    public init(consumer: String) {
        self.consumer = consumer
        events = Set(PlayEvent.allCases).subtracting([.playUpdated])
        channels = []
        batchSize = 100
        capacity = 1_000
        reportedFailures = 10
        firstDelay = 1
        longestDelay = 600
        longestRetryAfter = 86_400
    }
}
