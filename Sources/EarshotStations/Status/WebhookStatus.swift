package import Foundation

/// The state of a webhook, with its last deliveries.
package struct WebhookStatus: Hashable, Sendable, Codable {
    /// A request that was sent.
    package struct Delivery: Hashable, Sendable, Codable {
        /// The identifier of the delivery, such as `shop-101-140`. A retry has the same one.
        package var id: String
        /// The date at which it was sent.
        package var date: Date
        /// The number of changes in it.
        package var changes: Int
        /// The HTTP status of the answer; `nil` without an answer.
        package var status: Int?
        /// The reason of a failure; `nil` if the delivery succeeded.
        package var fault: String?
        /// The time until the answer, in seconds.
        package var seconds: Double

        /// Creates a delivery.
        package init(id: String, date: Date, changes: Int, status: Int?, fault: String?, seconds: Double) {
            (self.id, self.date, self.changes) = (id, date, changes)
            (self.status, self.fault, self.seconds) = (status, fault, seconds)
        }
    }

    /// The state of deliveries.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The last delivery succeeded, or there was none yet.
        case working
        /// The last delivery failed and will be retried.
        case failing
        /// The receiver wants no more deliveries.
        case disabled
    }

    /// The largest number of deliveries that are remembered.
    package static let limit = 50

    /// The name under which the log keeps the position of the webhook.
    package var name: String
    /// The address without user, password, query and fragment, which may contain secrets.
    package var address: String
    /// The names of the events that are sent; empty for the default ones.
    package var events: [String]
    /// The identifiers of the channels whose changes are sent; empty for all.
    package var channels: [String]
    /// The state of deliveries.
    package var state = State.working
    /// The number of consecutive failures.
    package var failures = 0
    /// The time of the next attempt; `nil` if the last one did not fail.
    package var retryAt: Date?
    /// The last deliveries, newest first.
    package var deliveries: [Delivery] = []

    /// Creates the state of a webhook without deliveries.
    package init(name: String, address: String, events: [String] = [], channels: [String] = []) {
        (self.name, self.events, self.channels) = (name, events, channels)
        self.address = Self.plain(address)
    }

    /// Adds a delivery and drops the oldest beyond ``limit``.
    package mutating func add(_ delivery: Delivery) {
        deliveries = Array(([delivery] + deliveries).prefix(Self.limit))
    }

    private static func plain(_ address: String) -> String {
        guard var parts = URLComponents(string: address) else { return "" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? ""
    }
}
