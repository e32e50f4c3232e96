/// The pauses between attempts to open a source: 1 s, doubling to 60 s, each up to a fifth shorter at random.
struct StationBackoff: Hashable, Sendable {
    private static let longest = 60.0
    private(set) var failures = 0

    /// A connection gave audio for a good stretch: the pauses begin anew.
    mutating func succeeded() { failures = 0 }

    /// The next pause, in seconds.
    ///
    /// - Parameter random: From 0 to 1.
    mutating func failed(random: Double) -> Double {
        var delay = 1.0
        for _ in 0..<failures where delay < Self.longest { delay *= 2 }
        failures += 1
        return min(delay, Self.longest) * (1 - 0.2 * min(1, max(0, random)))
    }
}
