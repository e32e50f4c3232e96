package import EarshotNodes

/// The times in which nodes answer, over all queries of this node: how long to wait for each, which to leave alone for a while, and how
/// many attempts beyond the needed ones may be made.
///
/// Times are in seconds of a clock that the caller reads.
package struct NodePaces: Sendable {
    /// The outcome of an attempt.
    package enum Outcome: Sendable {
        /// An answer, in time or not.
        case answer
        /// No answer was awaited any longer: another node was faster, or the time was over.
        case abandoned
        /// The node has too much to do.
        case busy
        /// The node could not be reached, or broke off.
        case failure
        /// The node speaks another version.
        case refusal
    }

    private struct Pace {
        /// The usual time of an answer for each round, in seconds: a moving average.
        var usual: [Int: Double] = [:]
        /// The number of attempts that are under way.
        var active = 0
        /// The length of its last pause, in seconds. Each answer in time divides it, until it is 0.
        var pause = 0.0
        var pauseEnd = -Double.infinity
        /// `true` from a late or failed attempt on, until an answer comes in time.
        var isLate = false
        var lastUse = 0.0
    }

    private var paces: [NodeID: Pace] = [:]
    /// The extra attempts that may be made; a fraction is on the way to the next one.
    private var extra = NodePaces.burst

    /// The least time that an attempt is given, in seconds.
    package static let leastLimit = 0.15
    /// The multiple of a node's usual time that an attempt is given.
    package static let limitFactor = 3.0
    /// The usual time of a node of which none is known, in seconds.
    package static let unknownUsual = 0.25
    /// The extra attempts that are earned by each needed one. The limit exists because asking twice doubles the load just when all is slow.
    package static let extraShare = 0.05
    /// The most extra attempts at once, so that the first queries after the loss of a node need not wait for it.
    package static let burst = 8.0
    /// The time for which a node is left alone after it was late for the first time, and the longest one, in seconds. The longest is half of the
    /// 30 s within which a node that is well again is to be used.
    package static let pauses = 1.0...15.0
    /// The time after which a silent node is forgotten, in seconds.
    private static let memory = 60.0

    package init() {}

    /// Returns the time that an attempt is given before others are asked too, in seconds.
    package func limit(_ node: NodeID, round: Int) -> Double {
        max(Self.leastLimit, Self.limitFactor * (paces[node]?.usual[round] ?? Self.unknownUsual))
    }

    /// Returns the number of attempts that go on at a node.
    package func active(_ node: NodeID) -> Int { paces[node]?.active ?? 0 }

    /// Returns `true` if a node was late or failed, and is better not asked now. When its pause is over, one attempt at a time tries it.
    package func isPaused(_ node: NodeID, at now: Double) -> Bool {
        guard let pace = paces[node], pace.pause > 0 else { return false }
        return pace.pauseEnd > now || pace.active > 0
    }

    /// Notes that an attempt begins.
    package mutating func begin(_ node: NodeID, isExtra: Bool, at now: Double) {
        if paces[node] == nil, paces.count >= 64 {
            // Nodes get a new identifier at each start, so the table would grow without end.
            paces = paces.filter { $0.value.active > 0 || now - $0.value.lastUse < Self.memory }
        }
        paces[node, default: Pace()].active += 1
        paces[node]?.lastUse = now
        if !isExtra { extra = min(Self.burst, extra + Self.extraShare) }
    }

    /// Notes that an attempt has taken longer than it should.
    package mutating func noteLateness(_ node: NodeID, at now: Double) { pause(node, at: now) }

    /// Notes that an attempt ended.
    ///
    /// - Parameters:
    ///   - seconds: The time that it took.
    ///   - isLate: `true` if ``noteLateness(_:at:)`` was called for the attempt.
    package mutating func end(
        _ node: NodeID,
        _ outcome: Outcome,
        after seconds: Double,
        isLate: Bool,
        round: Int,
        at now: Double
    ) {
        guard var pace = paces[node] else { return }
        pace.active = max(0, pace.active - 1)
        pace.lastUse = now
        switch outcome {
        case .answer:
            let usual = pace.usual[round] ?? seconds
            pace.usual[round] = usual + 0.2 * (seconds - usual)
            if !isLate {
                // Divided, not reset: a node that is slow now and then is left alone for longer each time.
                pace.pause = pace.pause / 4 < Self.pauses.lowerBound / 4 ? 0 : pace.pause / 4
                pace.isLate = false
            }
        case .abandoned:
            if let usual = pace.usual[round], seconds > usual {
                pace.usual[round] = usual + 0.2 * (seconds - usual)
            }
        case .busy, .failure, .refusal: break
        }
        paces[node] = pace
        switch outcome {
        case .answer, .abandoned: break
        case .busy:
            // The node is alive and will have room again soon: the shortest pause, which does not grow, and no lateness.
            paces[node]?.pause = max(pace.pause, Self.pauses.lowerBound)
            paces[node]?.pauseEnd = max(pace.pauseEnd, now + Self.pauses.lowerBound)
        case .failure, .refusal: pause(node, at: now)
        }
    }

    /// Takes one of the extra attempts. There is none while most nodes are late: an extra one would only add to their load.
    ///
    /// - Parameter nodeCount: The number of nodes that may be asked.
    /// - Returns: `false` if there is none.
    package mutating func takeExtra(of nodeCount: Int, at now: Double) -> Bool {
        let late = paces.values.count { $0.isLate && now - $0.lastUse < Self.memory }
        guard extra >= 1, late * 2 <= nodeCount else { return false }
        extra -= 1
        return true
    }

    private mutating func pause(_ node: NodeID, at now: Double) {
        guard var pace = paces[node] else { return }
        pace.isLate = true
        pace.lastUse = now
        // Attempts that began together fail together: they count as one.
        if pace.pauseEnd <= now {
            pace.pause = min(Self.pauses.upperBound, max(Self.pauses.lowerBound, pace.pause * 2))
            pace.pauseEnd = now + pace.pause
        }
        paces[node] = pace
    }
}
