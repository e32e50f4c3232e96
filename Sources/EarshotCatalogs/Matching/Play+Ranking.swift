import EarshotCore

extension Sequence<Play> {
    /// Returns the best play of each reference, best first.
    ///
    /// The first one answers which recording this is, if it is a single one. Plays are ranked by their length, rounded
    /// to seconds, where all plays up to 15 s count as equal. Of equal lengths the higher score decides, and then the
    /// present order. In a short recording all plays are about equally long, and a clear jingle in a long recording is
    /// not its main content.
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
