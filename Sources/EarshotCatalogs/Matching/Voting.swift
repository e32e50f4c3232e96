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

    /// The keys to look up.
    enum Lookups {
        /// The first two landmarks of a key: finds more, reads more.
        case pairs(QueryKeys, Hypothesis)
        /// All three.
        case triplets([QueryKeys.TripletLookup])

        /// Whole keys that were made for it.
        var keyCount: Int {
            if case .triplets(let lookups) = self { lookups.count } else { 0 }
        }
    }

    /// The limits of the work of a lookup.
    struct Effort {
        /// Blocks of postings that are read, at most.
        var blocks: Int
        /// Places that are wanted.
        var places: Int
        /// Places with most votes among which the contrast map chooses, if there is one.
        var sifted = 0
    }

    /// A lookup with the blocks that it has to read.
    private struct Reading {
        var lookup: QueryKeys.Lookup
        var blocks: Range<Int>
        var distance = 0
    }

    /// Bins that are counted at once: 1 MiB of counters.
    private static let partShift = 18
    /// Set in a bin that was given to the best ones; many hits fall into one.
    private static let taken: UInt32 = 1 << 31
    /// Lookups whose blocks are fetched at once, some 30 kB.
    private static let readAhead = 128

    private let segment: Segment
    private let parameters: MatchingParameters
    private let memory: VotingMemory
    private var readings: [Reading] = []
    private var hitCount = 0
    /// All that was read since the beginning.
    private(set) var work = SearchWork()

    /// - Parameter memory: The memory that the votings of one search share, one after the other.
    init(_ segment: Segment, parameters: MatchingParameters, memory: VotingMemory = Voting.memory()) {
        self.segment = segment
        self.parameters = parameters
        self.memory = memory
    }

    /// The places with most votes, most first.
    ///
    /// - Parameters:
    ///   - span: Frames that the query lasts.
    ///   - speed: Of the hypothesis.
    ///   - effort: The amount to read, and the number of positions wanted.
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

    /// The memory that votings share; see ``VotingMemory``.
    static func memory() -> VotingMemory { VotingMemory(binCount: binCount) }

    /// One more bin on both sides of those counted at once belongs to the neighboring part.
    private static let binCount = 1 << partShift + 2

    /// The most blocks that a key may take.
    private var most: Int {
        max(parameters.leastStopBlocks, Int(Double(segment.blockCount) * parameters.stopShare))
    }

    /// Looks up where the postings lie, and decides which are read.
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
        // The rarest keys say most; beyond the budget the commonest go unread.
        guard total > budget else { return }
        var totals = [Int](repeating: 0, count: most + 1)
        for reading in readings { totals[reading.blocks.count] += reading.blocks.count }
        var last = 1
        var rest = budget
        while last < most, totals[last] <= rest {
            rest -= totals[last]
            last += 1
        }
        // Of the last size an even selection: the first ones would all come from the beginning of the query.
        var share = 0
        readings.removeAll { reading in
            guard reading.blocks.count == last else { return reading.blocks.count > last }
            share += rest
            guard share >= totals[last] else { return true }
            share -= totals[last]
            return false
        }
    }

    /// The same for whole keys, of which there are many, ascending.
    ///
    /// A pass that only loads comes before one that decides: the processor then waits for many loads at a time.
    private mutating func findTriplets(_ lookups: [QueryKeys.TripletLookup], budget: Int) {
        work.lookups += lookups.count
        let most = most
        var buckets: [(low: Int, high: Int)] = []
        buckets.reserveCapacity(lookups.count)
        for lookup in lookups { buckets.append(segment.bucket(of: lookup.key)) }
        // Blocks by what they cost for what they promise.
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

    private static let classCount = 64

    /// Ranks lookups by blocks to be read for the chance of a true hit, which about halves with each step of distance.
    @inline(__always)
    private static func costClass(_ blocks: Int, _ distance: Int) -> Int {
        min(classCount - 1, 2 * (Int.bitWidth - blocks.leadingZeroBitCount) + distance)
    }

    /// Collects the hits.
    private mutating func read(lead: Int) {
        let information = log2(Double(segment.postingCount))
        // Beyond the timeline only damage can lead.
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

    /// Counts the votes part by part of the timeline.
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
            // Bins that touch this part's from outside.
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

/// The bins with most votes; of neighbours only the better one.
private struct TopBins {
    private var found: [(votes: Int, bin: Int)] = []
    private let capacity: Int
    /// A bin needs more votes than this to be taken.
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

    /// The bins, those with most votes first.
    var entries: [(votes: Int, bin: Int)] {
        var copy = self
        return copy.select()
    }

    /// Keeps as many as are wanted.
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
