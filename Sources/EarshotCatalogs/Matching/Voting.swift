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

    fileprivate static let binShift = 2

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
        var cursors: [Cursor] = []
        query.forEachKey(under: hypothesis) { key, anchor in
            let range = segment.postings(of: key)
            guard !range.isEmpty, range.count <= stopBytes else { return }
            let weight = UInt32(max(1, information - log2(Double(range.count) * 0.4 + 1)))
            cursors.append(
                Cursor(offset: range.lowerBound, end: range.upperBound, shift: lead - anchor, weight: weight)
            )
        }
        var best = TopPlaces(capacity: parameters.candidateCount)
        let capacity = min(binCount, max(2, parameters.partBins))
        if bins.count < capacity + 1 { bins = [UInt32](repeating: 0, count: capacity + 1) }
        var first = 0
        while first < binCount {
            // One bin more than is read as a start, so that pairs of bins across the cut are seen once.
            let count = min(binCount - first, capacity)
            bins.withUnsafeMutableBufferPointer { bins in
                bins.update(repeating: 0)
                for index in cursors.indices { segment.vote(&cursors[index], first: first, count: count, into: bins) }
                for index in 0..<count {
                    let votes = Int(bins[index] &+ bins[index + 1])
                    if votes > best.least { best.insert(votes: votes, bin: first + index) }
                }
            }
            first += count
        }
        return best.entries.map { entry in
            Place(frame: (entry.bin + 1) << Self.binShift - lead, votes: entry.votes)
        }
    }
}

/// How far the postings of one key have been counted.
private struct Cursor {
    /// The next posting and the end of the run, in the file.
    var offset: Int
    var end: Int
    /// From a posting's frame to the frame, on the timeline of bins, at which the query would begin.
    var shift: Int
    var weight: UInt32
    /// The frame of the posting before.
    var frame = 0
}

extension Segment {
    /// Counts a key's postings that fall into one part of the timeline, its last bin included, which is also the first of
    /// the next part. Each posting is read once, and once more where it lies in that bin.
    @inline(__always)
    fileprivate func vote(
        _ cursor: inout Cursor,
        first: Int,
        count: Int,
        into bins: UnsafeMutableBufferPointer<UInt32>
    ) {
        var (offset, frame) = (cursor.offset, cursor.frame)
        var resume: (offset: Int, frame: Int)?
        while offset < cursor.end {
            let before = (offset, frame)
            frame += difference(at: &offset, end: cursor.end)
            // Frames beyond the timeline, which only damage can make, end the run.
            guard frame < frameCount else {
                offset = cursor.end
                break
            }
            let bin = (frame + cursor.shift) >> Voting.binShift - first
            if bin >= count, resume == nil { resume = before }
            guard bin <= count else { break }
            if bin >= 0 { bins[bin] &+= cursor.weight }
        }
        cursor.offset = resume?.offset ?? offset
        cursor.frame = resume?.frame ?? frame
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
