/// A segment and the numbers of its references that were removed.
struct MaskedSegment {
    var segment: Segment
    var removed: Set<Int>
}
