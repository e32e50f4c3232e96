/// A segment with the numbers of its removed references.
struct MaskedSegment {
    var segment: Segment
    var removed: Set<Int>
}
