import EarshotSignatures
import Foundation

/// Lets the hits of a query vote for places on a segment's timeline.
///
/// A hit says that the query, were it this one, begins at a unit of the timeline. Votes fall into bins of one unit, 64 ms,
/// and are read over two neighbouring bins, so a place is never cut in half; each weighs the information that its key
/// carries, the logarithm of its rarity. Work and memory follow the number of hits, not the length of the timeline.
struct Voting {
    /// A place on the timeline with votes.
    struct Place {
        /// The frame at which the query would begin; before zero, or inside the reference before, when it begins with
        /// foreign audio.
        var frame: Int
        var votes: Int
    }

    /// How the index is asked.
    enum Depth {
        /// By the first two landmarks of a key: finds more, reads more.
        case pairs
        /// By all three.
        case triplets
    }

    /// How much work a look at the index may take.
    struct Effort {
        /// Blocks of postings that are read.
        var blocks: Int
        /// Places that are wanted.
        var places: Int
    }

    /// A lookup with the blocks that it has to read.
    private struct Reading {
        var lookup: QueryKeys.Lookup
        var blocks: Range<Int>
    }

    /// Bins that are counted at once: 1 MiB of counters.
    private static let partShift = 18

    private let segment: Segment
    private let parameters: MatchingParameters
    private var readings: [Reading] = []
    private var hits: [Hit] = []
    private var hitCount = 0
    private var sorted: [Hit] = []
    private var bins: [UInt32] = []
    /// All that was read since the beginning.
    private(set) var work = SearchWork()

    /// A vote for a bin.
    private struct Hit {
        var bin: UInt32
        var weight: UInt32
    }

    init(_ segment: Segment, parameters: MatchingParameters) {
        self.segment = segment
        self.parameters = parameters
    }

    /// The places with most votes, most first.
    ///
    /// - Parameters:
    ///   - span: Frames that the query lasts.
    ///   - effort: How much may be read, and how many places are wanted.
    mutating func places(
        for query: QueryKeys,
        span: Int,
        under hypothesis: Hypothesis,
        by depth: Depth,
        effort: Effort
    ) -> [Place] {
        guard segment.postingCount > 0 else { return [] }
        // Room before frame 0 for queries that begin earlier.
        let lead = Int(Double(span) * hypothesis.speed) + 64
        find(query, under: hypothesis, by: depth, budget: effort.blocks)
        read(lead: lead)
        return count(lead: lead, places: effort.places)
    }

    /// Looks up where the postings lie, and decides which are read.
    private mutating func find(_ query: QueryKeys, under hypothesis: Hypothesis, by depth: Depth, budget: Int) {
        readings.removeAll(keepingCapacity: true)
        let most = max(
            parameters.leastStopBlocks,
            Int(Double(segment.blockCount) * parameters.stopShare)
        )
        var total = 0
        func add(_ lookup: QueryKeys.Lookup) {
            work.lookups += 1
            let blocks = segment.blocks(of: lookup.keys)
            guard !blocks.isEmpty, blocks.count <= most else { return }
            total += blocks.count
            readings.append(Reading(lookup: lookup, blocks: blocks))
        }
        switch depth {
        case .pairs: query.forEachPair(under: hypothesis) { add($0) }
        case .triplets: query.forEachTriplet(under: hypothesis) { add($0) }
        }
        // The rarest keys say most; beyond the budget the commonest go unread.
        guard total > budget else { return }
        readings.sort { $0.blocks.count < $1.blocks.count }
        var kept = 0
        var sum = 0
        while kept < readings.count, sum + readings[kept].blocks.count <= budget {
            sum += readings[kept].blocks.count
            kept += 1
        }
        readings.removeSubrange(kept...)
    }

    /// Collects the hits.
    private mutating func read(lead: Int) {
        let capacity = readings.reduce(0) { $0 + $1.blocks.count } * PostingCode.blockSize
        if hits.count < capacity { hits = [Hit](repeating: Hit(bin: 0, weight: 0), count: capacity) }
        let information = log2(Double(segment.postingCount))
        // Beyond the timeline only damage can lead.
        let units = UInt32(segment.frameCount >> PostingCode.unitShift)
        let half = 1 << (PostingCode.unitShift - 1)
        var count = 0
        hits.withUnsafeMutableBufferPointer { hits in
            for reading in readings {
                let start = count
                let shift = lead - Int(reading.lookup.frame) + half
                segment.forEachPosting(of: reading.lookup.keys, in: reading.blocks) { unit in
                    guard unit <= units else { return }
                    let frame = Int(unit) << PostingCode.unitShift + shift
                    hits[count].bin = UInt32(truncatingIfNeeded: frame >> PostingCode.unitShift)
                    count += 1
                }
                let found = count - start
                guard found > 0 else { continue }
                let weight = UInt32(max(1, information - log2(Double(found) + 1)))
                for index in start..<count { hits[index].weight = weight }
            }
        }
        hitCount = count
        work.blocksRead += capacity / PostingCode.blockSize
        work.hits += count
    }

    /// Counts the votes part by part of the timeline.
    private mutating func count(lead: Int, places: Int) -> [Place] {
        let binCount = (segment.frameCount + lead) >> PostingCode.unitShift + 3
        let partCount = binCount >> Self.partShift + 1
        var starts = [Int](repeating: 0, count: partCount + 1)
        for hit in hits[..<hitCount] { starts[Int(hit.bin) >> Self.partShift + 1] += 1 }
        for part in 0..<partCount { starts[part + 1] += starts[part] }
        let parts = starts
        if partCount > 1 {
            if sorted.count < hits.count { sorted = [Hit](repeating: Hit(bin: 0, weight: 0), count: hits.count) }
            for hit in hits[..<hitCount] {
                let part = Int(hit.bin) >> Self.partShift
                sorted[starts[part]] = hit
                starts[part] += 1
            }
            swap(&hits, &sorted)
        }
        // A bin more on both sides belongs to the neighbouring part.
        let size = 1 << Self.partShift + 2
        if bins.count < size { bins = [UInt32](repeating: 0, count: size) }
        var best = TopPlaces(capacity: places)
        hits.withUnsafeBufferPointer { hits in
            bins.withUnsafeMutableBufferPointer { bins in
                for part in 0..<partCount {
                    let first = part << Self.partShift - 1
                    let range = parts[part]..<parts[part + 1]
                    // Bins that touch this part's from outside.
                    let after = part + 1 < partCount ? parts[part + 1]..<parts[part + 2] : 0..<0
                    for index in range { bins[Int(hits[index].bin) - first] &+= hits[index].weight }
                    for index in after where Int(hits[index].bin) - first == size - 1 {
                        bins[size - 1] &+= hits[index].weight
                    }
                    for index in range {
                        let bin = Int(hits[index].bin) - first
                        for start in [bin - 1, bin] {
                            let votes = Int(bins[start] &+ bins[start + 1])
                            if votes > best.least { best.insert(votes: votes, bin: first + start) }
                        }
                    }
                    for index in range { bins[Int(hits[index].bin) - first] = 0 }
                    bins[size - 1] = 0
                }
            }
        }
        return best.entries.map { entry in
            Place(frame: (entry.bin + 1) << PostingCode.unitShift - lead, votes: entry.votes)
        }
    }
}

/// The few bins with most votes; of neighbours only the better one.
private struct TopPlaces {
    private(set) var entries: [(votes: Int, bin: Int)] = []
    private let capacity: Int
    /// A bin needs more votes than this to be taken.
    private(set) var least = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries.reserveCapacity(capacity + 1)
    }

    mutating func insert(votes: Int, bin: Int) {
        if let near = entries.firstIndex(where: { abs($0.bin - bin) <= 2 }) {
            guard entries[near].votes < votes else { return }
            entries.remove(at: near)
        }
        let position = entries.firstIndex { $0.votes < votes } ?? entries.count
        entries.insert((votes, bin), at: position)
        if entries.count > capacity { entries.removeLast() }
        least = entries.count == capacity ? entries[capacity - 1].votes : 0
    }
}
