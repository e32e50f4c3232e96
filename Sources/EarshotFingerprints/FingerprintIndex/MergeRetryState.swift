import EarshotCore

/// The state of failed merges; it lets an index grow in spite of them.
struct MergeRetryState {
    /// The error of the last merge that failed; `nil` once one has succeeded and no damaged segment is left out.
    private(set) var failure: EarshotError?
    /// Segments that were found damaged, by their numbers: they are left out of merges.
    private(set) var damaged: Set<UInt64> = []
    /// Segments from which on merging is tried again.
    private var next = 0

    /// Returns `true` if merging may be tried with so many segments.
    func isDue(_ segments: Int) -> Bool { segments >= next }

    /// A merge failed because of these segments: the others can be merged without them at once.
    mutating func failed(_ error: EarshotError, damaged segments: some Sequence<UInt64>) {
        failure = error
        damaged.formUnion(segments)
    }

    /// A merge failed for another reason, such as a full disk. It may have written much before it did, so it is tried again only
    /// when some segments have come to those that there are.
    mutating func failed(_ error: EarshotError, segments: Int, waitingFor more: Int) {
        failure = error
        next = segments + more
    }

    /// Merging is to be tried now, also with what was found damaged.
    mutating func retry() {
        next = 0
        damaged = []
    }

    /// All that could be merged is.
    mutating func succeeded() {
        next = 0
        if damaged.isEmpty { failure = nil }
    }

    /// The index has these segments now.
    mutating func keep(_ segments: some Sequence<UInt64>) { damaged.formIntersection(segments) }
}
