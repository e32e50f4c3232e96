/// Whether something that was heard counts as a listen, by how long it is and how long it was heard.
///
/// It counts when it was heard for half its length or for four minutes, whichever is less.
public struct ListenRule: Hashable, Sendable {
    /// What to do where it is not known whether it counts.
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        /// It counts.
        case include
        /// It does not count.
        case exclude
    }

    /// How much of a track is enough whatever its length, in seconds.
    public static let enough = 240.0

    /// Tracks have to be longer than this, in seconds; zero for any length.
    public var minimumDuration: Double
    /// What to do where length or time of hearing are not known, and the answer depends on them.
    public var unknown: Policy

    /// A rule.
    ///
    /// - Parameters:
    ///   - minimumDuration: Tracks have to be longer than this, in seconds.
    ///   - unknown: What to do where it is not known whether something counts.
    public init(minimumDuration: Double = 0, unknown: Policy = .include) {
        self.minimumDuration = minimumDuration
        self.unknown = unknown
    }

    /// Returns `true` if it counts.
    ///
    /// - Parameters:
    ///   - duration: The duration of the track, in seconds, where that is known.
    ///   - heard: How long it was heard, in seconds, where that is known.
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
