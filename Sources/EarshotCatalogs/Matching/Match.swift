public import EarshotSignatures

/// What a catalog answered to a query: every reference that was found in it, best first.
///
/// Equal evidence keeps the order in which references were added, so the same question always has the same answer.
public struct Match: Hashable, Sendable {
    /// The question.
    public let querySignature: Signature
    /// The references found, best first; at least one.
    public let references: [ReferenceMatch]

    /// The media items of all references, best first.
    ///
    /// An item that is limited to time ranges or to frequency skews is left out where the match lies outside.
    public var mediaItems: [MatchedMediaItem] {
        references.flatMap { reference in
            reference.items.filter { $0.applies(to: reference) }.map { MatchedMediaItem(item: $0, match: reference) }
        }
    }
}

extension MediaItem {
    /// Whether the item's ranges, if it has any, admit a match.
    func applies(to match: ReferenceMatch) -> Bool {
        let times = timeRanges
        if !times.isEmpty, !times.contains(where: { $0.overlaps(match.referenceRange) }) { return false }
        let skews = frequencySkewRanges
        return skews.isEmpty || skews.contains { $0.contains(match.pitchSkew) }
    }
}
