public import EarshotCore
public import Foundation

/// Changes that are sent to a receiver in one request.
public struct WebhookDelivery: Hashable, Sendable {
    /// The version of the body.
    public static let version = 1
    /// The media type of the body.
    public static let contentType = "application/json"

    /// The consumer for which it is, and the numbers of its first and last change, as in `shop-101-140`. It is the same when it
    /// is sent again.
    public let id: String
    /// The changes, in the order of their numbers.
    public let changes: [PlayChange]
    /// The position that the consumer has reached once this is delivered: the last change, or those behind it that are not
    /// sent to this receiver.
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

    /// The body of the request: `{"delivery": …, "events": [{"sequence": …, "event": …, "play": {…}}, …], "version": 1}`. The
    /// same bytes each time.
    ///
    /// - Throws: `metadataInvalid` for a number that JSON cannot express; what stores hold has no such.
    public func body() throws(EarshotError) -> Data {
        try PlaylogJSON.encode(Body(delivery: id, events: changes, version: Self.version))
    }
}
