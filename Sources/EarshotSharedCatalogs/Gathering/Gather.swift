package import EarshotNodes

/// Asks nodes for parts of a search until each segment was searched once, or the time is over. Decides only: the caller sends, receives
/// and reads the clock.
///
/// All failures are handled in one place: what fails, is missing or is late goes to the next node in the order of its segment. No
/// node is asked twice for the same segment, so it ends. Times are in seconds of a clock.
package struct Gather: Sendable {
    /// A question to a node.
    package struct Request: Hashable, Sendable {
        package let id: Int
        package let node: NodeID
        /// The segments to search, by their numbers in the gather.
        package let segments: [Int]
    }

    /// The next step of the caller.
    package enum Step: Hashable, Sendable {
        case ask(Request)
        /// The answer to a request is not needed any more.
        case cancel(Int)
    }

    /// The reason for which a request has no answer.
    package enum Failure: Error, Sendable {
        /// The node cannot be reached, closed the connection, or sent an invalid answer.
        case unreachable
        /// The node has too much to do.
        case busy
        /// The node speaks another version.
        case version
    }

    private struct Attempt {
        let request: Request
        let begin: Double
        /// The time from which other nodes are asked too.
        var next: Double
        var isLate = false

        func covers(_ segment: Int) -> Bool { request.segments.contains(segment) }
    }

    /// For each segment all nodes, those that hold it first.
    private let orders: [[NodeID]]
    private let copies: Int
    private let nodeCount: Int
    private let round: Int
    package let deadline: Double
    private var isCounted: [Bool]
    private var asked: [Set<NodeID>]
    private var attempts: [Int: Attempt] = [:]
    private var nextID = 0
    /// The number of requests for segments of which another request was still under way.
    package private(set) var extraCount = 0
    /// `true` once no step is left to be taken.
    package private(set) var isFinished = false

    /// A gather, which begins with ``start(_:at:)``.
    ///
    /// - Parameters:
    ///   - orders: For each segment all nodes, those first that hold it.
    ///   - copies: The number of nodes of each order that hold the segment: the quietest of them is asked.
    ///   - round: The round of the search: each has usual times of its own.
    ///   - deadline: The time at which it ends.
    package init(orders: [[NodeID]], copies: Int, round: Int = 0, deadline: Double) {
        (self.orders, self.copies, self.round, self.deadline) = (orders, max(1, copies), round, deadline)
        nodeCount = orders.reduce(into: Set()) { $0.formUnion($1) }.count
        isCounted = Array(repeating: false, count: orders.count)
        asked = Array(repeating: [], count: orders.count)
    }

    /// Segments that were searched.
    package var counted: [Int] { isCounted.indices.filter { isCounted[$0] } }
    /// Segments that were not searched.
    package var uncounted: [Int] { isCounted.indices.filter { !isCounted[$0] } }
    /// `true` if each segment was searched.
    package var isComplete: Bool { isCounted.allSatisfy { $0 } }

    /// The time at which ``advance(_:at:)`` is to be called next.
    package var nextTime: Double { min(deadline, attempts.values.map(\.next).min() ?? deadline) }

    // MARK: - Events

    /// Returns the first requests.
    package mutating func start(_ paces: inout NodePaces, at now: Double) -> [Step] {
        let steps = now < deadline ? ask(Array(orders.indices), .first, &paces, at: now) : []
        return steps + finish(&paces, at: now)
    }

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - id: The request. One that is unknown or over counts for nothing.
    ///   - searched: Segments that the node has searched. All others it lacks.
    /// - Returns: The steps, and the segments of which the answer counts: of others it says nothing new.
    package mutating func answer(
        _ id: Int,
        searched: some Sequence<Int>,
        _ paces: inout NodePaces,
        at now: Double
    ) -> (steps: [Step], segments: Set<Int>) {
        guard let attempt = end(id, .answer, &paces, at: now) else { return ([], []) }
        let new = Set(searched).intersection(attempt.request.segments).filter { !isCounted[$0] }
        for segment in new { isCounted[segment] = true }
        let missing = attempt.request.segments.filter { !isCounted[$0] }
        let steps = ask(missing.filter { !isUnderWay($0) }, .next, &paces, at: now)
        return (steps + finish(&paces, at: now), new)
    }

    /// Takes note of a request that has no answer.
    package mutating func fail(_ id: Int, _ failure: Failure, _ paces: inout NodePaces, at now: Double) -> [Step] {
        let outcome: NodePaces.Outcome =
            switch failure {
            case .unreachable: .failure
            case .busy: .busy
            case .version: .refusal
            }
        guard let attempt = end(id, outcome, &paces, at: now) else { return [] }
        let segments = attempt.request.segments.filter { !isCounted[$0] && !isUnderWay($0) }
        let steps = ask(segments, .next, &paces, at: now)
        return steps + finish(&paces, at: now)
    }

    /// Looks at the time.
    package mutating func advance(_ paces: inout NodePaces, at now: Double) -> [Step] {
        guard !isFinished else { return [] }
        guard now < deadline else { return end(&paces, at: now) }
        var steps: [Step] = []
        for (id, attempt) in attempts.sorted(by: { $0.key < $1.key }) where attempt.next <= now {
            if attempt.isLate {
                attempts[id]?.next = .infinity
            } else {
                attempts[id]?.isLate = true
                attempts[id]?.next = max(now, attempt.begin + (deadline - attempt.begin) / 2)
                paces.noteLateness(attempt.request.node, at: now)
            }
            // A segment that another request may still answer in time is not asked for again. From half of the time until the deadline on, the
            // request needs no extra attempt of ``NodePaces``.
            let segments = attempt.request.segments.filter { !isCounted[$0] && !isUnderWay($0) }
            steps += ask(segments, attempt.isLate ? .last : .extra, &paces, at: now)
        }
        return steps + finish(&paces, at: now)
    }

    /// Ends before the deadline: nobody waits for what is found.
    package mutating func giveUp(_ paces: inout NodePaces, at now: Double) -> [Step] {
        isFinished ? [] : end(&paces, at: now)
    }

    // MARK: - Asking

    /// The reason for which segments are asked for.
    private enum Reason {
        case first
        /// The node before failed, or lacks them.
        case next
        /// The node before is late. Each request takes one of the extra attempts.
        case extra
        /// Half of the time until the deadline is over, and the node before has not answered.
        case last
    }

    /// Plans requests for segments, one for each node, and notes them as attempts.
    private mutating func ask(
        _ segments: [Int],
        _ reason: Reason,
        _ paces: inout NodePaces,
        at now: Double
    ) -> [Step] {
        var plan: [NodeID: [Int]] = [:]
        for segment in segments {
            guard let node = node(for: segment, plan, paces, at: now) else { continue }
            if reason == .last, paces.isPaused(node, at: now) { continue }
            plan[node, default: []].append(segment)
        }
        var steps: [Step] = []
        for (node, segments) in plan.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if reason == .extra, !paces.takeExtra(of: nodeCount, at: now) { break }
            let isExtra = reason == .extra || reason == .last
            if isExtra { extraCount += 1 }
            for segment in segments { asked[segment].insert(node) }
            let request = Request(id: nextID, node: node, segments: segments)
            nextID += 1
            attempts[request.id] = Attempt(
                request: request,
                begin: now,
                next: now + paces.limit(node, round: round)
            )
            paces.begin(node, isExtra: isExtra, at: now)
            steps.append(.ask(request))
        }
        return steps
    }

    /// Returns the node to ask for a segment: of its holders the one with the fewest attempts, else a node near in the order, which held
    /// the segment before or would hold it next, at last any; `nil` if all were asked.
    private func node(for segment: Int, _ plan: [NodeID: [Int]], _ paces: NodePaces, at now: Double) -> NodeID? {
        let left = orders[segment].enumerated().filter { !asked[segment].contains($0.element) }
        let rested = left.filter { !paces.isPaused($0.element, at: now) }
        let holders = rested.filter { $0.offset < copies }
        let quietest = holders.min { first, second in
            func load(_ node: NodeID) -> (Int, Int) { (paces.active(node), plan[node]?.count ?? 0) }
            let (one, other) = (load(first.element), load(second.element))
            return one == other ? first.offset < second.offset : one < other
        }
        // A holder that was late comes before nodes far down the order: those would only say that they lack the segment.
        let near = rested.first { $0.offset < 2 * copies } ?? left.first { $0.offset < 2 * copies }
        return (quietest ?? near ?? rested.first ?? left.first)?.element
    }

    /// Returns `true` if a request for a segment is under way that is not late.
    private func isUnderWay(_ segment: Int) -> Bool { attempts.values.contains { !$0.isLate && $0.covers(segment) } }

    // MARK: - Ending

    private mutating func end(
        _ id: Int,
        _ outcome: NodePaces.Outcome,
        _ paces: inout NodePaces,
        at now: Double
    ) -> Attempt? {
        guard let attempt = attempts.removeValue(forKey: id) else { return nil }
        paces.end(
            attempt.request.node,
            outcome,
            after: now - attempt.begin,
            isLate: attempt.isLate,
            round: round,
            at: now
        )
        return attempt
    }

    /// Cancels requests whose segments were all answered, and ends if no request is left.
    private mutating func finish(_ paces: inout NodePaces, at now: Double) -> [Step] {
        guard !isFinished else { return [] }
        let useless = attempts.values.filter { $0.request.segments.allSatisfy { isCounted[$0] } }.map(\.request.id)
        var steps: [Step] = []
        for id in useless.sorted() {
            _ = end(id, .abandoned, &paces, at: now)
            steps.append(.cancel(id))
        }
        if attempts.isEmpty { isFinished = true }
        return steps
    }

    /// Ends, and cancels all requests that are under way.
    private mutating func end(_ paces: inout NodePaces, at now: Double) -> [Step] {
        isFinished = true
        return attempts.keys.sorted().map { id in
            _ = end(id, .abandoned, &paces, at: now)
            return .cancel(id)
        }
    }
}
