import EarshotCore
public import Foundation

/// The queue of a webhook: decides which changes to send when, each at least once and in order. It sends nothing
/// itself.
///
/// The caller reads changes after ``lastAdded`` from the store, asks ``next(at:)`` for the next step, sends the
/// request, reports its answer, and stores ``position`` under the consumer's name when it changes. A new queue that
/// starts at the stored position continues the old one. One request is sent at a time, so that changes stay in order.
public struct WebhookQueue: Sendable {
    /// The next step.
    public enum Step: Hashable, Sendable {
        /// Send this delivery and report the answer.
        case send(WebhookDelivery)
        /// Wait for the answer to the current request.
        case underWay
        /// Call again at this time.
        case wait(until: Date)
        /// The queue is empty: call again when there are changes.
        case idle
        /// The receiver wants no more deliveries.
        case disabled
    }

    /// The answer to a request.
    public enum Answer: Hashable, Sendable {
        /// The receiver answered.
        ///
        /// - Parameters:
        ///   - status: The HTTP status.
        ///   - retryAfter: The value of the `Retry-After` field; `nil` without one.
        case status(Int, retryAfter: String? = nil)
        /// There was no answer.
        case none
    }

    /// The result of an answer.
    public enum Result: Hashable, Sendable {
        /// It was delivered: store this position.
        ///
        /// - Parameters:
        ///   - position: The last number that was delivered.
        ///   - wasReported: `true` if failures were reported, which are now over.
        case delivered(position: Int, wasReported: Bool)
        /// It failed and is sent again.
        ///
        /// - Parameters:
        ///   - retryAt: The time of the next attempt.
        ///   - failures: The number of consecutive failures.
        ///   - isReported: `true` if the operator is to be notified now.
        case failed(retryAt: Date, failures: Int, isReported: Bool)
        /// The receiver wants no more deliveries: notify the operator.
        case disabled
        /// No request was in progress.
        case ignored
    }

    /// The settings of deliveries.
    public let settings: WebhookSettings
    /// The number up to which all changes are delivered or not wanted. The store keeps it for the consumer.
    public private(set) var position: Int
    /// The number of the last change that was added.
    public private(set) var lastAdded: Int
    /// `true` if the receiver wants no more deliveries.
    public private(set) var isDisabled = false
    /// The number of consecutive failures.
    public private(set) var failures = 0
    /// The wanted changes, in order of their numbers.
    private var waiting: [PlayChange] = []
    /// The current delivery, or the failed one, which is sent again unchanged.
    private var delivery: WebhookDelivery?
    private var isUnderWay = false
    private var retryAt: Date?

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - settings: The settings of deliveries.
    ///   - position: The last number that the consumer has received. For a new consumer 0, or the number of the last
    ///     change to send only later ones.
    public init(_ settings: WebhookSettings, position: Int) {
        self.settings = settings
        self.position = max(0, position)
        lastAdded = max(0, position)
    }

    /// The number of changes that can be added.
    public var room: Int { isDisabled ? 0 : max(0, settings.capacity - waiting.count - (delivery?.changes.count ?? 0)) }

    /// Adds changes after ``lastAdded``; earlier ones are ignored.
    ///
    /// - Parameter changes: The changes, in order of their numbers.
    public mutating func add(_ changes: [PlayChange]) {
        for change in changes where change.sequence > lastAdded {
            lastAdded = change.sequence
            if isWanted(change) { waiting.append(change) }
        }
        passOver()
    }

    private func isWanted(_ change: PlayChange) -> Bool {
        settings.events.contains(change.event)
            && (settings.channels.isEmpty || settings.channels.contains(change.channel.id))
    }

    /// Advances the position over unwanted changes if no wanted one waits.
    private mutating func passOver() {
        if waiting.isEmpty, delivery == nil { position = max(position, lastAdded) }
    }

    /// Returns the next step.
    ///
    /// - Parameter now: The current time.
    public mutating func next(at now: Date) -> Step {
        if isDisabled { return .disabled }
        if isUnderWay { return .underWay }
        // A clock that was set back does not extend the wait beyond the longest one.
        if let retryAt, retryAt > now, retryAt.timeIntervalSince(now) <= longestWait { return .wait(until: retryAt) }
        if let delivery {
            isUnderWay = true
            return .send(delivery)
        }
        guard !waiting.isEmpty else { return .idle }
        let count = min(max(1, settings.batchSize), 100, waiting.count)
        let last = count < waiting.count ? waiting[count].sequence - 1 : lastAdded
        let delivery = WebhookDelivery(
            consumer: settings.consumer,
            changes: Array(waiting.prefix(count)),
            position: last
        )
        waiting.removeFirst(count)
        self.delivery = delivery
        isUnderWay = true
        return .send(delivery)
    }

    private var longestWait: Double { max(settings.longestDelay, settings.longestRetryAfter) }

    /// Reports the answer to a request.
    ///
    /// - Parameters:
    ///   - answer: The receiver's answer. 2xx is success; 410 ends the deliveries. After all others the delivery is
    ///     sent again, without limit.
    ///   - now: The current time.
    ///   - generator: The source of random delays, so that many senders do not return at once.
    /// - Returns: The result.
    public mutating func finished(
        _ answer: Answer,
        at now: Date,
        using generator: inout some RandomNumberGenerator
    ) -> Result {
        guard isUnderWay, let delivery else { return .ignored }
        isUnderWay = false
        guard case .status(let status, let field) = answer else { return failed(0, at: now, using: &generator) }
        switch status {
        case 200..<300:
            let wasReported = settings.reportedFailures > 0 && failures >= settings.reportedFailures
            (self.delivery, retryAt, failures) = (nil, nil, 0)
            position = max(position, delivery.position)
            passOver()
            return .delivered(position: position, wasReported: wasReported)
        case 410:
            isDisabled = true
            return .disabled
        case 429, 503:
            let asked = field.flatMap { RetryAfter.seconds($0, at: now) } ?? 0
            return failed(min(asked, max(0, settings.longestRetryAfter)), at: now, using: &generator)
        default: return failed(0, at: now, using: &generator)
        }
    }

    private mutating func failed(
        _ asked: Double,
        at now: Date,
        using generator: inout some RandomNumberGenerator
    ) -> Result {
        failures += 1
        let backoff = Backoff(
            initial: MediaTime(seconds: max(0, settings.firstDelay)),
            cap: MediaTime(seconds: max(0, settings.longestDelay)),
            jitter: 0.5...1
        )
        let delay = backoff.pause(afterFailure: failures, random: .random(in: 0...1, using: &generator))
        let instant = now.addingTimeInterval(max(delay.seconds, asked))
        retryAt = instant
        let isReported = settings.reportedFailures > 0 && failures.isMultiple(of: settings.reportedFailures)
        return .failed(retryAt: instant, failures: failures, isReported: isReported)
    }

    /// Resumes deliveries at once to a receiver that wanted no more.
    public mutating func enable() {
        isDisabled = false
        (retryAt, failures) = (nil, 0)
    }
}
