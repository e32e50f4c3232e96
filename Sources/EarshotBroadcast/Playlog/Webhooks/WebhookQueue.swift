import EarshotCore
public import Foundation

/// Sends the changes of a log to a receiver, each at least once and in their order: the decisions alone.
///
/// The caller reads changes after ``lastAdded`` from the store, asks ``next(at:)`` for the next step, sends the
/// request, reports its answer, and stores ``position`` under the consumer's name when it changes. A new queue that
/// starts at the stored position continues the old one. One request is sent at a time, so that changes stay in order.
public struct WebhookQueue: Sendable {
    /// The next step.
    public enum Step: Hashable, Sendable {
        /// Send this, and tell how it went.
        case send(WebhookDelivery)
        /// Wait for the answer to the current request.
        case underWay
        /// Ask again at this instant.
        case wait(until: Date)
        /// The queue is empty: ask again when there are changes.
        case idle
        /// The receiver wants no more.
        case disabled
    }

    /// The answer to a request.
    public enum Answer: Hashable, Sendable {
        /// The receiver answered.
        ///
        /// - Parameters:
        ///   - status: The status of HTTP.
        ///   - retryAfter: The field `Retry-After`, where there was one.
        case status(Int, retryAfter: String? = nil)
        /// There was no answer.
        case none
    }

    /// The result of an answer.
    public enum Result: Hashable, Sendable {
        /// It was delivered: keep this position.
        ///
        /// - Parameters:
        ///   - position: The last number that is delivered.
        ///   - wasReported: `true` if failures had been reported: they are over.
        case delivered(position: Int, wasReported: Bool)
        /// It is sent again.
        ///
        /// - Parameters:
        ///   - at: The time of the next attempt.
        ///   - failures: The number of failures in succession.
        ///   - isReported: `true` if the operator is to be notified now.
        case failed(retryAt: Date, failures: Int, isReported: Bool)
        /// The receiver wants no more: tell the operator.
        case disabled
        /// No request was in progress.
        case ignored
    }

    /// The settings of deliveries.
    public let settings: WebhookSettings
    /// Everything up to this number is delivered or not wanted: what the store keeps for the consumer.
    public private(set) var position: Int
    /// The number of the last change that was added.
    public private(set) var lastAdded: Int
    /// `true` if the receiver wants no more.
    public private(set) var isDisabled = false
    /// The number of failures in succession.
    public private(set) var failures = 0
    /// Those that are wanted, in the order of their numbers.
    private var waiting: [PlayChange] = []
    /// What is sent, or was and failed: it is sent again as it was.
    private var delivery: WebhookDelivery?
    private var isUnderWay = false
    private var retryAt: Date?

    /// A queue.
    ///
    /// - Parameters:
    ///   - settings: The settings of deliveries.
    ///   - position: The last number that the consumer has received; for a new one 0, or the number of the last change
    ///     to send only later ones.
    public init(_ settings: WebhookSettings, position: Int) {
        self.settings = settings
        self.position = max(0, position)
        lastAdded = max(0, position)
    }

    /// The number of changes that can be added.
    public var room: Int { isDisabled ? 0 : max(0, settings.capacity - waiting.count - (delivery?.changes.count ?? 0)) }

    /// Adds changes after ``lastAdded``; earlier ones are ignored.
    ///
    /// - Parameter changes: In the order of their numbers.
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

    /// Where nothing waits, what is not wanted is behind us.
    private mutating func passOver() {
        if waiting.isEmpty, delivery == nil { position = max(position, lastAdded) }
    }

    /// The next step.
    ///
    /// - Parameter now: The present instant.
    public mutating func next(at now: Date) -> Step {
        if isDisabled { return .disabled }
        if isUnderWay { return .underWay }
        // A clock that is put back does not make the wait longer than the longest there is.
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

    /// Tells how sending went.
    ///
    /// - Parameters:
    ///   - answer: The receiver's answer. 2xx is success; 410 ends the deliveries; all others are sent again, without
    ///     limit.
    ///   - now: The present instant.
    ///   - generator: Spreads the waits, so that many senders do not come back at once.
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

    /// Sends again to a receiver that wanted no more, at once.
    public mutating func enable() {
        isDisabled = false
        (retryAt, failures) = (nil, 0)
    }
}
