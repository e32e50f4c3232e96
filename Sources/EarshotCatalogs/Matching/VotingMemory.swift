/// Memory that the votings of one search use one after the other, so that it is not cleared and paged in for each segment.
///
/// It is not initialized: of the room for all postings of the blocks that are read, most is never touched.
final class VotingMemory {
    /// A vote for a bin.
    struct Hit {
        var bin: UInt32
        var weight: UInt32
    }

    /// The buffer of hits, as large as the last request.
    private(set) var hits = UnsafeMutableBufferPointer<Hit>(start: nil, count: 0)
    private var sorted = UnsafeMutableBufferPointer<Hit>(start: nil, count: 0)
    /// Counters, all zero between uses.
    let bins: UnsafeMutableBufferPointer<UInt32>

    /// The result of ``Segment/touch(_:)``, kept so that its loads are not optimized away.
    var touched: UInt8 = 0

    /// - Parameter binCount: Counters that are wanted.
    init(binCount: Int) {
        bins = .allocate(capacity: binCount)
        bins.initialize(repeating: 0)
    }

    deinit {
        hits.deallocate()
        sorted.deallocate()
        bins.deallocate()
    }

    /// Makes room for hits; earlier ones are lost.
    func reserve(_ count: Int) {
        guard hits.count < count else { return }
        hits.deallocate()
        hits = .allocate(capacity: max(count, 1 << 14))
    }

    /// Room for the same hits in another order, which ``swap()`` then puts in their place.
    func reserveSorted() -> UnsafeMutableBufferPointer<Hit> {
        if sorted.count < hits.count {
            sorted.deallocate()
            sorted = .allocate(capacity: hits.count)
        }
        return sorted
    }

    func swap() { Swift.swap(&hits, &sorted) }
}
