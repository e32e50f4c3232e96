/// Memory that the votings of one search use one after the other, so that it is not cleared and paged in for each
/// segment.
///
/// It is not initialized, because most of the room for the postings of all blocks is never touched.
final class VotingMemory {
    /// A vote for a bin.
    struct Hit {
        var bin: UInt32
        var weight: UInt32
    }

    /// The buffer of hits; at least as large as the last request.
    private(set) var hits = UnsafeMutableBufferPointer<Hit>(start: nil, count: 0)
    private var sorted = UnsafeMutableBufferPointer<Hit>(start: nil, count: 0)
    /// The counters, all zero between uses.
    let bins: UnsafeMutableBufferPointer<UInt32>

    /// The result of ``Segment/touch(_:)``, kept so that its loads are not optimized away.
    var touched: UInt8 = 0

    /// Allocates the counters.
    ///
    /// - Parameter binCount: The number of counters.
    init(binCount: Int) {
        bins = .allocate(capacity: binCount)
        bins.initialize(repeating: 0)
    }

    deinit {
        hits.deallocate()
        sorted.deallocate()
        bins.deallocate()
    }

    /// Makes room for hits. Earlier hits are lost.
    func reserve(_ count: Int) {
        guard hits.count < count else { return }
        hits.deallocate()
        hits = .allocate(capacity: max(count, 1 << 14))
    }

    /// Returns room for the same hits in another order; ``swap()`` makes it the buffer of hits.
    func reserveSorted() -> UnsafeMutableBufferPointer<Hit> {
        if sorted.count < hits.count {
            sorted.deallocate()
            sorted = .allocate(capacity: hits.count)
        }
        return sorted
    }

    func swap() { Swift.swap(&hits, &sorted) }
}
