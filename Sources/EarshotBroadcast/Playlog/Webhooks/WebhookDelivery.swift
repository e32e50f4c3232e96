public import EarshotCore
public import Foundation

/// Changes that are sent to a receiver in one request.
public struct WebhookDelivery: Hashable, Sendable {
    /// The version of the body's format.
    public static let version = 1
    /// The media type of the body.
    public static let contentType = "application/json"

    /// The name of the consumer, and the numbers of the first and last change, such as `shop-101-140`. A retry has the
    /// same one.
    public let id: String
    /// The changes, in order of their numbers.
    public let changes: [PlayChange]
    /// The position of the consumer after the delivery: that of the last change, or of later ones that this receiver
    /// does not want.
    package let position: Int

    package init(consumer: String, changes: [PlayChange], position: Int) {
        id = "\(consumer)-\(changes.first?.sequence ?? position)-\(changes.last?.sequence ?? position)"
        self.changes = changes
        self.position = position
    }

    private struct Body: Encodable {
        let delivery: String
        let events: [PlayChange]
        let version: Int
    }

    /// Returns the body of the request: `{"delivery": …, "events": [{"sequence": …, "event": …, "play": {…}}, …],
    /// "version": 1}`. It has the same bytes each time.
    ///
    /// - Throws: `metadataInvalid` for a number that JSON cannot represent; stored records have none.
    public func body() throws(EarshotError) -> Data {
        try PlaylogJSON.encode(Body(delivery: id, events: changes, version: Self.version))
    }
}
