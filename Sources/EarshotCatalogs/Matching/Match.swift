package import EarshotCore
public import EarshotSignatures

/// The result of a query to a catalog: every reference that was found in it, best first.
///
/// Equal evidence keeps the order in which references were added, so the same question always has the same answer.
/// Matches are equal when question and answer are, whichever catalog gave it.
public struct Match: Sendable {
    /// The question.
    public let querySignature: Signature
    /// The references found, best first; at least one.
    public let references: [ReferenceMatch]
    /// The catalog that was searched.
    public let catalog: CatalogIdentity
    /// The current position in each reference, in their order.
    package let positions: [LivePosition]
    /// `true` if the query is the last stretch of a stream, so that what counts is where the reference is at its end.
    package let isLive: Bool

    /// A match.
    ///
    /// - Parameter positions: The current positions in the references; `nil` if the query has just ended.
    package init(
        querySignature: Signature,
        references: [ReferenceMatch],
        catalog: CatalogIdentity,
        positions: [LivePosition]? = nil
    ) {
        self.querySignature = querySignature
        self.references = references
        self.catalog = catalog
        isLive = positions != nil
        self.positions = positions ?? references.map { $0.position(after: querySignature.duration, on: .system) }
    }

    /// The media items of all references, best first; of each reference in this order: items whose time ranges hold, the one
    /// whose range began last first, and then those without time ranges.
    ///
    /// An item that is limited to time ranges or frequency skews is left out if the match is outside them. If that
    /// leaves no item for a reference, an item without properties is returned, so that the position in the reference is
    /// still known.
    public var mediaItems: [MatchedMediaItem] {
        zip(references, positions).flatMap { reference, position in
            let place = isLive ? reference.best.referenceTime(at: querySignature.duration) : nil
            return reference.items(at: place).map {
                MatchedMediaItem(item: $0, match: reference, catalog: catalog, position: position)
            }
        }
    }
}

extension Match: Hashable {
    /// Returns `true` if question and answer are equal.
    public static func == (first: Match, second: Match) -> Bool {
        first.querySignature == second.querySignature && first.references == second.references
    }

    /// Feeds question and answer into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(querySignature)
        hasher.combine(references)
    }
}

extension ReferenceMatch {
    /// The current position, for a query of the given duration.
    func position(after duration: MediaTime, on clock: MediaClock) -> LivePosition {
        let now = clock.now
        let prediction = PositionPrediction(
            position: best.referenceTime(at: duration),
            at: now,
            speedSkew: best.speedSkew,
            referenceDuration: referenceDuration,
            confirmedAt: now
        )
        return LivePosition(prediction, clock: clock)
    }

    /// The items that apply, in order.
    ///
    /// - Parameter place: The position for which time ranges must hold; without it, somewhere in the matched part.
    package func items(at place: MediaTime?) -> [MediaItem] {
        items.applying(to: best.referenceRange, at: place, pitchSkew: best.pitchSkew)
    }
}
