import EarshotSignatures
import Foundation

/// Counts the votes of a query's hits for places on a segment's timeline.
///
/// A hit means that the query begins at a unit of the timeline if it comes from this segment. Votes are counted in bins
/// of one unit, 64 ms, and read over two neighboring bins, so that a place is never split. Each vote is weighted by the
/// information of its key, the logarithm of its rarity. Work and memory depend on the number of hits, not on the length
/// of the timeline.
struct Voting {
    /// A place on the timeline with votes.
    struct Place {
        /// The frame at which the query would begin. It may lie before zero, or in the previous reference, if the query
        /// begins with other audio.
        var frame: Int
        var votes: Int
    }

    /// The keys to look up.
    enum Lookups {
        /// The first two landmarks of each key. It finds more and reads more.
        case pairs(QueryKeys, Hypothesis)
        /// Whole keys of three landmarks.
        case triplets([QueryKeys.TripletLookup])

        /// The number of whole keys that were made for the lookup.
        var keyCount: Int {
            if case .triplets(let lookups) = self { lookups.count } else { 0 }
        }
    }

    /// The limits of the work of a lookup.
    struct Effort {
        /// The largest number of blocks of postings that are read.
        var blocks: Int
        /// The number of places to return.
        var places: Int
        /// The number of places with most votes among which the contrast map chooses, if there is one; 0 if it does not
        /// choose.
        var sifted = 0
    }

    /// A lookup with the blocks that it has to read.
    private struct Reading {
        var lookup: QueryKeys.Lookup
        var blocks: Range<Int>
        var distance = 0
    }

    /// The number of bins that are counted at once, as a power of two: 1 MiB of counters.
    private static let partShift = 18
    /// The mark of a bin that has been passed to the best ones, because many hits fall into the same bin.
    private static let taken: UInt32 = 1 << 31
    /// The number of lookups whose blocks are loaded ahead, some 30 kB.
    private static let readAhead = 128

    private let segment: Segment
    private let parameters: MatchingParameters
    private let memory: VotingMemory
    private var readings: [Reading] = []
    private var hitCount = 0
    /// The amount of the index that was read since the start.
    private(set) var work = SearchWork()

    /// Creates a voting.
    ///
    /// - Parameter memory: The memory that the votings of one search use one after the other.
    init(_ segment: Segment, parameters: MatchingParameters, memory: VotingMemory = Voting.memory()) {
        self.segment = segment
        self.parameters = parameters
        self.memory = memory
    }

    /// Returns the places with most votes, most first.
    ///
    /// - Parameters:
    ///   - lookups: The keys to look up.
    ///   - span: The length of the query, in frames.
    ///   - speed: The speed of the hypothesis, in reference seconds a second of the query.
    ///   - effort: The largest amount to read, and the number of places to return.
    mutating func places(for lookups: Lookups, span: Int, speed: Double, effort: Effort) -> [Place] {
        guard segment.postingCount > 0 else { return [] }
        // Room before frame 0 for queries that begin earlier.
        let lead = Int(Double(span) * speed) + 64
        readings.removeAll(keepingCapacity: true)
        switch lookups {
        case .pairs(let query, let hypothesis): findPairs(query, under: hypothesis, budget: effort.blocks)
        case .triplets(let lookups): findTriplets(lookups, budget: effort.blocks)
        }
        read(lead: lead)
        return count(lead: lead, places: effort.places)
    }

    /// Returns memory that several votings may share; see ``VotingMemory``.
    static func memory() -> VotingMemory { VotingMemory(binCount: binCount) }

    /// The number of counters: the bins counted at once and one on either side, which belongs to the neighboring part.
    private static let binCount = 1 << partShift + 2

    /// The largest number of blocks of a key that is read.
    private var most: Int {
        max(parameters.leastStopBlocks, Int(Double(segment.blockCount) * parameters.stopShare))
    }

    /// Finds the blocks of all pairs of landmarks, and selects those that are read.
    private mutating func findPairs(_ query: QueryKeys, under hypothesis: Hypothesis, budget: Int) {
        let most = most
        var total = 0
        query.forEachPair(under: hypothesis) { lookup in
            work.lookups += 1
            let blocks = segment.blocks(of: lookup.keys)
            guard !blocks.isEmpty, blocks.count <= most else { return }
            total += blocks.count
            readings.append(Reading(lookup: lookup, blocks: blocks))
        }
        // The rarest keys tell most, so the commonest are skipped beyond the budget.
        guard total > budget else { return }
        var totals = [Int](repeating: 0, count: most + 1)
        for reading in readings { totals[reading.blocks.count] += reading.blocks.count }
        var last = 1
        var rest = budget
        while last < most, totals[last] <= rest {
            rest -= totals[last]
            last += 1
        }
        // An even selection of the last size. The first ones would all come from the beginning of the query.
        var share = 0
        readings.removeAll { reading in
            guard reading.blocks.count == last else { return reading.blocks.count > last }
            share += rest
            guard share >= totals[last] else { return true }
            share -= totals[last]
            return false
        }
    }

    /// Finds the blocks of whole keys, of which there are many, in ascending order.
    ///
    /// A first pass only loads buckets and a second one decides. So the processor waits for many loads at a time.
    private mutating func findTriplets(_ lookups: [QueryKeys.TripletLookup], budget: Int) {
        work.lookups += lookups.count
        let most = most
        var buckets: [(low: Int, high: Int)] = []
        buckets.reserveCapacity(lookups.count)
        for lookup in lookups { buckets.append(segment.bucket(of: lookup.key)) }
        // The numbers of blocks by class of cost and yield.
        var totals = [Int](repeating: 0, count: Self.classCount)
        var total = 0
        for (index, lookup) in lookups.enumerated() {
            let blocks = segment.blocks(of: lookup.key, in: buckets[index], atMost: most)
            guard !blocks.isEmpty, blocks.count <= most else { continue }
            let distance = Int(lookup.distance)
            totals[Self.costClass(blocks.count, distance)] += blocks.count
            total += blocks.count
            readings.append(
                Reading(
                    lookup: QueryKeys.Lookup(keys: lookup.key..<lookup.key + 1, frame: lookup.frame),
                    blocks: blocks,
                    distance: distance
                )
            )
        }
        guard total > budget else { return }
        var (highest, sum) = (0, 0)
        while highest < Self.classCount, sum + totals[highest] <= budget {
            sum += totals[highest]
            highest += 1
        }
        readings.removeAll { reading in
            let cost = Self.costClass(reading.blocks.count, reading.distance)
            if cost < highest { return false }
            guard cost == highest, sum + reading.blocks.count <= budget else { return true }
            sum += reading.blocks.count
            return false
        }
    }

    /// The number of classes of lookups; see `costClass(_:_:)`.
    private static let classCount = 64

    /// Returns the class of a lookup: blocks to read relative to the chance of a true hit, which about halves with each
    /// step of distance.
    @inline(__always)
    private static func costClass(_ blocks: Int, _ distance: Int) -> Int {
        min(classCount - 1, 2 * (Int.bitWidth - blocks.leadingZeroBitCount) + distance)
    }

    /// Reads the selected blocks and collects the hits.
    private mutating func read(lead: Int) {
        let information = log2(Double(segment.postingCount))
        // A unit beyond the timeline can only come from damage.
        let units = UInt32(segment.frameCount >> PostingCode.unitShift)
        let half = 1 << (PostingCode.unitShift - 1)
        let blocks = readings.reduce(0) { $0 + $1.blocks.count }
        memory.reserve(blocks * PostingCode.blockSize)
        let hits = memory.hits
        var count = 0
        var ahead = 0
        for (index, reading) in readings.enumerated() {
            if index == ahead {
                ahead = min(index + Self.readAhead, readings.count)
                memory.touched &+= segment.touch(readings[index..<ahead].lazy.map(\.blocks))
            }
            let start = count
            let shift = lead - Int(reading.lookup.frame) + half
            segment.forEachKey(of: reading.lookup.keys, in: reading.blocks) { _, unit in
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
        work.blocksRead += blocks
        hitCount = count
        work.hits += count
    }

    /// Counts the votes, one part of the timeline after the other, and returns the places with most.
    private mutating func count(lead: Int, places: Int) -> [Place] {
        let binCount = (segment.frameCount + lead) >> PostingCode.unitShift + 3
        let partCount = binCount >> Self.partShift + 1
        var starts = [Int](repeating: 0, count: partCount + 1)
        let found = memory.hits
        for index in 0..<hitCount { starts[Int(found[index].bin) >> Self.partShift + 1] += 1 }
        for part in 0..<partCount { starts[part + 1] += starts[part] }
        let parts = starts
        if partCount > 1 {
            let (hits, sorted) = (memory.hits, memory.reserveSorted())
            for index in 0..<hitCount {
                let hit = hits[index]
                let part = Int(hit.bin) >> Self.partShift
                sorted[starts[part]] = hit
                starts[part] += 1
            }
            memory.swap()
        }
        let size = Self.binCount
        let (hits, bins) = (memory.hits, memory.bins)
        var best = TopBins(capacity: places)
        for part in 0..<partCount {
            let first = part << Self.partShift - 1
            let range = parts[part]..<parts[part + 1]
            // Hits of the next part that fall into this part's last bin.
            let after = part + 1 < partCount ? parts[part + 1]..<parts[part + 2] : 0..<0
            for index in range { bins[Int(hits[index].bin) - first] &+= hits[index].weight }
            for index in after where Int(hits[index].bin) - first == size - 1 {
                bins[size - 1] &+= hits[index].weight
            }
            for index in range {
                let bin = Int(hits[index].bin) - first
                for low in bin - 1...bin {
                    let votes = Int(bins[low] & ~Self.taken &+ bins[low + 1] & ~Self.taken)
                    guard votes > best.least, bins[low] & Self.taken == 0 else { continue }
                    bins[low] |= Self.taken
                    best.insert(votes: votes, bin: first + low)
                }
            }
            for index in range {
                let bin = Int(hits[index].bin) - first
                bins[bin - 1] = 0
                bins[bin] = 0
            }
            bins[size - 1] = 0
        }
        return best.entries.map { entry in
            Place(frame: (entry.bin + 1) << PostingCode.unitShift - lead, votes: entry.votes)
        }
    }
}

/// The bins with most votes. Of neighbors only the better one is kept.
private struct TopBins {
    private var found: [(votes: Int, bin: Int)] = []
    private let capacity: Int
    /// The number of votes that a bin must exceed to be kept.
    private(set) var least = 0

    init(capacity: Int) {
        self.capacity = capacity
        found.reserveCapacity(4 * capacity + 1)
    }

    @inline(__always)
    mutating func insert(votes: Int, bin: Int) {
        found.append((votes, bin))
        if found.count > 4 * capacity { found = select() }
    }

    /// The bins, most votes first.
    var entries: [(votes: Int, bin: Int)] {
        var copy = self
        return copy.select()
    }

    /// Sorts the bins and keeps at most as many as the capacity.
    private mutating func select() -> [(votes: Int, bin: Int)] {
        found.sort { ($1.votes, $0.bin) < ($0.votes, $1.bin) }
        var kept: [(votes: Int, bin: Int)] = []
        kept.reserveCapacity(4 * capacity + 1)
        var taken: Set<Int> = []
        for entry in found where !taken.contains(entry.bin) {
            kept.append(entry)
            guard kept.count < capacity else { break }
            for near in entry.bin - 2...entry.bin + 2 { taken.insert(near) }
        }
        if kept.count == capacity { least = kept[capacity - 1].votes }
        return kept
    }
}
