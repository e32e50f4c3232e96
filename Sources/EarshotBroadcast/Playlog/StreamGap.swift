public import EarshotCore
public import EarshotMusic
public import Foundation

/// An interval in which a channel was not received.
public struct StreamGap: Hashable, Sendable, Codable, Identifiable {
    /// The reason for a gap. Operators may have their own reasons.
    public struct Reason: StringIdentifier, ExpressibleByStringLiteral {
        /// The name of the reason in exports.
        public let rawValue: String

        /// Creates a reason with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a reason from a string literal.
        public init(stringLiteral value: String) { rawValue = value }

        /// The stream could not be reached, or ended.
        public static let streamLost: Reason = "streamLost"
        /// The monitor did not run.
        public static let monitorStopped: Reason = "monitorStopped"
        /// The stream was available but silent.
        public static let silence: Reason = "silence"
    }

    /// The identifier, derived from channel and start.
    public let id: EntityID<StreamGap>
    /// The channel.
    public var channel: PlayChannel
    /// The start of the gap.
    public var start: Date
    /// The end of the gap; `nil` while it lasts.
    public var end: Date?
    /// The reason.
    public var reason: Reason

    /// Creates a gap.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The start of the gap.
    ///   - end: The end of the gap; `nil` while it lasts.
    ///   - reason: The reason.
    public init(channel: PlayChannel, start: Date, end: Date? = nil, reason: Reason = .streamLost) {
        var bytes = Data(channel.id.rawValue.utf8)
        bytes.append(0xFF)
        bytes.append(contentsOf: String(PlaylogTime.bounded(start)).utf8)
        id = EntityID(DerivedID.text("gap", bytes: bytes))
        self.channel = channel
        self.start = start
        self.end = end
        self.reason = reason
    }

    /// Returns the gap in the form that stores keep: times to the millisecond, and the end not before the start. `nil`
    /// for an invalid gap: with an empty or too long identifier, channel or reason, or with a time outside of the years
    /// 1 to 9999.
    public func checked() -> StreamGap? {
        let sizes = [id.rawValue.utf8.count, channel.id.rawValue.utf8.count, reason.rawValue.utf8.count]
        guard sizes.allSatisfy({ (1...PlayRecord.maximumIdentifierSize).contains($0) }),
            channel.name.utf8.count <= PlayRecord.maximumTextSize, let first = PlaylogTime.milliseconds(start)
        else { return nil }
        var gap = self
        gap.start = PlaylogTime.date(first)
        if gap.channel.name.isEmpty { gap.channel.name = channel.id.rawValue }
        if let end {
            guard let last = PlaylogTime.milliseconds(end) else { return nil }
            gap.end = PlaylogTime.date(max(first, last))
        }
        return gap
    }
}
