public import EarshotMusic

/// The settings of deliveries to a receiver.
public struct WebhookSettings: Hashable, Sendable {
    /// Under which name the position is kept in the store.
    public var consumer: String
    /// The events to send; others are skipped.
    public var events: Set<PlayEvent>
    /// Of these channels only; none for all.
    public var channels: Set<EntityID<BroadcastChannel>>
    /// The most changes of a request, 1 to 100.
    public var batchSize: Int
    /// The most changes that wait in memory; the rest stays in the store.
    public var capacity: Int
    /// The number of failures in succession after which the operator is notified, and again after as many.
    public var reportedFailures: Int
    /// The delay after the first failure, in seconds; it doubles with each.
    public var firstDelay: Double
    /// The longest wait after a failure, in seconds.
    public var longestDelay: Double
    /// The longest wait that a receiver may ask for, in seconds.
    public var longestRetryAfter: Double

    /// Creates the default settings: all events except updates of running plays, at most 100 in a request.
    ///
    /// - Parameter consumer: Under which name the position is kept in the store.
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
