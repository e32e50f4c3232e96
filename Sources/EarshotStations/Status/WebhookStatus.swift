package import Foundation

/// The state of a receiver of changes, with the last deliveries to it.
package struct WebhookStatus: Hashable, Sendable, Codable {
    /// A request that was sent.
    package struct Delivery: Hashable, Sendable, Codable {
        /// The identifier of the delivery, which is the same when it is sent again: `shop-101-140`.
        package var id: String
        /// The date at which it was sent.
        package var date: Date
        /// The number of changes in it.
        package var changes: Int
        /// The status of HTTP that the receiver answered; `nil` if it did not answer.
        package var status: Int?
        /// The reason of a failure; `nil` for a delivery that arrived.
        package var fault: String?
        /// Seconds until the answer.
        package var seconds: Double

        /// A request that was sent.
        package init(id: String, date: Date, changes: Int, status: Int?, fault: String?, seconds: Double) {
            (self.id, self.date, self.changes) = (id, date, changes)
            (self.status, self.fault, self.seconds) = (status, fault, seconds)
        }
    }

    /// The state of deliveries.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The last delivery arrived, or there was none yet.
        case working
        /// The last delivery failed, and is sent again.
        case failing
        /// The receiver wants no more.
        case disabled
    }

    /// The most deliveries that are remembered.
    package static let limit = 50

    /// The name under which the position of the receiver is kept in the log.
    package var name: String
    /// The address, without user, password and query, which may hold secrets.
    package var address: String
    /// The names of the events that are sent; empty for all that are sent unless settings choose.
    package var events: [String]
    /// The identifiers of the channels whose changes are sent; empty for all.
    package var channels: [String]
    /// The state of deliveries.
    package var state = State.working
    /// Failures in succession.
    package var failures = 0
    /// The date of the next attempt; `nil` if the last one did not fail.
    package var retryAt: Date?
    /// The last deliveries, the newest first.
    package var deliveries: [Delivery] = []

    /// A receiver to which nothing was sent yet.
    package init(name: String, address: String, events: [String] = [], channels: [String] = []) {
        (self.name, self.events, self.channels) = (name, events, channels)
        self.address = Self.plain(address)
    }

    /// Notes a delivery.
    package mutating func add(_ delivery: Delivery) {
        deliveries = Array(([delivery] + deliveries).prefix(Self.limit))
    }

    private static func plain(_ address: String) -> String {
        guard var parts = URLComponents(string: address) else { return "" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? ""
    }
}
