import EarshotNodes
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

/// Nodes that answer, are late, break and lie, in made-up time.
private struct MadeUpNodes {
    enum Behavior: CaseIterable {
        case good, slow, silent, unreachable, busy, version, liar
    }

    enum Event {
        case answer(Set<Int>)
        case failure(Gather.Failure)
    }

    var nodes: [NodeID: (behavior: Behavior, segments: Set<Int>)]
    /// The time of an answer in seconds.
    var delay: Double = 0.01

    /// The answer to a request and the time that it takes; `nil` if there is none.
    func event(of request: Gather.Request, _ random: inout SeededGenerator) -> (delay: Double, event: Event)? {
        guard let node = nodes[request.node] else { return (0.001, .failure(.unreachable)) }
        let soon = delay * Double.random(in: 0.5...1.5, using: &random)
        let searched = node.segments.intersection(request.segments)
        switch node.behavior {
        case .good: return (soon, .answer(searched))
        case .slow: return (Double.random(in: 0.2...6, using: &random), .answer(searched))
        case .silent: return nil
        case .unreachable: return (soon, .failure(.unreachable))
        case .busy: return (soon, .failure(.busy))
        case .version: return (soon, .failure(.version))
        case .liar: return (soon, .answer(searched.union((0..<40).filter { _ in Bool.random(using: &random) })))
        }
    }
}

/// A gather that runs to its end in made-up time, with what it did.
private struct GatherRun {
    var gather: Gather
    var asked: [Gather.Request] = []
    /// Segments that counted, with the node whose answer did.
    var counted: [(segment: Int, node: NodeID)] = []
    var end = 0.0

    /// - Parameter copies: Says that each answer arrives twice.
    init(
        _ gather: Gather,
        _ nodes: MadeUpNodes,
        _ paces: inout NodePaces,
        from begin: Double = 0,
        doubled: Bool = false,
        _ random: inout SeededGenerator
    ) {
        self.gather = gather
        var events: [(time: Double, request: Gather.Request, event: MadeUpNodes.Event)] = []
        func take(_ steps: [Gather.Step], at now: Double, _ asked: inout [Gather.Request]) {
            // An answer may come although it was canceled.
            for case .ask(let request) in steps {
                asked.append(request)
                guard let (delay, event) = nodes.event(of: request, &random) else { continue }
                for _ in 0..<(doubled ? 2 : 1) { events.append((now + delay, request, event)) }
            }
        }
        var now = begin
        take(self.gather.start(&paces, at: now), at: now, &asked)
        while !self.gather.isFinished || !events.isEmpty {
            let next = events.indices.min { events[$0].time < events[$1].time }
            if let next, self.gather.isFinished || events[next].time < self.gather.nextTime {
                let (time, request, event) = events.remove(at: next)
                now = max(now, time)
                switch event {
                case .answer(let searched):
                    let (steps, segments) = self.gather.answer(request.id, searched: searched, &paces, at: now)
                    counted += segments.map { ($0, request.node) }
                    take(steps, at: now, &asked)
                case .failure(let failure):
                    take(self.gather.fail(request.id, failure, &paces, at: now), at: now, &asked)
                }
            } else {
                now = max(now, self.gather.nextTime)
                take(self.gather.advance(&paces, at: now), at: now, &asked)
            }
            if self.gather.isFinished, end == 0 { end = now }
        }
    }
}

@Suite("Gathering of answers from nodes")
struct GatherTests {
    private static let names = (0..<12).map { NodeID(rawValue: "node-\($0)") }

    /// Nodes of which each holds what is placed on it, all segments being placed on `copies`.
    private func placed(
        _ count: Int,
        _ segments: Int,
        copies: Int,
        _ random: inout SeededGenerator,
        _ behavior: (Int) -> MadeUpNodes.Behavior = { _ in .good }
    ) -> (nodes: MadeUpNodes, orders: [[NodeID]]) {
        let orders = (0..<segments).map { _ in Self.names.prefix(count).shuffled(using: &random) }
        var nodes = MadeUpNodes(nodes: [:])
        for (number, node) in Self.names.prefix(count).enumerated() {
            let held = (0..<segments).filter { orders[$0].prefix(copies).contains(node) }
            nodes.nodes[node] = (behavior(number), Set(held))
        }
        return (nodes, orders)
    }

    @Test(
        "counts each segment once, asks no node twice for it, says what it lacks, and ends in time, whatever the nodes do"
    )
    func faults() {
        property("a gather with random faults", rounds: 2_000) { random in
            let count = Int.random(in: 1...12, using: &random)
            let segments = Int.random(in: 0...20, using: &random)
            let copies = Int.random(in: 1...3, using: &random)
            var behaviors: [MadeUpNodes.Behavior] = []
            for _ in 0..<count { behaviors.append(MadeUpNodes.Behavior.allCases.randomElement(using: &random)!) }
            let (nodes, orders) = placed(count, segments, copies: copies, &random) { behaviors[$0] }
            var paces = NodePaces()
            var begin = 0.0
            // What earlier queries have learned is part of the play.
            for _ in 0..<3 {
                let gather = Gather(orders: orders, copies: copies, deadline: begin + 4)
                let run = GatherRun(
                    gather,
                    nodes,
                    &paces,
                    from: begin,
                    doubled: Bool.random(using: &random),
                    &random
                )
                guard Set(run.counted.map(\.segment)).count == run.counted.count,
                    Set(run.counted.map(\.segment)) == Set(run.gather.counted),
                    run.gather.isComplete == (run.counted.count == segments),
                    Set(run.gather.counted + run.gather.uncounted) == Set(0..<segments),
                    run.end <= begin + 4,
                    Self.names.allSatisfy({ paces.active($0) == 0 })
                else { return false }
                let pairs = run.asked.flatMap { request in request.segments.map { "\($0) \(request.node)" } }
                guard Set(pairs).count == pairs.count else { return false }
                // Only a liar is believed what it does not hold.
                for (segment, node) in run.counted where nodes.nodes[node]?.behavior != .liar {
                    guard nodes.nodes[node]?.segments.contains(segment) == true else { return false }
                }
                begin += Double.random(in: 4...20, using: &random)
            }
            return true
        }
    }

    @Test("is complete as long as some node holds each segment and the others do not hang")
    func completeness() {
        property("a gather finds what is there", rounds: 1_000) { random in
            let quick: [MadeUpNodes.Behavior] = [.unreachable, .busy, .version]
            let lost = Int.random(in: 0..<8, using: &random)
            let (nodes, orders) = placed(8, 20, copies: 2, &random) { $0 == lost ? quick[lost % 3] : .good }
            var paces = NodePaces()
            let run = GatherRun(Gather(orders: orders, copies: 2, deadline: 4), nodes, &paces, &random)
            return run.gather.isComplete && run.end < 0.1
        }
    }

    @Test("asks each node once when all is well, and spreads the segments over the holders")
    func plan() {
        var random = SeededGenerator(seed: 1)
        let (nodes, orders) = placed(6, 80, copies: 2, &random)
        var paces = NodePaces()
        let run = GatherRun(Gather(orders: orders, copies: 2, deadline: 4), nodes, &paces, &random)
        #expect(run.gather.isComplete)
        #expect(run.asked.count == 6 && run.gather.extraCount == 0)
        for request in run.asked { #expect((10...17).contains(request.segments.count)) }
    }

    @Test("asks for what a node lacks elsewhere at once, down to nodes that hold nothing by the placement")
    func missing() {
        var random = SeededGenerator(seed: 2)
        var (nodes, orders) = placed(6, 10, copies: 2, &random)
        // All is where nobody looks for it first.
        let last = Self.names[5]
        for segment in orders.indices { orders[segment] = orders[segment].filter { $0 != last } + [last] }
        for node in Self.names.prefix(6) { nodes.nodes[node]?.segments = node == last ? Set(0..<10) : [] }
        var paces = NodePaces()
        let run = GatherRun(Gather(orders: orders, copies: 2, deadline: 4), nodes, &paces, &random)
        #expect(run.gather.isComplete && run.end < 0.2)
    }

    @Test("asks others when a node is late, and drops its answer when it comes after all")
    func lateness() {
        let (a, b) = (Self.names[0], Self.names[1])
        var paces = NodePaces()
        var gather = Gather(orders: [[a, b], [a, b]], copies: 1, deadline: 4)
        let first = Gather.Request(id: 0, node: a, segments: [0, 1])
        var steps = gather.start(&paces, at: 0)
        #expect(steps == [.ask(first)])
        let limit = paces.limit(a, round: 0)
        #expect(limit == 0.75 && gather.nextTime == limit)
        steps = gather.advance(&paces, at: 0.7)
        #expect(steps.isEmpty)
        let second = Gather.Request(id: 1, node: b, segments: [0, 1])
        steps = gather.advance(&paces, at: limit)
        #expect(steps == [.ask(second)] && gather.extraCount == 1)
        let answer = gather.answer(1, searched: [0, 1], &paces, at: 0.8)
        #expect(answer.steps == [.cancel(0)] && answer.segments == [0, 1])
        #expect(gather.isFinished && gather.isComplete)
        let late = gather.answer(0, searched: [0, 1], &paces, at: 0.9)
        #expect(late.steps.isEmpty && late.segments.isEmpty)
        #expect(paces.isPaused(a, at: 0.9) && !paces.isPaused(b, at: 0.9))
    }

    @Test("takes of two answers for overlapping segments each segment once")
    func overlap() {
        let (a, b, c) = (Self.names[0], Self.names[1], Self.names[2])
        var paces = NodePaces()
        var gather = Gather(orders: [[a, b, c], [a, c, b]], copies: 1, deadline: 4)
        _ = gather.start(&paces, at: 0)
        let steps = gather.advance(&paces, at: 1)
        #expect(steps.count == 2)
        let first = gather.answer(1, searched: [0], &paces, at: 1.1)
        #expect(first.segments == [0])
        // The late one is the first to bring the other segment.
        let late = gather.answer(0, searched: [0, 1], &paces, at: 1.2)
        #expect(late.segments == [1] && late.steps == [.cancel(2)] && gather.isComplete)
    }

    @Test("ends at its deadline with what it has when nodes hang")
    func deadline() {
        var random = SeededGenerator(seed: 3)
        let (nodes, orders) = placed(4, 10, copies: 1, &random) { $0 == 0 ? .silent : .good }
        var paces = NodePaces()
        let run = GatherRun(Gather(orders: orders, copies: 1, deadline: 4), nodes, &paces, &random)
        #expect(run.end <= 4 && !run.gather.isComplete)
        #expect(Set(run.gather.uncounted) == nodes.nodes[Self.names[0]]?.segments)
    }

    @Test("makes at most one extra attempt in twenty when everything gets slow")
    func slowness() {
        property("extra attempts are few", rounds: 20) { random in
            var (nodes, orders) = placed(6, 30, copies: 2, &random)
            var paces = NodePaces()
            var (first, extra) = (0, 0)
            for query in 0..<400 {
                // From the 100th query on all nodes are forty times as slow, and sometimes one alone.
                nodes.delay = query < 100 ? 0.02 : 0.8
                let begin = Double(query) * 5
                let run = GatherRun(
                    Gather(orders: orders, copies: 2, deadline: begin + 4),
                    nodes,
                    &paces,
                    from: begin,
                    &random
                )
                guard run.gather.isComplete else { return false }
                extra += run.gather.extraCount
                first += run.asked.count - run.gather.extraCount
            }
            return Double(extra) <= NodePaces.burst + NodePaces.extraShare * Double(first)
        }
    }

    @Test("makes no extra attempts while most nodes are late")
    func overload() {
        var paces = NodePaces()
        for node in Self.names.prefix(3) { paces.begin(node, isExtra: false, at: 0) }
        let before = paces.takeExtra(of: 3, at: 0)
        for node in Self.names.prefix(2) { paces.noteLateness(node, at: 1) }
        let during = paces.takeExtra(of: 3, at: 1)
        // Nobody knows of old lateness whether it lasts.
        let after = paces.takeExtra(of: 3, at: 100)
        #expect(before && !during && after)
    }

    @Test("asks a node less once it is slow, and again within 30 s after it is well")
    func recovery() {
        var random = SeededGenerator(seed: 4)
        var (nodes, orders) = placed(4, 20, copies: 2, &random)
        let slow = Self.names[0]
        var paces = NodePaces()
        func shares(from begin: Double, to end: Double, _ paces: inout NodePaces) -> (asked: Int, queries: Int) {
            var (asked, queries) = (0, 0)
            for time in stride(from: begin, to: end, by: 0.25) {
                let gather = Gather(orders: orders, copies: 2, deadline: time + 4)
                let run = GatherRun(gather, nodes, &paces, from: time, &random)
                queries += 1
                if run.asked.contains(where: { $0.node == slow }) { asked += 1 }
            }
            return (asked, queries)
        }
        let before = shares(from: 0, to: 20, &paces)
        #expect(before.asked == before.queries)
        nodes.nodes[slow]?.behavior = .silent
        _ = shares(from: 20, to: 25, &paces)
        let ill = shares(from: 25, to: 85, &paces)
        #expect(ill.asked * 10 < ill.queries)
        nodes.nodes[slow]?.behavior = .good
        _ = shares(from: 85, to: 115, &paces)
        let after = shares(from: 115, to: 125, &paces)
        #expect(after.asked == after.queries)
    }

    @Test("waits three times as long as a node usually takes, by rounds, and never less than 150 ms")
    func limits() {
        var paces = NodePaces()
        let node = Self.names[0]
        func answer(after seconds: Double, round: Int) {
            for number in 0..<50 {
                paces.begin(node, isExtra: false, at: Double(number))
                paces.end(node, .answer, after: seconds, isLate: false, round: round, at: Double(number) + seconds)
            }
        }
        answer(after: 0.01, round: 0)
        answer(after: 0.2, round: 1)
        #expect(paces.limit(node, round: 0) == 0.15)
        #expect(abs(paces.limit(node, round: 1) - 0.6) < 0.001)
    }
}
