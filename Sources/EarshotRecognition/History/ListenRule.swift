/// The rule that decides by duration and listening time whether a recognition counts as a listen.
///
/// A track counts if it was heard for half its duration or for four minutes, whichever is less.
public struct ListenRule: Hashable, Sendable {
    /// The treatment of entries for which the rule cannot decide.
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        /// The entry counts.
        case include
        /// The entry does not count.
        case exclude
    }

    /// The listening duration that is enough for a track of any duration, in seconds: 240.
    public static let enough = 240.0

    /// The duration that tracks must exceed to count, in seconds; 0 for any duration.
    public var minimumDuration: Double
    /// The treatment of entries whose duration or listening time is not known, if the rule needs it.
    public var unknown: Policy

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - minimumDuration: The duration that tracks must exceed to count, in seconds; 0 for any duration.
    ///   - unknown: The treatment of entries for which the rule cannot decide.
    public init(minimumDuration: Double = 0, unknown: Policy = .include) {
        self.minimumDuration = minimumDuration
        self.unknown = unknown
    }

    /// Returns `true` if a track counts as a listen.
    ///
    /// - Parameters:
    ///   - duration: The duration of the track, in seconds; `nil` if unknown.
    ///   - heard: The duration for which it was heard, in seconds; `nil` if unknown.
    public func counts(duration: Double?, heard: Double?) -> Bool {
        let duration = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        if let duration, duration <= minimumDuration { return false }
        guard let heard else { return unknown == .include }
        // What was heard for longer than the minimum is longer than it, whatever its length.
        if heard >= Self.enough, duration != nil || heard > minimumDuration { return true }
        guard let duration else { return unknown == .include }
        return heard >= duration / 2
    }
}
