/// The votings of a search over its segments, distributed to lanes by their postings.
///
/// The places are in order of the segments, so the number of lanes does not change a result.
struct VotingLanes {
    private let matcher: Matcher
    private var votings: [Voting]
    /// The segments of each lane.
    private let segments: [[Int]]

    init(_ matcher: Matcher) {
        self.matcher = matcher
        segments = Self.shares(matcher.targets.map(\.segment.postingCount), among: matcher.lanes)
        var memories = [VotingMemory?](repeating: nil, count: matcher.targets.count)
        // The votings of one lane run one after the other, so they share memory.
        for lane in segments {
            let memory = Voting.memory()
            for index in lane { memories[index] = memory }
        }
        votings = matcher.targets.indices.map { index in
            Voting(
                matcher.targets[index].segment,
                parameters: matcher.parameters,
                memory: memories[index] ?? Voting.memory()
            )
        }
    }

    /// Distributes segments to lanes: the largest first, each to the lane with the fewest postings.
    static func shares(_ sizes: [Int], among lanes: Int) -> [[Int]] {
        let count = max(1, min(lanes, sizes.count))
        var shares = [[Int]](repeating: [], count: count)
        var loads = [Int](repeating: 0, count: count)
        for index in sizes.indices.sorted(by: { (sizes[$1], $0) < (sizes[$0], $1) }) {
            let lane = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            shares[lane].append(index)
            loads[lane] += sizes[index]
        }
        return shares.map { $0.sorted() }
    }

    /// The amount of the index that was read since the start.
    var work: SearchWork { votings.reduce(into: SearchWork()) { $0 += $1.work } }

    /// Returns the places with most votes of each segment, most first.
    ///
    /// - Parameter effort: The effort for all segments of the whole catalog if whole keys are looked up, otherwise for
    ///   each segment.
    mutating func places(
        for lookups: Voting.Lookups,
        span: Int,
        speed: Double,
        effort: Voting.Effort
    ) -> [(segment: Int, place: Voting.Place)] {
        let matcher = matcher
        let postings = Double(max(1, matcher.totals.postingCount))
        let found = forEachVoting { index, voting in
            var effort = effort
            if case .triplets = lookups {
                let share = Double(matcher.targets[index].segment.postingCount) / postings
                effort.blocks = max(matcher.parameters.leastSegmentBlocks, Int(Double(effort.blocks) * share))
            }
            return voting.places(for: lookups, span: span, speed: speed, effort: effort)
        }
        return found.enumerated().flatMap { index, places in places.map { (index, $0) } }
    }

    /// Returns the votes for the best place of all segments.
    ///
    /// - Parameter effort: The effort for each segment.
    mutating func mostVotes(for lookups: Voting.Lookups, span: Int, speed: Double, effort: Voting.Effort) -> Int {
        forEachVoting { _, voting in
            voting.places(for: lookups, span: span, speed: speed, effort: effort).first?.votes ?? 0
        }.max() ?? 0
    }

    /// Returns the results of a body for each segment, in order of the segments.
    private mutating func forEachVoting<Result>(_ body: (Int, inout Voting) -> Result) -> [Result] {
        var results = [Result?](repeating: nil, count: votings.count)
        let segments = segments
        votings.withUnsafeMutableBufferPointer { votings in
            results.withUnsafeMutableBufferPointer { results in
                // Safe: no segment is in two lanes, so no place is read or written by two threads. Both buffers live
                // until all lanes have ended.
                nonisolated(unsafe) let (votings, results) = (votings, results)
                Lanes.run(segments.count) { lane in
                    for index in segments[lane] { results[index] = body(index, &votings[index]) }
                }
            }
        }
        return results.compactMap { $0 }
    }
}
