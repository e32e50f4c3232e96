import EarshotSignatures
import Foundation

/// Lets the hits of a query vote for places on a segment's timeline.
///
/// A hit says that the query, were it this one, begins so many frames before the posting. Votes fall into bins of four
/// frames and are read over two neighbouring bins, so a place is never cut in half; each weighs the information that its
/// key carries, the logarithm of its rarity.
struct Voting {
    /// A place on the timeline with votes.
    struct Place {
        /// The frame at which the query would begin; before zero, or inside the reference before, when it begins with
        /// foreign audio.
        var frame: Int
        var votes: Int
    }

    private static let binShift = 2
    /// Bins that are filled at once; a longer timeline is filled part by part. 8 MiB.
    private static let partBins = 1 << 21

    private let segment: Segment
    private let parameters: MatchingParameters
    private var bins: [UInt32] = []

    init(_ segment: Segment, parameters: MatchingParameters) {
        self.segment = segment
        self.parameters = parameters
    }

    /// The places with most votes, most first.
    mutating func places(for query: QueryPairs, span: Int, under hypothesis: Hypothesis) -> [Place] {
        guard segment.postingCount > 0 else { return [] }
        // Room before frame 0 for queries that begin earlier.
        let lead = Int(Double(span) * hypothesis.speed) + 64
        let binCount = (segment.frameCount + lead) >> Self.binShift + 2
        let stopBytes = max(4096, Int(Double(segment.postingSpan.count) * parameters.stopShare))
        let information = log2(Double(segment.postingCount))
        var best = TopPlaces(capacity: parameters.candidateCount)
        let capacity = min(binCount, Self.partBins)
        if bins.count < capacity + 1 { bins = [UInt32](repeating: 0, count: capacity + 1) }
        var start = 0
        while start < binCount {
            // One bin more than is read as a start, so that pairs of bins across the cut are seen once.
            let count = min(binCount - start, capacity)
            bins.withUnsafeMutableBufferPointer { bins in
                bins.update(repeating: 0)
                let first = start
                query.forEachKey(under: hypothesis) { key, anchor in
                    let range = segment.postings(of: key)
                    guard !range.isEmpty, range.count <= stopBytes else { return }
                    let weight = UInt32(max(1, information - log2(Double(range.count) * 0.4 + 1)))
                    segment.forEachFrame(in: range) { frame in
                        let bin = (frame - anchor + lead) >> Self.binShift - first
                        if bin >= 0, bin <= count { bins[bin] &+= weight }
                    }
                }
                for index in 0..<count {
                    let votes = Int(bins[index] &+ bins[index + 1])
                    if votes > best.least {
                        best.insert(votes: votes, bin: first + index)
                    }
                }
            }
            start += count
        }
        return best.entries.map { entry in
            Place(frame: (entry.bin + 1) << Self.binShift - lead, votes: entry.votes)
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
