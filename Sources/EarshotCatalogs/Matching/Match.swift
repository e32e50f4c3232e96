package import EarshotCore
public import EarshotSignatures

/// The result of a query to a catalog: every reference found, best first.
///
/// References with equal evidence are in order of adding, so the same query always has the same result. Matches are
/// equal if their query and references are, even from different catalogs.
public struct Match: Sendable {
    /// The query.
    public let querySignature: Signature
    /// The references found, best first; at least one.
    public let references: [ReferenceMatch]
    /// The catalog that was searched.
    public let catalog: CatalogIdentity
    /// The current position in each reference, in order of ``references``.
    package let positions: [LivePosition]
    /// `true` if the query is the last part of a stream, so that media items are chosen by the position at its end.
    package let isLive: Bool

    /// Creates a match.
    ///
    /// - Parameter positions: The current positions in the references. If `nil`, the query has just ended.
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

    /// The media items of all references, best reference first. The items of a reference with matching time ranges come
    /// first, the latest start first; then its items without time ranges.
    ///
    /// An item that is limited to time ranges or frequency skews is left out if the match is outside them. If this
    /// leaves no item of a reference, an item without properties stands for it, so that the position in the reference
    /// is still known.
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
    /// Returns `true` if query and references are equal.
    public static func == (first: Match, second: Match) -> Bool {
        first.querySignature == second.querySignature && first.references == second.references
    }

    /// Hashes query and references.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(querySignature)
        hasher.combine(references)
    }
}

extension ReferenceMatch {
    /// Returns the current position, if a query of the given duration has just ended.
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

    /// Returns the items that apply, in order.
    ///
    /// - Parameter place: The position that time ranges must contain; `nil` requires an overlap with the matched part.
    package func items(at place: MediaTime?) -> [MediaItem] {
        items.applying(to: best.referenceRange, at: place, pitchSkew: best.pitchSkew)
    }
}
