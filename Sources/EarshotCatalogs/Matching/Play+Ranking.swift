import EarshotCore

extension Sequence<Play> {
    /// Returns the best play of each reference, best first.
    ///
    /// The first is what the recording is, if it is one thing. A play of more than 15 s ranks before all shorter ones, and
    /// longer ones rank before it. Among plays of up to 15 s, and of equal lengths to the second, the higher score decides: in
    /// a short recording everything is about as long, and in a long one a clear jingle is not what it is of. Plays that are
    /// equal in both keep their order.
    public func bestPerReference() -> [Play] {
        func rank(_ play: Play) -> Double {
            Swift.max(15, (play.queryRange.upperBound - play.queryRange.lowerBound).seconds.rounded())
        }
        let ranked = enumerated().sorted { first, second in
            let (left, right) = (rank(first.element), rank(second.element))
            if left != right { return left > right }
            if first.element.score != second.element.score { return first.element.score > second.element.score }
            return first.offset < second.offset
        }
        var seen: Set<ReferenceID> = []
        return ranked.map(\.element).filter { seen.insert($0.id).inserted }
    }
}
