public import EarshotCore

/// A media item with the match that found it. Only a match creates one.
///
/// Two are equal if item and match are, even at different times and from different catalogs.
@dynamicMemberLookup
public struct MatchedMediaItem: Sendable {
    /// The item in the catalog.
    public let item: MediaItem
    /// The match of its reference.
    public let match: ReferenceMatch
    /// The catalog that the item comes from.
    public let catalog: CatalogIdentity
    /// The current playback position in the reference.
    public let position: LivePosition

    init(item: MediaItem, match: ReferenceMatch, catalog: CatalogIdentity, position: LivePosition) {
        self.item = item
        self.match = match
        self.catalog = catalog
        self.position = position
    }

    /// Returns the value of a key: of the match for `matchOffset` and `confidence` in seconds and from 0 to 1, and for
    /// `frequencySkew`; otherwise of the item. `nil` if the item has no value.
    public subscript(key: MediaItemKey) -> PropertyValue? {
        switch key {
        case .matchOffset: .real(match.offset.seconds)
        case .frequencySkew: .real(match.pitchSkew)
        case .confidence: .real(match.confidence)
        default: item[key]
        }
    }

    /// A property of the item.
    public subscript<Value>(dynamicMember path: KeyPath<MediaItem, Value>) -> Value { item[keyPath: path] }

    /// The position of the query's start in the reference; negative if the query begins earlier.
    public var matchOffset: MediaTime { match.offset }
    /// The position in the reference now, at most its duration. It advances with the measured speed, and a session that
    /// still matches the reference corrects it.
    public var predictedCurrentMatchOffset: MediaTime { position.current }
    /// The relative deviation of the query's speed from the reference's: 0.05 is 5 % fast.
    public var speedSkew: Double { match.speedSkew }
    /// The relative deviation of the query's pitch from the reference's: with 0.05, 100 Hz are heard as 105 Hz.
    public var frequencySkew: Double { match.pitchSkew }
    /// The confidence of the match, from 0 to 1.
    public var confidence: Double { match.confidence }
}

extension MatchedMediaItem: Hashable {
    /// Returns `true` if item and match are equal.
    public static func == (first: MatchedMediaItem, second: MatchedMediaItem) -> Bool {
        first.item == second.item && first.match == second.match
    }

    /// Hashes item and match.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(item)
        hasher.combine(match)
    }
}
